package io.mio.cli.plot.draw;

import io.mio.cli.plot.Buckets;
import io.mio.cli.plot.PlotFile;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.Series;
import io.mio.cli.plot.Stage;
import io.mio.cli.plot.What;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Predicate;

/** Facts on a run in words; all of it is safe text. */
public final class RunFacts {
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss 'UTC'", Locale.ROOT);
    private static final int NAME_COLUMNS = 40;
    private static final int NAMES_MAX = 3;

    private RunFacts() {}

    /** Returns the name of the run. */
    public static String label(RunPlot run) {
        return name(run.label());
    }

    /** Returns program, host, and time of the run. */
    public static String origin(RunPlot run) {
        long nanos = run.header().realtimeNanos();
        String moment =
                MOMENT.format(
                        Instant.ofEpochSecond(
                                        Math.floorDiv(nanos, 1_000_000_000L),
                                        Math.floorMod(nanos, 1_000_000_000L))
                                .atOffset(ZoneOffset.UTC));
        return name(run.programs())
                + " on "
                + name(run.header().host())
                + ", "
                + moment
                + ", "
                + Amounts.count(run.events())
                + (run.events() == 1 ? " event in " : " events in ")
                + Amounts.time(Math.round(DrawnRun.span(run)));
    }

    /** Returns the names of the files that moved most. */
    public static String files(RunPlot run) {
        List<String> names = new ArrayList<>();
        for (PlotFile file : run.files()) {
            if (names.size() < NAMES_MAX) {
                names.add(name(file.path()));
            }
        }
        long more = run.fileCount() - names.size();
        String all = String.join(", ", names);
        return names.isEmpty()
                ? "no files"
                : (run.fileCount() == 1 ? "file: " : "files: ")
                        + all
                        + (more > 0 ? " and " + Amounts.count(more) + " more" : "");
    }

    /** Returns a line for each stage that saw something. */
    public static List<String> totals(RunPlot run) {
        List<String> lines = new ArrayList<>();
        for (Stage stage : Stage.values()) {
            PlotFile.Totals totals = null;
            for (PlotFile file : run.files()) {
                PlotFile.Totals one = file.totals().get(stage);
                totals = totals == null ? one : one == null ? totals : sum(totals, one);
            }
            if (totals != null) {
                lines.add(stage == Stage.CACHE ? cache(totals) : calls(run, stage, totals));
            }
        }
        return lines;
    }

    private static String calls(RunPlot run, Stage stage, PlotFile.Totals all) {
        StringBuilder line = new StringBuilder(stage.label()).append(": ");
        if (all.reads() > 0 || all.writes() == 0) {
            moved(line, all.readBytes(), all.reads(), "read");
            latency(line, run, stage, What::isRead);
        }
        if (all.writes() > 0) {
            line.append(all.reads() > 0 ? "; " : "");
            moved(line, all.writeBytes(), all.writes(), "write");
            latency(line, run, stage, What::isWrite);
        }
        long busy = run.busyNanos().getOrDefault(stage, 0L);
        if (busy > 0) {
            line.append("; ")
                    .append(Amounts.time(busy))
                    .append(" with any under way, ")
                    .append(Amounts.rate((all.readBytes() + all.writeBytes()) * 1e9 / busy));
        }
        if (all.failed() > 0) {
            line.append("; ").append(Amounts.count(all.failed())).append(" failed");
        }
        return line.toString();
    }

    private static void moved(StringBuilder line, long bytes, long calls, String verb) {
        line.append(Amounts.bytes(bytes))
                .append(" in ")
                .append(Amounts.count(calls))
                .append(' ')
                .append(verb)
                .append(calls == 1 ? "" : "s");
    }

    /** Adds the durations that half of the calls and 99 in a hundred do not exceed. */
    private static void latency(
            StringBuilder line, RunPlot run, Stage stage, Predicate<What> wanted) {
        SortedMap<Integer, Long> counts =
                HistogramView.counts(
                        run.latency(),
                        index -> {
                            Series series = run.series().get(index);
                            return series.stage() == stage && wanted.test(series.what());
                        });
        if (!counts.isEmpty()) {
            line.append(" (p50 <= ")
                    .append(Amounts.time(quantile(counts, 0.5)))
                    .append(", p99 <= ")
                    .append(Amounts.time(quantile(counts, 0.99)))
                    .append(')');
        }
    }

    private static long quantile(SortedMap<Integer, Long> counts, double share) {
        long all = counts.values().stream().mapToLong(Long::longValue).sum();
        double left = share * all;
        int last = 0;
        for (Map.Entry<Integer, Long> entry : counts.entrySet()) {
            last = entry.getKey();
            left -= entry.getValue();
            if (left <= 0) {
                break;
            }
        }
        return Buckets.from(last + 1) - 1;
    }

    private static String cache(PlotFile.Totals all) {
        StringBuilder line = new StringBuilder("cache: ");
        if (all.hits() + all.misses() > 0) {
            line.append(Amounts.percent((double) all.hits() / (all.hits() + all.misses())))
                    .append(" hits, ");
        }
        line.append(Amounts.count(all.prefetched())).append(" ahead");
        if (all.unused() > 0) {
            line.append(", ").append(Amounts.count(all.unused())).append(" in vain");
        }
        line.append(", ")
                .append(Amounts.count(all.misses()))
                .append(all.misses() == 1 ? " miss" : " misses");
        if (all.waits() > 0) {
            line.append(", ").append(Amounts.time(all.waitNanos())).append(" waited");
        }
        return line.toString();
    }

    private static PlotFile.Totals sum(PlotFile.Totals a, PlotFile.Totals b) {
        return new PlotFile.Totals(
                a.reads() + b.reads(),
                a.readBytes() + b.readBytes(),
                a.readNanos() + b.readNanos(),
                a.writes() + b.writes(),
                a.writeBytes() + b.writeBytes(),
                a.writeNanos() + b.writeNanos(),
                a.others() + b.others(),
                a.failed() + b.failed(),
                a.hits() + b.hits(),
                a.misses() + b.misses(),
                a.waits() + b.waits(),
                a.waitNanos() + b.waitNanos(),
                a.prefetched() + b.prefetched(),
                a.unused() + b.unused(),
                // This is not the sum of the parts: overlapping times count once.
                0);
    }

    /** Returns a moment since time zero, with all its digits, as {@code mio events} has it. */
    public static String moment(long nanos) {
        return BigDecimal.valueOf(nanos, 9).toPlainString() + " s";
    }

    /** Says where a run begins that is drawn from its first event on, beside others. */
    public static String begin(RunPlot run) {
        return label(run) + " begins at " + moment(run.beginNanos());
    }

    /** Returns a name, in quotes if it is empty, or begins or ends with blanks. */
    private static String name(String text) {
        String safe = SafeText.of(text);
        boolean seen = safe.equals(safe.strip()) && !safe.isEmpty();
        return SafeText.shorten(seen ? safe : "'" + safe + "'", NAME_COLUMNS);
    }
}
