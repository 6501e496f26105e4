package io.mio.cli.top;

import io.mio.live.LiveAuto;
import io.mio.live.LivePages;
import io.mio.live.LiveProcess;
import io.mio.live.LiveProcess.Door;
import io.mio.live.LiveProcess.State;
import io.mio.stats.ByteUnit;
import io.mio.stats.OperationStats;
import io.mio.stats.PfSnapshot;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Readings of processes that do not exist. */
final class Samples {
    static final Instant TIME = Instant.parse("2026-11-21T10:20:30Z");

    private static final long SECOND = 1_000_000_000;

    private Samples() {}

    /** A trace layer of a file opened at 0, with reads of 1000 bytes and writes of 100 bytes. */
    static TraceSnapshot trace(String file, String above, String below, long reads, long writes) {
        return trace(file, above, below, reads, writes, 0);
    }

    static TraceSnapshot trace(
            String file, String above, String below, long reads, long writes, long openedNanos) {
        List<OperationStats> operations =
                new ArrayList<>(
                        Collections.nCopies(TraceOperation.values().length, OperationStats.NONE));
        operations.set(TraceOperation.OPEN.ordinal(), operation(1, 0));
        operations.set(TraceOperation.READ.ordinal(), operation(reads, 1000));
        operations.set(TraceOperation.WRITE.ordinal(), operation(writes, 100));
        // The reads name their offsets.
        operations.set(TraceOperation.SEEK.ordinal(), operation(reads, 0));
        return new TraceSnapshot(
                Event.INTER,
                above,
                below,
                file,
                ByteUnit.BYTES,
                operations,
                0,
                0,
                0,
                0644,
                "ext4",
                4096,
                0,
                "",
                false,
                0,
                0,
                0,
                openedNanos,
                0,
                null);
    }

    /** A row of calls that take a millisecond each. */
    private static OperationStats operation(long count, long bytes) {
        return new OperationStats(
                count, count * 1_000_000, count * bytes, count * bytes, bytes, bytes, 0, 0, 0);
    }

    /** Pages of a file that served reads of 1000 bytes, {@code hits} of which were hits. */
    static LivePages pages(String file, long reads, long hits, long dirtyPages, long waiting) {
        PfSnapshot.Details details =
                new PfSnapshot.Details(
                        hits, reads - hits, 0, 7 * reads, 0, 0, 0, 0, 1, 0, 0, "sync", false);
        return new LivePages(
                new PfSnapshot(
                        Event.INTER,
                        file,
                        0,
                        "os",
                        "",
                        ByteUnit.BYTES,
                        16,
                        4096,
                        4096,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        0,
                        new PfSnapshot.Transfers(0, 0, 1000 * reads, reads),
                        new PfSnapshot.Transfers(0, 0, 0, 0),
                        details,
                        null),
                0,
                0,
                16,
                dirtyPages,
                2,
                waiting);
    }

    static LiveProcess process(
            long pid, String program, List<TraceSnapshot> traces, List<LivePages> pages) {
        return process(pid, program, State.RUNS, 100 * SECOND, traces, pages);
    }

    static LiveProcess process(
            long pid,
            String program,
            State state,
            long nowNanos,
            List<TraceSnapshot> traces,
            List<LivePages> pages) {
        return new LiveProcess(
                Path.of("/nowhere/" + pid + ".live"),
                pid,
                1,
                state,
                pid % 2 == 0 ? Door.JVM : Door.NATIVE,
                program,
                "sync",
                TIME,
                nowNanos,
                0,
                traces,
                pages,
                List.of());
    }

    /** The same process, with what pf/auto does. */
    static LiveProcess with(LiveProcess process, LiveAuto... autos) {
        return new LiveProcess(
                process.path(),
                process.pid(),
                process.startTime(),
                process.state(),
                process.door(),
                process.program(),
                process.engine(),
                process.began(),
                process.nowNanos(),
                process.unrecorded(),
                process.traces(),
                process.pages(),
                List.of(autos));
    }

    /** What two readings give that are two seconds apart. */
    static Tick tick(List<LiveProcess> before, List<LiveProcess> now) {
        Ledger ledger = new Ledger();
        ledger.add(before, TIME, 5 * SECOND);
        return ledger.add(now, TIME.plusSeconds(2), 7 * SECOND);
    }
}
