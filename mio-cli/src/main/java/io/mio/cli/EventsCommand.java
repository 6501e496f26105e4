package io.mio.cli;

import io.mio.cli.events.EventsOptions;
import io.mio.cli.events.EventsOptions.Form;
import io.mio.cli.events.EventsRun;
import io.mio.cli.events.FilterOptions;
import io.mio.cli.term.Choice;
import io.mio.cli.term.CliException;
import io.mio.cli.term.NoName;
import io.mio.cli.term.OutputFile;
import io.mio.cli.term.Terminal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mio events}: shows, sums up or exports the calls and page events of a run. */
@Command(
        name = "events",
        description = {
            "Shows what happened, call by call and page by page: a line for each event, a summary,"
                    + " or a file for other programs.",
            "",
            "Reads the files that trace/events=FILE and mio run --events write, also of a program"
                + " that still runs or was killed. Lines come in the order in which things ended."
                + " For pictures see mio plot."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio events run.events --summary",
            "  mio events run.events --failed",
            "  mio events run.events --files '*.dat' --op reads --slower 10ms --limit 20",
            "  mio events run.events --from 2.5s --to 3s --export csv -o part.csv",
            "  mio events run.events --export perfetto -o run.pftrace    for ui.perfetto.dev",
            "  mio events run.events --export fio -o run.iolog           for fio --read_iolog",
            "  mio events run.events --anonymize --export events -o shared.events",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:all of the input was read",
            "1:nothing could be read, or the output could not be written",
            "2:wrong arguments",
            "3:a part of the input could not be read; it is named on stderr"
        })
final class EventsCommand implements Callable<Integer> {
    private static final int COLUMNS_MIN = 40;
    private static final String STDOUT = "-";

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description =
                    "Events files. Several: one after the other, numbered (text, csv, jsonl).")
    List<String> inputs;

    @Mixin FilterOptions filter;

    @Option(
            names = {"--limit", "--head"},
            paramLabel = "N",
            converter = Choice.Whole.class,
            description = "Only the first N events that fit.")
    Long limit;

    @Option(
            names = "--summary",
            converter = Choice.Flag.class,
            description = "What the events add up to, by file and layer, instead of the events.")
    boolean summary;

    @Option(
            names = "--json",
            converter = Choice.Flag.class,
            description = "The summary as JSON; means --summary.")
    boolean json;

    @Option(
            names = "--top",
            paramLabel = "N",
            converter = Choice.Small.class,
            description = "Summary: only the N files with the most time.")
    Integer top;

    @Option(
            names = {"--export", "--format"},
            paramLabel = "FORM",
            converter = EventsCommand.FormConverter.class,
            description =
                    "text, csv, jsonl (JSON Lines), perfetto, chrome (JSON for chrome://tracing),"
                            + " fio (iolog version 3), or events (an events file of what fits)."
                            + " Default: text")
    Form form;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Where it is written, instead of standard output ('-').")
    String output;

    @Option(
            names = "--anonymize",
            converter = Choice.Flag.class,
            description =
                    "Without names of files, hosts and programs, numbers of processes, threads and"
                            + " inodes, and the time of the day: for sharing.")
    boolean anonymize;

    @Option(
            names = "--keep-extensions",
            converter = Choice.Flag.class,
            description = "--anonymize leaves '.dat' of the name data.dat.")
    boolean keepExtensions;

    @Option(
            names = "--width",
            paramLabel = "COLUMNS",
            converter = Choice.Small.class,
            description = "Width of the lines. Default: that of the terminal; all of it in a pipe")
    Integer width;

    @Option(
            names = "--max-names",
            paramLabel = "N",
            converter = Choice.Small.class,
            defaultValue = "10000",
            description =
                    "Summary: names of files that are kept apart; the rest are added up as"
                            + " '(others)'. Default: ${DEFAULT-VALUE}")
    int namesMax;

    @Override
    public Integer call() {
        Terminal terminal = Terminal.ofProcess();
        checkArguments(terminal);
        EventsOptions options =
                new EventsOptions(
                        filter,
                        form(),
                        isSummary(),
                        json,
                        isStdout() ? null : Path.of(output),
                        limit == null ? Long.MAX_VALUE : limit,
                        namesMax,
                        top == null ? Integer.MAX_VALUE : top,
                        anonymize,
                        keepExtensions);
        try {
            return new EventsRun(
                            options,
                            width == null ? terminal : terminal.withColumns(width),
                            System.out,
                            spec.commandLine().getErr())
                    .run(inputs);
        } catch (OutOfMemoryError e) {
            throw new CliException(
                    "not enough memory for so many files; use --files, or a smaller --max-names"
                            + " than "
                            + namesMax);
        }
    }

    private boolean isSummary() {
        return summary || json;
    }

    private boolean isStdout() {
        return output == null || output.equals(STDOUT);
    }

    private Form form() {
        return form == null ? Form.TEXT : form;
    }

    private void checkArguments(Terminal terminal) {
        filter.check(spec.commandLine());
        if (isSummary() && form != null && form != Form.TEXT) {
            throw wrong("--summary and --export exclude each other; --json is for the summary");
        }
        if (limit != null && limit < 1) {
            throw wrong("--limit: at least 1");
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
        if (keepExtensions && !anonymize) {
            throw wrong("--keep-extensions: only with --anonymize");
        }
        if (inputs.size() > 1 && (isSummary() || !form().takesSeveral())) {
            throw wrong(
                    (isSummary() ? "--summary" : "--export " + form()) + ": one FILE at a time");
        }
        if (form() == Form.EVENTS && isStdout()) {
            throw wrong("--export events: needs -o FILE");
        }
        if (form().isBinary() && isStdout() && terminal.outIsTerminal()) {
            throw wrong("--export " + form() + ": nothing for a terminal; use -o FILE");
        }
        if (!isStdout()) {
            checkOutput();
        }
    }

    private void checkOutput() {
        try {
            if (output.isEmpty() || Path.of(output).getFileName() == null) {
                throw wrong("-o: " + NoName.words(output));
            }
        } catch (java.nio.file.InvalidPathException e) {
            throw wrong("-o: " + NoName.words(output));
        }
        for (String input : inputs) {
            if (OutputFile.isSame(Path.of(output), input)) {
                throw wrong("-o: " + output + " is an events file that is to be read");
            }
        }
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }

    /** Converts the name of an export. */
    static final class FormConverter implements ITypeConverter<Form> {
        @Override
        public Form convert(String text) {
            return Choice.of(Form.class, text, "form");
        }
    }
}
