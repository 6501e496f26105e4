package io.mio.recov;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.os.OsLayer;
import io.mio.os.PlatformFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;

/**
 * A real file below the layer under test, which fails by a plan. The plan has one entry for each
 * call: the words of an error, the number of bytes that a write takes at most, or "" for a call
 * that succeeds. Calls after the end of the plan succeed.
 */
final class FailingFile extends ForwardingLayer {
    /** The calls that came, for example {@code write 10 at 0}. */
    final List<String> calls = new ArrayList<>();

    private final Queue<String> plan = new ArrayDeque<>();

    FailingFile(Path file, boolean append, String... plan) throws IOException {
        super(
                "os",
                OsLayer.ofChannel(
                        new PlatformFile(FileChannel.open(file, options(append))), "os", true));
        this.plan.addAll(List.of(plan));
    }

    private static Set<StandardOpenOption> options(boolean append) {
        return append
                ? Set.of(StandardOpenOption.APPEND, StandardOpenOption.CREATE)
                : Set.of(
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        StandardOpenOption.CREATE);
    }

    /** The number of bytes that the call may move. */
    private synchronized int called(String call, int wanted) throws IOException {
        calls.add(call);
        String step = plan.isEmpty() ? "" : plan.remove();
        if (step.isEmpty()) {
            return wanted;
        }
        if (Character.isDigit(step.charAt(0))) {
            return Math.min(wanted, Integer.parseInt(step));
        }
        throw new IOException(step);
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        called("read " + dst.remaining() + " at " + offset, 0);
        return super.read(dst, offset);
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        called("read " + count + " buffers at " + offset, 0);
        return super.read(dsts, from, count, offset);
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        int limit = src.limit();
        int allowed = called("write " + src.remaining() + " at " + offset, src.remaining());
        src.limit(src.position() + allowed);
        try {
            return super.write(src, offset);
        } finally {
            src.limit(limit);
        }
    }

    /** Writes as the last layers do: one buffer after another, until one is not taken whole. */
    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        long total = 0;
        for (int i = from; i < from + count && (i == from || !srcs[i - 1].hasRemaining()); i++) {
            if (srcs[i].hasRemaining()) {
                total += write(srcs[i], offset == APPEND ? APPEND : offset + total);
            }
        }
        return total;
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        called("flush", 0);
        super.flush(metadata);
    }

    @Override
    public boolean reserve(long offset, long bytes) throws IOException {
        called("reserve " + bytes + " at " + offset, 0);
        return true;
    }

    @Override
    public void submit(IoRequest request) {
        int bytes = 0;
        Throwable error = null;
        try {
            bytes =
                    request.isWrite()
                            ? write(request.buffer(), request.offset())
                            : read(request.buffer(), request.offset());
        } catch (IOException e) {
            error = e;
        }
        request.complete(bytes, error);
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        for (IoRequest request : requests) {
            submit(request);
        }
    }
}
