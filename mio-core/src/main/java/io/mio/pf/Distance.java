package io.mio.pf;

/**
 * How far ahead a stream reads, in steps, and how that changes.
 *
 * @param min first distance; 0 with {@code max} 0: automatic
 * @param max largest distance
 */
record Distance(int min, int max) {
    /** First distance of an automatic one. */
    static final int AUTO_FIRST = 2;

    /** A distance by the two numbers of the option: equal ones are fixed, 0 and 0 automatic. */
    static Distance of(long min, long max) {
        return new Distance((int) min, (int) max);
    }

    boolean isAuto() {
        return max == 0;
    }

    /** The distance of a stream that was just recognised. */
    int first() {
        return isAuto() ? AUTO_FIRST : min;
    }

    /**
     * The distance after a step: {@code MIN:MAX} doubles with each, as JFS2 does (reference 7.3).
     */
    int stepped(int distance) {
        return isAuto() ? distance : Math.min(max, 2 * distance);
    }

    /** The distance after the program had to wait for a page that was on its way. */
    int late(int distance, int most) {
        return isAuto() ? Math.max(1, Math.min(most, 2 * distance)) : distance;
    }

    /** The distance after a page was given up before it was used. */
    int unused(int distance) {
        return isAuto() ? Math.max(1, distance / 2) : distance;
    }
}
