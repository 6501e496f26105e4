package io.mio.pf;

import io.mio.counters.CounterFile;
import io.mio.counters.CounterLayout;
import io.mio.counters.CounterRecord;
import io.mio.stats.IoTotals;
import io.mio.stats.IoTotals.Kind;
import java.nio.LongBuffer;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counts of a cache, for one file or for all of its files (reference 4.5), at the offsets of
 * {@link CounterLayout}. What the program does is counted without a lock, the rest under the lock
 * of the cache. The counts lie in a record of the process's counter file, where other processes
 * read them, or in memory of their own.
 */
final class PfCounters {
    private final LongAdder programReads = new LongAdder();
    private final LongAdder programReadBytes = new LongAdder();
    private final LongAdder programWrites = new LongAdder();
    private final LongAdder programWriteBytes = new LongAdder();
    private LongBuffer words;

    /** The record that has the words, and the counts of what the program does; or null. */
    private CounterRecord record;

    private boolean described;

    private PfCounters(CounterRecord record) {
        this.record = record;
        this.words =
                record == null
                        ? LongBuffer.allocate(CounterLayout.RECORD_BYTES / 8)
                        : record.words();
    }

    /** Counters in memory of their own. */
    static PfCounters unseen() {
        return new PfCounters(null);
    }

    /** Counters of a file; others see them once they are described. */
    static PfCounters ofFile() {
        return new PfCounters(CounterFile.take(CounterLayout.PF_FILE, null));
    }

    /** Counters of a shared cache. */
    static PfCounters ofCache(int number, int frames, int pageBytes) {
        PfCounters counters = new PfCounters(CounterFile.take(CounterLayout.PF_CACHE, null));
        counters.begin(number, frames, pageBytes);
        if (counters.record != null) {
            counters.record.show();
        }
        return counters;
    }

    private void begin(int number, int frames, int pageBytes) {
        set(CounterLayout.OPENED, System.nanoTime());
        set(CounterLayout.CACHE_NUMBER, number);
        set(CounterLayout.FRAMES, frames);
        set(CounterLayout.PAGE_BYTES, pageBytes);
        described = true;
    }

    /**
     * Describes what is counted, the first time; from then on others see the counters. With the
     * lock.
     */
    void describe(PfSource source, PageCache cache, int sectorBytes) {
        if (described || record == null) {
            return;
        }
        begin(cache.number(), cache.frameCount(), cache.pageBytes());
        set(CounterLayout.PF_SECTOR_BYTES, sectorBytes);
        source.describe(record);
        record.show();
    }

    /**
     * Copies the counts to memory of their own, and gives the record back. With the lock, and with
     * no request of the program on its way.
     */
    void detach() {
        CounterRecord given = record;
        if (given == null) {
            return;
        }
        LongBuffer copy = LongBuffer.allocate(CounterLayout.RECORD_BYTES / 8);
        for (int i = CounterLayout.BODY / 8; i < CounterLayout.SHARES / 8; i++) {
            copy.put(i, words.get(i));
        }
        add(given.shares());
        words = copy;
        record = null;
        given.give();
    }

    void add(int what, long more) {
        words.put(what / 8, words.get(what / 8) + more);
    }

    void set(int what, long value) {
        words.put(what / 8, value);
    }

    long get(int what) {
        return words.get(what / 8);
    }

    void programRead(long bytes) {
        CounterRecord seen = record;
        if (seen != null) {
            seen.share(CounterLayout.SHARE_READS, bytes);
        } else {
            programReads.increment();
            programReadBytes.add(bytes);
        }
    }

    void programWrote(long bytes) {
        CounterRecord seen = record;
        if (seen != null) {
            seen.share(CounterLayout.SHARE_WRITES, bytes);
        } else {
            programWrites.increment();
            programWriteBytes.add(bytes);
        }
    }

    /** Number of reads, bytes of these, number of writes, bytes of these. */
    long[] program() {
        CounterRecord seen = record;
        long[] sums = seen == null ? new long[4] : seen.shares();
        sums[0] += programReads.sum();
        sums[1] += programReadBytes.sum();
        sums[2] += programWrites.sum();
        sums[3] += programWriteBytes.sum();
        return sums;
    }

    private void add(long[] program) {
        programReads.add(program[0]);
        programReadBytes.add(program[1]);
        programWrites.add(program[2]);
        programWriteBytes.add(program[3]);
    }

    /**
     * Identifies the counts of what the program does; this object itself identifies those of the
     * pages.
     */
    Object programKey() {
        return programReads;
    }

    void addProgramTo(IoTotals totals) {
        long[] program = program();
        totals.counted(false);
        totals.add(Kind.READS, program[0]);
        totals.add(Kind.READ_BYTES, program[1]);
        totals.add(Kind.WRITES, program[2]);
        totals.add(Kind.WRITE_BYTES, program[3]);
    }

    void addPagesTo(IoTotals totals) {
        totals.add(Kind.HITS, Math.max(0, program()[0] - get(CounterLayout.MISSES)));
        totals.add(Kind.MISSES, get(CounterLayout.DEMAND_READS));
        totals.add(Kind.PAGE_READS, get(CounterLayout.PAGE_READS));
        totals.add(Kind.PAGE_READ_BYTES, get(CounterLayout.PAGE_READ_BYTES));
        totals.add(Kind.PAGE_WRITES, get(CounterLayout.PAGE_WRITES));
        totals.add(Kind.PAGE_WRITE_BYTES, get(CounterLayout.PAGE_WRITE_BYTES));
        totals.add(Kind.PREFETCHES, started());
        totals.add(Kind.PREFETCHES_UNUSED, get(CounterLayout.UNUSED));
        totals.add(Kind.WAITS, get(CounterLayout.WAITS));
        totals.add(Kind.WAIT_NANOS, get(CounterLayout.WAIT_NANOS));
    }

    /** Adds what the program did with a file to the sums of its cache. */
    void addProgram(PfCounters file) {
        long[] program = file.program();
        if (record == null) {
            add(program);
        } else {
            record.addShares(program);
        }
    }

    void pageRead(long bytes, boolean partial) {
        add(CounterLayout.PAGE_READS, 1);
        add(CounterLayout.PARTIAL_READS, partial ? 1 : 0);
        add(CounterLayout.PAGE_READ_BYTES, bytes);
    }

    /**
     * Counts a read of the program that went past the pages: it found nothing there, and the layer
     * below had a request.
     */
    void readPast(long bytes) {
        add(CounterLayout.MISSES, 1);
        pageRead(bytes, false);
    }

    void pageWritten(long bytes) {
        add(CounterLayout.PAGE_WRITES, 1);
        add(CounterLayout.PAGE_WRITE_BYTES, bytes);
    }

    /** Pages that were read or prepared ahead, the second figure of "unused prefetches". */
    long started() {
        return get(CounterLayout.NOT_PREREAD) + get(CounterLayout.READ_AHEADS);
    }
}
