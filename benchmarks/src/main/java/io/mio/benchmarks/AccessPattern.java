package io.mio.benchmarks;

import java.util.Locale;

/** The order in which a program visits the requests of a file. */
enum AccessPattern {
    /** From the start to the end. */
    FORWARD,
    /** From the end to the start. */
    BACKWARD,
    /** From the start on, one request in {@link #STRIDE}. */
    STRIDED,
    /** At random places, the same ones in the same order in every run. */
    RANDOM,
    /** From the start to the end, writing over the file; then forced to the device. */
    REWRITE,
    /** An empty file, written from its start; then forced to the device. */
    APPEND;

    /** Distance from one request of a strided reader to its next, in requests. */
    static final long STRIDE = 16;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    /** Name of the pattern in options and tables. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isWriting() {
        return this == REWRITE || this == APPEND;
    }

    /**
     * Number of requests before bytes are visited again; {@link #RANDOM} may visit bytes again
     * earlier.
     *
     * @param requests number of requests in the bytes to be visited
     */
    long visits(long requests) {
        return this == STRIDED ? (requests + STRIDE - 1) / STRIDE : requests;
    }

    /**
     * Index of the request that is made as number {@code visit}.
     *
     * @param requests number of requests in the bytes to be visited
     */
    long request(long visit, long requests) {
        return switch (this) {
            case FORWARD, REWRITE, APPEND -> visit;
            case BACKWARD -> requests - 1 - visit;
            case STRIDED -> visit * STRIDE;
            case RANDOM -> Math.floorMod(mix(visit), requests);
        };
    }

    /** Spreads consecutive numbers over all longs, as SplittableRandom does. */
    private static long mix(long number) {
        long z = (number + 1) * GOLDEN;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
