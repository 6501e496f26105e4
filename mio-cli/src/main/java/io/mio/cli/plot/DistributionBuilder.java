package io.mio.cli.plot;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Counts values by series, time and bucket. */
final class DistributionBuilder {
    private static final int BINS = 256;

    private record Key(int series, int bin, int bucket) {}

    private final TreeMap<Key, Long> counts =
            new TreeMap<>(
                    (one, other) -> {
                        int bySeries = Integer.compare(one.series, other.series);
                        int byBin = Integer.compare(one.bin, other.bin);
                        return bySeries != 0
                                ? bySeries
                                : byBin != 0 ? byBin : Integer.compare(one.bucket, other.bucket);
                    });
    private final long beginNanos;
    private final long binNanos;

    DistributionBuilder(long beginNanos, long endNanos) {
        this.beginNanos = beginNanos;
        this.binNanos = Math.max(1, (endNanos - beginNanos) / BINS + 1);
    }

    void add(int series, long atNanos, long value) {
        Key key = new Key(series, (int) ((atNanos - beginNanos) / binNanos), Buckets.of(value));
        counts.merge(key, 1L, Long::sum);
    }

    Distribution distribution() {
        List<Distribution.Count> made = new ArrayList<>(counts.size());
        counts.forEach(
                (key, events) ->
                        made.add(new Distribution.Count(key.series, key.bin, key.bucket, events)));
        return new Distribution(binNanos, made);
    }
}
