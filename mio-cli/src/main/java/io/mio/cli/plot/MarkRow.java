package io.mio.cli.plot;

/**
 * One mark on its way into or out of a {@link MarkTable}; the fields are those of {@link Mark}. It
 * is used again and again, so that millions of events make no garbage.
 */
final class MarkRow {
    int series;
    Shape shape = Shape.EVENT;
    long startNanos;
    long endNanos;
    long offset;
    long offsetEnd;
    long events;
    long bytes;
    long busyNanos;
    long longestNanos;
    long thread;
    int code;
    long requested;
    int errno;
    long number;
    long process;

    /** Returns the smallest offset, -1 where there is none. */
    long lowOffset() {
        return Math.min(offset, offsetEnd);
    }

    /** Returns the largest offset, -1 where there is none. */
    long highOffset() {
        return Math.max(offset, offsetEnd);
    }

    boolean isForward() {
        return offsetEnd >= offset;
    }
}
