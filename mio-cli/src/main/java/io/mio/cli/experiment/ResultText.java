package io.mio.cli.experiment;

import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A result for people: on a terminal, and in Markdown. */
final class ResultText {
    private static final String CHANCE =
            "~: the spreads overlap, or there was one run: it may be chance.";
    private static final String SPREAD = "Medians, with the least and the most of the runs.";

    private final Finished finished;

    ResultText(Finished finished) {
        this.finished = finished;
    }

    /** Returns the lines for a terminal, without line ends. */
    List<String> lines(Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add(terminal.styled(Style.HEADING, "Experiment " + finished.experiment().name()));
        for (Map.Entry<String, String> fact : finished.facts().entrySet()) {
            lines.add(
                    String.format(
                            Locale.ROOT,
                            "%-12s %s",
                            fact.getKey() + ":",
                            SafeText.of(fact.getValue())));
        }
        for (ResultTable table : finished.result().tables()) {
            lines.add("");
            lines.add(SafeText.of(table.caption()));
            lines.addAll(columns(table).lines(terminal));
        }
        lines.add("");
        notes().forEach(note -> lines.add(SafeText.of(note)));
        return lines;
    }

    private static Table columns(ResultTable table) {
        Table columns = new Table().left(table.headings().get(0));
        table.headings().stream().skip(1).forEach(columns::right);
        for (List<Cell> row : table.rows()) {
            columns.row(style(row), row.stream().map(Cell::shown).toArray(String[]::new));
        }
        return columns;
    }

    /** Returns the style of a row: good or bad as a whole if it has one sure ratio. */
    private static Style style(List<Cell> row) {
        List<Gain> gains = new ArrayList<>();
        for (Cell cell : row) {
            if (cell instanceof Cell.Ratio ratio) {
                gains.add(ratio.gain());
            }
        }
        if (gains.size() != 1 || gains.get(0).mayBeChance()) {
            return Style.PLAIN;
        }
        return gains.get(0).times() > 1 ? Style.GOOD : Style.BAD;
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>();
        notes.add(SPREAD);
        if (finished.result().tables().stream().anyMatch(ResultTable::hasChance)) {
            notes.add(CHANCE);
        }
        notes.addAll(finished.result().notes());
        return notes;
    }

    /** Returns the Markdown for files, with the charts' names. */
    String markdown() {
        StringBuilder text = new StringBuilder();
        text.append("# Experiment `").append(finished.experiment().name()).append("`\n\n");
        text.append("| | |\n|---|---|\n");
        for (Map.Entry<String, String> fact : finished.facts().entrySet()) {
            boolean command = "Command".equals(fact.getKey());
            String value = escaped(fact.getValue());
            text.append("| ").append(escaped(fact.getKey())).append(" | ");
            text.append(command ? "`" + value + "`" : value).append(" |\n");
        }
        for (ResultTable table : finished.result().tables()) {
            text.append("\n").append(escaped(table.caption())).append("\n\n");
            text.append(row(table.headings()));
            text.append("|---|").append("---:|".repeat(table.headings().size() - 1)).append('\n');
            for (List<Cell> row : table.rows()) {
                text.append(row(row.stream().map(Cell::shown).toList()));
            }
        }
        for (Chart chart : finished.result().charts()) {
            text.append("\n![").append(escaped(chart.title())).append("](");
            text.append(finished.fileName(chart.id(), "svg")).append(")\n");
        }
        text.append('\n');
        notes().forEach(note -> text.append("- ").append(escaped(note)).append('\n'));
        return text.toString();
    }

    private static String row(List<String> cells) {
        StringBuilder row = new StringBuilder("|");
        cells.forEach(cell -> row.append(' ').append(escaped(cell)).append(" |"));
        return row.append('\n').toString();
    }

    /** Escapes text from outside, so that it cannot end a cell or begin a tag. */
    static String escaped(String text) {
        return SafeText.of(text)
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace("|", "\\|")
                .replace("~", "\\~");
    }
}
