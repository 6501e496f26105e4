package io.mio.cli.plot;

import io.mio.cli.events.BusyTime;
import io.mio.cli.term.Amounts;
import io.mio.events.Event;
import io.mio.stats.TraceOperation;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Adds up what happened to each file that is drawn, by stage. */
final class FileTotals {
    private static final Stage[] STAGES = Stage.values();
    private static final int READS = 0;
    private static final int READ_BYTES = 1;
    private static final int READ_NANOS = 2;
    private static final int WRITES = 3;
    private static final int WRITE_BYTES = 4;
    private static final int WRITE_NANOS = 5;
    private static final int OTHERS = 6;
    private static final int FAILED = 7;
    private static final int HITS = 8;
    private static final int MISSES = 9;
    private static final int WAITS = 10;
    private static final int WAIT_NANOS = 11;
    private static final int PREFETCHED = 12;
    private static final int UNUSED = 13;
    private static final int OPENS = 14;
    private static final int FIGURES = 15;

    private final FileTable table;
    private final Survey survey;

    /** Sums, by the place where a file is drawn, then stage; null where nothing was seen. */
    private final long[][] figures;

    /** Times in which a read or write was under way, in the order of {@link #figures}. */
    private final BusyTime[] busy;

    /** Times in which a read or write of any file was under way, by stage. */
    private final BusyTime[] busyOfAll = new BusyTime[STAGES.length];

    private final long[] sizes;
    private final Touched[] touched;
    private final long[] pages;

    FileTotals(FileTable table, Survey survey) {
        this.table = table;
        this.survey = survey;
        int count = survey.drawnCount();
        figures = new long[count * STAGES.length][];
        busy = new BusyTime[count * STAGES.length];
        sizes = new long[count];
        touched = new Touched[count];
        pages = new long[count];
    }

    /**
     * Counts an event.
     *
     * @param drawn the place where the file is drawn
     * @param what what a call stands for, null for an event without a mark
     */
    void add(Event event, int definition, int drawn, What what) {
        Stage stage = table.stage(definition);
        int at = drawn * STAGES.length + stage.ordinal();
        if (figures[at] == null) {
            figures[at] = new long[FIGURES];
        }
        if (touched[drawn] == null) {
            touched[drawn] = new Touched();
        }
        long[] sums = figures[at];
        sizes[drawn] = Math.max(sizes[drawn], table.sizeBytes(table.file(definition)));
        pages[drawn] = Math.max(pages[drawn], table.pageBytes(definition));
        if (event.kind() == Event.Kind.PAGE) {
            page(sums, event);
            touched[drawn].add(event.offset(), Math.max(0, event.requested()));
        } else if (what != null) {
            call(sums, drawn, event, what);
            touched[drawn].add(event.offset(), what.isTransfer() ? event.delivered() : 0);
            busy(at, stage, event);
        }
    }

    /** Counts the same time as {@code mio events --summary}. */
    private void busy(int at, Stage stage, Event event) {
        TraceOperation operation = event.operation();
        if (!operation.isTransfer()
                || (event.kind() == Event.Kind.CALL && operation.isAsynchronous())) {
            return;
        }
        int ofAll = stage.ordinal();
        if (busy[at] == null) {
            busy[at] = new BusyTime();
        }
        if (busyOfAll[ofAll] == null) {
            busyOfAll[ofAll] = new BusyTime();
        }
        busy[at].add(event.startNanos(), event.endNanos());
        busyOfAll[ofAll].add(event.startNanos(), event.endNanos());
    }

    /**
     * Returns the time in which at least one read or write was under way, of any file that is
     * drawn.
     */
    Map<Stage, Long> busyNanos() {
        Map<Stage, Long> all = new EnumMap<>(Stage.class);
        for (Stage stage : STAGES) {
            if (busyOfAll[stage.ordinal()] != null) {
                all.put(stage, busyOfAll[stage.ordinal()].nanos());
            }
        }
        return all;
    }

    private void call(long[] sums, int drawn, Event event, What what) {
        if (event.operation() == TraceOperation.OPEN && !event.failed()) {
            sums[OPENS]++;
        }
        if (what == What.FAILED) {
            sums[FAILED]++;
        } else if (what.isTransfer()) {
            int at = what.isRead() ? READS : WRITES;
            sums[at]++;
            increase(sums, at + 1, event.delivered());
            increase(sums, at + 2, event.durationNanos());
            sizes[drawn] = Math.max(sizes[drawn], event.offset() + event.delivered());
        } else {
            sums[OTHERS]++;
        }
    }

    private static void increase(long[] sums, int at, long value) {
        sums[at] = MarkTable.sum(sums[at], value);
    }

    private static void page(long[] sums, Event event) {
        switch (event.page()) {
            case HIT -> sums[HITS]++;
            case MISS -> sums[MISSES]++;
            case WAIT -> {
                sums[WAITS]++;
                increase(sums, WAIT_NANOS, event.durationNanos());
            }
            case PREFETCH_ISSUED, PREPARED -> sums[PREFETCHED]++;
            case PREFETCH_UNUSED -> sums[UNUSED]++;
            default -> {}
        }
        if (event.failed()) {
            sums[FAILED]++;
        }
    }

    List<PlotFile> files() {
        List<PlotFile> made = new ArrayList<>();
        for (int drawn = 0; drawn < survey.drawnCount(); drawn++) {
            int file = survey.file(drawn);
            Map<Stage, PlotFile.Totals> totals = new EnumMap<>(Stage.class);
            long opens = 0;
            for (Stage stage : STAGES) {
                int at = drawn * STAGES.length + stage.ordinal();
                long[] sums = figures[at];
                if (sums != null) {
                    totals.put(stage, totals(sums, busy[at] == null ? 0 : busy[at].nanos()));
                    opens = opens == 0 ? sums[OPENS] : opens;
                }
            }
            made.add(
                    new PlotFile(
                            file < 0
                                    ? "(" + Amounts.count(survey.joinedCount()) + " other files)"
                                    : table.path(file),
                            file < 0,
                            opens,
                            sizes[drawn],
                            touched[drawn] == null ? -1 : touched[drawn].begin(),
                            touched[drawn] == null ? -1 : touched[drawn].end(),
                            pages[drawn],
                            totals));
        }
        return made;
    }

    private static PlotFile.Totals totals(long[] f, long busyNanos) {
        return new PlotFile.Totals(
                f[READS],
                f[READ_BYTES],
                f[READ_NANOS],
                f[WRITES],
                f[WRITE_BYTES],
                f[WRITE_NANOS],
                f[OTHERS],
                f[FAILED],
                f[HITS],
                f[MISSES],
                f[WAITS],
                f[WAIT_NANOS],
                f[PREFETCHED],
                f[UNUSED],
                busyNanos);
    }
}
