package io.mio.cli.events;

/**
 * Durations as a histogram whose classes are a sixteenth of a power of two wide, so that a quantile
 * is at most 6.25 % too large. Memory depends on the range of the times and not on their number.
 */
final class Latencies {
    private static final int PART_BITS = 4;
    private static final int PARTS = 1 << PART_BITS;

    /** Counts by power of two, {@link #PARTS} for each; null for one without times. */
    private final long[][] octaves = new long[Long.SIZE][];

    private long count;
    private long max;

    /** Counts one time of 0 or more nanoseconds. */
    void add(long nanos) {
        int octave = Long.SIZE - Long.numberOfLeadingZeros(nanos);
        int part =
                octave <= PART_BITS
                        ? (int) nanos
                        : (int) (nanos >>> octave - 1 - PART_BITS) & PARTS - 1;
        int row = octave <= PART_BITS ? 0 : octave;
        if (octaves[row] == null) {
            octaves[row] = new long[PARTS];
        }
        octaves[row][part]++;
        count++;
        max = Math.max(max, nanos);
    }

    void add(Latencies other) {
        for (int row = 0; row < octaves.length; row++) {
            if (other.octaves[row] != null) {
                if (octaves[row] == null) {
                    octaves[row] = new long[PARTS];
                }
                for (int part = 0; part < PARTS; part++) {
                    octaves[row][part] += other.octaves[row][part];
                }
            }
        }
        count += other.count;
        max = Math.max(max, other.max);
    }

    long count() {
        return count;
    }

    /** Returns the longest time in nanoseconds; 0 if there is none. */
    long max() {
        return max;
    }

    /**
     * Returns a time that the given share of the times did not exceed.
     *
     * @param share 0 to 1, of all times
     * @return nanoseconds, -1 if there is no time
     */
    long quantile(double share) {
        if (count == 0) {
            return -1;
        }
        long wanted = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (int row = 0; row < octaves.length; row++) {
            for (int part = 0; octaves[row] != null && part < PARTS; part++) {
                seen += octaves[row][part];
                if (seen >= wanted) {
                    return Math.min(max, last(row, part));
                }
            }
        }
        return max;
    }

    /** Returns the longest time of a class. */
    private static long last(int row, int part) {
        if (row == 0) {
            return part;
        }
        int shift = row - 1 - PART_BITS;
        return ((long) PARTS + part + 1 << shift) - 1;
    }
}
