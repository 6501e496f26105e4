package io.mio.cli.plot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Counts values by series, time and bucket, with a bounded number of different counts. When there
 * would be more, time bins become twice as wide, and when one bin is left, neighbouring buckets are
 * counted as one.
 */
final class DistributionBuilder {
    private static final int BIN_BITS = 8;
    private static final int BUCKET_BITS = 8;
    private static final int BINS = 1 << BIN_BITS;
    private static final int USUAL_ROOM = 100_000;

    private final int room;
    private final long beginNanos;
    private final long binNanos;
    private int binShift;
    private int bucketShift;
    private int count;

    /**
     * Series, bin and bucket in one number, + 1; the order of the numbers is that of the counts.
     */
    private long[] keys = new long[1 << 10];

    private long[] events = new long[1 << 10];

    /** Largest values, by series. */
    private long[] largest = new long[16];

    DistributionBuilder(long beginNanos, long endNanos) {
        this(beginNanos, endNanos, USUAL_ROOM);
    }

    DistributionBuilder(long beginNanos, long endNanos, int room) {
        this.beginNanos = beginNanos;
        this.binNanos = Math.max(1, (endNanos - beginNanos) / BINS + 1);
        this.room = room;
    }

    void add(int series, long atNanos, long value) {
        if (series >= largest.length) {
            largest = Arrays.copyOf(largest, Math.max(series + 1, 2 * largest.length));
        }
        largest[series] = Math.max(largest[series], value);
        long bin = Math.min(BINS - 1, Math.max(0, (atNanos - beginNanos) / binNanos));
        add(series, (int) bin >> binShift, Buckets.of(value), 1);
    }

    private void add(int series, int bin, int bucket, long more) {
        int kept = bucket >> bucketShift << bucketShift;
        long key = (((long) series << BIN_BITS | bin) << BUCKET_BITS | kept) + 1;
        int at = find(key);
        if (keys[at] == 0) {
            keys[at] = key;
            count++;
        }
        events[at] += more;
        if (2 * count > keys.length) {
            again(2 * keys.length);
        }
        while (count > room && (binShift < BIN_BITS || bucketShift < BUCKET_BITS)) {
            if (binShift < BIN_BITS) {
                binShift++;
                again(keys.length, 1);
            } else {
                bucketShift++;
                again(keys.length, 0);
            }
        }
    }

    private int find(long key) {
        long hash = key * 0x9e3779b97f4a7c15L;
        int at = (int) (hash >>> 32) & keys.length - 1;
        while (keys[at] != 0 && keys[at] != key) {
            at = at + 1 & keys.length - 1;
        }
        return at;
    }

    private void again(int length) {
        again(length, 0);
    }

    /** Rebuilds the table of counts, with wider bins or buckets. */
    private void again(int length, int moreBinShift) {
        long[] oldKeys = keys;
        long[] oldEvents = events;
        keys = new long[length];
        events = new long[length];
        count = 0;
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldKeys[i] != 0) {
                long key = oldKeys[i] - 1;
                int bin = (int) (key >> BUCKET_BITS) & BINS - 1;
                long bucket = key & (1 << BUCKET_BITS) - 1;
                long series = key >> BIN_BITS + BUCKET_BITS;
                long moved = (series << BIN_BITS | bin >> moreBinShift) << BUCKET_BITS;
                int at = find((moved | bucket >> bucketShift << bucketShift) + 1);
                count += keys[at] == 0 ? 1 : 0;
                keys[at] = (moved | bucket >> bucketShift << bucketShift) + 1;
                events[at] += oldEvents[i];
            }
        }
    }

    /**
     * Returns what was counted.
     *
     * @param seriesCount number of series, including those without values
     */
    Distribution distribution(int seriesCount) {
        long[] sorted = Arrays.stream(keys).filter(key -> key != 0).sorted().toArray();
        List<Distribution.Count> made = new ArrayList<>(sorted.length);
        for (long key : sorted) {
            made.add(
                    new Distribution.Count(
                            (int) (key - 1 >> BIN_BITS + BUCKET_BITS),
                            (int) (key - 1 >> BUCKET_BITS) & BINS - 1,
                            (int) (key - 1) & (1 << BUCKET_BITS) - 1,
                            events[find(key)]));
        }
        return new Distribution(
                binNanos << binShift,
                made,
                Arrays.stream(Arrays.copyOf(largest, seriesCount)).boxed().toList());
    }
}
