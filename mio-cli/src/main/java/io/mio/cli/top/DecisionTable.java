package io.mio.cli.top;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.Prose;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The table of decisions, the last one first. A reason that is too long for its line goes on below.
 */
final class DecisionTable {
    private static final String GAP = "  ";

    /** Wide enough for most times, so that columns do not change their width. */
    private static final int AGO_COLUMNS = 8;

    /** A decision is a word of at most this many columns, unless its record is damaged. */
    private static final int WHAT_COLUMNS = 10;

    /** A name has a fifth of the line at most, within these bounds. */
    private static final int NAME_COLUMNS_MIN = 12;

    private static final int NAME_COLUMNS_MAX = 28;

    /** Where reasons have less than this, the program is not shown. */
    private static final int REASON_COLUMNS = 50;

    private static final int REASON_COLUMNS_MIN = 14;

    /** On narrower terminals there is no room for time and process. */
    private static final int COLUMNS_MIN = 64;

    private record Column(String heading, boolean right, Function<DecisionRow, String> cell) {}

    private final Terminal terminal;
    private final List<DecisionRow> rows;
    private final List<Column> columns = new ArrayList<>();

    private DecisionTable(List<DecisionRow> rows, Terminal terminal) {
        this.rows = rows;
        this.terminal = terminal;
        if (terminal.columns() >= COLUMNS_MIN) {
            right("ago", AGO_COLUMNS, row -> Amounts.time(row.agoNanos()));
            right("pid", TopTable.PID_COLUMNS, row -> Long.toString(row.pid()));
        }
        Column program = new Column("program", false, row -> name(row.program(), row));
        columns.add(program);
        columns.add(
                new Column(
                        "file", false, row -> name(row.file(), marksFile(program) ? row : null)));
        columns.add(
                new Column(
                        "decision",
                        false,
                        row -> SafeText.shorten(SafeText.of(row.what()), WHAT_COLUMNS)));
        if (left() < REASON_COLUMNS) {
            columns.remove(program);
        }
    }

    /** Returns the lines of the table, the headings first. */
    static List<String> lines(List<DecisionRow> rows, Terminal terminal) {
        return new DecisionTable(rows, terminal).lines();
    }

    private List<String> lines() {
        Table table = new Table();
        for (Column column : columns) {
            if (column.right) {
                table.right(column.heading);
            } else {
                table.left(column.heading);
            }
        }
        table.left("reason");
        int reasonColumns = Math.max(REASON_COLUMNS_MIN, left());
        for (DecisionRow row : rows) {
            Style style = row.killed() ? Style.FAINT : Style.PLAIN;
            boolean first = true;
            for (String part : folded(TopTable.shown(row.reason(), terminal), reasonColumns)) {
                List<String> cells = new ArrayList<>();
                for (Column column : columns) {
                    cells.add(first ? column.cell.apply(row) : "");
                }
                cells.add(part);
                table.row(style, cells.toArray(String[]::new));
                first = false;
            }
        }
        return table.lines(terminal);
    }

    private void right(String heading, int least, Function<DecisionRow, String> cell) {
        columns.add(new Column(" ".repeat(least - heading.length()) + heading, true, cell));
    }

    private boolean marksFile(Column program) {
        return !columns.contains(program) && terminal.columns() >= COLUMNS_MIN;
    }

    /** Columns that are left for reasons. */
    private int left() {
        int others = 0;
        for (Column column : columns) {
            int widest = column.heading.length();
            for (DecisionRow row : rows) {
                widest = Math.max(widest, SafeText.columns(SafeText.of(column.cell.apply(row))));
            }
            others += widest + GAP.length();
        }
        return terminal.columns() - others;
    }

    private String name(String name, DecisionRow process) {
        String mark = process != null && process.killed() ? " (killed)" : "";
        String safe = SafeText.of(TopTable.shown(name, terminal));
        int most =
                terminal.columns() == Terminal.WIDE
                        ? Terminal.WIDE
                        : Math.max(
                                NAME_COLUMNS_MIN,
                                Math.min(NAME_COLUMNS_MAX, terminal.columns() / 5));
        return SafeText.shorten(safe, most) + mark;
    }

    /** Returns the text in lines of so many columns; a word that is longer is cut. */
    static List<String> folded(String text, int columns) {
        String words =
                Arrays.stream(SafeText.of(text).split(" "))
                        .map(word -> SafeText.shorten(word, columns))
                        .collect(Collectors.joining(" "));
        return Prose.lines("", words, columns);
    }
}
