package io.mio.cli.plot;

import java.util.List;

/**
 * How often which value occurred, over time.
 *
 * @param binNanos length of a time bin; bin 0 begins at {@link RunPlot#beginNanos}
 * @param counts by series, then bin, then bucket; no two of the same
 * @param largest largest value by series; 0 for a series without values
 */
public record Distribution(long binNanos, List<Count> counts, List<Long> largest) {
    /**
     * A number of values in one bucket.
     *
     * @param series index in {@link RunPlot#series}
     * @param bin time bin: that of the event's end
     * @param bucket one of {@link Buckets}
     * @param events above 0
     */
    public record Count(int series, int bin, int bucket, long events) {}
}
