package io.mio.cli.plot;

/**
 * How large a run is, in time and in the offsets of each file: what the steps of a {@link Level}
 * are taken from. A step is a power of two, so that a doubled one has the same borders.
 */
final class Scale {
    /** The first steps are this many bits finer than the whole. */
    static final int BITS = 22;

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

    /** Half a step in time is 2 to the power of this; doubled {@link #BITS} times it is all. */
    int timeShift(int doublings) {
        return Math.max(0, timeBits - BITS + doublings);
    }

    /** The same for offsets of a file. */
    int offsetShift(int file, int doublings) {
        return Math.max(0, offsetBits[file] - BITS + doublings);
    }

    /** The largest of all files'. */
    int offsetShiftMax(int doublings) {
        return Math.max(0, offsetBitsMax - BITS + doublings);
    }
}
