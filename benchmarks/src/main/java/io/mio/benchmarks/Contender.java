package io.mio.benchmarks;

import java.io.IOException;

/** One of the ways to make the requests of a case, which are compared. */
interface Contender extends AutoCloseable {
    /** A number of calls, or of nanoseconds, that no run reaches. */
    long UNLIMITED = Long.MAX_VALUE;

    /**
     * What a run took.
     *
     * @param nanos from before the open to after the close
     * @param cpuNanos user and system time of all threads of the process meanwhile
     * @param bytes read or written
     * @param calls of each thread
     */
    record Run(long nanos, long cpuNanos, long bytes, long calls) {}

    /** Name of the contender in tables. */
    String label();

    /** False if the contender cannot do this case. */
    boolean does(PatternCase of);

    /** True if a run stops after the time it is given. */
    boolean isTimed();

    /**
     * Does a case once. The kernel's pages of the file are prepared already, as the case wants
     * them.
     *
     * @param calls of each thread, at most what the case has
     * @param nanos time after which each thread stops in any case
     * @throws IOException if a call fails, or bytes are wrong
     */
    Run run(PatternCase of, TestFile file, long calls, long nanos)
            throws IOException, InterruptedException;

    @Override
    default void close() throws IOException {}
}
