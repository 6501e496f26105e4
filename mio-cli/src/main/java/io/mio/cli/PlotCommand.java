package io.mio.cli;

import io.mio.cli.plot.PlotOptions;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.RunReader;
import io.mio.cli.term.CliException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mio plot}: pictures of events. */
@Command(
        name = "plot",
        description = "Draws what a program did with its files, over time.",
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false)
final class PlotCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(
            paramLabel = "FILE",
            arity = "1..*",
            description = "Events files, one for each run.")
    List<Path> inputs;

    @Override
    public Integer call() {
        List<RunPlot> runs = new ArrayList<>();
        for (Path input : inputs) {
            try {
                runs.add(
                        RunReader.read(input, input.getFileName().toString(), PlotOptions.usual()));
            } catch (IOException e) {
                throw new CliException(input + ": " + e.getMessage());
            }
        }
        for (RunPlot run : runs) {
            spec.commandLine().getOut().println(run.label() + ": " + run.events() + " events");
        }
        return CommandLine.ExitCode.OK;
    }
}
