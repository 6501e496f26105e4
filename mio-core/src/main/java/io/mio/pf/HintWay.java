package io.mio.pf;

import io.mio.pf.HintDecisions.Kind;

/**
 * Whether the kernel is told of the forward streams of an open, or left alone with them, for {@link
 * ReadHints}: both are measured while the program runs, and the better one holds for a while. Hints
 * come first, but with large requests, of which the kernel makes large ones by itself. A kernel
 * that reads far ahead by itself is left alone for good. Pure. Twin of {@code pf_hint_way.h}.
 *
 * <p>One thread at a time.
 */
final class HintWay {
    /** With hints or without. */
    enum State {
        /** With, until they are as far ahead as they come. */
        RAMP,
        /** With, timed. */
        MEASURE,
        /** With: they are better. */
        HOLD,
        /** Without, until what was told is used up and the kernel reads ahead by itself. */
        SETTLE_KERNEL,
        /** Without, timed. */
        MEASURE_KERNEL,
        /** Without: the kernel alone is as good. */
        HOLD_KERNEL;

        boolean isKernelAlone() {
            return compareTo(SETTLE_KERNEL) >= 0;
        }
    }

    /** A kernel that reads so far ahead by itself is left alone with forward streams, bytes. */
    static final long KERNEL_GOOD = 1 << 20;

    /** Forward: of such requests the kernel makes large ones by itself, bytes. */
    static final long LARGE = 512 << 10;

    /** Read by streams that are told of so far ahead, before that is measured. */
    private static final long AHEAD_BYTES = Hint.WINDOW_MAX / 2;

    private static final long RAMP_BYTES = 8 << 20;

    /**
     * Read by streams that are so far behind what was told of them, before the kernel alone is: it
     * reads less than {@link #KERNEL_GOOD} ahead.
     */
    private static final long BEHIND_BYTES = 1 << 20;

    private static final long SETTLE_BYTES = 2 << 20;

    /**
     * Of a measurement; one that is over sooner has taken the time of so much, and its outcome may
     * hold longer if it is of half of it.
     */
    private static final long TIMED_BYTES = 32 << 20;

    private static final long TIMED_LEAST = 16 << 20;
    private static final long HOLD_FIRST = 256 << 20;
    private static final long HOLD_MAX = 2L << 30;

    /** How much better hints must be to be kept: twentieths. */
    private static final int BETTER = 19;

    /** Much longer: so many quarters of the time of the other way. */
    private static final int SLOWER = 5;

    private final HintDecisions decisions;
    private State state;

    /** Since the state began. */
    private long bytes;

    /** Of a measurement; 0: not begun. */
    private long beganNanos;

    /** For how long the next decision holds, bytes. */
    private long holdBytes;

    // Picoseconds a byte, measured for the next decision; 0: not yet.
    private long hinted;
    private long alone;

    /**
     * For one open.
     *
     * @param kernelBytes how far the kernel reads ahead by itself; 0: not known
     * @param decisions is told which one is better
     */
    HintWay(long kernelBytes, HintDecisions decisions) {
        this.decisions = decisions;
        this.state = kernelBytes >= KERNEL_GOOD ? State.HOLD_KERNEL : State.RAMP;
        this.holdBytes = kernelBytes >= KERNEL_GOOD ? Long.MAX_VALUE : HOLD_FIRST;
    }

    State state() {
        return state;
    }

    /** True while times matter. */
    boolean isTiming() {
        return state == State.MEASURE || state == State.MEASURE_KERNEL;
    }

    /** A forward stream has come {@code moved} bytes further, to {@code pos}. */
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

    /** Streams that are not there yet do not count, nor keep the others waiting. */
    private boolean counts(Stream stream, long pos) {
        return switch (state) {
            case RAMP -> stream.hintedTo + stream.length >= pos + AHEAD_BYTES;
            case SETTLE_KERNEL -> stream.hintWindow == 0 || pos >= stream.hintedTo + BEHIND_BYTES;
            default -> true;
        };
    }

    /**
     * What is in the kernel's cache takes no time: nothing is learned, and what was before may have
     * been of it.
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

    /** Both were measured: the better one holds for a while, longer where there is no doubt. */
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
     * Picoseconds a byte once the measurement is over, else 0. It is sooner if it takes much longer
     * than the other way.
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
