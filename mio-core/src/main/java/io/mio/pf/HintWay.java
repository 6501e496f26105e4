package io.mio.pf;

import io.mio.pf.HintDecisions.Kind;

/**
 * Decides for {@link ReadHints} whether forward streams of an open get hints, or the kernel is left
 * alone with them. Both ways are measured while the program runs, and the better one holds for a
 * while. Hints come first, except with large requests, of which the kernel makes large ones by
 * itself. A kernel that reads far ahead by itself is left alone for good. Pure. Twin of {@code
 * pf_hint_way.h}.
 *
 * <p>One thread at a time.
 */
final class HintWay {
    /** With hints or without. */
    enum State {
        /** With hints, until they reach as far ahead as they can. */
        RAMP,
        /** With hints, timed. */
        MEASURE,
        /** With hints: they are better. */
        HOLD,
        /**
         * Without hints, until what hints brought is used up and the kernel reads ahead by itself.
         */
        SETTLE_KERNEL,
        /** Without hints, timed. */
        MEASURE_KERNEL,
        /** Without hints: the kernel alone is as good. */
        HOLD_KERNEL;

        boolean isKernelAlone() {
            return compareTo(SETTLE_KERNEL) >= 0;
        }
    }

    /** A kernel that reads this far ahead by itself is left alone with forward streams, bytes. */
    static final long KERNEL_GOOD = 1 << 20;

    /** Of forward requests of this length the kernel makes large ones by itself, bytes. */
    static final long LARGE = 512 << 10;

    /**
     * Hints are measured after {@link #RAMP_BYTES} were read by streams with hints for this far
     * ahead.
     */
    private static final long AHEAD_BYTES = Hint.WINDOW_MAX / 2;

    private static final long RAMP_BYTES = 8 << 20;

    /**
     * The kernel alone is measured after {@link #SETTLE_BYTES} were read by streams that have come
     * this far beyond the end of their hints: it reads less than {@link #KERNEL_GOOD} ahead.
     */
    private static final long BEHIND_BYTES = 1 << 20;

    private static final long SETTLE_BYTES = 2 << 20;

    /**
     * Bytes of a measurement. It ends sooner once it has taken much longer than the other way takes
     * for as many bytes, or for {@link #TIMED_LEAST} if that is more. Its outcome may hold longer
     * if it is of at least half of {@link #TIMED_LEAST}.
     */
    private static final long TIMED_BYTES = 32 << 20;

    private static final long TIMED_LEAST = 16 << 20;
    private static final long HOLD_FIRST = 256 << 20;
    private static final long HOLD_MAX = 2L << 30;

    /**
     * Hints are kept if they take less than this many twentieths of the time of the kernel alone.
     */
    private static final int BETTER = 19;

    /** One way takes much longer if it takes this many quarters of the time of the other way. */
    private static final int SLOWER = 5;

    private final HintDecisions decisions;
    private State state;

    /** Bytes read since the state began, by streams that count. */
    private long bytes;

    /** When the measurement began; 0: not yet. */
    private long beganNanos;

    /** Bytes for which the next decision holds. */
    private long holdBytes;

    // Picoseconds a byte, measured for the next decision; 0: not yet.
    private long hinted;
    private long alone;

    /**
     * For one open.
     *
     * @param kernelBytes how far the kernel reads ahead by itself; 0: not known
     * @param decisions is told which way is better
     */
    HintWay(long kernelBytes, HintDecisions decisions) {
        this.decisions = decisions;
        this.state = kernelBytes >= KERNEL_GOOD ? State.HOLD_KERNEL : State.RAMP;
        this.holdBytes = kernelBytes >= KERNEL_GOOD ? Long.MAX_VALUE : HOLD_FIRST;
    }

    State state() {
        return state;
    }

    /** True while {@link #weigh} needs the time. */
    boolean isTiming() {
        return state == State.MEASURE || state == State.MEASURE_KERNEL;
    }

    /** Notes that a forward stream has come {@code moved} bytes further, to {@code pos}. */
    void weigh(Stream stream, long pos, long moved, long nanos) {
        bytes += counts(stream, pos) ? moved : 0;
        switch (state) {
            case RAMP -> {
                if (stream.length >= LARGE && stream.hintWindow == 0 && alone == 0) {
                    decisions.is(Kind.LARGE, stream.length);
                    go(State.SETTLE_KERNEL);
                } else if (bytes >= RAMP_BYTES) {
                    go(State.MEASURE);
                }
            }
            case SETTLE_KERNEL -> {
                if (bytes >= SETTLE_BYTES) {
                    go(State.MEASURE_KERNEL);
                }
            }
            case MEASURE -> {
                hinted = measured(alone, nanos);
                if (hinted > 0 && alone > 0) {
                    decide();
                } else if (hinted > 0) {
                    go(State.SETTLE_KERNEL);
                }
            }
            case MEASURE_KERNEL -> {
                alone = measured(hinted, nanos);
                if (hinted > 0 && alone > 0) {
                    decide();
                } else if (alone > 0) {
                    go(State.RAMP);
                }
            }
            case HOLD, HOLD_KERNEL -> {
                if (bytes >= holdBytes) {
                    holdLonger();
                    hinted = 0;
                    alone = 0;
                    go(state == State.HOLD ? State.MEASURE : State.MEASURE_KERNEL);
                }
            }
        }
    }

    /**
     * Whether a stream counts. One that is not yet as far as the state requires does not, and the
     * others do not wait for it.
     */
    private boolean counts(Stream stream, long pos) {
        return switch (state) {
            case RAMP -> stream.hintedTo + stream.length >= pos + AHEAD_BYTES;
            case SETTLE_KERNEL -> stream.hintWindow == 0 || pos >= stream.hintedTo + BEHIND_BYTES;
            default -> true;
        };
    }

    /**
     * Notes that bytes were in the kernel's cache. They take no time, so nothing is learned from
     * them, and what was measured before may have been of such bytes.
     */
    void cached() {
        if (state == State.MEASURE) {
            go(State.RAMP);
        }
        if (state == State.RAMP) {
            alone = 0;
        }
    }

    private void go(State next) {
        state = next;
        bytes = 0;
        beganNanos = 0;
    }

    private static boolean isSlower(long picos, long other) {
        return picos * 4 >= other * SLOWER;
    }

    private void holdLonger() {
        holdBytes = Math.min(4 * holdBytes, HOLD_MAX);
    }

    /**
     * Decides for the better way after both were measured. It holds for a while, and longer where
     * there is no doubt.
     */
    private void decide() {
        boolean better = hinted * 20 < alone * BETTER;
        if (bytes >= TIMED_LEAST / 2
                && isSlower(Math.max(hinted, alone), Math.min(hinted, alone))) {
            holdLonger();
        }
        decisions.measured(better, hinted, alone);
        go(better ? State.HOLD : State.HOLD_KERNEL);
    }

    /**
     * Picoseconds a byte once the measurement is over, else 0. It ends sooner if it takes much
     * longer than the other way.
     */
    private long measured(long other, long nanos) {
        if (beganNanos == 0) {
            beganNanos = nanos;
            bytes = 0;
            return 0;
        }
        long took = nanos - beganNanos;
        if (bytes < TIMED_BYTES
                && (other == 0 || !isSlower(took * 1000 / Math.max(bytes, TIMED_LEAST), other))) {
            return 0;
        }
        return Math.max(1, took * 1000 / Math.max(1, bytes));
    }
}
