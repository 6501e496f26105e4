package io.mio.cli.plot;

/**
 * How large a run is, in time and in the offsets of each file: what the steps of a {@link Level}
 * are taken from. A step is a power of two, so that a doubled one has the same borders.
 */
final class Scale {
    /** The first steps are this many bits finer than the whole. */
    private static final int BITS = 22;

    /** After so many doublings the whole run is one step, in time and in offset. */
    static final int DOUBLINGS = 2 * BITS;

    private final long beginNanos;
    private final int timeBits;
    private final int[] offsetBits;
    private final int offsetBitsMax;

    /**
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
     * Half a step in time is 2 to the power of this.
     *
     * @param doublings 0 to {@link #DOUBLINGS}: first the step in time is doubled, then that in
     *     offset, and so on
     */
    int timeShift(int doublings) {
        return Math.max(0, timeBits - BITS + (doublings + 1) / 2);
    }

    /** The same for offsets of a file. */
    int offsetShift(int file, int doublings) {
        return Math.max(0, offsetBits[file] - BITS + doublings / 2);
    }

    /** The largest of all files'. */
    int offsetShiftMax(int doublings) {
        return Math.max(0, offsetBitsMax - BITS + doublings / 2);
    }
}
