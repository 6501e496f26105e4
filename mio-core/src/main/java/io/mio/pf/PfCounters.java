package io.mio.pf;

import io.mio.stats.IoTotals;
import io.mio.stats.IoTotals.Kind;
import java.util.concurrent.atomic.LongAdder;

/**
 * What a cache counts, for one file or for all of its files (reference 4.5). What the program does
 * is counted without a lock; the rest under the lock of the cache.
 */
final class PfCounters {
    final LongAdder programReads = new LongAdder();
    final LongAdder programReadBytes = new LongAdder();
    final LongAdder programWrites = new LongAdder();
    final LongAdder programWriteBytes = new LongAdder();

    long pageReads;
    long pageReadBytes;
    long pageWrites;
    long pageWriteBytes;

    /** Pages prepared for writing without being read, and those of them that had to be read. */
    long notPreread;

    long readAfterAll;

    /** Asynchronous reads ahead of the program. */
    long readAheads;

    /** Pages read or prepared ahead that gave way before they were used. */
    long unused;

    long writeBehinds;

    /** Pages that had to be read at once because a write did not cover whole sectors. */
    long forcedSyncs;

    long retained;

    /** Program reads that did not find all in frames, and page reads made at once for them. */
    long misses;

    long demandReads;

    /** Page reads of less than a page. */
    long partialReads;

    /** Times and time a thread waited for a page that was on its way. */
    long waits;

    long waitNanos;
    long evictions;
    long dirtyEvictions;
    long writeErrors;

    void programRead(long bytes) {
        programReads.increment();
        programReadBytes.add(bytes);
    }

    void programWrote(long bytes) {
        programWrites.increment();
        programWriteBytes.add(bytes);
    }

    void pageRead(long bytes, boolean partial) {
        pageReads++;
        partialReads += partial ? 1 : 0;
        pageReadBytes += bytes;
    }

    void pageWritten(long bytes) {
        pageWrites++;
        pageWriteBytes += bytes;
    }

    /** Pages read or prepared ahead, the second figure of "unused prefetches". */
    long started() {
        return notPreread + readAheads;
    }

    void addProgramTo(IoTotals totals) {
        totals.counted(false);
        totals.add(Kind.READS, programReads.sum());
        totals.add(Kind.READ_BYTES, programReadBytes.sum());
        totals.add(Kind.WRITES, programWrites.sum());
        totals.add(Kind.WRITE_BYTES, programWriteBytes.sum());
    }

    void addPagesTo(IoTotals totals) {
        totals.add(Kind.HITS, Math.max(0, programReads.sum() - misses));
        totals.add(Kind.MISSES, demandReads);
        totals.add(Kind.PAGE_READS, pageReads);
        totals.add(Kind.PAGE_READ_BYTES, pageReadBytes);
        totals.add(Kind.PAGE_WRITES, pageWrites);
        totals.add(Kind.PAGE_WRITE_BYTES, pageWriteBytes);
        totals.add(Kind.PREFETCHES, started());
        totals.add(Kind.PREFETCHES_UNUSED, unused);
        totals.add(Kind.WAITS, waits);
        totals.add(Kind.WAIT_NANOS, waitNanos);
    }

    /** Adds what a file's program did to the sums of its cache. */
    void addProgram(PfCounters file) {
        programReads.add(file.programReads.sum());
        programReadBytes.add(file.programReadBytes.sum());
        programWrites.add(file.programWrites.sum());
        programWriteBytes.add(file.programWriteBytes.sum());
    }
}
