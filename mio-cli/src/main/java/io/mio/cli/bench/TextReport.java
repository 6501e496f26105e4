package io.mio.cli.bench;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A benchmark for people: what was measured where, IOzone's tables, and the spread of each row. */
public final class TextReport {
    /** Share of the time, by medians, from which a close takes so long that a note is due. */
    private static final double CLOSE_SHARE = 0.1;

    private final BenchReport report;
    private final BenchOptions options;
    private final boolean operations;
    private final Terminal terminal;
    private final List<String> lines = new ArrayList<>();

    /**
     * Makes a report.
     *
     * @param operations whether IOzone's tables have calls per second, not KB per second
     */
    public TextReport(BenchReport report, boolean operations, Terminal terminal) {
        this.report = report;
        this.options = report.options();
        this.operations = operations;
        this.terminal = terminal;
    }

    /** Returns all of the report, without line ends. */
    public List<String> lines() {
        List<String> head = new ReportHead(report).lines();
        lines.add(terminal.styled(Style.HEADING, head.get(0)));
        lines.addAll(head.subList(1, head.size()));
        for (Configuration configuration : options.configurations()) {
            lines.add("");
            layout(configuration);
        }
        lines.add("");
        spreads();
        lines.add("");
        costs();
        notes();
        return lines;
    }

    /** Adds a table as IOzone prints it: a line for each size of file and record. */
    private void layout(Configuration configuration) {
        lines.add(
                terminal.styled(
                        Style.HEADING,
                        SafeText.of(configuration.name())
                                + (operations
                                        ? ": medians of calls per second"
                                        : ": medians in KB per second (1 KB = 1024 bytes)")));
        Table table = new Table().right("KB").right("reclen");
        for (BenchTest test : options.tests()) {
            table.right(test.above() + "\n" + test.heading());
        }
        for (Point point : report.points()) {
            List<String> cells = new ArrayList<>();
            cells.add(kb(point.sizeBytes()));
            cells.add(kb(point.recordBytes()));
            for (BenchTest test : options.tests()) {
                Spread spread = report.results().spread(configuration, point, test, figure());
                cells.add(spread == null ? null : whole(spread.median()));
            }
            table.row(cells.toArray(new String[0]));
        }
        lines.addAll(table.lines(terminal));
    }

    /** Returns KB, with decimals if they are not whole: records may be smaller than a KB. */
    private static String kb(long bytes) {
        return bytes % 1024 == 0
                ? Long.toString(bytes / 1024)
                : String.format(Locale.ROOT, "%.3f", bytes / 1024.0);
    }

    private ToDoubleFunction<Sample> figure() {
        return operations ? Sample::callsPerSecond : Sample::kbPerSecond;
    }

    private boolean isCompared() {
        return options.configurations().size() > 1;
    }

    /** Adds every row with its least and most; a ratio that may be noise gets a {@code ~}. */
    private void spreads() {
        Table table = new Table().left("Test").right("File").right("Record").name("Stack");
        table.right(operations ? "Calls/s" : "KB/s").right("least").right("most");
        if (isCompared()) {
            table.right("ratio");
        }
        table.right(operations ? "KB/s" : "Calls/s")
                .right("p50")
                .right("p90")
                .right("p99")
                .right("p99.9")
                .right("max");
        Configuration first = options.configurations().get(0);
        for (BenchTest test : options.tests()) {
            for (Point point : report.points()) {
                for (Configuration configuration : options.configurations()) {
                    Spread spread = report.results().spread(configuration, point, test, figure());
                    Spread base = report.results().spread(first, point, test, figure());
                    if (spread != null && base != null) {
                        row(table, test, point, configuration, spread, base);
                    }
                }
            }
        }
        lines.addAll(table.lines(terminal));
    }

    private void row(
            Table table,
            BenchTest test,
            Point point,
            Configuration configuration,
            Spread spread,
            Spread base) {
        Results results = report.results();
        Histogram latency = results.latency(configuration, point, test);
        boolean isFirst = configuration.equals(options.configurations().get(0));
        boolean noise = !options.isRepeated() || spread.overlaps(base);
        List<String> cells = new ArrayList<>();
        cells.add(test.id());
        cells.add(Sizes.text(point.sizeBytes()));
        cells.add(Sizes.text(point.recordBytes()));
        cells.add(configuration.name());
        cells.add(whole(spread.median()));
        cells.add(options.isRepeated() ? whole(spread.least()) : Amounts.NONE);
        cells.add(options.isRepeated() ? whole(spread.most()) : Amounts.NONE);
        if (isCompared()) {
            cells.add(
                    isFirst
                            ? Amounts.NONE
                            : (noise ? "~" : "") + Amounts.ratio(spread.ratioTo(base)));
        }
        ToDoubleFunction<Sample> other = operations ? Sample::kbPerSecond : Sample::callsPerSecond;
        cells.add(whole(results.spread(configuration, point, test, other).median()));
        for (double share : new double[] {0.5, 0.9, 0.99, 0.999, 1}) {
            cells.add(Amounts.time(latency.percentile(share)));
        }
        table.row(style(isFirst || noise, spread, base), cells.toArray(new String[0]));
    }

    private static Style style(boolean plain, Spread spread, Spread base) {
        if (plain) {
            return Style.PLAIN;
        }
        return spread.median() > base.median() ? Style.GOOD : Style.BAD;
    }

    /**
     * Returns a figure with at least three significant digits, so that a slow one is not shown as
     * zero.
     */
    private static String whole(double figure) {
        int decimals = 0;
        for (double below = 100; figure > 0 && figure < below && decimals < 6; below /= 10) {
            decimals++;
        }
        return String.format(Locale.ROOT, "%." + decimals + "f", figure);
    }

    private void costs() {
        Table table = new Table().left("Test").right("File").right("Record").name("Stack");
        table.right("CPU s/GB").right("least").right("most").right("Machine s");
        table.right("From device").right("To device").right("Flush").right("Close");
        for (BenchTest test : options.tests()) {
            for (Point point : report.points()) {
                for (Configuration configuration : options.configurations()) {
                    if (!report.results().of(configuration, point, test).isEmpty()) {
                        cost(table, test, point, configuration);
                    }
                }
            }
        }
        lines.addAll(table.lines(terminal));
    }

    private void cost(Table table, BenchTest test, Point point, Configuration configuration) {
        Results results = report.results();
        Spread cpu = results.spread(configuration, point, test, Sample::cpuSecondsPerGb);
        table.row(
                test.id(),
                Sizes.text(point.sizeBytes()),
                Sizes.text(point.recordBytes()),
                configuration.name(),
                String.format(Locale.ROOT, "%.2f", cpu.median()),
                end(cpu.least()),
                end(cpu.most()),
                String.format(
                        Locale.ROOT,
                        "%.2f",
                        median(configuration, point, test, Sample::machineNanos) / 1e9),
                bytes(median(configuration, point, test, Sample::deviceReadBytes)),
                bytes(median(configuration, point, test, Sample::deviceWrittenBytes)),
                options.flush()
                        ? Amounts.time(
                                (long) median(configuration, point, test, Sample::flushNanos))
                        : Amounts.NONE,
                Amounts.time((long) median(configuration, point, test, Sample::closeNanos)));
    }

    /** Returns an end of a spread; a single run has none. */
    private String end(double seconds) {
        return options.isRepeated() ? String.format(Locale.ROOT, "%.2f", seconds) : Amounts.NONE;
    }

    private static String bytes(double bytes) {
        return Amounts.bytes((long) bytes);
    }

    private double median(
            Configuration configuration,
            Point point,
            BenchTest test,
            ToDoubleFunction<Sample> figure) {
        return report.results().spread(configuration, point, test, figure).median();
    }

    private void notes() {
        List<String> notes = new ArrayList<>();
        if (!options.isRepeated()) {
            notes.add(
                    "One run of each: nothing is known of the spread, and any difference may be"
                            + " chance. Take --runs 3 or more.");
        }
        if (isCompared()) {
            notes.add(
                    "ratio: "
                            + (options.isRepeated() ? "medians, " : "")
                            + "to "
                            + options.configurations().get(0).name()
                            + "; ~: "
                            + (options.isRepeated() ? "the spreads overlap, so it" : "it")
                            + " may be chance.");
        }
        if (options.warm()) {
            addDirect(notes);
        }
        notes.add(
                "p50 to max: times of calls, of all runs, a quarter too long at most. CPU: of the"
                        + " workers; Machine: of everything that ran meanwhile.");
        if (!options.close() && isCloseLong()) {
            notes.add(
                    "Closing took more than a tenth of the time of a test that wrote, and is not in"
                            + " it: what was written was not all handed over yet. -c counts it.");
        }
        report.skipped().forEach(one -> notes.add("Left out: " + one + "."));
        lines.add("");
        notes.forEach(note -> lines.add(SafeText.of(note)));
    }

    /**
     * Adds notes on configurations that bypass the kernel's page cache: warm means nothing for
     * them.
     */
    private void addDirect(List<String> notes) {
        Path file = Path.of("/", report.files().get(0));
        for (Configuration configuration : options.configurations()) {
            if (configuration.isDirect(file)) {
                notes.add(
                        "warm: "
                                + configuration.name()
                                + " reads by direct I/O, past the pages that are in memory.");
            }
        }
    }

    private boolean isCloseLong() {
        for (BenchTest test : options.tests()) {
            for (Point point : report.points()) {
                for (Configuration configuration : options.configurations()) {
                    if (test.isWriting()
                            && median(configuration, point, test, Sample::closeNanos)
                                    > CLOSE_SHARE
                                            * median(
                                                    configuration,
                                                    point,
                                                    test,
                                                    Sample::elapsedNanos)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
