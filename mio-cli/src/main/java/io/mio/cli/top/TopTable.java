package io.mio.cli.top;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The table of processes or files. Where the terminal is narrow, the least important columns are
 * left out.
 */
final class TopTable {
    /** Wide enough for most figures, so that columns do not change their width. */
    private static final int FIGURE_COLUMNS = 10;

    private static final int SHORT_COLUMNS = 7;

    /** Wide enough for the number of a process. */
    static final int PID_COLUMNS = 7;

    /** Columns that a name should have before unimportant columns are shown. */
    private static final int NAME_COLUMNS = 28;

    private static final int RANK_IMPORTANT = 90;

    /** Least columns: the number of the process and a name. */
    private static final int COLUMNS_LEAST = 2;

    private enum Kind {
        NAME,
        NUMBER
    }

    /** A column; columns of the lowest rank are left out first. */
    private record Column(
            String heading, Kind kind, int rank, int columnsMin, Function<Row, String> cell) {}

    private final List<Column> columns = new ArrayList<>();
    private final View view;
    private final double seconds;

    private TopTable(View view, double seconds, boolean hasAuto) {
        this.view = view;
        this.seconds = seconds;
        boolean rates = view.rates();
        number("pid", 99, PID_COLUMNS, row -> row.pid() == 0 ? "" : Long.toString(row.pid()));
        if (view.rows() == View.Rows.FILES) {
            name("program", 65, row -> row.pid() == 0 ? "" : row.program());
            name("file", 98, row -> marked(row, row.file()));
            if (hasAuto) {
                name("auto", 82, Row::auto);
            }
        } else {
            name("program", 98, row -> marked(row, row.program()));
        }
        figure(rates ? "read/s" : "read", 97, row -> bytes(row, Counters::readBytes));
        figure(rates ? "write/s" : "written", 96, row -> bytes(row, Counters::writtenBytes));
        figure(rates ? "calls/s" : "calls", 90, row -> count(row, Counters::calls));
        shortFigure("hits", 85, row -> of(row, c -> Amounts.percent(c.hitShare())));
        figure("dirty", 80, row -> Amounts.bytes(row.gauges().dirtyBytes()));
        shortFigure(rates ? "waits/s" : "waits", 75, row -> count(row, Counters::waits));
        shortFigure(rates ? "I/O" : "I/O time", 70, row -> of(row, this::time));
        shortFigure("waiting", 60, row -> Amounts.count(row.gauges().threadsWaiting()));
        shortFigure("opens", 55, row -> opens(row.gauges()));
        shortFigure("flying", 45, row -> Amounts.count(row.gauges().requestsInFlight()));
        shortFigure("errors", 50, row -> count(row, Counters::errors));
    }

    /** Returns the lines of the table, the headings first, no wider than the terminal. */
    static List<String> lines(Tick tick, View view, List<Row> rows, Terminal terminal) {
        boolean hasAuto = rows.stream().anyMatch(row -> !row.auto().isEmpty());
        return new TopTable(view, tick.seconds(), hasAuto).lines(rows, terminal);
    }

    private List<String> lines(List<Row> rows, Terminal terminal) {
        List<Column> shown = new ArrayList<>(columns);
        Column least = least(shown);
        while (shown.size() > COLUMNS_LEAST && !fits(shown, least.rank, rows, terminal)) {
            shown.remove(least);
            least = least(shown);
        }
        return table(shown, rows, terminal, Terminal.WIDE).lines(terminal);
    }

    private static Column least(List<Column> shown) {
        return shown.stream().min(Comparator.comparingInt(Column::rank)).orElseThrow();
    }

    /**
     * Returns whether the columns fit. Unimportant columns are left out before names are cut,
     * important ones only if that is not enough.
     */
    private static boolean fits(List<Column> shown, int rank, List<Row> rows, Terminal terminal) {
        // Measured without styles, whose characters take no columns.
        boolean important = rank >= RANK_IMPORTANT;
        Terminal plain =
                important
                        ? new Terminal(false, false, terminal.columns(), false, true)
                        : Terminal.NONE;
        int nameColumns = important ? Terminal.WIDE : NAME_COLUMNS;
        return table(shown, rows, terminal, nameColumns).lines(plain).stream()
                .allMatch(line -> SafeText.columns(line) <= terminal.columns());
    }

    private static Table table(
            List<Column> shown, List<Row> rows, Terminal terminal, int nameColumns) {
        Table table = new Table();
        shown.forEach(column -> addTo(table, column));
        for (Row row : rows) {
            String[] cells =
                    shown.stream()
                            .map(column -> cell(column, row, terminal, nameColumns))
                            .toArray(String[]::new);
            table.row(row.killed() ? Style.FAINT : Style.PLAIN, cells);
        }
        return table;
    }

    private static String cell(Column column, Row row, Terminal terminal, int nameColumns) {
        String text = shown(column.cell.apply(row), terminal);
        return text == null || column.kind != Kind.NAME
                ? text
                : SafeText.shorten(SafeText.of(text), nameColumns);
    }

    private static void addTo(Table table, Column column) {
        String heading =
                " ".repeat(Math.max(0, column.columnsMin - column.heading.length()))
                        + column.heading;
        if (column.kind == Kind.NAME) {
            table.name(column.heading);
        } else {
            table.right(heading);
        }
    }

    /**
     * Returns the text; where only ASCII can be shown, every other character becomes a question
     * mark.
     */
    static String shown(String text, Terminal terminal) {
        if (text == null || terminal.utf8()) {
            return text;
        }
        StringBuilder ascii = new StringBuilder();
        SafeText.of(text)
                .codePoints()
                .forEach(point -> ascii.append(point < 0x7f ? (char) point : '?'));
        return ascii.toString();
    }

    private static String marked(Row row, String name) {
        return row.pid() == 0 ? "total" : name + (row.killed() ? " (killed)" : "");
    }

    private void name(String heading, int rank, Function<Row, String> cell) {
        columns.add(new Column(heading, Kind.NAME, rank, 0, cell));
    }

    private void number(String heading, int rank, int columnsMin, Function<Row, String> cell) {
        columns.add(new Column(heading, Kind.NUMBER, rank, columnsMin, cell));
    }

    private void figure(String heading, int rank, Function<Row, String> cell) {
        number(heading, rank, FIGURE_COLUMNS, cell);
    }

    private void shortFigure(String heading, int rank, Function<Row, String> cell) {
        number(heading, rank, SHORT_COLUMNS, cell);
    }

    /**
     * Returns a figure; null where the row has no rates, as at the first reading, or for a killed
     * process.
     */
    private String of(Row row, Function<Counters, String> figure) {
        Counters figures = view.rates() ? row.growth() : row.totals();
        return figures == null ? null : figure.apply(figures);
    }

    private String bytes(Row row, Function<Counters, Long> figure) {
        return of(
                row,
                figures -> {
                    long bytes = figure.apply(figures);
                    return view.rates() ? Amounts.rate(bytes / seconds) : Amounts.bytes(bytes);
                });
    }

    private String count(Row row, Function<Counters, Long> figure) {
        return of(
                row,
                figures -> {
                    long count = figure.apply(figures);
                    return Amounts.count(view.rates() ? Math.round(count / seconds) : count);
                });
    }

    private static String opens(Gauges gauges) {
        return gauges.files() == null ? null : Amounts.count(gauges.files());
    }

    /** Returns the time in I/O; for several threads together it can be more than the interval. */
    private String time(Counters figures) {
        return view.rates()
                ? Amounts.percent(figures.ioNanos() / (seconds * 1e9))
                : Amounts.time(figures.ioNanos());
    }
}
