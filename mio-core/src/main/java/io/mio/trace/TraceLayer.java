package io.mio.trace;

import io.mio.counters.CounterRecord;
import io.mio.layer.DecisionWatch;
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
 * Counts and times the calls that pass (design section 5). It shows the time spent beneath it:
 * above a cache it shows what the program sees, below it what the cache sees (reference 1.3).
 *
 * <p>Changes nothing: every call goes down as it came, and every result and exception comes back as
 * it is.
 */
public final class TraceLayer extends ForwardingLayer {
    private final TraceCounters counters;

    /** Records events; null if only counts are wanted. */
    private final TraceEvents events;

    /**
     * Makes a trace above {@code next}.
     *
     * @param above name of the layer above, {@code program} at the top
     */
    public TraceLayer(String name, Layer next, String above, ByteUnit unit, OpenRequest request) {
        this(name, next, above, unit, request, null);
    }

    /**
     * Makes a trace above {@code next} that records what passes.
     *
     * @param above name of the layer above, {@code program} at the top
     * @param events records the calls, or null: they are only counted
     */
    public TraceLayer(
            String name,
            Layer next,
            String above,
            ByteUnit unit,
            OpenRequest request,
            TraceEvents events) {
        super(name, next);
        this.events = events;
        this.counters = new TraceCounters(request, above, next.name(), unit);
    }

    /** Returns what records decisions of layers below, or null. */
    public DecisionWatch decisions() {
        return events;
    }

    /** Returns what shows decisions of layers below to other processes. */
    public DecisionWatch shownDecisions() {
        return counters;
    }

    /** Record in which others see its counters, or null; given back when the report is released. */
    public CounterRecord record() {
        return counters.record();
    }

    /** Returns what makes the report; it holds the counters, not the layer. */
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
            ended(TraceOperation.READ, offset, wanted, moved, began, nanos, aligned);
            return moved;
        } catch (Throwable e) {
            failed(TraceOperation.READ, offset, wanted, began, e);
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
            ended(TraceOperation.READ, offset, wanted, moved, began, nanos, aligned);
            return moved;
        } catch (Throwable e) {
            failed(TraceOperation.READ, offset, wanted, began, e);
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
            ended(TraceOperation.WRITE, offset, wanted, moved, began, nanos, aligned);
            return moved;
        } catch (Throwable e) {
            failed(TraceOperation.WRITE, offset, wanted, began, e);
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
            ended(TraceOperation.WRITE, offset, wanted, moved, began, nanos, aligned);
            return moved;
        } catch (Throwable e) {
            failed(TraceOperation.WRITE, offset, wanted, began, e);
            throw e;
        }
    }

    /** Counts a synchronous transfer that succeeded. */
    private void ended(
            TraceOperation operation,
            long offset,
            long wanted,
            long moved,
            long began,
            long nanos,
            boolean aligned) {
        long at = counters.transferred(operation, offset, wanted, moved, began, nanos, aligned);
        if (events != null) {
            events.call(operation, at, offset == APPEND, wanted, moved, began, nanos);
        }
    }

    /** Counts a call that moves no data and succeeded. */
    private void timed(TraceOperation operation, long offset, long began) {
        long nanos = System.nanoTime() - began;
        counters.timed(operation, nanos);
        if (events != null) {
            events.call(operation, offset, false, 0, 0, began, nanos);
        }
    }

    private void failed(
            TraceOperation operation, long offset, long wanted, long began, Throwable why) {
        long nanos = System.nanoTime() - began;
        counters.failed(operation, wanted, nanos, why);
        if (events != null) {
            boolean appends = operation == TraceOperation.WRITE && offset == APPEND;
            events.failed(operation, offset, appends, wanted, began, nanos, why);
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
            timed(TraceOperation.FSTAT, -1, began);
            counters.sized(size);
            return size;
        } catch (Throwable e) {
            failed(TraceOperation.FSTAT, -1, 0, began, e);
            throw e;
        }
    }

    @Override
    public void truncate(long size) throws IOException {
        long began = System.nanoTime();
        try {
            next().truncate(size);
            timed(TraceOperation.TRUNC, size, began);
            if (next().truncates()) {
                counters.truncated(size);
            }
        } catch (Throwable e) {
            failed(TraceOperation.TRUNC, size, 0, began, e);
            throw e;
        }
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        long began = System.nanoTime();
        try {
            next().flush(metadata);
            timed(TraceOperation.FSYNC, -1, began);
        } catch (Throwable e) {
            failed(TraceOperation.FSYNC, -1, 0, began, e);
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
                // Only now is known how much a source had to give.
                long asked = kind == Bypass.TRANSFER_IN ? moved : Math.max(wanted, moved);
                ended(operation, offset, asked, moved, began, nanos, true);
            } else {
                counters.timed(operation, nanos);
                if (events != null) {
                    long asked = length == Long.MAX_VALUE ? TraceCounters.NO_REQUEST : length;
                    events.call(operation, offset, false, asked, 0, began, nanos);
                }
            }
            return result;
        } catch (Throwable e) {
            // How much would have come in is not known; how much was to go out is.
            long asked = kind == Bypass.TRANSFER_OUT ? wanted : TraceCounters.NO_REQUEST;
            failed(operation, offset, asked, began, e);
            throw e;
        }
    }

    @Override
    public void submit(IoRequest request) throws IOException {
        long began = System.nanoTime();
        Counting counting = submitting(request, began);
        try {
            next().submit(request);
            counting.submitted(System.nanoTime() - began, null);
        } catch (Throwable e) {
            counting.submitted(System.nanoTime() - began, e);
            counting.refused(e);
            throw e;
        }
    }

    /** Counts the time of the call for the first request. */
    @Override
    public void submitAll(List<IoRequest> requests) {
        long began = System.nanoTime();
        Counting first = null;
        for (IoRequest request : requests) {
            Counting one = submitting(request, began);
            if (first == null) {
                first = one;
            } else {
                one.recorded(0, null);
            }
        }
        next().submitAll(requests);
        if (first != null) {
            first.submitted(System.nanoTime() - began, null);
        }
    }

    /** Counts before the call: on return it may be complete, the file closed and reported. */
    private Counting submitting(IoRequest request, long began) {
        if (events != null) {
            TraceEvents.number(request);
        }
        Counting counting = new Counting(request, began);
        request.before(counting);
        counters.submitting(
                operation(request),
                request.offset(),
                request.requested(),
                isAligned(request.buffer()));
        return counting;
    }

    /** Counts the end of a request, once: its maker may complete one that was refused. */
    private final class Counting implements IoRequest.Completion {
        private final TraceOperation operation;
        private final long offset;
        private final int wanted;
        private final long began;
        private final long number;
        private boolean refused;

        Counting(IoRequest request, long began) {
            this.operation = operation(request);
            this.offset = request.offset();
            this.wanted = request.requested();
            this.began = began;
            this.number = request.number();
        }

        /** Counts that it was handed down, or refused for that reason. */
        void submitted(long nanos, Throwable why) {
            counters.submitted(operation, nanos);
            recorded(nanos, why);
        }

        void recorded(long nanos, Throwable why) {
            if (events != null) {
                events.submitted(operation, number, offset, wanted, began, nanos, why);
            }
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
            Throwable error = done.error();
            int moved = error == null ? done.delivered() : 0;
            long nanos;
            if (error == null) {
                nanos = counters.completed(operation, offset, wanted, moved, began);
            } else {
                counters.failedLater(operation, wanted, error);
                nanos = events == null ? 0 : System.nanoTime() - began;
            }
            if (events != null) {
                events.ended(operation, number, offset, wanted, moved, began, nanos, error);
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
        Throwable error = null;
        try {
            next().close();
        } catch (Throwable e) {
            error = e;
            throw e;
        } finally {
            long nanos = System.nanoTime() - began;
            if (error == null) {
                counters.timed(TraceOperation.CLOSE, nanos);
            } else {
                counters.failed(TraceOperation.CLOSE, 0, nanos, error);
            }
            counters.closed();
            if (events != null && error == null) {
                events.call(TraceOperation.CLOSE, began, nanos);
            } else if (events != null) {
                events.failed(TraceOperation.CLOSE, -1, false, 0, began, nanos, error);
            }
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
