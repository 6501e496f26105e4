package io.mio.benchmarks;

import java.util.Locale;

/** In which order a program visits the requests of a file. */
enum AccessPattern {
    /** From the start to the end. */
    FORWARD,
    /** From the end to the start. */
    BACKWARD,
    /** From the start on, one request of several. */
    STRIDED,
    /** Anywhere, always the same places in the same order. */
    RANDOM,
    /** From the start to the end, writing over what is there; then forced to the device. */
    REWRITE,
    /** An empty file is written from its start; then forced to the device. */
    APPEND;

    /** Requests from one of a strided reader to its next. */
    static final long STRIDE = 16;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** As in options and tables. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isWriting() {
        return this == REWRITE || this == APPEND;
    }

    /**
     * How many requests there are before bytes come up again; in {@link #RANDOM} that may happen
     * earlier.
     *
     * @param requests that the bytes to be visited hold
     */
    long visits(long requests) {
        return this == STRIDED ? (requests + STRIDE - 1) / STRIDE : requests;
    }

    /**
     * Which request comes as number {@code visit}.
     *
     * @param requests that the bytes to be visited hold
     */
    long request(long visit, long requests) {
        return switch (this) {
            case FORWARD, REWRITE, APPEND -> visit;
            case BACKWARD -> requests - 1 - visit;
            case STRIDED -> visit * STRIDE;
            case RANDOM -> Math.floorMod(mix(visit), requests);
        };
    }

    /** Spreads numbers that follow one another over all longs, as SplittableRandom does. */
    private static long mix(long number) {
        long z = (number + 1) * GOLDEN;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
