package io.mio.cli.stats;

import io.mio.cli.stats.Comparison.Pair;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.Prose;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Shows a {@link Comparison} in each of the forms. */
final class CompareReport {
    private static final int PROSE_COLUMNS = 100;

    private static final List<String> HEADINGS =
            List.of(
                    "Time before",
                    "after",
                    "gain",
                    "Rate before",
                    "after",
                    "gain",
                    "Calls before",
                    "after");

    private static final int WITHOUT_CALLS = 6;
    private static final int WITHOUT_RATES = 3;

    private CompareReport() {}

    static List<String> lines(Comparison comparison, int top, Terminal terminal) {
        List<Pair> pairs = comparison.pairs();
        List<Pair> shown = pairs.subList(0, Math.min(top, pairs.size()));
        List<String> lines =
                new ArrayList<>(
                        Table.fitting(
                                terminal,
                                HEADINGS.size(),
                                columns -> table(comparison, shown, whole(columns))));
        if (pairs.size() > top) {
            lines.add(
                    "... and "
                            + Amounts.count(pairs.size() - top)
                            + " more; the total is that of all");
        }
        lines.add("");
        for (String words : comparison.words()) {
            lines.addAll(
                    Prose.lines(
                            "", SafeText.of(words), Math.min(PROSE_COLUMNS, terminal.columns())));
        }
        if (Stream.concat(shown.stream(), Stream.of(comparison.total()))
                .anyMatch(CompareReport::isRough)) {
            lines.add("");
            lines.addAll(TextReport.rough(terminal));
        }
        return lines;
    }

    /**
     * Returns how many columns to show, as figures of one kind are shown together or not at all.
     */
    private static int whole(int columns) {
        return columns == HEADINGS.size()
                ? columns
                : columns >= WITHOUT_CALLS ? WITHOUT_CALLS : WITHOUT_RATES;
    }

    private static Table table(Comparison comparison, List<Pair> shown, int columns) {
        Table table = new Table().name("File");
        HEADINGS.subList(0, columns).forEach(table::right);
        for (Pair pair : shown) {
            Style style = pair.isBetter() ? Style.GOOD : pair.isWorse() ? Style.BAD : Style.PLAIN;
            table.row(style, Arrays.copyOf(cells(pair), 1 + columns));
        }
        table.row(Style.HEADING, Arrays.copyOf(cells(comparison.total()), 1 + columns));
        return table;
    }

    private static boolean isRough(Pair pair) {
        return Stream.of(pair.before(), pair.after())
                .anyMatch(row -> row != null && row.isRoughRate());
    }

    private static String[] cells(Pair pair) {
        return new String[] {
            pair.name(),
            time(pair.before()),
            time(pair.after()),
            TextReport.marked(pair.isRough(), Amounts.ratio(pair.timeGain())),
            rate(pair.before()),
            rate(pair.after()),
            TextReport.marked(pair.isRough(), Amounts.ratio(pair.rateGain())),
            calls(pair.before()),
            calls(pair.after())
        };
    }

    private static String time(Row row) {
        return row == null ? null : TextReport.ioTime(row);
    }

    private static String rate(Row row) {
        return row == null ? null : TextReport.rate(row);
    }

    private static String calls(Row row) {
        return row == null ? null : TextReport.count(row.calls());
    }

    static List<String> csv(Comparison comparison, int top) {
        List<String> heading = new ArrayList<>(List.of("file"));
        for (Figure figure : Figure.ALL) {
            heading.add("before_" + figure.name());
            heading.add("after_" + figure.name());
        }
        heading.add("time_gain");
        heading.add("rate_gain");
        List<String> lines = new ArrayList<>();
        lines.add(String.join(",", heading));
        for (Pair pair : comparison.pairs().stream().limit(top).toList()) {
            List<String> fields = new ArrayList<>(List.of(CsvReport.name(pair.name())));
            for (Figure figure : Figure.ALL) {
                fields.add(field(figure, pair.before()));
                fields.add(field(figure, pair.after()));
            }
            fields.add(CsvReport.number(known(pair.timeGain())));
            fields.add(CsvReport.number(known(pair.rateGain())));
            lines.add(String.join(",", fields));
        }
        return lines;
    }

    private static String field(Figure figure, Row row) {
        return row == null ? "" : CsvReport.number(figure.value().apply(row));
    }

    private static Number known(double gain) {
        return Double.isFinite(gain) ? gain : null;
    }

    static Map<String, Object> json(
            Comparison comparison, int top, List<InputReport> before, List<InputReport> after) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("type", "mio_stats_comparison");
        json.put("format", 1);
        json.put("inputs_before", before.stream().map(InputReport::json).toList());
        json.put("inputs_after", after.stream().map(InputReport::json).toList());
        json.put("total", json(comparison.total()));
        json.put("files", comparison.pairs().stream().limit(top).map(CompareReport::json).toList());
        json.put("files_left_out", Math.max(0, comparison.pairs().size() - top));
        json.put("words", comparison.words());
        return json;
    }

    private static Map<String, Object> json(Pair pair) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("file", pair.name());
        json.put("before", figures(pair.before()));
        json.put("after", figures(pair.after()));
        json.put("time_gain", known(pair.timeGain()));
        json.put("rate_gain", known(pair.rateGain()));
        return json;
    }

    private static Map<String, Object> figures(Row row) {
        if (row == null) {
            return null;
        }
        Map<String, Object> json = JsonReport.figures(row);
        json.remove(Row.FILE);
        json.remove(Row.PROGRAM);
        return json;
    }
}
