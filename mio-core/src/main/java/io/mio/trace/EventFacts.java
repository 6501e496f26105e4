package io.mio.trace;

/**
 * What the header of an events file says of the process that makes it.
 *
 * @param path from the root
 * @param limitBytes most bytes the file may have
 * @param tree number of a family of processes: those with the same one share the file
 * @param process its number
 * @param parent number of its parent
 * @param door {@link io.mio.events.EventFormat#JVM}
 * @param realtimeNanos now, since 1970 (UTC)
 * @param monotonicNanos {@link System#nanoTime} now
 * @param program its name
 * @param host where it runs
 * @param library version of MIO
 */
record EventFacts(
        String path,
        long limitBytes,
        long tree,
        long process,
        long parent,
        int door,
        long realtimeNanos,
        long monotonicNanos,
        String program,
        String host,
        String library) {}
