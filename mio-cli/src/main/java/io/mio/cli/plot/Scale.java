package io.mio.cli.plot;

import io.mio.events.Event;

/**
 * The extent of a run in time and in the offsets of each file, from which the steps of a {@link
 * Level} are derived. A step is a power of two, so that a doubled one has the same borders.
 */
final class Scale {
    /** The first steps are this many bits finer than the whole. */
    private static final int BITS = 22;

    /** Steps in offset are so many bits coarser, as pictures are wider than high. */
    private static final int OFFSET_COARSER = 3;

    /** After so many doublings the whole run is one step, in time and in offset. */
    static final int DOUBLINGS = 2 * BITS;

    /**
     * Largest shift. Times and offsets have 62 bits, see {@link Event#MOST}: at this shift two
     * cells hold them all, and a whole step is still a positive number.
     */
    private static final int SHIFT_MAX = 61;

    private final long beginNanos;
    private final int timeBits;
    private final int[] offsetBits;
    private final int offsetBitsMax;

    /**
     * Takes the extent of a run.
     *
     * @param offsetEnds by file: one more than the largest offset in it
     */
    Scale(long beginNanos, long endNanos, long[] offsetEnds) {
        this.beginNanos = beginNanos;
        this.timeBits = bits(endNanos - beginNanos);
        this.offsetBits = new int[offsetEnds.length];
        int most = 0;
        for (int i = 0; i < offsetEnds.length; i++) {
            offsetBits[i] = bits(offsetEnds[i]);
            most = Math.max(most, offsetBits[i]);
        }
        this.offsetBitsMax = most;
    }

    private static int bits(long value) {
        return 64 - Long.numberOfLeadingZeros(Math.max(0, value));
    }

    long beginNanos() {
        return beginNanos;
    }

    /**
     * Returns an exponent: half a step in time is 2 to the power of it.
     *
     * @param doublings 0 to {@link #DOUBLINGS}: first the step in time is doubled, then that in
     *     offset, and so on
     */
    int timeShift(int doublings) {
        return shift(timeBits - BITS + (doublings + 1) / 2);
    }

    /** Returns an exponent: half a step in the offsets of a file is 2 to the power of it. */
    int offsetShift(int file, int doublings) {
        return shift(offsetBits[file] - BITS + OFFSET_COARSER + doublings / 2);
    }

    /** Returns the largest {@link #offsetShift} of all files. */
    int offsetShiftMax(int doublings) {
        return shift(offsetBitsMax - BITS + OFFSET_COARSER + doublings / 2);
    }

    private static int shift(int bits) {
        return Math.min(SHIFT_MAX, Math.max(0, bits));
    }
}
