package io.mio.cli.simulate;

import io.mio.layer.IoRequest;
import java.util.PriorityQueue;
import java.util.function.Predicate;

/**
 * The virtual time of the call that is played, and the requests that are on their way in it. Time
 * passes where the program would wait for the device; everything that is complete by then is
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

    /** To hand so much more in takes as long again: the kernel holds each page of memory. */
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
     * @param submitNanos the caller is busy for so long with each request that it hands in, and
     *     again for each {@link #SUBMIT_BYTES} of it
     * @param handoffNanos until the thread that makes them has one, and until the caller goes on
     *     that waited for it
     */
    Timeline(DeviceQueue queue, long submitNanos, long handoffNanos) {
        this.queue = queue;
        this.submitNanos = submitNanos;
        this.handoffNanos = handoffNanos;
    }

    /** A call begins: the clock is that of its thread. */
    void at(long nanos) {
        now = nanos;
        completeUpTo(nanos);
    }

    long now() {
        return now;
    }

    /** The program is busy. */
    void pass(long nanos) {
        now += nanos;
    }

    /** What is waited for from now on counts, or does not: the program goes on meanwhile. */
    void counts(boolean does) {
        counts = does;
    }

    /** Time in which calls waited for the device. */
    long stallNanos() {
        return stallNanos;
    }

    /** How often. */
    long stalls() {
        return stalls;
    }

    /** A request that nobody is told of begins; returns when it is complete. */
    long begin(long bytes) {
        return queue.submit(now, bytes);
    }

    /** The caller waits until then. */
    void until(long nanos) {
        waitUntil(nanos);
    }

    /**
     * The caller waits for a request of so many bytes.
     *
     * @param earliest the device does not have it before
     * @return when it is complete
     */
    long perform(long bytes, long earliest) {
        long doneAt = queue.submit(Math.max(now, earliest), bytes);
        waitUntil(doneAt);
        return doneAt;
    }

    /**
     * The caller goes on while it is done.
     *
     * @param earliest the device does not have it before
     * @return when it is complete
     */
    long submit(IoRequest request, SimulatedLayer layer, int bytes, long earliest) {
        now += submitNanos * (1 + bytes / SUBMIT_BYTES);
        long doneAt = queue.submit(Math.max(now + handoffNanos, earliest), Math.max(0, bytes));
        pending.add(new Pending(doneAt, number++, request, layer, bytes));
        return doneAt;
    }

    /** The caller waits for one that was submitted. */
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

    /** The caller waits for all that is on its way of some layers. */
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
