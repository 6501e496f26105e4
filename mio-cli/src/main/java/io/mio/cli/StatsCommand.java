package io.mio.cli;

import io.mio.cli.stats.StatsOptions;
import io.mio.cli.stats.StatsOptions.By;
import io.mio.cli.stats.StatsOptions.Format;
import io.mio.cli.stats.StatsOptions.Sort;
import io.mio.cli.stats.StatsReport;
import io.mio.cli.term.Choice;
import io.mio.cli.term.CliException;
import io.mio.cli.term.Terminal;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mio stats}: shows what reports say, by file, program, process or layer. */
@Command(
        name = "stats",
        description = {
            "Shows what reports say: a table of files, totals, and notes on what is unusual.",
            "",
            "Reads the reports that programs under MIO leave (MIO_STATS), classic text and JSON"
                + " lines, also packed by gzip, of one process or of thousands. The last report of"
                + " an open counts. What a report does not tell is shown as '-'."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio stats mio.stats",
            "  mio stats job-*.jsonl.gz --sort bytes --top 10",
            "  mio stats reports/ --by program",
            "  mio stats before.stats --compare after.stats",
            "  mio stats mio.jsonl --files '*.dat' --json | jq .total",
            "  ssh host cat mio.stats | mio stats -",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:all of the input was read",
            "1:there was nothing in it to show",
            "2:wrong arguments",
            "3:there is a report, but a part of the input could not be read; it is named on stderr"
        })
final class StatsCommand implements Callable<Integer> {
    private static final int COLUMNS_MIN = 40;

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Reports, directories with reports, or '-' for standard input.")
    List<String> inputs;

    @Option(
            names = "--by",
            paramLabel = "WHAT",
            defaultValue = "file",
            description =
                    "What has a line: file, program, process, layer, total. Default:"
                            + " ${DEFAULT-VALUE}")
    By by;

    @Option(
            names = "--sort",
            paramLabel = "FIGURE",
            defaultValue = "time",
            description =
                    "Largest first, by time, bytes, calls, rate, reads, writes, read, written"
                        + " (bytes), request (mean size), opens, seeks, hits, errors; or by name."
                        + " Default: ${DEFAULT-VALUE}")
    Sort sort;

    @Option(
            names = {"-r", "--reverse"},
            description = "Smallest first.")
    boolean reverse;

    @Option(
            names = "--top",
            paramLabel = "N",
            converter = Choice.Small.class,
            description = "Only the first N lines.")
    Integer top;

    @Option(
            names = "--files",
            paramLabel = "GLOB",
            description =
                    "Only files that fit: '*.dat', '/scratch/**', as in rules. May be repeated.")
    List<String> files = new ArrayList<>();

    @Option(
            names = "--compare",
            paramLabel = "OTHER",
            description =
                    "Compare: FILE is before, OTHER is after. Files are paired by name. May be"
                            + " repeated for the reports of one run.")
    List<String> others = new ArrayList<>();

    @Option(
            names = "--format",
            paramLabel = "FORM",
            description = "table, csv, json, or openmetrics. Default: table")
    Format format;

    @Option(names = "--json", description = "The same as --format json.")
    boolean json;

    @Option(names = "--no-notes", description = "No notes on what is unusual.")
    boolean noNotes;

    @Option(
            names = "--width",
            paramLabel = "COLUMNS",
            converter = Choice.Small.class,
            description = "Width of the table. Default: that of the terminal; all of it in a pipe")
    Integer width;

    @Option(
            names = "--max-names",
            paramLabel = "N",
            defaultValue = "10000",
            converter = Choice.Small.class,
            description =
                    "Names of files that are kept apart; the rest are added up as '(others)'."
                            + " Default: ${DEFAULT-VALUE}")
    int namesMax;

    @Override
    public Integer call() {
        checkArguments();
        StatsOptions options =
                new StatsOptions(
                        by,
                        sort,
                        reverse,
                        top == null ? Integer.MAX_VALUE : top,
                        files,
                        !noNotes,
                        namesMax);
        Terminal terminal = Terminal.ofProcess();
        StatsReport report =
                new StatsReport(
                        options,
                        width == null ? terminal : terminal.withColumns(width),
                        System.in,
                        out(),
                        spec.commandLine().getErr());
        try {
            return others.isEmpty()
                    ? report.show(inputs, form())
                    : report.compare(inputs, others, form());
        } catch (OutOfMemoryError e) {
            throw new CliException(
                    "not enough memory for so many names; use a smaller --max-names than "
                            + namesMax
                            + ", or --files");
        }
    }

    /**
     * Returns where the report goes. Forms that programs read are UTF-8 in every locale; JSON is
     * ASCII in any case.
     */
    private PrintWriter out() {
        return switch (form()) {
            case CSV, OPENMETRICS -> new PrintWriter(System.out, false, StandardCharsets.UTF_8);
            case TABLE, JSON -> spec.commandLine().getOut();
        };
    }

    private Format form() {
        if (json) {
            return Format.JSON;
        }
        return format == null ? Format.TABLE : format;
    }

    private void checkArguments() {
        if (json && format != null && format != Format.JSON) {
            throw wrong("--json and --format exclude each other");
        }
        if (top != null && top < 1) {
            throw wrong("--top: at least 1");
        }
        if (namesMax < 1) {
            throw wrong("--max-names: at least 1");
        }
        if (width != null && width < COLUMNS_MIN) {
            throw wrong("--width: at least " + COLUMNS_MIN);
        }
        if (!others.isEmpty() && form() == Format.OPENMETRICS) {
            throw wrong("--compare: no openmetrics; use csv or json");
        }
        if (!others.isEmpty() && by != By.FILE) {
            throw wrong("--compare: compares files; leave --by out");
        }
        long stdin =
                inputs.stream().filter("-"::equals).count()
                        + others.stream().filter("-"::equals).count();
        if (stdin > 1) {
            throw wrong("'-' can be read once only");
        }
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }
}
