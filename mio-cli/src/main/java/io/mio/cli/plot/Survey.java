package io.mio.cli.plot;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** First look at a run: its files with their totals, and its span. */
final class Survey {
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
    private static final int FIGURES = 14;

    /** One file, all its opens. */
    private static final class Found {
        final String path;
        final boolean others;
        final Map<Stage, long[]> totals = new EnumMap<>(Stage.class);
        long opens;
        long sizeBytes;
        long pageBytes;

        Found(String path, boolean others) {
            this.path = path;
            this.others = others;
        }

        long bytes() {
            long[] program = totals.get(Stage.PROGRAM);
            long most = program == null ? 0 : program[READ_BYTES] + program[WRITE_BYTES];
            for (long[] figures : totals.values()) {
                most = Math.max(most, figures[READ_BYTES] + figures[WRITE_BYTES]);
            }
            return most;
        }

        PlotFile file() {
            Map<Stage, PlotFile.Totals> all = new EnumMap<>(Stage.class);
            totals.forEach((stage, f) -> all.put(stage, totals(f)));
            return new PlotFile(path, others, opens, sizeBytes, pageBytes, all);
        }

        private static PlotFile.Totals totals(long[] f) {
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
                    f[UNUSED]);
        }
    }

    private final Map<Integer, EventFile> definitions;
    private final Map<String, Found> byPath = new HashMap<>();
    private final Map<Found, Integer> indexes = new HashMap<>();
    private final List<PlotFile> files = new ArrayList<>();
    private int othersIndex = -1;
    private long beginNanos = Long.MAX_VALUE;
    private long endNanos = Long.MIN_VALUE;

    Survey(Map<Integer, EventFile> definitions) {
        this.definitions = definitions;
    }

    void add(Event event) {
        if (event.kind() == Event.Kind.DROPPED) {
            return;
        }
        EventFile definition = definitions.get(event.file());
        if (definition == null) {
            return;
        }
        beginNanos = Math.min(beginNanos, event.startNanos());
        endNanos = Math.max(endNanos, event.endNanos());
        Found found = byPath.computeIfAbsent(definition.path(), path -> new Found(path, false));
        Stage stage = Stages.of(definition);
        long[] figures = found.totals.computeIfAbsent(stage, any -> new long[FIGURES]);
        found.sizeBytes = Math.max(found.sizeBytes, definition.sizeBytes());
        found.pageBytes = Math.max(found.pageBytes, definition.pageBytes());
        if (event.kind() == Event.Kind.PAGE) {
            page(figures, event);
            return;
        }
        if (event.operation() == TraceOperation.OPEN && stage == Stage.PROGRAM) {
            found.opens++;
        }
        call(figures, found, event);
    }

    private static void call(long[] figures, Found found, Event event) {
        What what = EventMarks.whatOfCall(event);
        if (what == null) {
            return;
        }
        if (what == What.FAILED) {
            figures[FAILED]++;
        } else if (what.isTransfer()) {
            int at = what.isRead() ? READS : WRITES;
            figures[at]++;
            figures[at + 1] += event.delivered();
            figures[at + 2] += event.durationNanos();
            found.sizeBytes = Math.max(found.sizeBytes, event.offset() + event.delivered());
        } else {
            figures[OTHERS]++;
        }
    }

    private static void page(long[] figures, Event event) {
        PageOperation operation = event.page();
        switch (operation) {
            case HIT -> figures[HITS]++;
            case MISS -> figures[MISSES]++;
            case WAIT -> {
                figures[WAITS]++;
                figures[WAIT_NANOS] += event.durationNanos();
            }
            case PREFETCH_ISSUED, PREPARED -> figures[PREFETCHED]++;
            case PREFETCH_UNUSED -> figures[UNUSED]++;
            default -> {}
        }
        if (event.failed()) {
            figures[FAILED]++;
        }
    }

    /** No more events: the files that moved most get a place of their own. */
    void finish(int filesMax) {
        List<Found> sorted = new ArrayList<>(byPath.values());
        sorted.sort(
                Comparator.comparingLong(Found::bytes)
                        .reversed()
                        .thenComparing(found -> found.path));
        boolean all = sorted.size() <= filesMax;
        List<Found> own = all ? sorted : sorted.subList(0, filesMax - 1);
        for (Found found : own) {
            indexes.put(found, files.size());
            files.add(found.file());
        }
        if (!all) {
            List<Found> rest = sorted.subList(filesMax - 1, sorted.size());
            Found others = new Found("(" + rest.size() + " other files)", true);
            rest.forEach(found -> join(others, found));
            othersIndex = files.size();
            files.add(others.file());
        }
    }

    private static void join(Found all, Found one) {
        all.opens += one.opens;
        all.sizeBytes = Math.max(all.sizeBytes, one.sizeBytes);
        all.pageBytes = Math.max(all.pageBytes, one.pageBytes);
        one.totals.forEach(
                (stage, figures) -> {
                    long[] sum = all.totals.computeIfAbsent(stage, any -> new long[FIGURES]);
                    for (int i = 0; i < FIGURES; i++) {
                        sum[i] += figures[i];
                    }
                });
    }

    List<PlotFile> files() {
        return files;
    }

    /** Index of the file in {@link #files}. */
    int index(EventFile definition) {
        Found found = byPath.get(definition.path());
        return indexes.getOrDefault(found, othersIndex);
    }

    boolean isEmpty() {
        return endNanos < beginNanos;
    }

    long beginNanos() {
        return isEmpty() ? 0 : beginNanos;
    }

    long endNanos() {
        return isEmpty() ? 0 : endNanos;
    }
}
