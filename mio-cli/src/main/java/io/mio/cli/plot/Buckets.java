package io.mio.cli.plot;

/** Buckets of a distribution: four to each doubling, so that a bucket is at most 25 % wide. */
public final class Buckets {
    private static final int SHIFT = 2;
    private static final int PER_DOUBLING = 1 << SHIFT;

    private Buckets() {}

    /** Returns the bucket of a value; 0 for 0 and less. */
    public static int of(long value) {
        if (value < PER_DOUBLING) {
            return (int) Math.max(0, value);
        }
        int doublings = 63 - Long.numberOfLeadingZeros(value) - SHIFT;
        return (doublings << SHIFT) + (int) (value >> doublings);
    }

    /** Returns the least value of a bucket. */
    public static long from(int bucket) {
        if (bucket < 2 * PER_DOUBLING) {
            return bucket;
        }
        int doublings = (bucket >> SHIFT) - 1;
        return (long) ((bucket & PER_DOUBLING - 1) + PER_DOUBLING) << doublings;
    }
}
