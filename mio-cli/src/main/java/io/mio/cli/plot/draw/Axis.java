package io.mio.cli.plot.draw;

/**
 * Maps values to pixels.
 *
 * @param from value at {@code fromPixel}
 * @param to value at {@code toPixel}, another one
 * @param logarithmic only for values above 0
 */
record Axis(double from, double to, double fromPixel, double toPixel, boolean logarithmic) {
    static Axis linear(double from, double to, double fromPixel, double toPixel) {
        return new Axis(from, to > from ? to : from + 1, fromPixel, toPixel, false);
    }

    static Axis logarithmic(double from, double to, double fromPixel, double toPixel) {
        return new Axis(from, to > from ? to : from * 2, fromPixel, toPixel, true);
    }

    double at(double value) {
        double share =
                logarithmic
                        ? StrictMath.log(Math.max(value, from) / from) / StrictMath.log(to / from)
                        : (value - from) / (to - from);
        return fromPixel + share * (toPixel - fromPixel);
    }
}
