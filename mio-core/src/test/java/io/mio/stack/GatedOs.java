package io.mio.stack;

import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A last layer whose calls stay inside until a test lets them go. */
final class GatedOs implements Layer {
    /** One permit lets one call leave. */
    final Semaphore leave = new Semaphore(0);

    /** One permit for each call that has come in. */
    final Semaphore entered = new Semaphore(0);

    final AtomicInteger inside = new AtomicInteger();
    volatile long sizeBytes = 8192;
    volatile boolean closed;

    private void call() {
        inside.incrementAndGet();
        entered.release();
        leave.acquireUninterruptibly();
        inside.decrementAndGet();
    }

    @Override
    public String name() {
        return "os";
    }

    @Override
    public Layer next() {
        return null;
    }

    @Override
    public int read(ByteBuffer dst, long offset) {
        call();
        return dst.remaining();
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) {
        call();
        return 1;
    }

    @Override
    public int write(ByteBuffer src, long offset) {
        call();
        return src.remaining();
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) {
        call();
        return 1;
    }

    @Override
    public void seek(long offset) {}

    @Override
    public long size() {
        return sizeBytes;
    }

    @Override
    public void truncate(long size) {
        call();
    }

    @Override
    public void flush(boolean metadata) {
        call();
    }

    @Override
    public <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException {
        call();
        return call.call();
    }

    @Override
    public void submit(IoRequest request) {
        call();
        request.complete(request.requested(), null);
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean reserve(long offset, long bytes) {
        return false;
    }

    @Override
    public void await(IoRequest request, Waiting waiting) throws InterruptedException {
        waiting.run();
    }

    @Override
    public void close() {
        closed = true;
    }
}
