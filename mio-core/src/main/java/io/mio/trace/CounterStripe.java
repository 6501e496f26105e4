package io.mio.trace;

import io.mio.stats.OperationStats;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot.Pattern;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * One share of a file's counters. A thread owns it for the few stores of one call, by a flag taken
 * with one compare-and-set and given back with one release store; {@link TraceCounters} has several
 * so that threads seldom meet. All fields but the flag are plain and touched by the owner only.
 */
final class CounterStripe {
    private static final VarHandle OWNED;

    static {
        try {
            OWNED = MethodHandles.lookup().findVarHandle(CounterStripe.class, "owned", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** Activity bins; when a call falls behind the last one, their width doubles. */
    static final int BINS = 64;

    /** First width of a bin, 2^20 ns: about a millisecond. */
    static final int FIRST_BIN_SHIFT = 20;

    static final int BUCKETS = 65;

    private static final int OPERATIONS = TraceOperation.values().length;

    @SuppressWarnings("UnusedVariable") // by the handle
    private int owned;

    final long[] count = new long[OPERATIONS];
    final long[] nanos = new long[OPERATIONS];
    final long[] errors = new long[OPERATIONS];
    final long[] requested = new long[OPERATIONS];
    final long[] delivered = new long[OPERATIONS];
    final long[] smallest = new long[OPERATIONS];
    final long[] largest = new long[OPERATIONS];
    final long[] suspends = new long[OPERATIONS];
    final long[] suspendNanos = new long[OPERATIONS];
    final long[] readNanos = new long[BUCKETS];
    final long[] writeNanos = new long[BUCKETS];
    final long[] readBytes = new long[BUCKETS];
    final long[] writeBytes = new long[BUCKETS];
    final long[] patternBytes = new long[Pattern.values().length];
    final long[] activityRead = new long[BINS];
    final long[] activityWritten = new long[BINS];
    int binShift = FIRST_BIN_SHIFT;
    long seekDelta;
    long extensions;
    long illFormed;
    long misaligned;

    /** The one this replaced because its owner did not give it back, or null; counts as well. */
    final CounterStripe before;

    CounterStripe() {
        this(null);
    }

    CounterStripe(CounterStripe before) {
        this.before = before;
        Arrays.fill(smallest, Long.MAX_VALUE);
    }

    boolean tryOwn() {
        return OWNED.compareAndSet(this, 0, 1);
    }

    void release() {
        OWNED.setRelease(this, 0);
    }

    /** Power-of-two bucket: 0 for 0, i for 2^(i-1) to 2^i - 1. */
    static int bucket(long value) {
        return 64 - Long.numberOfLeadingZeros(value);
    }

    void call(int operation, long took) {
        count[operation]++;
        nanos[operation] += took;
    }

    /** The size of a request, when it is made. */
    void requested(int operation, boolean write, long bytes) {
        requested[operation] += bytes;
        if (bytes < smallest[operation]) {
            smallest[operation] = bytes;
        }
        if (bytes > largest[operation]) {
            largest[operation] = bytes;
        }
        (write ? writeBytes : readBytes)[bucket(bytes)]++;
    }

    /** What a request moved, when it is done. */
    void delivered(int operation, boolean write, long bytes, Pattern pattern, long sinceOpen) {
        delivered[operation] += bytes;
        patternBytes[pattern.ordinal()] += bytes;
        long at = Math.max(0, sinceOpen);
        long bin = at >>> binShift;
        if (bin >= BINS) {
            bin = widen(at);
        }
        (write ? activityWritten : activityRead)[(int) bin] += bytes;
    }

    private long widen(long sinceOpen) {
        while (sinceOpen >>> binShift >= BINS) {
            fold(activityRead);
            fold(activityWritten);
            binShift++;
        }
        return sinceOpen >>> binShift;
    }

    /** Halves the resolution in place. */
    static void fold(long[] bins) {
        for (int i = 0; i < BINS / 2; i++) {
            bins[i] = bins[2 * i] + bins[2 * i + 1];
        }
        Arrays.fill(bins, BINS / 2, BINS, 0);
    }

    /** Adds this share to {@code sum}, which nobody else sees. */
    void addTo(CounterStripe sum) {
        for (int i = 0; i < OPERATIONS; i++) {
            sum.smallest[i] = Math.min(sum.smallest[i], smallest[i]);
            sum.largest[i] = Math.max(sum.largest[i], largest[i]);
        }
        add(count, sum.count);
        add(nanos, sum.nanos);
        add(errors, sum.errors);
        add(requested, sum.requested);
        add(delivered, sum.delivered);
        add(suspends, sum.suspends);
        add(suspendNanos, sum.suspendNanos);
        add(readNanos, sum.readNanos);
        add(writeNanos, sum.writeNanos);
        add(readBytes, sum.readBytes);
        add(writeBytes, sum.writeBytes);
        add(patternBytes, sum.patternBytes);
        while (sum.binShift < binShift) {
            fold(sum.activityRead);
            fold(sum.activityWritten);
            sum.binShift++;
        }
        for (int i = 0; i < BINS; i++) {
            sum.activityRead[i >> sum.binShift - binShift] += activityRead[i];
            sum.activityWritten[i >> sum.binShift - binShift] += activityWritten[i];
        }
        sum.seekDelta += seekDelta;
        sum.extensions += extensions;
        sum.illFormed += illFormed;
        sum.misaligned += misaligned;
    }

    private static void add(long[] from, long[] to) {
        for (int i = 0; i < from.length; i++) {
            to[i] += from[i];
        }
    }

    OperationStats of(TraceOperation operation) {
        int i = operation.ordinal();
        return new OperationStats(
                count[i],
                nanos[i],
                requested[i],
                delivered[i],
                smallest[i] == Long.MAX_VALUE ? 0 : smallest[i],
                largest[i],
                suspends[i],
                suspendNanos[i],
                errors[i]);
    }
}
