package io.mio.trace;

import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A last layer without a file: takes every write, and has as many bytes as were written. */
public final class NullOs implements Layer {
    long size;
    IOException failure;
    private final boolean reserves;

    NullOs() {
        this(false);
    }

    /** With {@code reserves}, space can be set aside; a cache above keeps writes only then. */
    public NullOs(boolean reserves) {
        this.reserves = reserves;
    }

    @Override
    public String name() {
        return "os";
    }

    @Override
    public Layer next() {
        return null;
    }

    private int move(ByteBuffer buffer, long limit) throws IOException {
        if (failure != null) {
            throw failure;
        }
        int moved = (int) Math.min(buffer.remaining(), Math.max(0, limit));
        if (moved == 0 && buffer.hasRemaining()) {
            return -1;
        }
        buffer.position(buffer.position() + moved);
        return moved;
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        return move(dst, size - offset);
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        long sum = 0;
        for (int i = from; i < from + count; i++) {
            int moved = read(dsts[i], offset + sum);
            if (moved < 0) {
                return sum == 0 ? -1 : sum;
            }
            sum += moved;
        }
        return sum;
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        long at = offset == APPEND ? size : offset;
        int moved = move(src, Long.MAX_VALUE);
        size = Math.max(size, at + moved);
        return moved;
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        long sum = 0;
        for (int i = from; i < from + count; i++) {
            sum += write(srcs[i], offset == APPEND ? APPEND : offset + sum);
        }
        return sum;
    }

    @Override
    public void seek(long offset) {}

    @Override
    public long size() {
        return size;
    }

    @Override
    public void truncate(long to) {
        size = Math.min(size, to);
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException {
        return call.call();
    }

    @Override
    public void submit(IoRequest request) {
        try {
            int moved =
                    request.isWrite()
                            ? write(request.buffer(), request.offset())
                            : read(request.buffer(), request.offset());
            request.complete(moved, null);
        } catch (IOException e) {
            request.complete(0, e);
        }
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        requests.forEach(this::submit);
    }

    @Override
    public boolean reserve(long offset, long bytes) {
        return reserves;
    }

    @Override
    public void await(IoRequest request, Waiting waiting) throws InterruptedException {
        waiting.run();
    }

    @Override
    public void close() {}
}
