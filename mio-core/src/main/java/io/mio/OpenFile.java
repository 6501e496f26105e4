package io.mio;

/**
 * One open file with what its layers have counted since it was opened, as {@link
 * MioMXBean#getOpenFiles} shows it. Times are in nanoseconds and lengths in bytes. A cache counts
 * for the file, so what it counts is the same for all opens of the file.
 */
public interface OpenFile {
    /** Name of the file as the program gave it. */
    String getPath();

    /** Names of the layers from the program down, for example {@code trace|pf|os}. */
    String getLayers();

    /** How long the file has been open. */
    long getOpenNanos();

    /** Number of reads of the program, asynchronous ones included. */
    long getReads();

    /** Bytes that the program's reads delivered. */
    long getBytesRead();

    /** Time in reads, and in waits for asynchronous ones; 0 unless a layer trace counts them. */
    long getReadNanos();

    /** Number of writes of the program, asynchronous ones included. */
    long getWrites();

    /** Bytes that the program's writes took. */
    long getBytesWritten();

    /** Time in writes, and in waits for asynchronous ones; 0 unless a layer trace counts them. */
    long getWriteNanos();

    /** Number of reads of the program that found all their bytes in pages. */
    long getHits();

    /** Pages the program had to wait for that were not requested before: demand reads. */
    long getMisses();

    /** Number of requests of the cache, reads and writes. */
    long getPageRequests();

    /** Pages read or prepared ahead of the program. */
    long getPrefetches();

    /** Pages read or prepared ahead of the program that gave way before they were used. */
    long getPrefetchesUnused();

    /** How often the program waited for a page that was on its way. */
    long getWaits();

    /** Time that the program lost in waits for pages on their way. */
    long getWaitNanos();
}
