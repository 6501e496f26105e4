package io.mio.trace;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.stats.ByteUnit;
import io.mio.stats.FileReport;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Counts and times what passes (design section 5). What it shows is the time spent beneath it: put
 * above a cache it shows what the program sees, below it what the cache sees (reference 1.3).
 *
 * <p>Changes nothing: every call goes down as it came, and every result and exception comes back as
 * it is.
 */
public final class TraceLayer extends ForwardingLayer {
    private final TraceCounters counters;

    /**
     * A trace above {@code next}.
     *
     * @param above name of the layer above, {@code program} at the top
     */
    public TraceLayer(String name, Layer next, String above, ByteUnit unit, OpenRequest request) {
        super(name, next);
        this.counters = new TraceCounters(request, above, next.name(), unit);
    }

    /** What makes the report; it holds the counters, not the layer. */
    public FileReport.Source source() {
        return counters;
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        int wanted = dst.remaining();
        boolean aligned = isAligned(dst);
        long began = System.nanoTime();
        try {
            int moved = next().read(dst, offset);
            long nanos = System.nanoTime() - began;
            counters.transferred(TraceOperation.READ, offset, wanted, moved, began, nanos, aligned);
            return moved;
        } catch (Throwable e) {
            counters.failed(TraceOperation.READ, wanted, System.nanoTime() - began, e);
            throw e;
        }
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        long wanted = remaining(dsts, from, count);
        boolean aligned = isAligned(dsts, from, count);
        long began = System.nanoTime();
        try {
            long moved = next().read(dsts, from, count, offset);
            long nanos = System.nanoTime() - began;
            counters.transferred(TraceOperation.READ, offset, wanted, moved, began, nanos, aligned);
            return moved;
        } catch (Throwable e) {
            counters.failed(TraceOperation.READ, wanted, System.nanoTime() - began, e);
            throw e;
        }
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        int wanted = src.remaining();
        boolean aligned = isAligned(src);
        long began = System.nanoTime();
        try {
            int moved = next().write(src, offset);
            long nanos = System.nanoTime() - began;
            counters.transferred(
                    TraceOperation.WRITE, offset, wanted, moved, began, nanos, aligned);
            return moved;
        } catch (Throwable e) {
            counters.failed(TraceOperation.WRITE, wanted, System.nanoTime() - began, e);
            throw e;
        }
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        long wanted = remaining(srcs, from, count);
        boolean aligned = isAligned(srcs, from, count);
        long began = System.nanoTime();
        try {
            long moved = next().write(srcs, from, count, offset);
            long nanos = System.nanoTime() - began;
            counters.transferred(
                    TraceOperation.WRITE, offset, wanted, moved, began, nanos, aligned);
            return moved;
        } catch (Throwable e) {
            counters.failed(TraceOperation.WRITE, wanted, System.nanoTime() - began, e);
            throw e;
        }
    }

    @Override
    public void seek(long offset) {
        counters.seek(offset);
        next().seek(offset);
    }

    @Override
    public long size() throws IOException {
        long began = System.nanoTime();
        try {
            long size = next().size();
            counters.timed(TraceOperation.FSTAT, System.nanoTime() - began);
            counters.sized(size);
            return size;
        } catch (Throwable e) {
            counters.failed(TraceOperation.FSTAT, 0, System.nanoTime() - began, e);
            throw e;
        }
    }

    @Override
    public void truncate(long size) throws IOException {
        long began = System.nanoTime();
        try {
            next().truncate(size);
            counters.timed(TraceOperation.TRUNC, System.nanoTime() - began);
            counters.truncated(size);
        } catch (Throwable e) {
            counters.failed(TraceOperation.TRUNC, 0, System.nanoTime() - began, e);
            throw e;
        }
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        long began = System.nanoTime();
        try {
            next().flush(metadata);
            counters.timed(TraceOperation.FSYNC, System.nanoTime() - began);
        } catch (Throwable e) {
            counters.failed(TraceOperation.FSYNC, 0, System.nanoTime() - began, e);
            throw e;
        }
    }

    @Override
    public <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException {
        TraceOperation operation =
                switch (kind) {
                    case LOCK, UNLOCK -> TraceOperation.FCNTL;
                    case MAP_READ, MAP_WRITE -> TraceOperation.MMAP;
                    case TRANSFER_OUT -> TraceOperation.READ;
                    case TRANSFER_IN -> TraceOperation.WRITE;
                };
        long wanted = kind == Bypass.TRANSFER_OUT ? counters.within(offset, length) : length;
        long began = System.nanoTime();
        try {
            T result = next().around(kind, offset, length, call);
            long nanos = System.nanoTime() - began;
            if (operation.isTransfer()) {
                long moved = ((Number) result).longValue();
                // How much a source had to give is known only now.
                long asked = kind == Bypass.TRANSFER_IN ? moved : Math.max(wanted, moved);
                counters.transferred(operation, offset, asked, moved, began, nanos, true);
            } else {
                counters.timed(operation, nanos);
            }
            return result;
        } catch (Throwable e) {
            // How much would have come in is not known; how much was to go out is.
            long asked = kind == Bypass.TRANSFER_IN ? TraceCounters.NO_REQUEST : wanted;
            counters.failed(operation, asked, System.nanoTime() - began, e);
            throw e;
        }
    }

    @Override
    public void submit(IoRequest request) throws IOException {
        TraceOperation operation = operation(request);
        long began = System.nanoTime();
        Counting counting = submitting(request, began);
        try {
            next().submit(request);
            counters.submitted(operation, System.nanoTime() - began);
        } catch (Throwable e) {
            counters.submitted(operation, System.nanoTime() - began);
            counting.refused(e);
            throw e;
        }
    }

    /** The time of the call counts for the first request. */
    @Override
    public void submitAll(List<IoRequest> requests) {
        long began = System.nanoTime();
        for (IoRequest request : requests) {
            submitting(request, began);
        }
        next().submitAll(requests);
        if (!requests.isEmpty()) {
            counters.submitted(operation(requests.get(0)), System.nanoTime() - began);
        }
    }

    /** Before it goes down: it may be complete, and the file closed and reported, on return. */
    private Counting submitting(IoRequest request, long began) {
        Counting counting = new Counting(request, began);
        request.before(counting);
        counters.submitting(
                operation(request),
                request.offset(),
                request.requested(),
                isAligned(request.buffer()));
        return counting;
    }

    /** Counts the end of a request, once: one that was refused may be completed by its maker. */
    private final class Counting implements IoRequest.Completion {
        private final TraceOperation operation;
        private final long offset;
        private final int wanted;
        private final long began;
        private boolean refused;

        Counting(IoRequest request, long began) {
            this.operation = operation(request);
            this.offset = request.offset();
            this.wanted = request.requested();
            this.began = began;
        }

        void refused(Throwable why) {
            refused = true;
            counters.failedLater(operation, wanted, why);
        }

        @Override
        public void completed(IoRequest done) {
            if (refused) {
                return;
            }
            if (done.error() == null) {
                counters.completed(operation, offset, wanted, done.delivered(), began);
            } else {
                counters.failedLater(operation, wanted, done.error());
            }
        }
    }

    @Override
    public void await(IoRequest request, Waiting waiting) throws InterruptedException {
        long began = System.nanoTime();
        try {
            next().await(request, waiting);
        } finally {
            counters.suspended(operation(request), System.nanoTime() - began);
        }
    }

    @Override
    public void close() throws IOException {
        long began = System.nanoTime();
        try {
            next().close();
        } finally {
            counters.closed(System.nanoTime() - began);
        }
    }

    private static TraceOperation operation(IoRequest request) {
        return request.isWrite() ? TraceOperation.AWRITE : TraceOperation.AREAD;
    }

    private static long remaining(ByteBuffer[] buffers, int from, int count) {
        long sum = 0;
        for (int i = from; i < from + count; i++) {
            sum += buffers[i].remaining();
        }
        return sum;
    }

    /**
     * Whether the memory suits direct I/O; the JDK copies heap buffers to aligned memory itself.
     */
    private boolean isAligned(ByteBuffer buffer) {
        return !counters.isDirect()
                || !buffer.isDirect()
                || buffer.alignmentOffset(buffer.position(), (int) counters.sectorBytes()) == 0;
    }

    private boolean isAligned(ByteBuffer[] buffers, int from, int count) {
        boolean aligned = true;
        for (int i = from; i < from + count; i++) {
            aligned &= isAligned(buffers[i]);
        }
        return aligned;
    }
}
