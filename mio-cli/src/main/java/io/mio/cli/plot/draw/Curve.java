package io.mio.cli.plot.draw;

/** A figure of one run over time. */
final class Curve {
    private final int run;
    private final Legend legend;
    private final boolean filled;
    private final double[] values;

    /**
     * Makes a curve.
     *
     * @param run index of the run
     * @param filled whether the area below is filled
     * @param values one for each bin of equal length; kept, not copied
     */
    Curve(int run, Legend legend, boolean filled, double[] values) {
        this.run = run;
        this.legend = legend;
        this.filled = filled;
        this.values = values;
    }

    /** Returns the index of the run. */
    int run() {
        return run;
    }

    /** Returns words, colour and shape. */
    Legend legend() {
        return legend;
    }

    /** Returns whether the area below is filled. */
    boolean filled() {
        return filled;
    }

    /** Returns the number of bins. */
    int size() {
        return values.length;
    }

    /** Returns the value of a bin. */
    double value(int bin) {
        return values[bin];
    }

    /** Returns the total up to the end of each bin. */
    static double[] totals(double[] sums) {
        double[] totals = new double[sums.length];
        double total = 0;
        for (int i = 0; i < sums.length; i++) {
            total += sums[i];
            totals[i] = total;
        }
        return totals;
    }

    static double[] times(double[] values, double factor) {
        double[] product = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            product[i] = values[i] * factor;
        }
        return product;
    }

    /** Returns the same curve with other values. */
    Curve with(double[] others) {
        return new Curve(run, legend, filled, others);
    }

    double highest() {
        double highest = 0;
        for (double value : values) {
            highest = Math.max(highest, value);
        }
        return highest;
    }
}
