package io.mio.cli.stats;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.Prose;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** The report for people: programs, a table, the total, and notes. */
final class TextReport {
    private static final String TOTAL = "total";

    /** Mark in front of a figure that is rounded by more than a few percent. */
    private static final String ROUGH = "~";

    private static final List<String> PROGRAM_HEADINGS =
            List.of(
                    "Program",
                    "Processes",
                    "Files",
                    "Run time",
                    "In I/O",
                    "Share",
                    "Read",
                    "Written");

    /** Lines of prose are not wider than this, whatever the terminal. */
    private static final int PROSE_COLUMNS = 100;

    /** Files named for one kind of note; the others are only counted. */
    private static final int FILES_PER_NOTE = 3;

    /** A pattern with this share of the bytes is named alone. */
    private static final double ALMOST_ALL = 0.9;

    /**
     * Columns that a table can have beside names. On a narrow terminal the last ones are left out
     * first.
     */
    private enum Column {
        TIME("Time"),
        RATE("Rate"),
        READ("Read"),
        WRITTEN("Written"),
        READS("Reads"),
        WRITES("Writes"),
        REQUEST("Request"),
        PATTERN("Pattern"),
        HITS("Hits"),
        OPENS("Opens");

        private final String heading;

        Column(String heading) {
            this.heading = heading;
        }

        /** Returns the text of the cell; null if it is not known. */
        String cell(Row row) {
            return switch (this) {
                case TIME -> ioTime(row);
                case RATE -> rate(row);
                case READ -> bytes(row, Counter.READ_BYTES);
                case WRITTEN -> bytes(row, Counter.WRITTEN_BYTES);
                case READS -> count(row.get(Counter.READS));
                case WRITES -> count(row.get(Counter.WRITES));
                case REQUEST -> marked(row.isRoughRequest(), mean(row.meanRequest()));
                case PATTERN -> pattern(row);
                case HITS -> Amounts.percent(row.hitShare());
                case OPENS -> count(row.get(Counter.OPENS));
            };
        }
    }

    private final Terminal terminal;
    private final List<String> lines = new ArrayList<>();

    private TextReport(Terminal terminal) {
        this.terminal = terminal;
    }

    static List<String> lines(
            RunStats stats, StatsOptions options, List<Note> notes, Terminal terminal) {
        TextReport report = new TextReport(terminal);
        Rows rows = Rows.of(stats, options);
        if (options.by() == StatsOptions.By.FILE || options.by() == StatsOptions.By.PROGRAM) {
            report.programs(stats, options);
        }
        if (options.by() != StatsOptions.By.PROGRAM) {
            report.table(rows, options.by(), stats);
        }
        report.left(rows, options.by(), stats);
        report.rough(rows);
        report.section("Decisions of pf/auto", AutoSection.lines(stats, report.proseColumns()));
        report.section("Plans", PlanSection.lines(stats, report.proseColumns()));
        if (options.notes()) {
            report.notes(notes);
        }
        return report.lines;
    }

    private void programs(RunStats stats, StatsOptions options) {
        Rows rows =
                options.by() == StatsOptions.By.PROGRAM
                        ? Rows.of(stats, options)
                        : Rows.of(stats, options.byProgram());
        fit(PROGRAM_HEADINGS.size() - 1, columns -> programTable(rows, columns));
        if (options.by() == StatsOptions.By.FILE && rows.left() > 0) {
            lines.add("... and " + Amounts.count(rows.left()) + " more programs: --by program");
        }
        if (options.by() == StatsOptions.By.FILE) {
            lines.add("");
        }
    }

    private static Table programTable(Rows rows, int columns) {
        Table table = new Table().name(PROGRAM_HEADINGS.get(0));
        PROGRAM_HEADINGS.subList(1, 1 + columns).forEach(table::right);
        for (Row row : rows.shown()) {
            String[] cells = programCells(row.labels().get(Row.PROGRAM), row);
            table.row(Arrays.copyOf(cells, 1 + columns));
        }
        if (rows.shown().size() + rows.left() > 1) {
            String[] cells = programCells(TOTAL, rows.total());
            table.row(Style.HEADING, Arrays.copyOf(cells, 1 + columns));
        }
        return table;
    }

    private static String[] programCells(String name, Row row) {
        long ioNanos = row.top().get(Counter.IO_NS);
        return new String[] {
            name,
            count(row.processes()),
            count(row.files()),
            time(row.runNanos()),
            ioTime(row),
            marked(
                    row.isRough(Counter.IO_NS),
                    Amounts.percent(Row.quotient(ioNanos, row.runNanos()))),
            bytes(row, Counter.READ_BYTES),
            bytes(row, Counter.WRITTEN_BYTES)
        };
    }

    /** Adds the table with as many columns beside the names as the width allows. */
    private void fit(int columnsMax, IntFunction<Table> table) {
        lines.addAll(Table.fitting(terminal, columnsMax, table));
    }

    private void table(Rows rows, StatsOptions.By by, RunStats stats) {
        boolean severalPrograms = stats.programs().size() > 1;
        List<String> labels =
                switch (by) {
                    case PROCESS -> List.of(Row.PROCESS, Row.PROGRAM);
                    case LAYER -> List.of(Row.ABOVE, Row.BELOW);
                    case FILE ->
                            severalPrograms ? List.of(Row.FILE, Row.PROGRAM) : List.of(Row.FILE);
                    default -> List.of();
                };
        List<Column> columns = new ArrayList<>(List.of(Column.values()));
        if (rows.total().pf() == null || by == StatsOptions.By.LAYER) {
            columns.remove(Column.HITS);
        }
        fit(columns.size(), count -> table(rows, labels, columns.subList(0, count)));
    }

    private static Table table(Rows rows, List<String> labels, List<Column> columns) {
        Table table = new Table();
        if (labels.isEmpty()) {
            table.left("");
        }
        for (String label : labels) {
            table.name(Character.toUpperCase(label.charAt(0)) + label.substring(1));
        }
        for (Column column : columns) {
            if (column == Column.PATTERN) {
                table.left(column.heading);
            } else {
                table.right(column.heading);
            }
        }
        for (Row row : rows.shown()) {
            table.row(cells(row, labels.stream().map(row.labels()::get).toList(), columns));
        }
        // Layers lie on top of each other, so their figures do not add up.
        boolean ofLayers = labels.contains(Row.ABOVE);
        if (!ofLayers && rows.shown().size() + rows.left() != 1) {
            List<String> total = new ArrayList<>(List.of(TOTAL));
            while (total.size() < labels.size()) {
                total.add("");
            }
            table.row(Style.HEADING, cells(rows.total(), total, columns));
        }
        return table;
    }

    private static String[] cells(Row row, List<String> labels, List<Column> columns) {
        List<String> cells = new ArrayList<>(labels);
        columns.forEach(column -> cells.add(column.cell(row)));
        return cells.toArray(String[]::new);
    }

    private void left(Rows rows, StatsOptions.By by, RunStats stats) {
        if (rows.left() > 0) {
            lines.add("... and " + Amounts.count(rows.left()) + " more; the total is that of all");
        }
        if (stats.folded() > 0) {
            prose(
                    "",
                    "Files beyond the first "
                            + Amounts.count(stats.namesMax())
                            + " names are together in "
                            + Names.OTHERS
                            + ": choose with --files, or raise --max-names.");
        }
        if (by == StatsOptions.By.PROCESS && stats.processesNotKept() > 0) {
            prose(
                    "",
                    Amounts.count(stats.processesNotKept())
                            + " more processes are in the total, without a row.");
        }
    }

    private void rough(Rows rows) {
        if (Stream.concat(rows.shown().stream(), Stream.of(rows.total()))
                .anyMatch(row -> row.isRoughRate() || row.isRoughRequest())) {
            lines.addAll(rough(terminal));
        }
    }

    /** Returns what the mark means, and what to do. */
    static List<String> rough(Terminal terminal) {
        return Prose.lines(
                ROUGH + " ",
                "rounded by more than 5 %: the classic text has the time of each open in"
                        + " hundredths of a second and amounts in its unit, rounded down. JSON"
                        + " lines have both as they were: MIO_STATS=NAME.jsonl, or mio run"
                        + " --stats NAME.jsonl.",
                Math.min(PROSE_COLUMNS, terminal.columns()));
    }

    private int proseColumns() {
        return Math.min(PROSE_COLUMNS, terminal.columns());
    }

    private void section(String heading, List<String> content) {
        if (!content.isEmpty()) {
            lines.add("");
            lines.add(terminal.styled(Style.HEADING, heading));
            lines.addAll(content);
        }
    }

    private void notes(List<Note> notes) {
        if (notes.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add(terminal.styled(Style.HEADING, "Notes"));
        boolean severalPrograms = notes.stream().map(Note::program).distinct().count() > 1;
        for (NoteKind kind : NoteKind.values()) {
            List<Note> some = notes.stream().filter(note -> note.kind() == kind).toList();
            if (some.isEmpty()) {
                continue;
            }
            lines.add("  " + terminal.styled(Style.WARNING, kind.title()));
            for (Note note : some.subList(0, Math.min(FILES_PER_NOTE, some.size()))) {
                prose("    ", SafeText.of(subject(note, severalPrograms) + ": " + note.text()));
            }
            if (some.size() > FILES_PER_NOTE) {
                int more = some.size() - FILES_PER_NOTE;
                lines.add("    ... and " + Amounts.count(more) + " more");
            }
            prose("    -> ", kind.advice());
        }
    }

    private static String subject(Note note, boolean severalPrograms) {
        return severalPrograms ? note.file() + " (" + note.program() + ")" : note.file();
    }

    /** Adds text that is broken between words; further lines are indented as far as the first. */
    private void prose(String indent, String text) {
        lines.addAll(Prose.lines(indent, text, proseColumns()));
    }

    private static String pattern(Row row) {
        Counter[] patterns = {
            Counter.SEQUENTIAL_BYTES,
            Counter.BACKWARD_BYTES,
            Counter.STRIDED_BYTES,
            Counter.RANDOM_BYTES
        };
        long all = 0;
        Counter most = patterns[0];
        for (Counter pattern : patterns) {
            all = Counts.add(all, row.get(pattern));
            most = row.get(pattern) > row.get(most) ? pattern : most;
        }
        double share = Row.quotient(row.get(most), all);
        if (Double.isNaN(share)) {
            return null;
        }
        String word = most.label().replace("_bytes", "");
        return share >= ALMOST_ALL ? word : word + " " + Math.round(100 * share) + "%";
    }

    static String count(long count) {
        return count < 0 ? null : Amounts.count(count);
    }

    static String marked(boolean isRough, String cell) {
        return isRough && cell != null && !cell.equals(Amounts.NONE) ? ROUGH + cell : cell;
    }

    static String rate(Row row) {
        return marked(row.isRoughRate(), Amounts.rate(row.rate()));
    }

    static String ioTime(Row row) {
        return marked(row.isRough(Counter.IO_NS), time(row.top(), Counter.IO_NS));
    }

    private static String bytes(Row row, Counter counter) {
        return marked(row.isRough(counter), bytes(row.get(counter)));
    }

    static String bytes(long bytes) {
        return bytes < 0 ? null : Amounts.bytes(bytes);
    }

    /** Returns a time; {@code 0.00 s} where the report rounds it to nothing. */
    static String time(Counts counts, Counter counter) {
        long nanos = counts.get(counter);
        return nanos == 0 && counts.nanosOff() > 0 ? "0.00 s" : time(nanos);
    }

    static String time(long nanos) {
        return nanos < 0 ? null : Amounts.time(nanos);
    }

    private static String mean(double bytes) {
        return Double.isNaN(bytes) ? null : Amounts.bytes(Math.round(bytes));
    }
}
