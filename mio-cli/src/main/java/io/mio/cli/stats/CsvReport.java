package io.mio.cli.stats;

import io.mio.cli.term.SafeText;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows as comma-separated values: RFC 4180, but lines end with LF as those of other tools here do.
 * An unknown figure is an empty field.
 *
 * <p>A name that begins like a spreadsheet formula gets {@code ./} in front: for a file this is the
 * same name, and no program evaluates it. Quotes would not help, as spreadsheets evaluate quoted
 * fields as well.
 */
final class CsvReport {
    private static final String FORMULA = "=+-@";
    private static final int DECIMALS = 6;

    private CsvReport() {}

    static List<String> lines(Rows rows, StatsOptions.By by) {
        List<String> labels = labels(by);
        List<String> lines = new ArrayList<>();
        List<String> heading = new ArrayList<>(labels);
        Figure.ALL.forEach(figure -> heading.add(figure.name()));
        lines.add(String.join(",", heading));
        for (Row row : by == StatsOptions.By.TOTAL ? List.of(rows.total()) : rows.shown()) {
            List<String> fields = new ArrayList<>();
            for (String label : labels) {
                fields.add(name(row.labels().get(label)));
            }
            for (Figure figure : Figure.ALL) {
                fields.add(number(figure.value().apply(row)));
            }
            lines.add(String.join(",", fields));
        }
        return lines;
    }

    static List<String> labels(StatsOptions.By by) {
        return switch (by) {
            case FILE -> List.of(Row.FILE, Row.PROGRAM);
            case PROGRAM -> List.of(Row.PROGRAM);
            case PROCESS -> List.of(Row.PROCESS, Row.PROGRAM);
            case LAYER -> List.of(Row.ABOVE, Row.BELOW);
            case TOTAL -> List.of();
        };
    }

    static String name(String name) {
        String safe = SafeText.of(name);
        if (!safe.isEmpty() && FORMULA.indexOf(safe.charAt(0)) >= 0) {
            safe = "./" + safe;
        }
        boolean quote =
                safe.indexOf(',') >= 0
                        || safe.indexOf('"') >= 0
                        || safe.startsWith(" ")
                        || safe.endsWith(" ");
        return quote ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
    }

    static String number(Number number) {
        if (number == null) {
            return "";
        }
        return number instanceof Double
                ? BigDecimal.valueOf(number.doubleValue())
                        .setScale(DECIMALS, RoundingMode.HALF_UP)
                        .stripTrailingZeros()
                        .toPlainString()
                : number.toString();
    }
}
