package io.mio.cli.experiment;

import io.mio.cli.bench.Spread;

/**
 * How many times better one configuration is than another: 2 is twice as good, 0.5 half as good,
 * whichever way the figure has to go.
 *
 * @param times not a number if there is nothing to divide by
 * @param mayBeChance one run of each could have come out the other way round, or there was one run
 *     only and nobody knows
 */
public record Gain(double times, boolean mayBeChance) {
    /**
     * Compares medians.
     *
     * @param runs of each
     */
    public static Gain of(Spread own, Spread base, Better better, int runs) {
        return new Gain(times(own.median(), base.median(), better), runs < 2 || own.overlaps(base));
    }

    /** Of two figures that a document gives. */
    public static double times(double own, double base, Better better) {
        double above = better == Better.MORE ? own : base;
        double below = better == Better.MORE ? base : own;
        return below == 0 || above < 0 || below < 0 ? Double.NaN : above / below;
    }
}
