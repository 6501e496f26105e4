package io.mio.pf;

import io.mio.counters.CounterLayout;
import io.mio.counters.CounterRecord;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.stats.FileReport;
import io.mio.stats.IoTotals;
import io.mio.stats.PfSnapshot;
import io.mio.stats.StatsBlock;
import io.mio.stats.TraceSnapshot.Event;
import java.util.function.Supplier;

/**
 * Reports on the cache for one open file, and on the cache itself with its last file (reference
 * 4.5). Where a file has several opens at once, the last one reports for all, as they share its
 * pages. Holds counters, never the layer.
 */
public final class PfSource {
    private final PfOptions options;
    private final String name;
    private final String below;
    private final boolean direct;
    private final Supplier<String> backend;
    private final PfCounters counters;
    private final StreamTable reads;
    private final PlanCounts plan;
    private final FileGate gate;
    private final int cacheNumber;
    private volatile int frames;
    private final int pageBytes;
    private final int sectorBytes;
    private volatile boolean closed;
    private volatile boolean wasLast;
    private volatile PfCounters released;

    PfSource(
            CachedFile file,
            PfOptions options,
            OpenRequest request,
            Layer next,
            Supplier<String> backend) {
        this.options = options;
        this.name = request.name();
        this.below = lastName(next);
        this.direct = request.isDirect();
        this.backend = backend;
        this.counters = file.counters();
        this.reads = file.reads;
        this.plan = file.planCounts();
        this.gate = file.gate();
        PageCache cache = file.cache();
        this.cacheNumber = cache.number();
        this.frames = cache.frameCount();
        this.pageBytes = cache.pageBytes();
        this.sectorBytes = file.sectorBytes();
    }

    private static String lastName(Layer next) {
        Layer last = next;
        while (last.next() != null) {
            last = last.next();
        }
        return last.name();
    }

    /** Puts into a record of the file's counters what the counters cannot know. */
    void describe(CounterRecord record) {
        record.put(CounterLayout.PF_UNIT, Long.numberOfTrailingZeros(options.unit().bytes()));
        record.put(CounterLayout.PF_DIRECT, direct ? 1 : 0);
        record.text(CounterLayout.ABOVE, CounterLayout.WORD_BYTES, backend.get());
        record.text(CounterLayout.BELOW, CounterLayout.WORD_BYTES, below);
        record.name(name);
    }

    void read(long bytes) {
        counters.programRead(bytes);
    }

    void wrote(long bytes) {
        counters.programWrote(bytes);
    }

    /** Sets how many frames the cache has now. */
    void has(int now) {
        frames = now;
    }

    /**
     * This open is closed.
     *
     * @param last no other open has the file open with a cache
     */
    void closed(boolean last) {
        wasLast = last;
        closed = true;
    }

    /** The cache was given up with this open. */
    void released(PageCache cache) {
        released = cache.counters;
    }

    /** The source of the file's block. */
    public FileReport.Source file() {
        return new OfFile();
    }

    /** Of several opens of a file only one reports, as they have the counters in common. */
    private final class OfFile implements FileReport.Source {
        @Override
        public StatsBlock snapshot(Event event) {
            return closed && !wasLast ? null : PfSource.this.snapshot(event, name, counters);
        }

        @Override
        public boolean addProgram(IoTotals totals) {
            if ((!closed || wasLast) && totals.isFirst(counters.programKey())) {
                counters.addProgramTo(totals);
            }
            return true;
        }

        @Override
        public void addPages(IoTotals totals) {
            if ((!closed || wasLast) && totals.isFirst(counters)) {
                counters.addPagesTo(totals);
            }
        }
    }

    /** The source of the cache's block, which there is once the cache is gone. */
    public FileReport.Source cache() {
        return event -> released == null ? null : snapshot(event, null, released);
    }

    private StatsBlock snapshot(Event event, String file, PfCounters of) {
        long[] program = of.program();
        return new PfSnapshot(
                event,
                file,
                cacheNumber,
                below,
                options.tag(),
                options.unit(),
                frames,
                pageBytes,
                sectorBytes,
                of.get(CounterLayout.NOT_PREREAD) - of.get(CounterLayout.READ_AFTER_ALL),
                of.get(CounterLayout.NOT_PREREAD),
                of.get(CounterLayout.UNUSED),
                of.started(),
                file == null ? 0 : reads.distanceMax(),
                of.get(CounterLayout.WRITE_BEHINDS),
                of.get(CounterLayout.FORCED_SYNCS),
                of.get(CounterLayout.RETAINED),
                new PfSnapshot.Transfers(program[3], program[2], program[1], program[0]),
                new PfSnapshot.Transfers(
                        of.get(CounterLayout.PAGE_WRITE_BYTES),
                        of.get(CounterLayout.PAGE_WRITES),
                        of.get(CounterLayout.PAGE_READ_BYTES),
                        of.get(CounterLayout.PAGE_READS)),
                new PfSnapshot.Details(
                        Math.max(0, program[0] - of.get(CounterLayout.MISSES)),
                        of.get(CounterLayout.DEMAND_READS),
                        of.get(CounterLayout.PARTIAL_READS),
                        of.get(CounterLayout.WAITS),
                        of.get(CounterLayout.WAIT_NANOS),
                        of.get(CounterLayout.EVICTIONS),
                        of.get(CounterLayout.DIRTY_EVICTIONS),
                        of.get(CounterLayout.WRITE_ERRORS),
                        reads.recognised(),
                        gate.waits(),
                        gate.waitNanos(),
                        backend.get(),
                        direct),
                file == null ? null : plan.snapshot());
    }
}
