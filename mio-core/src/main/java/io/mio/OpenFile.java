package io.mio;

import io.mio.stats.FileReport;
import io.mio.stats.IoTotals;
import io.mio.stats.IoTotals.Kind;

/**
 * One open file with what its layers have counted since it was opened, as {@link
 * MioMXBean#getOpenFiles} shows it. What a cache counts is of the file and thus the same for all
 * its opens.
 */
public final class OpenFile {
    private final FileReport report;
    private final IoTotals totals;
    private final long openNanos;

    private OpenFile(FileReport report) {
        this.report = report;
        this.totals = report.totals();
        this.openNanos = report.openNanos();
    }

    /** A file as it is now. */
    public static OpenFile of(FileReport report) {
        return new OpenFile(report);
    }

    /** Name as the program gave it. */
    public String getPath() {
        return report.name();
    }

    /** Names of the layers from the program down, for example {@code trace|pf|os}. */
    public String getLayers() {
        return report.layers();
    }

    /** How long it has been open. */
    public long getOpenNanos() {
        return openNanos;
    }

    /** Reads of the program. */
    public long getReads() {
        return totals.of(Kind.READS);
    }

    /** Bytes they delivered. */
    public long getBytesRead() {
        return totals.of(Kind.READ_BYTES);
    }

    /** Time in them; 0 without a layer trace. */
    public long getReadNanos() {
        return totals.of(Kind.READ_NANOS);
    }

    /** Writes of the program. */
    public long getWrites() {
        return totals.of(Kind.WRITES);
    }

    /** Bytes they took. */
    public long getBytesWritten() {
        return totals.of(Kind.WRITE_BYTES);
    }

    /** Time in them; 0 without a layer trace. */
    public long getWriteNanos() {
        return totals.of(Kind.WRITE_NANOS);
    }

    /** Reads of the program that found all their bytes in pages. */
    public long getHits() {
        return totals.of(Kind.HITS);
    }

    /** Pages the program had to wait for that nobody had asked for. */
    public long getMisses() {
        return totals.of(Kind.MISSES);
    }

    /** Requests of the cache, reads and writes. */
    public long getPageRequests() {
        return totals.of(Kind.PAGE_READS) + totals.of(Kind.PAGE_WRITES);
    }

    /** Pages read or prepared ahead. */
    public long getPrefetches() {
        return totals.of(Kind.PREFETCHES);
    }

    /** Of these, pages that gave way before anybody used them. */
    public long getPrefetchesUnused() {
        return totals.of(Kind.PREFETCHES_UNUSED);
    }

    /** Times the program waited for a page on its way. */
    public long getWaits() {
        return totals.of(Kind.WAITS);
    }

    /** Time lost in them. */
    public long getWaitNanos() {
        return totals.of(Kind.WAIT_NANOS);
    }
}
