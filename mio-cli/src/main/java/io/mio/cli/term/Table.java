package io.mio.cli.term;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A table for people: a line of headings (more where a heading has line ends), then rows; two
 * blanks between columns. One column, that of names, may be cut where the terminal is narrow. Cells
 * are made safe here, and styles are added around them after that.
 */
public final class Table {
    private static final String GAP = "  ";

    /** Least columns a name is cut to. */
    private static final int NAME_COLUMNS_MIN = 12;

    /** Columns beside names that a table keeps however narrow the terminal is. */
    private static final int COLUMNS_MIN = 2;

    private record Column(String heading, boolean right, boolean shrinks) {}

    private record Row(List<String> cells, Style style) {}

    private final List<Column> columns = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    /** Adds a column of words. */
    public Table left(String heading) {
        columns.add(new Column(heading, false, false));
        return this;
    }

    /** Adds a column of numbers. */
    public Table right(String heading) {
        columns.add(new Column(heading, true, false));
        return this;
    }

    /** Adds a column of names, which are cut in the middle where the width is not enough. */
    public Table name(String heading) {
        columns.add(new Column(heading, false, true));
        return this;
    }

    /** Adds a row with one cell for each column; null is {@link Amounts#NONE}. */
    public Table row(String... cells) {
        return row(Style.PLAIN, cells);
    }

    /**
     * Adds a row with one cell for each column, in a style.
     *
     * @throws IllegalArgumentException if there are more or fewer
     */
    public Table row(Style style, String... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(cells.length + " cells, " + columns.size());
        }
        List<String> safe = new ArrayList<>();
        for (String cell : cells) {
            safe.add(cell == null ? Amounts.NONE : SafeText.of(cell));
        }
        rows.add(new Row(safe, style));
        return this;
    }

    public int rowCount() {
        return rows.size();
    }

    /**
     * Returns lines without line ends, no longer than the terminal's width where that is possible.
     */
    public List<String> lines(Terminal terminal) {
        int[] widths = widths(terminal.columns());
        List<String> lines = new ArrayList<>();
        for (List<String> heading : headingLines()) {
            lines.add(terminal.styled(Style.HEADING, line(heading, widths)));
        }
        for (Row row : rows) {
            lines.add(terminal.styled(row.style(), line(row.cells(), widths)));
        }
        return lines;
    }

    /**
     * Returns the lines with as many columns beside names as the width allows; the last ones are
     * left out first.
     *
     * @param columnsMax number of columns beside names
     * @param table makes the table with so many of them
     */
    public static List<String> fitting(
            Terminal terminal, int columnsMax, IntFunction<Table> table) {
        Terminal plain = new Terminal(false, false, terminal.columns(), false, terminal.utf8());
        int columns = columnsMax;
        while (columns > COLUMNS_MIN
                && table.apply(columns).lines(plain).stream()
                        .anyMatch(line -> SafeText.columns(line) > terminal.columns())) {
            columns--;
        }
        return table.apply(columns).lines(terminal);
    }

    /** Returns one or more lines; the last one of each column is at the bottom. */
    private List<List<String>> headingLines() {
        List<List<String>> parts =
                columns.stream().map(column -> List.of(column.heading().split("\n", -1))).toList();
        int count = parts.stream().mapToInt(List::size).max().orElse(1);
        List<List<String>> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<String> line = new ArrayList<>();
            for (List<String> part : parts) {
                int at = i - count + part.size();
                line.add(at < 0 ? "" : part.get(at));
            }
            if (i == count - 1 || !String.join("", line).isEmpty()) {
                lines.add(line);
            }
        }
        return lines;
    }

    private int[] widths(int columnsMax) {
        int[] widths = new int[columns.size()];
        for (List<String> heading : headingLines()) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], SafeText.columns(heading.get(i)));
            }
        }
        for (Row row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], SafeText.columns(row.cells().get(i)));
            }
        }
        int over = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - columnsMax;
        for (int i = 0; i < widths.length && over > 0; i++) {
            if (columns.get(i).shrinks()) {
                int least = Math.min(widths[i], NAME_COLUMNS_MIN);
                int narrower = Math.max(least, widths[i] - over);
                over -= widths[i] - narrower;
                widths[i] = narrower;
            }
        }
        return widths;
    }

    private String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = SafeText.shorten(cells.get(i), widths[i]);
            String pad = " ".repeat(widths[i] - SafeText.columns(cell));
            line.append(i > 0 ? GAP : "");
            if (columns.get(i).right()) {
                line.append(pad).append(cell);
            } else {
                line.append(cell).append(pad);
            }
        }
        return line.toString().stripTrailing();
    }
}
