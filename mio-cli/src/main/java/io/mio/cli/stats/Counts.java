package io.mio.cli.stats;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counters of one block, or the sum of many. A figure that one of the blocks does not have is
 * unknown in the sum: otherwise a part would pass for the whole. A sum that does not fit becomes
 * the largest number.
 */
final class Counts {
    /** Value of a figure that the report does not have. */
    static final long UNKNOWN = -1;

    /** Value of a smallest request where there was no request. */
    static final long NO_REQUEST = Long.MAX_VALUE;

    /** Names of the members for the four histograms of a trace block. */
    static final String[] HISTOGRAMS = {
        "read_ns_histogram", "write_ns_histogram", "read_bytes_histogram", "write_bytes_histogram"
    };

    private static final double ROUGH = 0.05;
    private static final int ERROR_KINDS_MAX = 64;
    private static final String OTHER_ERRORS = "other";

    private static final Counter[] TRACE = counters(false);
    private static final Counter[] PF = counters(true);

    /** The counters of one kind of block, {@link #TRACE} or {@link #PF}; all others are unknown. */
    private final Counter[] counters;

    private final long[] values;

    private long blocks;
    private long seekDelta;
    private long bytesOff;
    private long requestedOff;
    private long nanosOff;

    /** Errors by name of errno; null while nothing is known. */
    private Map<String, Long> errorKinds;

    /** Counts by index in {@link #HISTOGRAMS}; null, or null entries, where not known. */
    private long[][] histograms;

    private Counts(Counter[] counters, long blocks) {
        this.counters = counters;
        this.blocks = blocks;
        this.values = new long[counters.length];
        Arrays.fill(values, UNKNOWN);
    }

    private static Counter[] counters(boolean ofPf) {
        return Arrays.stream(Counter.values())
                .filter(counter -> counter.isOfPf() == ofPf)
                .toArray(Counter[]::new);
    }

    /** Returns an empty sum of trace blocks. */
    static Counts ofTrace() {
        return new Counts(TRACE, 0);
    }

    /** Returns an empty sum of pf blocks. */
    static Counts ofPf() {
        return new Counts(PF, 0);
    }

    /** Returns one trace block, of which nothing is known yet. */
    static Counts traceBlock() {
        return new Counts(TRACE, 1);
    }

    /** Returns one pf block, of which nothing is known yet. */
    static Counts pfBlock() {
        return new Counts(PF, 1);
    }

    boolean isEmpty() {
        return blocks == 0;
    }

    /**
     * Returns a figure; {@link #UNKNOWN} if a block lacks it, nothing was added, or it is less than
     * a unit.
     */
    long get(Counter counter) {
        return isRoundedToNone(counter) ? UNKNOWN : atLeast(counter);
    }

    /**
     * Returns true if the report shows 0 bytes for calls that moved less than a unit, or nothing.
     */
    private boolean isRoundedToNone(Counter counter) {
        return counter.isBytes()
                && off(counter) > 0
                && counter.calls() != null
                && atLeast(counter) == 0
                && atLeast(counter.calls()) > 0;
    }

    /** Returns a figure as {@link #get} does, but 0 where it is less than a unit. */
    long atLeast(Counter counter) {
        if (counter.isOfPf() != (counters == PF)) {
            return UNKNOWN;
        }
        long value = values[counter.ordinal() - counters[0].ordinal()];
        return value == NO_REQUEST && counter.merge() == Counter.Merge.MIN ? UNKNOWN : value;
    }

    boolean has(Counter counter) {
        return get(counter) >= 0;
    }

    /** Returns a figure, or 0 where it is not known. */
    long getOrZero(Counter counter) {
        return Math.max(0, get(counter));
    }

    /** Returns the sum of two figures; {@link #UNKNOWN} if one of them is. */
    long sum(Counter one, Counter other) {
        long sum = add(atLeast(one), atLeast(other));
        boolean isNone = sum == 0 && (isRoundedToNone(one) || isRoundedToNone(other));
        return isNone ? UNKNOWN : sum;
    }

    Counts set(Counter counter, long value) {
        if (counter.isOfPf() != (counters == PF)) {
            throw new IllegalArgumentException(counter + " is of the other kind of block");
        }
        values[counter.ordinal() - counters[0].ordinal()] = value;
        return this;
    }

    /** Returns the bytes from one position to the next, summed over all seeks. */
    long seekDelta() {
        return seekDelta;
    }

    void setSeekDelta(long bytes) {
        seekDelta = bytes;
    }

    /** Returns false if an amount was rounded down to a unit, or calculated from rounded ones. */
    boolean isExact() {
        return bytesOff == 0 && requestedOff == 0;
    }

    /** Notes that an amount was rounded down, by less than so many bytes. */
    void setRounded(long bytes) {
        bytesOff = Math.max(bytesOff, bytes);
    }

    /** Notes that an amount asked for was rounded down, by less than so many bytes. */
    void setRequestedRounded(long bytes) {
        requestedOff = Math.max(requestedOff, bytes);
    }

    /** Returns what a sum of amounts can be off by, as each block may have rounded it down. */
    long bytesOff() {
        return bytesOff;
    }

    private long off(Counter counter) {
        return switch (counter) {
            case READ_REQUESTED_BYTES, WRITE_REQUESTED_BYTES -> requestedOff;
            default -> counter.isTime() ? nanosOff : counter.isSumOfBytes() ? bytesOff : 0;
        };
    }

    /**
     * Returns true if a figure may be wrong by more than {@link #ROUGH} of it, so that it needs a
     * mark.
     */
    boolean isRough(Counter counter) {
        long value = get(counter);
        long off = off(counter);
        if (value == 0) {
            Counter calls = counter.calls();
            return off > 0 && (counter == Counter.IO_NS || calls != null && atLeast(calls) > 0);
        }
        return value > 0 && off > ROUGH * value;
    }

    /** Returns what a sum of times can be off by, as each block may have rounded it. */
    long nanosOff() {
        return nanosOff;
    }

    void setNanosOff(long nanos) {
        nanosOff = nanos;
    }

    /** Returns the errors by name of errno or exception; null if not known. */
    Map<String, Long> errorKinds() {
        return errorKinds;
    }

    void setErrorKinds(Map<String, Long> kinds) {
        errorKinds = new TreeMap<>();
        kinds.forEach(this::addError);
    }

    private void addError(String kind, long count) {
        boolean room = errorKinds.size() < ERROR_KINDS_MAX || errorKinds.containsKey(kind);
        errorKinds.merge(room ? kind : OTHER_ERRORS, count, Counts::add);
    }

    /** Returns one of the {@link #HISTOGRAMS}; null if not known. */
    long[] histogram(int index) {
        return histograms == null ? null : histograms[index];
    }

    void setHistogram(int index, long[] counts) {
        if (histograms == null) {
            histograms = new long[HISTOGRAMS.length][];
        }
        histograms[index] = counts;
    }

    /** Adds the other counts, which stay as they are. */
    void add(Counts other) {
        if (other.isEmpty()) {
            return;
        }
        boolean first = isEmpty();
        for (int i = 0; i < values.length; i++) {
            values[i] = first ? other.values[i] : merge(counters[i], values[i], other.values[i]);
        }
        blocks += other.blocks;
        seekDelta = addSigned(seekDelta, other.seekDelta);
        bytesOff = add(bytesOff, other.bytesOff);
        requestedOff = add(requestedOff, other.requestedOff);
        nanosOff = add(nanosOff, other.nanosOff);
        addErrors(other, first);
        addHistograms(other, first);
    }

    private void addErrors(Counts other, boolean first) {
        if (first && other.errorKinds != null) {
            setErrorKinds(other.errorKinds);
        } else if (errorKinds != null && other.errorKinds != null) {
            other.errorKinds.forEach(this::addError);
        } else {
            errorKinds = null;
        }
    }

    private void addHistograms(Counts other, boolean first) {
        for (int i = 0; i < HISTOGRAMS.length; i++) {
            long[] theirs = other.histogram(i);
            long[] ours = histogram(i);
            if (first && theirs != null) {
                setHistogram(i, theirs.clone());
            } else if (ours != null && theirs != null) {
                long[] sum = Arrays.copyOf(ours, Math.max(ours.length, theirs.length));
                for (int k = 0; k < theirs.length; k++) {
                    sum[k] = add(sum[k], theirs[k]);
                }
                setHistogram(i, sum);
            } else if (histograms != null) {
                histograms[i] = null;
            }
        }
    }

    private static long merge(Counter counter, long one, long other) {
        if (one < 0 || other < 0) {
            return UNKNOWN;
        }
        return switch (counter.merge()) {
            case SUM -> add(one, other);
            case MAX -> Math.max(one, other);
            case MIN -> Math.min(one, other);
        };
    }

    /** Returns the sum; unknown if one part is, the largest number if it does not fit. */
    static long add(long one, long other) {
        if (one < 0 || other < 0) {
            return UNKNOWN;
        }
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    private static long addSigned(long one, long other) {
        long sum = one + other;
        if (((one ^ sum) & (other ^ sum)) < 0) {
            return one < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
        }
        return sum;
    }
}
