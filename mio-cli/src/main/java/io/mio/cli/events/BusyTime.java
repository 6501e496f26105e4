package io.mio.cli.events;

import java.util.Arrays;

/**
 * The time in which at least one of several things was going on. Spans are added in the order of
 * their ends. Memory is bounded: when there are many, the oldest spans are settled, and the part of
 * a later span that reaches back before their end is not counted.
 */
public final class BusyTime {
    private static final int OPEN_MAX = 64;

    // Spans that do not touch, in order.
    private long[] starts = new long[2];
    private long[] ends = new long[2];
    private int open;
    private long settled;
    private long settledEnd = Long.MIN_VALUE;

    /** Adds a span of nanoseconds since time zero. */
    public void add(long start, long end) {
        long from = Math.max(start, settledEnd);
        long to = end;
        if (to <= from) {
            return;
        }
        while (open > 0 && ends[open - 1] >= from) {
            open--;
            from = Math.min(from, starts[open]);
            to = Math.max(to, ends[open]);
        }
        if (open == OPEN_MAX) {
            settle();
        } else if (open == starts.length) {
            starts = Arrays.copyOf(starts, 2 * open);
            ends = Arrays.copyOf(ends, 2 * open);
        }
        starts[open] = from;
        ends[open++] = to;
    }

    /** Adds up the older half of the spans, which then cannot change any more. */
    private void settle() {
        int half = OPEN_MAX / 2;
        for (int i = 0; i < half; i++) {
            settled += ends[i] - starts[i];
        }
        settledEnd = ends[half - 1];
        System.arraycopy(starts, half, starts, 0, half);
        System.arraycopy(ends, half, ends, 0, half);
        open = half;
    }

    /** Returns the nanoseconds so far. */
    public long nanos() {
        long nanos = settled;
        for (int i = 0; i < open; i++) {
            nanos += ends[i] - starts[i];
        }
        return nanos;
    }
}
