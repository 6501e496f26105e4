package io.mio.cli.stats;

import io.mio.cli.stats.Comparison.Pair;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Shows a {@link Comparison} in each of the forms. */
final class CompareReport {
    private static final int PROSE_COLUMNS = 100;

    private CompareReport() {}

    static List<String> lines(Comparison comparison, int top, Terminal terminal) {
        Table table =
                new Table()
                        .name("File")
                        .right("Time before")
                        .right("after")
                        .right("gain")
                        .right("Rate before")
                        .right("after")
                        .right("gain")
                        .right("Calls before")
                        .right("after");
        List<Pair> pairs = comparison.pairs();
        for (Pair pair : pairs.subList(0, Math.min(top, pairs.size()))) {
            Style style = pair.isBetter() ? Style.GOOD : pair.isWorse() ? Style.BAD : Style.PLAIN;
            table.row(style, cells(pair));
        }
        table.row(Style.HEADING, cells(comparison.total()));
        List<String> lines = new ArrayList<>(table.lines(terminal));
        if (pairs.size() > top) {
            lines.add(
                    "... and "
                            + Amounts.count(pairs.size() - top)
                            + " more; the total is that of all");
        }
        lines.add("");
        for (String words : comparison.words()) {
            lines.addAll(
                    TextReport.prose(
                            "", SafeText.of(words), Math.min(PROSE_COLUMNS, terminal.columns())));
        }
        return lines;
    }

    private static String[] cells(Pair pair) {
        return new String[] {
            pair.name(),
            time(pair.before()),
            time(pair.after()),
            Amounts.ratio(pair.timeGain()),
            rate(pair.before()),
            rate(pair.after()),
            Amounts.ratio(pair.rateGain()),
            calls(pair.before()),
            calls(pair.after())
        };
    }

    private static String time(Row row) {
        return row == null ? null : TextReport.time(row.top(), Counter.IO_NS);
    }

    private static String rate(Row row) {
        return row == null ? null : Amounts.rate(row.rate());
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
