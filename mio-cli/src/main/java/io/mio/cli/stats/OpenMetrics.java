package io.mio.cli.stats;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Rows as OpenMetrics text, for a textfile collector or a push gateway. Figures that add up are
 * counters, the rest are gauges; times are in seconds. A figure that is not known has no line.
 */
final class OpenMetrics {
    private static final String PREFIX = "mio_";
    private static final double NANOS = 1e9;

    private OpenMetrics() {}

    static List<String> lines(Rows rows, StatsOptions.By by) {
        Collection<Row> shown =
                by == StatsOptions.By.TOTAL ? List.of(rows.total()) : distinct(rows.shown());
        List<String> lines = new ArrayList<>();
        for (Figure figure : Figure.ALL) {
            List<String> samples = new ArrayList<>();
            String name = name(figure.name());
            String sample = figure.grows() ? name + "_total" : name;
            for (Row row : shown) {
                Number value = figure.value().apply(row);
                if (value != null) {
                    samples.add(sample + labels(row.labels()) + " " + number(figure.name(), value));
                }
            }
            if (!samples.isEmpty()) {
                lines.add("# TYPE " + name + (figure.grows() ? " counter" : " gauge"));
                String unit = unit(name);
                if (!unit.isEmpty()) {
                    lines.add("# UNIT " + name + " " + unit);
                }
                lines.add("# HELP " + name + " " + help(figure.name()));
                lines.addAll(samples);
            }
        }
        lines.add("# EOF");
        return lines;
    }

    /** Adds up rows with the same labels: two processes can have the same number. */
    private static Collection<Row> distinct(List<Row> rows) {
        Map<String, Row> byLabels = new LinkedHashMap<>();
        rows.forEach(row -> byLabels.merge(labels(row.labels()), row, Row::plus));
        return byLabels.values();
    }

    private static String name(String figure) {
        String name = PREFIX + figure;
        if (name.endsWith("_ns")) {
            return name.substring(0, name.length() - 2) + "seconds";
        }
        if (name.endsWith("_share")) {
            return name.substring(0, name.length() - 5) + "ratio";
        }
        // Other names stay as they are, with the unit last.
        return name;
    }

    /** Returns the unit, which is the last word of the name. */
    private static String unit(String name) {
        if (name.endsWith("_seconds")) {
            return "seconds";
        }
        if (name.endsWith("_bytes")) {
            return "bytes";
        }
        return name.endsWith("_ratio") ? "ratio" : "";
    }

    private static String help(String figure) {
        return "Figure " + figure + " of mio stats, see docs/commands/stats.md.";
    }

    private static String number(String figure, Number value) {
        if (figure.endsWith("_ns")) {
            return Double.toString(value.longValue() / NANOS);
        }
        return value.toString();
    }

    private static String labels(Map<String, String> labels) {
        if (labels.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("{");
        labels.forEach(
                (label, value) ->
                        text.append(text.length() == 1 ? "" : ",")
                                .append(label)
                                .append("=\"")
                                .append(escaped(value))
                                .append('"'));
        return text.append('}').toString();
    }

    /**
     * Escapes a value. The format has escapes only for backslash, quote and line feed; other
     * characters are made safe.
     */
    private static String escaped(String value) {
        return io.mio.cli.term.SafeText.of(value).replace("\\", "\\\\").replace("\"", "\\\"");
    }
}
