package io.mio;

/**
 * One open file with what its layers have counted since it was opened, as {@link
 * MioMXBean#getOpenFiles} shows it. What a cache counts is of the file and thus the same for all
 * its opens.
 */
public interface OpenFile {
    /** Name as the program gave it. */
    String getPath();

    /** Names of the layers from the program down, for example {@code trace|pf|os}. */
    String getLayers();

    /** How long it has been open. */
    long getOpenNanos();

    /** Reads of the program. */
    long getReads();

    /** Bytes they delivered. */
    long getBytesRead();

    /** Time in them; 0 without a layer trace. */
    long getReadNanos();

    /** Writes of the program. */
    long getWrites();

    /** Bytes they took. */
    long getBytesWritten();

    /** Time in them; 0 without a layer trace. */
    long getWriteNanos();

    /** Reads of the program that found all their bytes in pages. */
    long getHits();

    /** Pages the program had to wait for that nobody had asked for. */
    long getMisses();

    /** Requests of the cache, reads and writes. */
    long getPageRequests();

    /** Pages read or prepared ahead. */
    long getPrefetches();

    /** Of these, pages that gave way before anybody used them. */
    long getPrefetchesUnused();

    /** Times the program waited for a page on its way. */
    long getWaits();

    /** Time lost in them. */
    long getWaitNanos();
}
