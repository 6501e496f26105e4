package io.mio.layer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Passes every call on to the next layer. Subclasses override the calls they handle. */
public abstract class ForwardingLayer implements Layer {
    private final String name;
    private final Layer next;

    protected ForwardingLayer(String name, Layer next) {
        this.name = name;
        this.next = next;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Layer next() {
        return next;
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        return next.read(dst, offset);
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        return next.read(dsts, from, count, offset);
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        return next.write(src, offset);
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        return next.write(srcs, from, count, offset);
    }

    @Override
    public boolean knowsPlace() {
        return next.knowsPlace();
    }

    @Override
    public void seek(long offset) {
        next.seek(offset);
    }

    @Override
    public long size() throws IOException {
        return next.size();
    }

    @Override
    public void truncate(long size) throws IOException {
        next.truncate(size);
    }

    @Override
    public boolean truncates() {
        return next.truncates();
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        next.flush(metadata);
    }

    @Override
    public <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException {
        return next.around(kind, offset, length, call);
    }

    @Override
    public void submit(IoRequest request) throws IOException {
        next.submit(request);
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        next.submitAll(requests);
    }

    @Override
    public boolean reserve(long offset, long bytes) throws IOException {
        return next.reserve(offset, bytes);
    }

    @Override
    public void await(IoRequest request, Waiting waiting) throws InterruptedException {
        next.await(request, waiting);
    }

    @Override
    public void close() throws IOException {
        next.close();
    }

    /** The stack from here down, for example {@code trace|os}. */
    @Override
    public String toString() {
        return name + "|" + next;
    }
}
