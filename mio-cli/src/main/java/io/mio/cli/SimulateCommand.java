package io.mio.cli;

import io.mio.cli.events.EventsRun;
import io.mio.cli.simulate.Rule;
import io.mio.cli.simulate.Simulation;
import io.mio.cli.simulate.SimulationData;
import io.mio.cli.simulate.SimulationText;
import io.mio.cli.term.Choice;
import io.mio.cli.term.CliException;
import io.mio.cli.term.JavaOptions;
import io.mio.cli.term.Progress;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Terminal;
import io.mio.config.ConfigException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mio simulate}: tells what other rules would have done with a recorded run. */
@Command(
        name = "simulate",
        description = {
            "Replays a recorded run with other rules, without I/O: shows page requests,"
                    + " hits, unused prefetches, stalls and time, and the best that is possible"
                    + " with the same memory.",
            "",
            "The calls are those that the topmost trace layer recorded"
                    + " (trace/events=FILE, mio run --events); the cache is MIO's own code. Only"
                    + " the device is a model. Its figures are given, measured, or taken from the"
                    + " recording."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio simulate run.events --config none --config pf/cache=100m/page=2m",
            "  mio simulate run.events --config pf/cache=64m/page=1m/pref=4"
                    + " --config pf/cache=64m/page=64k",
            "  mio simulate run.events --config pf/cache=1g/page=2m --device"
                    + " latency=1ms,bandwidth=2g,depth=32",
            "  mio simulate run.events --config pf/cache=1g/page=2m --measure /data/big.dat",
            "  mio simulate run.events --file '*.dat' --config pf/cache=64m/page=1m --json",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:all was simulated",
            "1:the recording or the device cannot be read, or there is nothing to simulate",
            "2:wrong arguments",
            "3:the same as 0, but a part of a recording could not be read; a note names it"
        })
final class SimulateCommand implements Callable<Integer> {
    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(paramLabel = "EVENTS", description = "Events file of the run.")
    String events;

    @Option(
            names = "--config",
            paramLabel = "RULE",
            required = true,
            description =
                    "Layers as in MIO_FILES, for example pf/cache=100m/page=2m, or none: the"
                            + " program alone. May be repeated.")
    List<String> configurations;

    @Mixin ReplayOptions replay;

    @Option(
            names = "--json",
            converter = Choice.Flag.class,
            description = "Everything as JSON instead of a table.")
    boolean json;

    @Option(
            names = "--csv",
            converter = Choice.Flag.class,
            description = "Everything as CSV: a line for each configuration.")
    boolean csv;

    @Override
    public Integer call() {
        try {
            return simulate();
        } catch (OutOfMemoryError e) {
            throw new CliException(JavaOptions.TOO_MANY_FILES);
        }
    }

    private int simulate() {
        if (json && csv) {
            throw wrong("--json and --csv exclude each other");
        }
        replay.check(spec.commandLine());
        List<Rule> rules = new ArrayList<>();
        try {
            configurations.forEach(text -> rules.add(Rule.parse(text)));
        } catch (ConfigException e) {
            showMistake(e.getMessage());
            return CommandLine.ExitCode.USAGE;
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        Terminal terminal = Terminal.ofProcess();
        Simulation all;
        try (Progress progress =
                new Progress(spec.commandLine().getErr(), terminal, "mio simulate")) {
            all =
                    Simulation.of(
                            events, replay.files, rules, replay.device, replay.measured, progress);
        }
        if (json) {
            System.out.println(SimulationData.json(all));
        } else if (csv) {
            // CSV is for programs, so it is UTF-8 whatever the locale.
            System.out.writeBytes(SimulationData.csv(all).getBytes(StandardCharsets.UTF_8));
            for (String note : all.notes()) {
                spec.commandLine().getErr().println("mio simulate: " + SafeText.of(note));
            }
        } else {
            SimulationText.lines(all, terminal).forEach(System.out::println);
        }
        return all.damaged() ? EventsRun.DAMAGED : EventsRun.OK;
    }

    /** Prints a mistake in a configuration; the further lines of the message show its place. */
    private void showMistake(String message) {
        PrintWriter err = spec.commandLine().getErr();
        String begin = "mio simulate: ";
        for (String line : message.split("\n", -1)) {
            err.println(begin + SafeText.of(line));
            begin = "";
        }
        err.println("See 'mio simulate --help'.");
        err.flush();
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }
}
