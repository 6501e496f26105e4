package io.mio.cli.events;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import io.mio.events.EventLosses;
import io.mio.events.EventReader;
import io.mio.events.PageOperation;
import io.mio.stats.TraceSnapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.IntFunction;

/** The summary for people: who, when, a table of calls, one of pages, and what is missing. */
final class SummaryText {
    private static final List<String> CALLS =
            List.of(
                    "Time", "Rate", "Read", "Written", "Reads", "Writes", "Request", "p50", "p90",
                    "p99", "Max", "Errors", "Pattern", "Other");

    private static final List<String> PAGES =
            List.of(
                    "Hit share",
                    "Hits",
                    "Misses",
                    "Ahead",
                    "Used",
                    "Unused",
                    "Waits",
                    "Waited",
                    "Demand",
                    "Behind",
                    "Evicted",
                    "Dirty");

    /** A pattern with this share of the bytes is named alone. */
    private static final double ALMOST_ALL = 0.9;

    private final Terminal terminal;
    private final int top;
    private final List<String> lines = new ArrayList<>();

    private SummaryText(Terminal terminal, int top) {
        this.terminal = terminal;
        this.top = top;
    }

    /**
     * Returns the lines, without line ends.
     *
     * @param top most files
     */
    static List<String> lines(
            Summary summary, EventReader reader, EventLosses losses, Terminal terminal, int top) {
        SummaryText text = new SummaryText(terminal, top);
        text.heading(summary, reader);
        text.calls(summary);
        text.pages(summary);
        List<String> missing = FileFacts.missing(reader.header(), losses);
        if (!missing.isEmpty()) {
            text.lines.add("");
            missing.forEach(text::safe);
        }
        return text.lines;
    }

    private void safe(String line) {
        lines.add(SafeText.of(line));
    }

    private void heading(Summary summary, EventReader reader) {
        FileFacts.lines(reader).forEach(this::safe);
        double rate = summary.events() * 1e9 / summary.spanNanos();
        safe(
                FileFacts.events(summary.events())
                        + " in "
                        + Amounts.time(summary.spanNanos())
                        + (Double.isFinite(rate)
                                ? ", " + Amounts.count(Math.round(rate)) + " a second"
                                : "")
                        + ", of "
                        + counted(summary.names(), "file")
                        + (summary.isFolded() ? " and others" : "")
                        + " and "
                        + counted(reader.processes().size(), "process"));
    }

    private static String counted(int count, String what) {
        String many = what.endsWith("s") ? what + "es" : what + "s";
        return Amounts.count(count) + " " + (count == 1 ? what : many);
    }

    private void calls(Summary summary) {
        List<LayerFigures> all =
                summary.files().stream().filter(one -> !one.pages && one.events > 0).toList();
        if (all.isEmpty()) {
            return;
        }
        List<LayerFigures> shown = first(all);
        lines.add("");
        fit(
                CALLS.size(),
                columns -> {
                    Table table = new Table().name("File").left("Layer");
                    heading(table, CALLS, columns);
                    shown.forEach(one -> table.row(row(one.path, one, callCells(one), columns)));
                    if (names(all) > 1) {
                        summary.layers()
                                .forEach(
                                        one ->
                                                table.row(
                                                        Style.HEADING,
                                                        row(
                                                                "total",
                                                                one,
                                                                callCells(one),
                                                                columns)));
                    }
                    return table;
                });
        left(all, shown);
    }

    private void pages(Summary summary) {
        List<LayerFigures> all =
                summary.files().stream().filter(one -> one.pages && one.events > 0).toList();
        if (all.isEmpty()) {
            return;
        }
        List<LayerFigures> shown = first(all);
        LayerFigures total = new LayerFigures("total", "", 0, true);
        all.forEach(total::add);
        lines.add("");
        fit(
                PAGES.size(),
                columns -> {
                    Table table = new Table().name("Pages of").left("Layer");
                    heading(table, PAGES, columns);
                    shown.forEach(one -> table.row(row(one.path, one, pageCells(one), columns)));
                    if (names(all) > 1) {
                        table.row(Style.HEADING, row("total", total, pageCells(total), columns));
                    }
                    return table;
                });
        left(all, shown);
    }

    private static void heading(Table table, List<String> headings, int columns) {
        for (String heading : headings.subList(0, columns)) {
            if (heading.equals("Pattern")) {
                table.left(heading);
            } else {
                table.right(heading);
            }
        }
    }

    /** Returns the figures of the first files. */
    private List<LayerFigures> first(List<LayerFigures> all) {
        Set<String> names = new LinkedHashSet<>();
        all.forEach(one -> names.add(one.path));
        List<String> wanted = names.stream().limit(top).toList();
        return names.size() <= top
                ? all
                : all.stream().filter(one -> wanted.contains(one.path)).toList();
    }

    private void left(List<LayerFigures> all, List<LayerFigures> shown) {
        long files = names(all);
        long seen = names(shown);
        if (files > seen) {
            lines.add("... and " + Amounts.count(files - seen) + " more files: --top");
        }
    }

    private static long names(List<LayerFigures> all) {
        return all.stream().map(one -> one.path).distinct().count();
    }

    private static String[] row(String name, LayerFigures one, String[] cells, int columns) {
        String[] row = new String[2 + columns];
        row[0] = name;
        row[1] = one.layer;
        System.arraycopy(cells, 0, row, 2, columns);
        return row;
    }

    private static String[] callCells(LayerFigures one) {
        return new String[] {
            Amounts.time(one.busy.nanos()),
            Amounts.rate(one.rate()),
            Amounts.bytes(one.readBytes),
            Amounts.bytes(one.writtenBytes),
            Amounts.count(one.reads),
            Amounts.count(one.writes),
            Double.isNaN(one.meanRequest()) ? null : Amounts.bytes(Math.round(one.meanRequest())),
            quantile(one, 0.5),
            quantile(one, 0.9),
            quantile(one, 0.99),
            one.latencies.count() == 0 ? null : Amounts.time(one.latencies.max()),
            Amounts.count(one.errors),
            pattern(one),
            Amounts.count(one.otherCalls)
        };
    }

    private static String quantile(LayerFigures one, double share) {
        return one.latencies.count() == 0 ? null : Amounts.time(one.latencies.quantile(share));
    }

    /**
     * Returns the pattern in the words of {@code mio stats}; null where calls were sampled, as
     * their order is not known.
     */
    static String pattern(LayerFigures one) {
        long all = Arrays.stream(one.patternBytes).sum();
        if (all <= 0 || one.sampled) {
            return null;
        }
        int most = 0;
        for (int i = 1; i < one.patternBytes.length; i++) {
            most = one.patternBytes[i] > one.patternBytes[most] ? i : most;
        }
        double share = (double) one.patternBytes[most] / all;
        String word = TraceSnapshot.Pattern.values()[most].name().toLowerCase(Locale.ROOT);
        return share >= ALMOST_ALL ? word : word + " " + Math.round(100 * share) + "%";
    }

    private static String[] pageCells(LayerFigures one) {
        return new String[] {
            Amounts.percent(one.hitShare()),
            Amounts.count(one.count(PageOperation.HIT)),
            Amounts.count(one.count(PageOperation.MISS)),
            Amounts.count(
                    one.count(PageOperation.PREFETCH_ISSUED) + one.count(PageOperation.PREPARED)),
            Amounts.count(one.count(PageOperation.PREFETCH_USED)),
            Amounts.count(one.count(PageOperation.PREFETCH_UNUSED)),
            Amounts.count(one.count(PageOperation.WAIT)),
            Amounts.time(one.waitNanos),
            Amounts.count(one.count(PageOperation.DEMAND_READ)),
            Amounts.count(one.count(PageOperation.WRITE_BEHIND)),
            Amounts.count(one.count(PageOperation.EVICT)),
            Amounts.count(one.count(PageOperation.DIRTY_EVICT))
        };
    }

    /** Adds the table with as many columns as the width allows. */
    private void fit(int columnsMax, IntFunction<Table> table) {
        lines.addAll(Table.fitting(terminal, columnsMax, table));
    }
}
