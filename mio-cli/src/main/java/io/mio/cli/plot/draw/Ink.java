package io.mio.cli.plot.draw;

/**
 * A colour.
 *
 * @param rgb red, green, blue, eight bits each
 * @param opacity above 0, at most 1
 */
record Ink(int rgb, double opacity) {
    static Ink of(int rgb) {
        return new Ink(rgb, 1);
    }

    Ink withOpacity(double other) {
        return new Ink(rgb, other);
    }

    /** Returns a colour that is so much of the way to another one, 0 to 1. */
    Ink towards(Ink other, double share) {
        int mixed = 0;
        for (int shift = 16; shift >= 0; shift -= 8) {
            int from = rgb >> shift & 0xff;
            int to = other.rgb >> shift & 0xff;
            mixed |= (int) Math.floor(from + (to - from) * share + 0.5) << shift;
        }
        return new Ink(mixed, opacity);
    }
}
