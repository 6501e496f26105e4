package io.mio.cli.term;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table for people: a line of headings, then rows; two blanks between columns. One column, that
 * of names, may give way where the terminal is narrow. Cells are made safe here; styles are added
 * around them after that.
 */
public final class Table {
    private static final String GAP = "  ";

    /** Least columns a name is cut to. */
    private static final int NAME_COLUMNS_MIN = 12;

    private record Column(String heading, boolean right, boolean shrinks) {}

    private record Row(List<String> cells, Style style) {}

    private final List<Column> columns = new ArrayList<>();
    private final List<Row> rows = new ArrayList<>();

    /** A column of words. */
    public Table left(String heading) {
        columns.add(new Column(heading, false, false));
        return this;
    }

    /** A column of numbers. */
    public Table right(String heading) {
        columns.add(new Column(heading, true, false));
        return this;
    }

    /** A column of names, cut in the middle where the width is not enough. */
    public Table name(String heading) {
        columns.add(new Column(heading, false, true));
        return this;
    }

    /** One cell for each column; null is {@link Amounts#NONE}. */
    public Table row(String... cells) {
        return row(Style.PLAIN, cells);
    }

    /**
     * One cell for each column, in a style.
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

    /** Lines without line ends, no longer than the terminal's width where that is possible. */
    public List<String> lines(Terminal terminal) {
        List<String> headings = columns.stream().map(Column::heading).toList();
        int[] widths = widths(headings, terminal.columns());
        List<String> lines = new ArrayList<>();
        lines.add(terminal.styled(Style.HEADING, line(headings, widths)));
        for (Row row : rows) {
            lines.add(terminal.styled(row.style(), line(row.cells(), widths)));
        }
        return lines;
    }

    private int[] widths(List<String> headings, int columnsMax) {
        int[] widths = headings.stream().mapToInt(SafeText::columns).toArray();
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
