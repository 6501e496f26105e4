package io.mio.cli.stats;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * The counters of one block, or the sum of many. A figure that one of the blocks does not have is
 * unknown in the sum: a part of it would pass for all of it. Sums that do not fit stay at the
 * largest number.
 */
final class Counts {
    /** The report does not have this figure. */
    static final long UNKNOWN = -1;

    /** Of a smallest request where there was no request. */
    static final long NO_REQUEST = Long.MAX_VALUE;

    /** The four histograms of a trace block, by the names of the members. */
    static final String[] HISTOGRAMS = {
        "read_ns_histogram", "write_ns_histogram", "read_bytes_histogram", "write_bytes_histogram"
    };

    private static final double ROUGH = 0.05;
    private static final int ERROR_KINDS_MAX = 64;
    private static final String OTHER_ERRORS = "other";

    private static final Counter[] TRACE = counters(false);
    private static final Counter[] PF = counters(true);

    /** Of one kind of block: {@link #TRACE} or {@link #PF}; the others are unknown. */
    private final Counter[] counters;

    private final long[] values;

    private long blocks;
    private long seekDelta;
    private long bytesOff;
    private long requestedOff;
    private long nanosOff;

    /** Null while nothing is known; by name of errno. */
    private Map<String, Long> errorKinds;

    /** Null, or null entries, where not known. */
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

    /** An empty sum of trace blocks. */
    static Counts ofTrace() {
        return new Counts(TRACE, 0);
    }

    /** An empty sum of pf blocks. */
    static Counts ofPf() {
        return new Counts(PF, 0);
    }

    /** One trace block, of which nothing is known yet. */
    static Counts traceBlock() {
        return new Counts(TRACE, 1);
    }

    /** One pf block, of which nothing is known yet. */
    static Counts pfBlock() {
        return new Counts(PF, 1);
    }

    boolean isEmpty() {
        return blocks == 0;
    }

    /** {@link #UNKNOWN} if a block lacks it, nothing was added, or it is less than a unit. */
    long get(Counter counter) {
        return isRoundedToNone(counter) ? UNKNOWN : atLeast(counter);
    }

    /** Calls moved less than the report shows, or nothing. */
    private boolean isRoundedToNone(Counter counter) {
        return counter.isBytes()
                && off(counter) > 0
                && counter.calls() != null
                && atLeast(counter) == 0
                && atLeast(counter.calls()) > 0;
    }

    /** The same, but 0 where it is less than a unit. */
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

    /** 0 where it is not known. */
    long getOrZero(Counter counter) {
        return Math.max(0, get(counter));
    }

    /** The sum of two; {@link #UNKNOWN} if one of them is. */
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

    /** Bytes from one position to the next, summed over all seeks. */
    long seekDelta() {
        return seekDelta;
    }

    void setSeekDelta(long bytes) {
        seekDelta = bytes;
    }

    /** False if an amount was rounded down to a unit, or calculated from such. */
    boolean isExact() {
        return bytesOff == 0 && requestedOff == 0;
    }

    /** An amount was rounded down, and can be less than so many bytes more. */
    void setRounded(long bytes) {
        bytesOff = Math.max(bytesOff, bytes);
    }

    /** The same of amounts that were asked for. */
    void setRequestedRounded(long bytes) {
        requestedOff = Math.max(requestedOff, bytes);
    }

    /** What a sum of amounts can be off by: each block may have rounded it down. */
    long bytesOff() {
        return bytesOff;
    }

    private long off(Counter counter) {
        return switch (counter) {
            case READ_REQUESTED_BYTES, WRITE_REQUESTED_BYTES -> requestedOff;
            default -> counter.isTime() ? nanosOff : counter.isSumOfBytes() ? bytesOff : 0;
        };
    }

    /** True if a figure may be wrong by more than it can be without a word. */
    boolean isRough(Counter counter) {
        long value = get(counter);
        long off = off(counter);
        if (value == 0) {
            Counter calls = counter.calls();
            return off > 0 && (counter == Counter.IO_NS || calls != null && atLeast(calls) > 0);
        }
        return value > 0 && off > ROUGH * value;
    }

    /** What a sum of times can be off by: each block may have rounded it. */
    long nanosOff() {
        return nanosOff;
    }

    void setNanosOff(long nanos) {
        nanosOff = nanos;
    }

    /** By name of errno or exception; null if not known. */
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

    /** Of {@link #HISTOGRAMS}; null if not known. */
    long[] histogram(int index) {
        return histograms == null ? null : histograms[index];
    }

    void setHistogram(int index, long[] counts) {
        if (histograms == null) {
            histograms = new long[HISTOGRAMS.length][];
        }
        histograms[index] = counts;
    }

    /** Adds the other one, which stays as it is. */
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

    /** The sum; unknown if one is, the largest number if it does not fit. */
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
