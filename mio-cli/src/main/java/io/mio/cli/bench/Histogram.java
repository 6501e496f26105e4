package io.mio.cli.bench;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Times in buckets, four for each power of two, so that two histograms can be added up. A time is
 * known to a quarter of it at worst.
 */
public final class Histogram {
    /** Number of buckets, up to the largest long. */
    static final int BUCKETS = 252;

    private final long[] counts = new long[BUCKETS];
    private long most;

    /** Adds one time in nanoseconds, not negative. */
    void add(long nanos) {
        counts[bucket(nanos)]++;
        most = Math.max(most, nanos);
    }

    void add(Histogram other) {
        for (int i = 0; i < BUCKETS; i++) {
            counts[i] += other.counts[i];
        }
        most = Math.max(most, other.most);
    }

    static int bucket(long nanos) {
        if (nanos < 4) {
            return (int) nanos;
        }
        int power = 63 - Long.numberOfLeadingZeros(nanos);
        return (power - 1) * 4 + (int) (nanos >>> power - 2 & 3);
    }

    /** Returns the largest time that is in a bucket. */
    static long bucketMost(int bucket) {
        if (bucket < 4) {
            return bucket;
        }
        int power = bucket / 4 + 1;
        return ((long) (4 + bucket % 4) << power - 2) + ((1L << power - 2) - 1);
    }

    public long count() {
        return Arrays.stream(counts).sum();
    }

    /** Returns the longest time, exactly; 0 without times. */
    public long most() {
        return most;
    }

    /**
     * Returns a time that a share of all does not exceed: the upper end of the bucket it is in.
     *
     * @param share 0 to 1
     * @return nanoseconds; 0 without times
     */
    public long percentile(double share) {
        long all = count();
        long wanted = Math.max(1, (long) Math.ceil(share * all));
        long seen = 0;
        for (int i = 0; i < BUCKETS; i++) {
            seen += counts[i];
            if (seen >= wanted) {
                return Math.min(bucketMost(i), most);
            }
        }
        return 0;
    }

    /** Returns the buckets that are not empty, as {@code 37:5 38:100}. */
    String toWords() {
        StringBuilder words = new StringBuilder();
        for (int i = 0; i < BUCKETS; i++) {
            if (counts[i] > 0) {
                words.append(words.length() == 0 ? "" : " ").append(i).append(':');
                words.append(counts[i]);
            }
        }
        return words.toString();
    }

    /**
     * Returns the buckets that are not empty: the upper end in nanoseconds, and the number of
     * times.
     */
    Map<Long, Long> toMap() {
        Map<Long, Long> buckets = new LinkedHashMap<>();
        for (int i = 0; i < BUCKETS; i++) {
            if (counts[i] > 0) {
                buckets.put(bucketMost(i), counts[i]);
            }
        }
        return buckets;
    }

    /**
     * Reads what {@link #toWords} has written.
     *
     * @param mostNanos the longest time
     * @throws IllegalArgumentException if it is something else
     */
    static Histogram ofWords(String words, long mostNanos) {
        Histogram histogram = new Histogram();
        histogram.most = mostNanos;
        for (String word : words.isEmpty() ? new String[0] : words.split(" ")) {
            String[] parts = word.split(":", 2);
            int bucket = parts.length == 2 ? Integer.parseInt(parts[0]) : -1;
            if (bucket < 0 || bucket >= BUCKETS) {
                throw new IllegalArgumentException("no bucket: " + word);
            }
            histogram.counts[bucket] += Long.parseLong(parts[1]);
        }
        return histogram;
    }
}
