package io.mio.stats;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Sums of what the layers of files counted. For one thread at a time. */
public final class IoTotals {
    /** What is summed up. Times are in nanoseconds, lengths in bytes. */
    public enum Kind {
        /** Reads of the program, asynchronous ones included. */
        READS,
        /** Bytes that reads delivered. */
        READ_BYTES,
        /** Time in reads, and in waits for asynchronous ones. */
        READ_NANOS,
        /** Writes of the program, asynchronous ones included. */
        WRITES,
        /** Bytes that writes took. */
        WRITE_BYTES,
        /** Time in writes, and in waits for asynchronous ones. */
        WRITE_NANOS,
        /** Reads of the program that found all bytes in pages. */
        HITS,
        /** Pages the program had to wait for that were not requested before. */
        MISSES,
        /** Read requests of caches. */
        PAGE_READS,
        /** Bytes that page reads brought. */
        PAGE_READ_BYTES,
        /** Write requests of caches. */
        PAGE_WRITES,
        /** Bytes that page writes took. */
        PAGE_WRITE_BYTES,
        /** Pages read or prepared ahead. */
        PREFETCHES,
        /** Pages read or prepared ahead that gave way before they were used. */
        PREFETCHES_UNUSED,
        /** Waits of the program for pages on their way. */
        WAITS,
        /** Time that the program lost in waits for pages on their way. */
        WAIT_NANOS
    }

    private final long[] sums = new long[Kind.values().length];
    private Set<Object> seen;
    private boolean counted;
    private boolean timed;

    /** Makes sums that are all zero. */
    public IoTotals() {}

    /** Returns a sum. */
    public long of(Kind kind) {
        return sums[kind.ordinal()];
    }

    /** True if some layer counted what the program did; else the program's sums mean nothing. */
    public boolean isCounted() {
        return counted;
    }

    /** True if some layer timed what the program did. */
    public boolean isTimed() {
        return timed;
    }

    /** Adds to a sum. */
    public void add(Kind kind, long amount) {
        sums[kind.ordinal()] += amount;
    }

    /** Notes that what the program did was counted. */
    public void counted(boolean withTimes) {
        counted = true;
        timed |= withTimes;
    }

    /** True once for each {@code shared}: counters that several open files have in common. */
    public boolean isFirst(Object shared) {
        if (seen == null) {
            seen = Collections.newSetFromMap(new IdentityHashMap<>());
        }
        return seen.add(shared);
    }

    void add(IoTotals more) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += more.sums[i];
        }
        counted |= more.counted;
        timed |= more.timed;
    }

    /** Returns what was added since {@code before} was taken. */
    public IoTotals since(IoTotals before) {
        IoTotals result = new IoTotals();
        for (int i = 0; i < sums.length; i++) {
            // Hits are a difference of two counters that are not read at the same moment.
            result.sums[i] = Math.max(0, sums[i] - before.sums[i]);
        }
        result.counted = counted;
        result.timed = timed;
        return result;
    }
}
