package io.mio.live;

import static io.mio.counters.CounterLayout.SHARES;
import static io.mio.counters.CounterLayout.SHARE_BYTES;
import static io.mio.counters.CounterLayout.SHARE_COUNT;

import io.mio.counters.CounterLayout;
import io.mio.stats.PfSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import java.nio.ByteBuffer;

/** A pf record as the block of a report. */
final class PagesBlock {
    private PagesBlock() {}

    /** Its begin is that of the record. */
    static LivePages of(ByteBuffer record) {
        boolean isCache = record.getLong(CounterLayout.KIND) == CounterLayout.PF_CACHE;
        return new LivePages(
                counters(record, isCache ? null : TraceBlock.name(record)),
                record.getLong(CounterLayout.OPENED),
                record.getLong(CounterLayout.PF_SIZE),
                record.getLong(CounterLayout.RESIDENT),
                record.getLong(CounterLayout.DIRTY),
                record.getLong(CounterLayout.IN_FLIGHT),
                record.getLong(CounterLayout.WAITING));
    }

    /** The same, its begin counted from that of the library. */
    static LivePages since(LivePages block, long began) {
        return new LivePages(
                block.counters(),
                block.beganNanos() - began,
                block.sizeBytes(),
                block.residentPages(),
                block.dirtyPages(),
                block.requestsInFlight(),
                block.threadsWaiting());
    }

    private static PfSnapshot counters(ByteBuffer record, String file) {
        long programReads = program(record, 0);
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
                new PfSnapshot.Transfers(
                        program(record, 3), program(record, 2), program(record, 1), programReads),
                new PfSnapshot.Transfers(
                        record.getLong(CounterLayout.PAGE_WRITE_BYTES),
                        record.getLong(CounterLayout.PAGE_WRITES),
                        record.getLong(CounterLayout.PAGE_READ_BYTES),
                        record.getLong(CounterLayout.PAGE_READS)),
                details(record, programReads));
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

    /** Sum over the shares: 0 reads, 1 bytes of these, 2 writes, 3 bytes of these. */
    private static long program(ByteBuffer record, int what) {
        long sum = 0;
        for (int i = 0; i < SHARE_COUNT; i++) {
            sum += record.getLong(SHARES + i * SHARE_BYTES + what * 8);
        }
        return sum;
    }
}
