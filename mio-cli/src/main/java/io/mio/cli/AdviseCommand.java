package io.mio.cli;

import io.mio.cli.advise.Advising;
import io.mio.cli.events.EventsRun;
import io.mio.cli.term.Choice;
import io.mio.cli.term.CliException;
import io.mio.cli.term.JavaOptions;
import io.mio.cli.term.Progress;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Terminal;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mio advise}: tells which rules would help a recorded program. */
@Command(
        name = "advise",
        description = {
            "Tells what a recorded program does with each file, which rule would help"
                    + " and how much, and where MIO cannot help. Ends with a line MIO_FILES that is"
                    + " ready to use.",
            "",
            "Rules are tried in the simulator (mio simulate) with the calls of the"
                    + " recording. The device is measured by about a second of direct reads of the"
                    + " largest file of the run, if that file still exists."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio run --events sort.events -- sort big.txt -o sorted.txt",
            "  mio advise sort.events",
            "  mio advise sort.events --memory 64m --file '*.txt'",
            "  mio advise sort.events --device latency=1ms,bandwidth=2g,depth=32",
            "  rules=$(mio advise --line sort.events) && [ -n \"$rules\" ] &&"
                    + " export MIO_FILES=\"$rules\"",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:advice was given, be it to leave all files alone",
            "1:a recording or the device cannot be read, or there is nothing in it",
            "2:wrong arguments",
            "3:the same as 0, but a part of a recording or report could not be read; a note"
                    + " names it"
        })
final class AdviseCommand implements Callable<Integer> {
    private static final String MEMORY = "256m";

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(
            paramLabel = "EVENTS|STATS",
            arity = "1..*",
            description =
                    "Events files of the run, made by mio run --events. Reports (mio run"
                            + " --trace --stats NAME.jsonl) do not have single calls: advice from"
                            + " them is coarser and without gains, and there is none where they do"
                            + " not tell enough.")
    List<String> events;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            converter = SizeConverter.class,
            defaultValue = MEMORY,
            description =
                    "Memory of all caches together at most, for example 64m. Default: " + MEMORY)
    long memory;

    @Mixin ReplayOptions replay;

    @Option(
            names = "--json",
            converter = Choice.Flag.class,
            description = "Print everything as JSON instead of text.")
    boolean json;

    @Option(
            names = "--line",
            converter = Choice.Flag.class,
            description =
                    "Print only the value of MIO_FILES; an empty line where MIO cannot" + " help.")
    boolean line;

    @Override
    public Integer call() {
        try {
            return advise();
        } catch (OutOfMemoryError e) {
            throw new CliException(JavaOptions.TOO_MANY_FILES);
        }
    }

    private int advise() {
        if (json && line) {
            throw wrong("--json and --line exclude each other");
        }
        replay.check(spec.commandLine());
        if ((replay.device != null || replay.measured != null) && Advising.areReports(events)) {
            throw wrong("--device and --measure are for events: of reports nothing is tried");
        }
        Terminal terminal = Terminal.ofProcess();
        Advising advising;
        try (Progress progress =
                new Progress(spec.commandLine().getErr(), terminal, "mio advise")) {
            advising =
                    new Advising(
                            events, replay.files, memory, replay.device, replay.measured, progress);
        }
        if (json) {
            System.out.println(advising.json());
        } else if (line) {
            System.out.println(advising.line());
            for (String note : advising.notes()) {
                spec.commandLine().getErr().println("mio advise: " + SafeText.of(note));
            }
        } else {
            advising.lines(terminal).forEach(System.out::println);
        }
        return advising.isDamaged() ? EventsRun.DAMAGED : EventsRun.OK;
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }
}
