package io.mio.cli.top;

import io.mio.live.LiveAuto;
import io.mio.live.LivePages;
import io.mio.live.LiveProcess;
import io.mio.live.LiveProcess.State;
import io.mio.stats.AutoSnapshot.Decision;
import io.mio.stats.TraceSnapshot;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Turns readings into rows, and keeps the last reading for the rates. Not safe for several threads.
 *
 * <p>What a program does with a file is what its topmost trace layer counts, or what its pages were
 * asked for where there is none. Blocks are told apart by process, file and time of the open. A
 * block that was not in the last reading counts in full if it was opened within the interval, and
 * not at all otherwise. A block with numbers that no program counts is damaged, and left out.
 */
public final class Ledger {
    private static final String TOP = "program";

    /** Identifies a block of a process. */
    private record Key(
            long pid, long startTime, char kind, String file, String below, long beganNanos) {}

    private record FileSum(Counters totals, Counters growth, Gauges gauges) {
        static final FileSum NONE = new FileSum(Counters.NONE, Counters.NONE, Gauges.NONE);

        FileSum plus(FileSum other) {
            return new FileSum(
                    totals.plus(other.totals),
                    growth.plus(other.growth),
                    gauges.plus(other.gauges));
        }
    }

    private Map<Key, Counters> before = Map.of();
    private Map<Key, Counters> now = Map.of();
    private boolean isFirst = true;
    private long beforeNanos;

    /**
     * Takes the next reading.
     *
     * @param time time of the reading, as people tell it
     * @param nanos the same by a clock that does not jump
     */
    public Tick add(List<LiveProcess> processes, Instant time, long nanos) {
        long interval = isFirst ? 0 : Math.max(1, nanos - beforeNanos);
        now = new HashMap<>();
        List<Row> rows = new ArrayList<>();
        List<Row> files = new ArrayList<>();
        List<DecisionRow> decisions = new ArrayList<>();
        FileSum total = FileSum.NONE;
        long unrecorded = 0;
        for (LiveProcess process : processes) {
            Map<String, FileSum> sums = new LinkedHashMap<>();
            Set<String> damaged = traces(process, interval, sums);
            pages(process, interval, sums, damaged);
            FileSum all = FileSum.NONE;
            for (Map.Entry<String, FileSum> entry : sums.entrySet()) {
                files.add(row(process, entry.getKey(), entry.getValue()));
                all = all.plus(entry.getValue());
            }
            rows.add(row(process, "", all));
            addDecisions(process, decisions);
            unrecorded += process.unrecorded();
            if (process.state() == State.RUNS) {
                total = total.plus(all);
            }
        }
        decisions.sort(Comparator.comparingLong(DecisionRow::agoNanos));
        Counters growth = isFirst ? null : total.growth;
        Row sum = new Row(0, "", "", false, "", total.totals, growth, total.gauges, "");
        before = now;
        beforeNanos = nanos;
        isFirst = false;
        return new Tick(time, interval / 1e9, sum, rows, files, decisions, unrecorded);
    }

    /** Adds the trace blocks. Returns the names of files of which a block was left out. */
    private Set<String> traces(LiveProcess process, long interval, Map<String, FileSum> sums) {
        Set<String> damaged = new HashSet<>();
        for (TraceSnapshot trace : process.traces()) {
            if (trace.above().equals(TOP)) {
                Key key = key(process, 't', trace.file(), trace.below(), trace.openedNanos());
                Counters totals = Counters.of(trace);
                if (totals.isDamaged()) {
                    damaged.add(trace.file());
                    continue;
                }
                Counters growth = growth(key, totals, process.nowNanos(), interval);
                sums.merge(
                        trace.file(),
                        new FileSum(totals, growth, new Gauges(1L, 0, 0, 0)),
                        FileSum::plus);
            }
        }
        return damaged;
    }

    private void pages(
            LiveProcess process, long interval, Map<String, FileSum> sums, Set<String> damaged) {
        Set<String> traced = new HashSet<>();
        boolean isElsewhere = false;
        for (TraceSnapshot trace : process.traces()) {
            if (trace.above().equals(TOP)) {
                traced.add(trace.file());
                // Pages have the name of their file's first open. If that open is closed, the trace
                // layer above them has another name.
                isElsewhere |= trace.below().equals("pf") && !hasPages(process, trace.file());
            }
        }
        for (LivePages pages : process.pages()) {
            String file = pages.counters().file();
            if (file == null || damaged.contains(file)) {
                // The block of a shared cache is the sum of its files' blocks. A file whose trace
                // block was left out would seem to be unused, so its pages are left out as well.
                continue;
            }
            boolean alone = !traced.contains(file) && !isElsewhere;
            Key key = key(process, 'p', file, pages.counters().below(), pages.beganNanos());
            Counters totals = Counters.of(pages, alone);
            if (totals.isDamaged()) {
                continue;
            }
            Counters growth = growth(key, totals, process.nowNanos(), interval);
            Gauges gauges =
                    new Gauges(
                            alone ? null : 0L,
                            Math.max(0, pages.dirtyBytes()),
                            Math.max(0, pages.requestsInFlight()),
                            Math.max(0, pages.threadsWaiting()));
            sums.merge(file, new FileSum(totals, growth, gauges), FileSum::plus);
        }
    }

    private static boolean hasPages(LiveProcess process, String file) {
        return process.pages().stream().anyMatch(pages -> file.equals(pages.counters().file()));
    }

    private static Key key(
            LiveProcess process, char kind, String file, String below, long beganNanos) {
        return new Key(process.pid(), process.startTime(), kind, file, below, beganNanos);
    }

    private Counters growth(Key key, Counters totals, long nowNanos, long interval) {
        now.merge(key, totals, Counters::plus);
        Counters earlier = before.get(key);
        if (earlier != null) {
            return totals.since(earlier);
        }
        return nowNanos - key.beganNanos() <= interval ? totals : Counters.NONE;
    }

    private Row row(LiveProcess process, String file, FileSum sum) {
        boolean killed = process.state() == State.GONE;
        return new Row(
                process.pid(),
                process.program(),
                file,
                killed,
                door(process),
                sum.totals,
                isFirst || killed ? null : sum.growth,
                sum.gauges,
                auto(process, file));
    }

    /** Returns the state of the file's last open; the states come in the order of the opens. */
    private static String auto(LiveProcess process, String file) {
        String state = "";
        for (LiveAuto auto : process.autos()) {
            boolean tells = auto.file().equals(file) && !auto.state().isEmpty();
            state = tells ? auto.state() : state;
        }
        return state;
    }

    private static void addDecisions(LiveProcess process, List<DecisionRow> rows) {
        for (LiveAuto auto : process.autos()) {
            for (Decision one : auto.decisions()) {
                rows.add(
                        new DecisionRow(
                                process.pid(),
                                process.program(),
                                auto.file(),
                                process.state() == State.GONE,
                                door(process),
                                process.nowNanos() - one.nanos(),
                                one.what(),
                                one.reason()));
            }
        }
    }

    private static String door(LiveProcess process) {
        return process.door().name().toLowerCase(Locale.ROOT);
    }
}
