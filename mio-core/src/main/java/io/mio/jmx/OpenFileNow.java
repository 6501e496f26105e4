package io.mio.jmx;

import io.mio.OpenFile;
import io.mio.stats.FileReport;
import io.mio.stats.IoTotals;
import io.mio.stats.IoTotals.Kind;

/** An open file at one moment. */
final class OpenFileNow implements OpenFile {
    private final FileReport report;
    private final IoTotals totals;
    private final long openNanos;

    OpenFileNow(FileReport report) {
        this.report = report;
        this.totals = report.totals();
        this.openNanos = report.openNanos();
    }

    @Override
    public String getPath() {
        return report.name();
    }

    @Override
    public String getLayers() {
        return report.layers();
    }

    @Override
    public long getOpenNanos() {
        return openNanos;
    }

    @Override
    public long getReads() {
        return totals.of(Kind.READS);
    }

    @Override
    public long getBytesRead() {
        return totals.of(Kind.READ_BYTES);
    }

    @Override
    public long getReadNanos() {
        return totals.of(Kind.READ_NANOS);
    }

    @Override
    public long getWrites() {
        return totals.of(Kind.WRITES);
    }

    @Override
    public long getBytesWritten() {
        return totals.of(Kind.WRITE_BYTES);
    }

    @Override
    public long getWriteNanos() {
        return totals.of(Kind.WRITE_NANOS);
    }

    @Override
    public long getHits() {
        return totals.of(Kind.HITS);
    }

    @Override
    public long getMisses() {
        return totals.of(Kind.MISSES);
    }

    @Override
    public long getPageRequests() {
        return totals.of(Kind.PAGE_READS) + totals.of(Kind.PAGE_WRITES);
    }

    @Override
    public long getPrefetches() {
        return totals.of(Kind.PREFETCHES);
    }

    @Override
    public long getPrefetchesUnused() {
        return totals.of(Kind.PREFETCHES_UNUSED);
    }

    @Override
    public long getWaits() {
        return totals.of(Kind.WAITS);
    }

    @Override
    public long getWaitNanos() {
        return totals.of(Kind.WAIT_NANOS);
    }
}
