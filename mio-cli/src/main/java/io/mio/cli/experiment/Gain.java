package io.mio.cli.experiment;

import io.mio.cli.bench.Spread;

/**
 * How many times better one configuration is than another: 2 is twice as good, 0.5 half as good,
 * whichever direction of the figure is better.
 *
 * @param times not a number if there is nothing to divide by
 * @param mayBeChance whether one run of each could have come out the other way round; also true
 *     after a single run, which does not tell
 */
public record Gain(double times, boolean mayBeChance) {
    /**
     * Compares medians.
     *
     * @param runs number of runs of each
     */
    public static Gain of(Spread own, Spread base, Better better, int runs) {
        return new Gain(times(own.median(), base.median(), better), runs < 2 || own.overlaps(base));
    }

    /** Returns the gain between two figures that a document gives. */
    public static double times(double own, double base, Better better) {
        double above = better == Better.MORE ? own : base;
        double below = better == Better.MORE ? base : own;
        return below == 0 || above < 0 || below < 0 ? Double.NaN : above / below;
    }
}
