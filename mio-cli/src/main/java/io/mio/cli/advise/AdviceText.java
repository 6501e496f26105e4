package io.mio.cli.advise;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Prints the advice for people: a table, words for each file, and the line to set. */
final class AdviceText {
    private static final List<String> HEADINGS =
            List.of(
                    "File",
                    "Gain",
                    "Set",
                    "In calls",
                    "Of run",
                    "Read",
                    "Written",
                    "Request",
                    "Requests");

    /** Most groups that are shown although nothing is to be set for them. */
    private static final int ALONE_SHOWN = 8;

    private AdviceText() {}

    /** The lines of the output, without line ends. */
    static List<String> lines(Advised all, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "program "
                        + SafeText.of(all.program())
                        + ": "
                        + Amounts.time(all.runNanos())
                        + " from the first call to the last one ("
                        + Amounts.time(all.recordedNanos())
                        + " with the recording)");
        lines.add("device: " + SafeText.of(all.device().words()));
        lines.add("");
        List<Advice> shown = shown(all);
        lines.addAll(
                Table.fitting(terminal, HEADINGS.size(), columns -> table(all, shown, columns)));
        if (shown.size() < all.files().size()) {
            lines.add(
                    "... and "
                            + Amounts.count(all.files().size() - shown.size())
                            + " more, whose calls take less time: leave them alone (--json shows"
                            + " all)");
        }
        for (Advice each : shown) {
            lines.add("");
            lines.addAll(words(all, each, terminal));
        }
        lines.add("");
        lines.addAll(ready(all, terminal));
        for (String note : all.notes()) {
            lines.add("Note: " + SafeText.of(note));
        }
        return lines.stream().map(String::stripTrailing).toList();
    }

    private static List<Advice> shown(Advised all) {
        List<Advice> shown = new ArrayList<>();
        int alone = 0;
        for (Advice each : all.files()) {
            boolean counts =
                    each.group().sum().ioNanos() >= Choice.GAIN_MIN / 3 * all.runNanos()
                            || all.files().size() <= 3;
            if (each.chosen() != null || (counts && alone++ < ALONE_SHOWN)) {
                shown.add(each);
            }
        }
        return shown;
    }

    private static Table table(Advised all, List<Advice> shown, int columns) {
        Table table = Words.headings(HEADINGS.subList(0, columns));
        for (Advice each : shown) {
            FileProfile sum = each.group().sum();
            String[] cells = {
                each.group().shown(),
                each.chosen() == null ? null : Amounts.time(each.gainNanos(all.runNanos())),
                each.chosen() == null ? "nothing" : each.chosen().rule(),
                Amounts.time(sum.ioNanos()),
                Amounts.percent((double) sum.ioNanos() / Math.max(1, all.runNanos())),
                Amounts.bytes(sum.readBytes),
                Amounts.bytes(sum.writtenBytes),
                Amounts.bytes(sum.requestBytes()),
                Amounts.count(sum.reads + sum.writes)
            };
            table.row(Arrays.copyOf(cells, columns));
        }
        return table;
    }

    private static List<String> words(Advised all, Advice one, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add(terminal.styled(Style.HEADING, SafeText.of(one.group().shown())));
        lines.add("  does  " + one.does());
        if (one.chosen() == null) {
            lines.add("  set   nothing: leave this file alone");
        } else {
            long gain = one.gainNanos(all.runNanos());
            lines.add("  set   " + one.chosen().rule());
            lines.add(
                    "  gain  "
                            + Amounts.time(gain)
                            + " of "
                            + Amounts.time(all.runNanos())
                            + " ("
                            + Amounts.percent((double) gain / Math.max(1, all.runNanos()))
                            + ")"
                            + (one.chosen().memoryBytes() == 0
                                    ? ", no memory"
                                    : ", memory " + Amounts.bytes(one.chosen().memoryBytes())));
        }
        lines.add("  why   " + one.why());
        return lines;
    }

    private static List<String> ready(Advised all, Terminal terminal) {
        if (all.line().isEmpty()) {
            return List.of("MIO cannot help here: leave all files alone.");
        }
        return List.of(
                terminal.styled(Style.HEADING, "MIO_FILES=" + quoted(SafeText.of(all.line()))),
                "memory " + Amounts.bytes(all.memoryBytes()),
                "expected "
                        + Amounts.time(all.runNanos())
                        + " -> "
                        + Amounts.time(all.advisedNanos())
                        + ", "
                        + Amounts.ratio(all.speedup())
                        + " as fast");
    }

    /** The text quoted for a shell. */
    static String quoted(String text) {
        return "'" + text.replace("'", "'\\''") + "'";
    }
}
