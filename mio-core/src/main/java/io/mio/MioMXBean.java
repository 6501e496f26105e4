package io.mio;

import java.util.List;

/**
 * What MIO shows to management, as {@code io.mio:type=Mio} in the platform's MBean server: totals
 * over all files that a rule matches, open and closed, since the library started or since {@link
 * #reset}. Times are in nanoseconds and lengths in bytes.
 *
 * <p>What the program does with a file is counted by the uppermost of the file's layers {@code
 * trace} and {@code pf}; only {@code trace} also times it. A file with neither counts only as open
 * and opened.
 */
public interface MioMXBean {
    /** Version of the library. */
    String getVersion();

    /** Number of files with layers that are open now. */
    int getFilesOpen();

    /** Number of files with layers that were opened; a file that is opened twice counts twice. */
    long getFilesOpened();

    /** Number of reads of the program, asynchronous ones included. */
    long getReads();

    /** Bytes that the program's reads delivered. */
    long getBytesRead();

    /** Time in reads, and in waits for asynchronous ones; of files that a layer trace counts. */
    long getReadNanos();

    /** Number of writes of the program, asynchronous ones included. */
    long getWrites();

    /** Bytes that the program's writes took. */
    long getBytesWritten();

    /** Time in writes, and in waits for asynchronous ones; of files that a layer trace counts. */
    long getWriteNanos();

    /** Number of reads of the program that found all their bytes in pages. */
    long getHits();

    /** Pages the program had to wait for that were not requested before: demand reads. */
    long getMisses();

    /** Number of read requests of caches. */
    long getPageReads();

    /** Bytes that the read requests of caches brought. */
    long getPageBytesRead();

    /** Number of write requests of caches. */
    long getPageWrites();

    /** Bytes that the write requests of caches took. */
    long getPageBytesWritten();

    /** Pages read or prepared ahead of the program that have not given way unused so far. */
    long getPrefetchesUsed();

    /** Pages read or prepared ahead of the program that gave way before they were used. */
    long getPrefetchesUnused();

    /** How often the program waited for a page that was on its way. */
    long getWaits();

    /** Time that the program lost in waits for pages on their way. */
    long getWaitNanos();

    /** Size of all pages that hold bytes not yet with the kernel, now. */
    long getDirtyBytes();

    /**
     * The files with layers that are open now. Each counts since its open; {@link #reset} does not
     * change that.
     */
    List<OpenFile> getOpenFiles();

    /** Makes the totals count from now on. The reports of files are not touched. */
    void reset();

    /**
     * Writes an intermediate report of every open file now, as {@link Mio#report} does.
     *
     * @return the classic text of these reports, whether they are written to a file or not
     */
    String dump();
}
