package io.mio.benchmarks;

/**
 * What is measured in one go, for every contender.
 *
 * @param requestBytes per call
 * @param threads that share one channel, each with a part of the file to itself
 * @param cold true if the kernel's pages of the file are dropped before each run, else all of it is
 *     in the kernel's cache
 */
record PatternCase(AccessPattern pattern, int requestBytes, int threads, boolean cold) {
    String label() {
        return pattern.label()
                + " "
                + PatternOptions.size(requestBytes)
                + (cold ? " cold" : " warm")
                + " x"
                + threads;
    }

    /** Requests in the part of one thread. */
    long requestsPerThread(long fileBytes) {
        return fileBytes / threads / requestBytes;
    }

    /** Most calls one thread can make without meeting its own bytes again. */
    long mostCalls(long fileBytes) {
        return pattern.visits(requestsPerThread(fileBytes));
    }
}
