package io.mio;

import java.util.List;

/**
 * What MIO shows to management, as {@code io.mio:type=Mio} in the platform's MBean server: totals
 * over all files that a rule matches, open and closed, since the library started or since {@link
 * #reset}. Times are in nanoseconds and lengths in bytes.
 *
 * <p>What a program did with a file is counted by the uppermost layer {@code trace}, which also
 * times it, or else by the layer {@code pf}. Files with neither count as open, and no more.
 */
public interface MioMXBean {
    /** Version of the library. */
    String getVersion();

    /** Files with layers that are open now. */
    int getFilesOpen();

    /** Files with layers that were opened; one that is opened twice counts twice. */
    long getFilesOpened();

    /** Reads of the program, asynchronous ones included. */
    long getReads();

    /** Bytes they delivered. */
    long getBytesRead();

    /** Time in reads, and in waits for asynchronous ones; of files with a layer trace. */
    long getReadNanos();

    /** Writes of the program, asynchronous ones included. */
    long getWrites();

    /** Bytes they took. */
    long getBytesWritten();

    /** Time in writes, and in waits for asynchronous ones; of files with a layer trace. */
    long getWriteNanos();

    /** Reads of the program that found all their bytes in pages. */
    long getHits();

    /** Pages the program had to wait for that nobody had asked for. */
    long getMisses();

    /** Read requests of caches. */
    long getPageReads();

    /** Bytes they brought. */
    long getPageBytesRead();

    /** Write requests of caches. */
    long getPageWrites();

    /** Bytes they took. */
    long getPageBytesWritten();

    /** Pages read or prepared ahead of the program that did not give way unused. */
    long getPrefetchesUsed();

    /** Pages read or prepared ahead of the program that gave way before anybody used them. */
    long getPrefetchesUnused();

    /** Times the program waited for a page that was on its way. */
    long getWaits();

    /** Time lost in them. */
    long getWaitNanos();

    /** Bytes of pages that hold something not yet with the kernel, now. */
    long getDirtyBytes();

    /** The files with layers that are open now, each since its open; {@link #reset} or not. */
    List<OpenFile> getOpenFiles();

    /** From now on the totals count what comes; the reports of files are not touched. */
    void reset();

    /**
     * Writes an intermediate report of every open file now, as {@link Mio#report}.
     *
     * @return the classic text of these reports, whether they are written to a file or not
     */
    String dump();
}
