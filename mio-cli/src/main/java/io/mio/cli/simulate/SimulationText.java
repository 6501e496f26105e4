package io.mio.cli.simulate;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Prints a simulation as a table for people. */
public final class SimulationText {
    private static final List<String> HEADINGS =
            List.of(
                    "Configuration",
                    "Time",
                    "Stalled",
                    "Stalls",
                    "Page\nreads",
                    "Read",
                    "Hits",
                    "Misses",
                    "Ahead",
                    "Unused",
                    "Page\nwrites",
                    "Memory",
                    "Best:\nfetches",
                    "\nhits",
                    "\ntime");

    private SimulationText() {}

    /** The lines of the output, without line ends. */
    public static List<String> lines(Simulation all, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add(
                "program "
                        + SafeText.of(all.header().program())
                        + ", recorded "
                        + (all.cached() ? "with" : "without")
                        + " a cache: "
                        + Amounts.count(all.transfers())
                        + " reads and writes in "
                        + Amounts.time(all.recordedNanos()));
        lines.add("device: " + SafeText.of(all.device().words()));
        lines.add("");
        lines.addAll(Table.fitting(terminal, HEADINGS.size(), columns -> table(all, columns)));
        lines.add("");
        lines.add(
                "Best: no cache of this memory can do with fewer fetches (Belady), and none of them"
                        + " waited for.");
        for (Outcome one : all.outcomes()) {
            if (one.rule().isNone()) {
                lines.add(
                        one.timeNanos() < 0
                                ? "none: not known, as the recording was made with a cache; record"
                                        + " without one."
                                : "none: the calls as they were recorded; only what recording took"
                                        + " is left out.");
            }
        }
        for (String note : all.notes()) {
            lines.add("Note: " + SafeText.of(note));
        }
        return lines.stream().map(line -> line.stripTrailing()).toList();
    }

    private static Table table(Simulation all, int columns) {
        // Rules are shown whole: cut in the middle, two of them could look alike.
        Table table = new Table().left(HEADINGS.get(0));
        HEADINGS.subList(1, columns).forEach(table::right);
        for (Outcome one : all.outcomes()) {
            table.row(Arrays.copyOf(cells(one), columns));
        }
        return table;
    }

    private static String[] cells(Outcome one) {
        PageCounts counts = one.counts();
        if (counts == null) {
            return new String[] {one.rule().text(), Amounts.time(one.timeNanos())};
        }
        Outcome.Best best = one.best();
        return new String[] {
            one.rule().text(),
            Amounts.time(one.timeNanos()),
            Amounts.time(one.stallNanos()),
            Amounts.count(one.stalls()),
            Amounts.count(counts.pageReads),
            Amounts.bytes(counts.pageReadBytes),
            Amounts.count(counts.hits),
            Amounts.count(counts.misses),
            Amounts.count(counts.readAheads + counts.prepared),
            Amounts.count(counts.unusedPrefetches),
            Amounts.count(counts.pageWrites),
            Amounts.bytes(one.memoryBytes()),
            best == null ? null : Amounts.count(best.fetches()),
            best == null || best.hitShare() < 0 ? null : Amounts.percent(best.hitShare()),
            Amounts.time(one.bestNanos())
        };
    }
}
