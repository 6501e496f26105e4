package io.mio.benchmarks;

/**
 * One case that is measured for every contender.
 *
 * @param requestBytes bytes of a call
 * @param threads number of threads that share one channel, each with a part of the file to itself
 * @param cold true if the kernel's pages of the file are dropped before each run; otherwise the
 *     whole file is in the kernel's cache
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

    /** Number of requests in the part of one thread. */
    long requestsPerThread(long fileBytes) {
        return fileBytes / threads / requestBytes;
    }

    /** Most calls that one thread can make before it visits its own bytes again. */
    long mostCalls(long fileBytes) {
        return pattern.visits(requestsPerThread(fileBytes));
    }
}
