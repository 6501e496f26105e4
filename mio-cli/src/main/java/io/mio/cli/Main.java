package io.mio.cli;

import io.mio.cli.bench.BenchOptions;
import io.mio.cli.stats.StatsOptions;
import io.mio.cli.term.Choice;
import io.mio.cli.term.CliException;
import io.mio.cli.term.NoName;
import io.mio.cli.term.SafeText;
import io.mio.config.Nearest;
import io.mio.stats.MioVersion;
import java.io.PrintWriter;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The command {@code mio}. */
@Command(
        name = "mio",
        description = "Shows what I/O a program does.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footerHeading = "%nFirst steps:%n",
        footer = {
            "  mio demo                        what MIO does, on this machine",
            "  mio run -- sort big.txt         a program, and what I/O it does",
            "  mio stats sort.4711.stats       its report as tables, with notes",
            "  mio run --events sort.events -- sort big.txt",
            "  mio plot sort.events            a picture of every call: sort.html",
            ""
        },
        commandListHeading = "%nCommands:%n",
        subcommands = {
            RunCommand.class,
            StatsCommand.class,
            TopCommand.class,
            EventsCommand.class,
            PlotCommand.class,
            SimulateCommand.class,
            AdviseCommand.class,
            CheckCommand.class,
            InfoCommand.class,
            BenchCommand.class,
            DemoCommand.class,
            CommandLine.HelpCommand.class
        })
final class Main implements Runnable {
    private static final String TRACE_VARIABLE = "MIO_CLI_TRACE";

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    /** Runs a command and exits with its status; 2 for wrong arguments. */
    public static void main(String[] args) {
        Output output = Output.ofProcess();
        System.setOut(output.stream());
        int status = commandLine().execute(args);
        System.exit(output.statusOf(status, System.err));
    }

    static CommandLine commandLine() {
        CommandLine line =
                new CommandLine(new Main())
                        .setUsageHelpWidth(100)
                        .setCaseInsensitiveEnumValuesAllowed(true)
                        .setParameterExceptionHandler(Main::showMistake)
                        .setExecutionExceptionHandler(Main::showFailure);
        readValues(line);
        examplesFirst(line);
        return line;
    }

    /** Has wrong values refused in the words of the help instead of Java's. */
    private static void readValues(CommandLine line) {
        line.registerConverter(Path.class, Main::path);
        line.registerConverter(int.class, new Choice.Small());
        line.registerConverter(Integer.class, new Choice.Small());
        line.registerConverter(long.class, new Choice.Whole());
        line.registerConverter(Long.class, new Choice.Whole());
        line.registerConverter(Double.class, new Choice.Decimal());
        line.registerConverter(
                StatsOptions.By.class, text -> Choice.of(StatsOptions.By.class, text, "row"));
        line.registerConverter(
                StatsOptions.Sort.class,
                text -> Choice.of(StatsOptions.Sort.class, text, "figure"));
        line.registerConverter(
                StatsOptions.Format.class,
                text -> Choice.of(StatsOptions.Format.class, text, "form"));
        line.registerConverter(
                BenchOptions.Door.class, text -> Choice.of(BenchOptions.Door.class, text, "door"));
    }

    /** Refuses an empty name, which would be that of the working directory. */
    private static Path path(String text) {
        if (text.isEmpty()) {
            throw new CommandLine.TypeConversionException(NoName.words(text));
        }
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw new CommandLine.TypeConversionException(NoName.words(text));
        }
    }

    /**
     * Moves the examples to the front: people look for an example before they look for an option.
     */
    private static void examplesFirst(CommandLine line) {
        List<String> sections = new ArrayList<>(line.getHelpSectionKeys());
        List<String> footer =
                List.of(
                        UsageMessageSpec.SECTION_KEY_FOOTER_HEADING,
                        UsageMessageSpec.SECTION_KEY_FOOTER);
        sections.removeAll(footer);
        sections.addAll(sections.indexOf(UsageMessageSpec.SECTION_KEY_DESCRIPTION) + 1, footer);
        line.setHelpSectionKeys(sections);
        line.getSubcommands().values().forEach(Main::examplesFirst);
    }

    /** Prints one line about the mistake and one about the help, instead of all of the help. */
    private static int showMistake(CommandLine.ParameterException e, String[] args) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        PrintWriter err = e.getCommandLine().getErr();
        err.println(command + ": " + SafeText.of(mistake(e)));
        err.println("See '" + command + " --help'.");
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    private static String mistake(CommandLine.ParameterException e) {
        if (e instanceof CommandLine.UnmatchedArgumentException unknown) {
            String typed = unknown.getUnmatched().get(0);
            CommandLine of = e.getCommandLine();
            if (!unknown.isUnknownOption() && of.getCommand() instanceof Main) {
                return "there is no command '" + typed + "'" + hint(typed, commands(of));
            }
            String option = typed.replaceFirst("=.*", "");
            return e.getMessage() + (unknown.isUnknownOption() ? hint(option, options(of)) : "");
        }
        // The missing argument may be there, with a slip in its name.
        CommandLine line = e.getCommandLine();
        List<String> unknown = line.getUnmatchedArguments();
        if (e instanceof CommandLine.MissingParameterException && !unknown.isEmpty()) {
            return mistake(new CommandLine.UnmatchedArgumentException(line, unknown.subList(0, 1)));
        }
        return e.getMessage();
    }

    private static String hint(String typed, List<String> known) {
        String near = Nearest.word(typed, known);
        return near == null ? "" : "; did you mean " + near + "?";
    }

    private static List<String> commands(CommandLine line) {
        return List.copyOf(line.getSubcommands().keySet());
    }

    /** Returns the long names only: with short names, any letter would be near any other. */
    private static List<String> options(CommandLine line) {
        return line.getCommandSpec().options().stream()
                .filter(option -> !option.hidden())
                .map(CommandLine.Model.OptionSpec::longestName)
                .filter(name -> name.startsWith("--"))
                .toList();
    }

    /** Prints one line, and the stack trace of an unexpected failure only on request. */
    private static int showFailure(
            Exception e, CommandLine line, CommandLine.ParseResult arguments) {
        String command = line.getCommandSpec().qualifiedName();
        PrintWriter err = line.getErr();
        if (e instanceof CliException failure) {
            err.println(command + ": " + SafeText.of(failure.getMessage()));
            err.flush();
            return failure.exitStatus();
        }
        err.println(command + ": failed, which is a mistake in MIO: " + SafeText.of(e.toString()));
        if (System.getenv(TRACE_VARIABLE) != null) {
            e.printStackTrace(err);
        } else {
            err.println("Where it failed: set " + TRACE_VARIABLE + "=1 and repeat.");
        }
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }

    static final class Version implements IVersionProvider {
        @Override
        public String[] getVersion() {
            return new String[] {"mio " + MioVersion.NUMBER};
        }
    }
}
