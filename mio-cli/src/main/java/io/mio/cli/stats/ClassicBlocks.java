package io.mio.cli.stats;

import io.mio.cli.AutoBlock;
import io.mio.cli.ClassicReport;
import io.mio.cli.ClassicReport.Block;
import io.mio.cli.ClassicReport.Row;
import io.mio.cli.ClassicReport.Transfer;
import io.mio.cli.PfBlock;
import io.mio.stats.ByteUnit;
import java.util.Map;

/**
 * Makes counts of the blocks of the classic text, which has amounts in whole units. They are exact
 * if the unit is the byte, or if all requests of a row were of one size and add up to whole units
 * that were all delivered. Otherwise they may be rounded, and the counts say so.
 */
final class ClassicBlocks implements ClassicReport.Sink {
    private static final double NANOS = 1e9;

    /** Most nanoseconds that a time can be off by: times are rounded to hundredths of a second. */
    private static final long NANOS_OFF = 5_000_000;

    private static final Row NO_ROW = new Row(0, 0);
    private static final Transfer NO_TRANSFER = new Transfer(0, 0, 0, 0);

    private final BlockSink sink;

    ClassicBlocks(BlockSink sink) {
        this.sink = sink;
    }

    @Override
    public void header(ClassicReport.Header header) {
        Map<String, String> values = header.values();
        sink.start(
                new BlockSink.Start(
                        BlockSink.NO_PID,
                        values.getOrDefault("Program", ""),
                        values.getOrDefault("hostname", ""),
                        values.getOrDefault("engine", "")));
    }

    /**
     * Throws if rows are missing. The amounts of the rows are each rounded down, so their sum may
     * be less than the total of the title by less than one unit for each row, but not by more.
     */
    private static void checkComplete(Block block) {
        long delivered = 0;
        for (Transfer transfer : block.transfers().values()) {
            delivered = Counts.add(delivered, transfer.delivered());
        }
        if (block.total() < delivered
                || block.total() - delivered > Math.max(0, block.transfers().size() - 1)) {
            throw new IllegalArgumentException(
                    "rows of '"
                            + block.file()
                            + "' are missing or changed: "
                            + delivered
                            + " of "
                            + block.total()
                            + " "
                            + block.unit());
        }
    }

    @Override
    public void block(Block block) {
        checkComplete(block);
        ByteUnit unit = unit(block.unit());
        Counts counts = Counts.traceBlock();
        counts.setNanosOff(NANOS_OFF);
        long ioNanos = nanos(block.seconds());
        counts.set(Counter.OPENS, 1).set(Counter.IO_NS, ioNanos);
        transfers(counts, block, unit, "read", "aread", Direction.READ);
        transfers(counts, block, unit, "write", "awrite", Direction.WRITE);
        Row awaited = sum(row(block, "aread suspend"), row(block, "awrite suspend"));
        counts.set(Counter.SUSPENDS, awaited.count())
                .set(Counter.SUSPEND_NS, nanos(awaited.seconds()));
        seeks(counts, block);
        timed(counts, block, "fsync", Counter.FSYNCS, Counter.FSYNC_NS);
        timed(counts, block, "open", null, Counter.OPEN_NS);
        timed(counts, block, "close", null, Counter.CLOSE_NS);
        counts.set(Counter.EXTENSIONS, row(block, "size").count())
                .set(Counter.ILL_FORMED, Math.max(0, block.illFormed()))
                .set(Counter.MISALIGNED, Math.max(0, block.misaligned()))
                .set(Counter.MAX_SIZE_BYTES, bytes(block.maxSize(), unit));
        sink.trace(
                new BlockSink.Trace(
                        BlockSink.NO_PID,
                        block.event(),
                        block.file(),
                        block.above(),
                        block.below(),
                        block.opened(),
                        block.now().isEmpty() ? -1 : nanos(Double.parseDouble(block.now())),
                        counts));
    }

    /** The counters of one direction of transfers. */
    private enum Direction {
        READ(
                Counter.READS,
                Counter.READ_NS,
                Counter.READ_REQUESTED_BYTES,
                Counter.READ_BYTES,
                Counter.SMALLEST_READ_BYTES,
                Counter.LARGEST_READ_BYTES),
        WRITE(
                Counter.WRITES,
                Counter.WRITE_NS,
                Counter.WRITE_REQUESTED_BYTES,
                Counter.WRITTEN_BYTES,
                Counter.SMALLEST_WRITE_BYTES,
                Counter.LARGEST_WRITE_BYTES);

        private final Counter calls;
        private final Counter nanos;
        private final Counter requested;
        private final Counter delivered;
        private final Counter smallest;
        private final Counter largest;

        Direction(
                Counter calls,
                Counter nanos,
                Counter requested,
                Counter delivered,
                Counter smallest,
                Counter largest) {
            this.calls = calls;
            this.nanos = nanos;
            this.requested = requested;
            this.delivered = delivered;
            this.smallest = smallest;
            this.largest = largest;
        }
    }

    private static void transfers(
            Counts counts,
            Block block,
            ByteUnit unit,
            String name,
            String asynchronous,
            Direction way) {
        Row one = row(block, name);
        Row other = row(block, asynchronous);
        Row waits = row(block, asynchronous + " suspend");
        long[] sums = new long[2];
        long smallest = Counts.NO_REQUEST;
        long largest = 0;
        for (String label : new String[] {name, asynchronous}) {
            long calls = row(block, label).count();
            Transfer transfer = block.transfers().getOrDefault(label, NO_TRANSFER);
            if (calls > 0) {
                long requested = requested(counts, transfer, calls, unit);
                sums[0] = Counts.add(sums[0], requested);
                sums[1] = Counts.add(sums[1], delivered(counts, transfer, requested, unit));
                smallest = Math.min(smallest, transfer.smallestBytes());
                largest = Math.max(largest, transfer.largestBytes());
            }
        }
        counts.set(way.calls, Counts.add(one.count(), other.count()))
                .set(way.nanos, nanos(one.seconds() + other.seconds() + waits.seconds()))
                .set(way.requested, sums[0])
                .set(way.delivered, sums[1])
                .set(way.smallest, smallest)
                .set(way.largest, largest);
    }

    private static long requested(Counts counts, Transfer transfer, long calls, ByteUnit unit) {
        if (transfer.smallestBytes() == transfer.largestBytes()) {
            long exact = calls * transfer.smallestBytes();
            if (unit.whole(exact) == transfer.requested()) {
                return exact;
            }
        }
        if (unit != ByteUnit.BYTES) {
            counts.setRequestedRounded(unit.bytes());
            counts.setRounded(unit.bytes());
        }
        return bytes(transfer.requested(), unit);
    }

    /**
     * Returns the bytes that were delivered. If the text allows that these are all that were asked
     * for, it is those; less than one unit of them may then be missing, unless whole units were
     * asked for. Of less than one unit nothing is known.
     */
    private static long delivered(Counts counts, Transfer transfer, long requested, ByteUnit unit) {
        long delivered = bytes(transfer.delivered(), unit);
        if (delivered == requested) {
            return delivered;
        }
        setRounded(counts, unit);
        boolean all = delivered > 0 && transfer.delivered() == transfer.requested();
        return all ? requested : delivered;
    }

    private static void setRounded(Counts counts, ByteUnit unit) {
        if (unit != ByteUnit.BYTES) {
            counts.setRounded(unit.bytes());
        }
    }

    /**
     * Sets the figures of seeks. The text has no line on patterns. But without a seek each request
     * begins where the last one ended, since any other request counts as a seek.
     */
    private static void seeks(Counts counts, Block block) {
        Row seeks = row(block, "seek");
        counts.set(Counter.SEEKS, seeks.count()).set(Counter.SEEK_NS, nanos(seeks.seconds()));
        counts.setSeekDelta((long) ((double) block.averageSeekDelta() * seeks.count()));
        if (seeks.count() == 0) {
            counts.set(
                            Counter.SEQUENTIAL_BYTES,
                            Counts.add(
                                    counts.atLeast(Counter.READ_BYTES),
                                    counts.atLeast(Counter.WRITTEN_BYTES)))
                    .set(Counter.BACKWARD_BYTES, 0)
                    .set(Counter.STRIDED_BYTES, 0)
                    .set(Counter.RANDOM_BYTES, 0);
        }
    }

    private static void timed(
            Counts counts, Block block, String name, Counter count, Counter nanos) {
        Row row = row(block, name);
        if (count != null) {
            counts.set(count, row.count());
        }
        counts.set(nanos, nanos(row.seconds()));
    }

    @Override
    public void pfBlock(PfBlock block) {
        ByteUnit unit = unit(block.unit());
        Counts counts = Counts.pfBlock();
        setRounded(counts, unit);
        counts.set(Counter.CACHE_PAGES, block.pages())
                .set(Counter.PAGE_BYTES, block.pageBytes())
                .set(Counter.NOT_PREREAD, block.notPreread())
                .set(Counter.NOT_PREREAD_FOR_WRITE, block.notPrereadOf())
                .set(Counter.STARTED_PREFETCHES, block.prefetches())
                .set(Counter.UNUSED_PREFETCHES, block.unusedPrefetches())
                .set(Counter.DISTANCE_PAGES, block.distance())
                .set(Counter.WRITE_BEHINDS, block.writeBehinds())
                .set(Counter.FORCED_SYNCS, block.forcedSyncs())
                .set(Counter.RETAINED_PAGES, block.retainedPages())
                .set(Counter.PF_WRITES, block.programWrites().requests())
                .set(Counter.PF_WRITTEN_BYTES, bytes(block.programWrites().amount(), unit))
                .set(Counter.PF_READS, block.programReads().requests())
                .set(Counter.PF_READ_BYTES, bytes(block.programReads().amount(), unit))
                .set(Counter.PAGE_WRITES, block.pageWrites().requests())
                .set(Counter.PAGE_WRITTEN_BYTES, bytes(block.pageWrites().amount(), unit))
                .set(Counter.PAGE_READS, block.pageReads().requests())
                .set(Counter.PAGE_READ_BYTES, bytes(block.pageReads().amount(), unit));
        sink.pf(
                new BlockSink.Pf(
                        BlockSink.NO_PID,
                        block.event(),
                        block.isOfFile() ? block.of() : null,
                        block.tag(),
                        counts,
                        block.plan() == null ? null : JsonBlocks.limited(block.plan())));
    }

    @Override
    public void autoBlock(AutoBlock block) {
        sink.auto(
                new BlockSink.Auto(
                        BlockSink.NO_PID,
                        block.event(),
                        block.file(),
                        block.tag(),
                        "",
                        Names.limited(block.state()),
                        block.looks(),
                        block.hints(),
                        bytes(block.amount(), unit(block.unit())),
                        block.cached(),
                        block.decisions().stream().map(JsonBlocks::limited).toList(),
                        block.moreDecisions()));
    }

    @Override
    public void recov(String file, boolean failed) {
        sink.recov(BlockSink.NO_PID, file, failed);
    }

    @Override
    public void mistake(String what) {
        sink.mistake(what);
    }

    private static Row row(Block block, String name) {
        return block.rows().getOrDefault(name, NO_ROW);
    }

    private static Row sum(Row one, Row other) {
        return new Row(Counts.add(one.count(), other.count()), one.seconds() + other.seconds());
    }

    private static ByteUnit unit(String label) {
        ByteUnit unit = ByteUnit.of(label);
        if (unit == null) {
            throw new IllegalArgumentException("unknown unit '" + label + "'");
        }
        return unit;
    }

    private static long bytes(long units, ByteUnit unit) {
        if (units < 0) {
            return Counts.UNKNOWN;
        }
        return units > Long.MAX_VALUE / unit.bytes() ? Long.MAX_VALUE : units * unit.bytes();
    }

    private static long nanos(double seconds) {
        return Math.round(seconds * NANOS);
    }
}
