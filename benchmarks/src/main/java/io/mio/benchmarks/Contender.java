package io.mio.benchmarks;

import java.io.IOException;

/** One way to do the same requests. */
interface Contender extends AutoCloseable {
    /** Calls of one thread that no run reaches. */
    long UNLIMITED = Long.MAX_VALUE;

    /**
     * What a run took.
     *
     * @param nanos from before the open to after the close
     * @param cpuNanos user and system, of all threads of the process, in that time
     * @param bytes read or written
     * @param calls of each thread
     */
    record Run(long nanos, long cpuNanos, long bytes, long calls) {}

    /** As in tables. */
    String label();

    /** False if it has no way to do this. */
    boolean does(PatternCase of);

    /** True if it stops after some time where it is told to. */
    boolean isTimed();

    /**
     * Does a case once. The kernel's pages are as the case wants them.
     *
     * @param calls of each thread, at most what the case has
     * @param nanos after which each thread stops anyway
     * @throws IOException if that fails or bytes are wrong
     */
    Run run(PatternCase of, TestFile file, long calls, long nanos)
            throws IOException, InterruptedException;

    @Override
    default void close() throws IOException {}
}
