package io.mio.cli.bench;

import java.util.Arrays;

/** Figures of several runs of one thing: the median, the least and the most. */
public record Spread(double median, double least, double most) {
    /**
     * Returns the spread of at least one figure. With an even number of figures the median is the
     * mean of the two in the middle.
     */
    public static Spread of(double... figures) {
        if (figures.length == 0) {
            throw new IllegalArgumentException("no figures");
        }
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median =
                sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    /**
     * Returns the median over the other's median; not a number if there is nothing to divide by.
     */
    public double ratioTo(Spread base) {
        return base.median == 0 ? Double.NaN : median / base.median;
    }

    /** Returns whether one run of each could have come out the other way round. */
    public boolean overlaps(Spread other) {
        return least <= other.most && other.least <= most;
    }

    /** Returns how far the ends are from each other, as a part of the median. */
    public double width() {
        return median == 0 ? 0 : (most - least) / median;
    }
}
