package io.mio.live;

import static io.mio.counters.CounterLayout.SHARES;
import static io.mio.counters.CounterLayout.SHARE_BYTES;
import static io.mio.counters.CounterLayout.SHARE_COUNT;

import io.mio.counters.CounterLayout;
import io.mio.stats.PfSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import java.nio.ByteBuffer;
import java.util.List;

/** Makes the block of a report from a pf record. */
final class PagesBlock {
    private PagesBlock() {}

    /** Makes the block of a file's pages; times count from {@code began}. */
    static LivePages of(ByteBuffer record, long began) {
        return of(record, began, TraceBlock.name(record), new long[4]);
    }

    /**
     * Makes the block of a cache.
     *
     * @param files the pages of files; what the programs did with those that use the cache is not
     *     in the cache's record
     */
    static LivePages ofCache(ByteBuffer record, long began, List<LivePages> files) {
        int number = (int) record.getLong(CounterLayout.CACHE_NUMBER);
        long[] program = new long[4];
        for (LivePages file : files) {
            if (file.counters().cache() == number) {
                PfSnapshot.Transfers one = file.counters().program();
                program[0] += one.reads();
                program[1] += one.bytesRead();
                program[2] += one.writes();
                program[3] += one.bytesWritten();
            }
        }
        return of(record, began, null, program);
    }

    private static LivePages of(ByteBuffer record, long began, String file, long[] program) {
        for (int share = 0; share < SHARE_COUNT; share++) {
            for (int i = 0; i < program.length; i++) {
                program[i] += record.getLong(SHARES + share * SHARE_BYTES + i * 8);
            }
        }
        return new LivePages(
                counters(record, file, program),
                record.getLong(CounterLayout.OPENED) - began,
                record.getLong(CounterLayout.PF_SIZE),
                record.getLong(CounterLayout.RESIDENT),
                record.getLong(CounterLayout.DIRTY),
                record.getLong(CounterLayout.IN_FLIGHT),
                record.getLong(CounterLayout.WAITING));
    }

    private static PfSnapshot counters(ByteBuffer record, String file, long[] program) {
        long notPreread = record.getLong(CounterLayout.NOT_PREREAD);
        return new PfSnapshot(
                Event.INTER,
                file,
                (int) record.getLong(CounterLayout.CACHE_NUMBER),
                RecordReader.text(record, CounterLayout.BELOW, CounterLayout.WORD_BYTES),
                "",
                TraceBlock.unit(record.getLong(CounterLayout.PF_UNIT)),
                record.getLong(CounterLayout.FRAMES),
                record.getLong(CounterLayout.PAGE_BYTES),
                record.getLong(CounterLayout.PF_SECTOR_BYTES),
                notPreread - record.getLong(CounterLayout.READ_AFTER_ALL),
                notPreread,
                record.getLong(CounterLayout.UNUSED),
                notPreread + record.getLong(CounterLayout.READ_AHEADS),
                record.getLong(CounterLayout.DISTANCE),
                record.getLong(CounterLayout.WRITE_BEHINDS),
                record.getLong(CounterLayout.FORCED_SYNCS),
                record.getLong(CounterLayout.RETAINED),
                new PfSnapshot.Transfers(program[3], program[2], program[1], program[0]),
                new PfSnapshot.Transfers(
                        record.getLong(CounterLayout.PAGE_WRITE_BYTES),
                        record.getLong(CounterLayout.PAGE_WRITES),
                        record.getLong(CounterLayout.PAGE_READ_BYTES),
                        record.getLong(CounterLayout.PAGE_READS)),
                details(record, program[0]),
                null);
    }

    private static PfSnapshot.Details details(ByteBuffer record, long programReads) {
        return new PfSnapshot.Details(
                Math.max(0, programReads - record.getLong(CounterLayout.MISSES)),
                record.getLong(CounterLayout.DEMAND_READS),
                record.getLong(CounterLayout.PARTIAL_READS),
                record.getLong(CounterLayout.WAITS),
                record.getLong(CounterLayout.WAIT_NANOS),
                record.getLong(CounterLayout.EVICTIONS),
                record.getLong(CounterLayout.DIRTY_EVICTIONS),
                record.getLong(CounterLayout.WRITE_ERRORS),
                record.getLong(CounterLayout.STREAMS),
                record.getLong(CounterLayout.GATE_WAITS),
                record.getLong(CounterLayout.GATE_WAIT_NANOS),
                RecordReader.text(record, CounterLayout.ABOVE, CounterLayout.WORD_BYTES),
                record.getLong(CounterLayout.PF_DIRECT) != 0);
    }
}
