package io.mio.cli.simulate;

import io.mio.layer.IoRequest;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The virtual time of the call that is played, and the requests that are on their way at that time.
 * Time passes where the program would wait for the device. Requests that are complete by then are
 * completed, in the order of time.
 */
final class Timeline {
    /** A request on its way. */
    private record Pending(
            long doneAt, long number, IoRequest request, SimulatedLayer layer, int bytes)
            implements Comparable<Pending> {
        @Override
        public int compareTo(Pending other) {
            int order = Long.compare(doneAt, other.doneAt);
            return order != 0 ? order : Long.compare(number, other.number);
        }

        void complete() {
            layer.arrived(request, bytes);
            request.complete(bytes, null);
        }
    }

    /**
     * Bytes of a request that cost the submission time once more: the kernel takes hold of each
     * page of memory.
     */
    private static final int SUBMIT_BYTES = 128 << 10;

    private final DeviceQueue queue;
    private final long submitNanos;
    private final long handoffNanos;
    private final PriorityQueue<Pending> pending = new PriorityQueue<>();
    private long now;
    private long number;
    private long stallNanos;
    private long stalls;
    private boolean counts = true;

    Timeline(DeviceQueue queue) {
        this(queue, 0, 0);
    }

    /**
     * @param submitNanos time that the caller is busy with each request that it submits, and again
     *     for each {@link #SUBMIT_BYTES} of it
     * @param handoffNanos time until the thread that makes the requests has one, and until a caller
     *     that waited for it continues
     */
    Timeline(DeviceQueue queue, long submitNanos, long handoffNanos) {
        this.queue = queue;
        this.submitNanos = submitNanos;
        this.handoffNanos = handoffNanos;
    }

    /** A call begins: sets the time to that of its thread. */
    void at(long nanos) {
        now = nanos;
        completeUpTo(nanos);
    }

    long now() {
        return now;
    }

    /** The program is busy for {@code nanos}. */
    void pass(long nanos) {
        now += nanos;
    }

    /** Sets whether waits count from now on. They do not where the program goes on meanwhile. */
    void counts(boolean does) {
        counts = does;
    }

    /** Time that calls waited for the device, in nanoseconds. */
    long stallNanos() {
        return stallNanos;
    }

    /** How often calls waited for the device. */
    long stalls() {
        return stalls;
    }

    /** Begins a request whose completion is not reported; returns when it is complete. */
    long begin(long bytes) {
        return queue.submit(now, bytes);
    }

    /** The caller waits until this time. */
    void until(long nanos) {
        waitUntil(nanos);
    }

    /**
     * The caller waits for a request of so many bytes.
     *
     * @param earliest the device does not get the request before this time
     * @return when it is complete
     */
    long perform(long bytes, long earliest) {
        long doneAt = queue.submit(Math.max(now, earliest), bytes);
        waitUntil(doneAt);
        return doneAt;
    }

    /**
     * Submits a request; the caller goes on while it is done.
     *
     * @param earliest the device does not get the request before this time
     * @return when it is complete
     */
    long submit(IoRequest request, SimulatedLayer layer, int bytes, long earliest) {
        now += submitNanos * (1 + bytes / SUBMIT_BYTES);
        long doneAt = queue.submit(Math.max(now + handoffNanos, earliest), Math.max(0, bytes));
        pending.add(new Pending(doneAt, number++, request, layer, bytes));
        return doneAt;
    }

    /** The caller waits for a request that was submitted. */
    void await(IoRequest request) {
        if (request.isDone()) {
            return;
        }
        for (Pending one : pending) {
            if (one.request == request) {
                waitUntil(one.doneAt + handoffNanos);
                return;
            }
        }
        throw new IllegalStateException("nobody has submitted this request");
    }

    /** The caller waits for all requests on their way that belong to these layers. */
    void drain(Predicate<SimulatedLayer> of) {
        long last = Long.MIN_VALUE;
        for (Pending one : pending) {
            last = of.test(one.layer) ? Math.max(last, one.doneAt) : last;
        }
        if (last != Long.MIN_VALUE) {
            waitUntil(last + handoffNanos);
        }
    }

    private void waitUntil(long nanos) {
        completeUpTo(nanos);
        if (nanos > now) {
            stalls += counts ? 1 : 0;
            stallNanos += counts ? nanos - now : 0;
            now = nanos;
        }
    }

    private void completeUpTo(long nanos) {
        while (!pending.isEmpty() && pending.peek().doneAt <= nanos) {
            pending.poll().complete();
        }
    }
}
