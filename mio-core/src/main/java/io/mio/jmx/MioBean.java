package io.mio.jmx;

import io.mio.MioMXBean;
import io.mio.OpenFile;
import io.mio.pf.CachedFiles;
import io.mio.stats.FileReport;
import io.mio.stats.IoTotals;
import io.mio.stats.IoTotals.Kind;
import io.mio.stats.MioVersion;
import io.mio.stats.OpenReports;
import io.mio.stats.StatsBlock;
import java.util.ArrayList;
import java.util.List;

/** Sums what all files count, less what was counted at the last reset. */
final class MioBean implements MioMXBean {
    /** The counts at the last reset; the two change together. */
    private record Before(IoTotals totals, long opened) {}

    private volatile Before before = new Before(new IoTotals(), 0);

    private IoTotals totals() {
        return OpenReports.totals().since(before.totals);
    }

    private long total(Kind kind) {
        return totals().of(kind);
    }

    @Override
    public String getVersion() {
        return MioVersion.NUMBER;
    }

    @Override
    public int getFilesOpen() {
        return OpenReports.files().size();
    }

    @Override
    public long getFilesOpened() {
        return OpenReports.opened() - before.opened;
    }

    @Override
    public long getReads() {
        return total(Kind.READS);
    }

    @Override
    public long getBytesRead() {
        return total(Kind.READ_BYTES);
    }

    @Override
    public long getReadNanos() {
        return total(Kind.READ_NANOS);
    }

    @Override
    public long getWrites() {
        return total(Kind.WRITES);
    }

    @Override
    public long getBytesWritten() {
        return total(Kind.WRITE_BYTES);
    }

    @Override
    public long getWriteNanos() {
        return total(Kind.WRITE_NANOS);
    }

    @Override
    public long getHits() {
        return total(Kind.HITS);
    }

    @Override
    public long getMisses() {
        return total(Kind.MISSES);
    }

    @Override
    public long getPageReads() {
        return total(Kind.PAGE_READS);
    }

    @Override
    public long getPageBytesRead() {
        return total(Kind.PAGE_READ_BYTES);
    }

    @Override
    public long getPageWrites() {
        return total(Kind.PAGE_WRITES);
    }

    @Override
    public long getPageBytesWritten() {
        return total(Kind.PAGE_WRITE_BYTES);
    }

    @Override
    public long getPrefetchesUsed() {
        IoTotals totals = totals();
        return Math.max(0, totals.of(Kind.PREFETCHES) - totals.of(Kind.PREFETCHES_UNUSED));
    }

    @Override
    public long getPrefetchesUnused() {
        return total(Kind.PREFETCHES_UNUSED);
    }

    @Override
    public long getWaits() {
        return total(Kind.WAITS);
    }

    @Override
    public long getWaitNanos() {
        return total(Kind.WAIT_NANOS);
    }

    @Override
    public long getDirtyBytes() {
        return CachedFiles.dirtyBytes();
    }

    @Override
    public List<OpenFile> getOpenFiles() {
        List<OpenFile> files = new ArrayList<>();
        for (FileReport report : OpenReports.files()) {
            files.add(new OpenFileNow(report));
        }
        return files;
    }

    @Override
    public void reset() {
        before = new Before(OpenReports.totals(), OpenReports.opened());
    }

    @Override
    public String dump() {
        OpenReports.writeAll();
        StringBuilder text = new StringBuilder();
        for (StatsBlock block : OpenReports.snapshots()) {
            text.append('\n').append(block.classic());
        }
        return text.toString();
    }
}
