package io.mio.cli;

import io.mio.stats.MioVersion;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;

/** The command {@code mio}. */
@Command(
        name = "mio",
        description = "Shows what I/O a program does.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        synopsisSubcommandLabel = "COMMAND",
        footer = {"", "First steps:", "  mio demo"},
        subcommands = {RunCommand.class, DemoCommand.class, CommandLine.HelpCommand.class})
final class Main implements Runnable {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    /** Exits with the status of the command; 2 for wrong arguments. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Main())
                .setUsageHelpWidth(100)
                .setParameterExceptionHandler(Main::showMistake);
    }

    /** One line about the mistake and one about the help, instead of all of the help. */
    private static int showMistake(CommandLine.ParameterException e, String[] args) {
        String command = e.getCommandLine().getCommandSpec().qualifiedName();
        PrintWriter err = e.getCommandLine().getErr();
        err.println(command + ": " + e.getMessage());
        err.println("See '" + command + " --help'.");
        err.flush();
        return CommandLine.ExitCode.USAGE;
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
