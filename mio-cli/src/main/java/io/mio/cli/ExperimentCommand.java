package io.mio.cli;

import io.mio.cli.bench.BenchOptions.Door;
import io.mio.cli.bench.Sizes;
import io.mio.cli.bench.StateException;
import io.mio.cli.bench.WrongContentException;
import io.mio.cli.demo.NativeFiles;
import io.mio.cli.demo.PageCache;
import io.mio.cli.experiment.Estimate;
import io.mio.cli.experiment.Experiment;
import io.mio.cli.experiment.ExperimentRun;
import io.mio.cli.experiment.Experiments;
import io.mio.cli.experiment.Outcome;
import io.mio.cli.experiment.Scale;
import io.mio.cli.experiment.Settings;
import io.mio.cli.experiment.SkippedException;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.CliException;
import io.mio.cli.term.Json;
import io.mio.cli.term.OutputFile;
import io.mio.cli.term.Progress;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * {@code mio bench experiment}: repeats on this machine what the documents on the original
 * measured.
 */
@Command(
        name = "experiment",
        description = {
            "Measures on this machine what the documents on the original MIO and its relatives"
                    + " measured on theirs.",
            "",
            "Each experiment runs programs without MIO and with it, in turns, and shows medians,"
                + " their spread and ratios beside those of the document. Its table, figures and"
                + " pictures go to files of its name in the directory of -o as soon as it has"
                + " ended. Files are cold before what is read cold, and that is enforced. Without a"
                + " name: the list of experiments."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio bench experiment                          the list, with what each needs",
            "  mio bench experiment alot_buf --dir /data     the original's example, there",
            "  mio bench experiment all -o results           all of them",
            "  mio bench experiment alot_buf --scale full    14.3 GB, as in the document",
            "  mio bench experiment all --scale small        a few seconds each, to try it",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:everything ran, or was left out for a reason that was said",
            "1:a program or MIO failed, or a result could not be written",
            "2:wrong arguments, or no place for the files",
            "3:a file was not cold, or not warm: there is no figure to be believed",
            "4:a wrong byte was read"
        })
final class ExperimentCommand implements Callable<Integer> {
    private static final int WRONG_STATE = 3;
    private static final int WRONG_CONTENT = 4;
    private static final int RUNS_MAX = 1000;
    private static final long SIZE_LEAST = 256 << 10;
    private static final String LIST = "list";

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(
            arity = "0..*",
            paramLabel = "NAME",
            description = "Names of experiments, or 'all', or 'list'.")
    List<String> names = new ArrayList<>();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "Where files are made, and which disk is measured. Default: the system's"
                            + " temporary directory, or /var/tmp where that one is in memory")
    Path dir;

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZE",
            description = "Size of each experiment's file, instead of the scale's.")
    String size;

    @Option(
            names = "--scale",
            paramLabel = "SCALE",
            defaultValue = "default",
            description =
                    "small (seconds, figures mean nothing), default, or full (as large as the"
                            + " documents'). Default: ${DEFAULT-VALUE}")
    Scale scale;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "How often each configuration runs. Default: as the experiment says")
    Integer runs;

    @Option(
            names = "--door",
            paramLabel = "DOOR",
            description =
                    "Programs in C under the preload library (native), as most of the documents'"
                            + " were not in Java either, or in Java (jvm). Default: native, or jvm"
                            + " where this mio was built without a C compiler")
    Door door;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "DIR",
            defaultValue = "mio-experiments",
            description = "Where results are written. Default: ${DEFAULT-VALUE}")
    Path output;

    @Option(names = "--json", description = "Print JSON instead, an object a line.")
    boolean json;

    @Override
    public Integer call() throws InterruptedException, IOException {
        Settings settings = settings();
        if (names.isEmpty() || names.equals(List.of(LIST))) {
            list(settings);
            return CommandLine.ExitCode.OK;
        }
        List<Experiment> experiments;
        try {
            experiments = Experiments.named(names);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        Path place = place();
        checkSpace(experiments, settings, place);
        Outcome.check(output);
        return runAll(experiments, settings, place);
    }

    private Settings settings() {
        long bytes = 0;
        if (size != null) {
            try {
                bytes = Sizes.size(size);
            } catch (IllegalArgumentException e) {
                throw wrong("--size: " + e.getMessage());
            }
            if (bytes < SIZE_LEAST) {
                throw wrong("--size: at least " + Sizes.text(SIZE_LEAST));
            }
        }
        if (runs != null && (runs < 1 || runs > RUNS_MAX)) {
            throw wrong("--runs: from 1 to " + RUNS_MAX);
        }
        return new Settings(
                scale, bytes, runs == null ? 0 : runs, door == null ? usualDoor() : door);
    }

    private static Door usualDoor() {
        return NativeFiles.isBuilt("bench_worker") && NativeFiles.isBuilt("libmio_preload.so")
                ? Door.NATIVE
                : Door.JVM;
    }

    private Path place() throws IOException {
        Path place = (dir == null ? PageCache.usualDirectory() : dir).toAbsolutePath();
        if (!Files.isDirectory(place)) {
            throw wrong("--dir: no directory " + place);
        }
        if (!Files.isWritable(place)) {
            throw wrong("--dir: " + place + " is not writable");
        }
        if (PageCache.isInMemory(place)) {
            throw wrong("--dir: " + place + " is in memory; name a directory on a disk");
        }
        return place;
    }

    private void checkSpace(List<Experiment> experiments, Settings settings, Path place)
            throws IOException {
        long free = Files.getFileStore(place).getUsableSpace();
        long most = 0;
        long seconds = 0;
        for (Experiment experiment : experiments) {
            Estimate estimate = experiment.estimate(settings);
            if (estimate.spaceBytes() > free) {
                throw wrong(
                        experiment.name()
                                + " needs "
                                + Amounts.bytes(estimate.spaceBytes())
                                + ", "
                                + place
                                + " has "
                                + Amounts.bytes(free)
                                + " free; take another --dir or a smaller --size");
            }
            most = Math.max(most, estimate.spaceBytes());
            seconds += estimate.seconds();
        }
        say(
                experiments.size()
                        + (experiments.size() == 1 ? " experiment" : " experiments")
                        + " in "
                        + place
                        + ": "
                        + Amounts.bytes(most)
                        + " on the disk, about "
                        + duration(seconds)
                        + "; results go to "
                        + output);
    }

    private static String duration(long seconds) {
        return seconds < 60 ? "a minute" : (seconds + 59) / 60 + " minutes";
    }

    private int runAll(List<Experiment> experiments, Settings settings, Path place)
            throws IOException, InterruptedException {
        ExperimentRun run = new ExperimentRun(settings, place);
        // The hook stops the run when the user presses Ctrl-C, too, so that no large file is left
        // behind.
        Thread hook = new Thread(() -> stop(run));
        Runtime.getRuntime().addShutdownHook(hook);
        int status = CommandLine.ExitCode.OK;
        try {
            for (Experiment experiment : experiments) {
                int own = one(run, experiment);
                status = status == CommandLine.ExitCode.OK ? own : status;
                if (run.isStopped()) {
                    return CommandLine.ExitCode.SOFTWARE;
                }
            }
            return status;
        } finally {
            stop(run);
            removeHook(hook);
        }
    }

    /** Runs one experiment. A failure does not keep the next one from running. */
    private int one(ExperimentRun run, Experiment experiment) throws InterruptedException {
        String label = "mio bench experiment " + experiment.name();
        PrintWriter err = spec.commandLine().getErr();
        try {
            Outcome outcome =
                    run.run(experiment, () -> new Progress(err, Terminal.ofProcess(), label));
            List<String> files = outcome.write(output);
            show(outcome, files);
            return CommandLine.ExitCode.OK;
        } catch (SkippedException e) {
            say(experiment.name() + ": left out: " + e.getMessage());
            return CommandLine.ExitCode.OK;
        } catch (StateException e) {
            say(experiment.name() + ": " + e.getMessage());
            return WRONG_STATE;
        } catch (WrongContentException e) {
            say(experiment.name() + ": " + e.getMessage());
            return WRONG_CONTENT;
        } catch (IOException | IllegalArgumentException | CliException e) {
            if (!run.isStopped()) {
                say(experiment.name() + ": " + reason(e));
            }
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private static String reason(Exception e) {
        return e instanceof IOException io ? OutputFile.reason(io) : e.getMessage();
    }

    private void show(Outcome outcome, List<String> files) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(Json.line().writeValueAsString(outcome.object()));
        } else {
            outcome.lines(Terminal.ofProcess()).forEach(out::println);
            out.println("Written to " + SafeText.of(output + ": " + String.join(", ", files)));
            out.println();
        }
        out.flush();
    }

    private void list(Settings settings) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        Table table = new Table().left("Experiment").right("Space").right("Time").left("Question");
        List<Map<String, Object>> objects = new ArrayList<>();
        for (Experiment experiment : Experiments.all()) {
            Estimate estimate = experiment.estimate(settings);
            table.row(
                    experiment.name(),
                    Amounts.bytes(estimate.spaceBytes()),
                    duration(estimate.seconds()),
                    experiment.question());
            Map<String, Object> object = new LinkedHashMap<>();
            object.put("experiment", experiment.name());
            object.put("question", experiment.question());
            object.put("document", experiment.document());
            object.put("space_bytes", estimate.spaceBytes());
            object.put("seconds", estimate.seconds());
            objects.add(object);
        }
        if (json) {
            for (Map<String, Object> object : objects) {
                out.println(Json.line().writeValueAsString(object));
            }
        } else {
            table.lines(Terminal.ofProcess()).forEach(out::println);
            out.println();
            out.println("Space and time are rough, of scale " + scale.id() + ".");
        }
        out.flush();
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down and the hook is running already.
        }
    }

    private void stop(ExperimentRun run) {
        run.stop().forEach(wrong -> say("left behind: " + wrong));
    }

    private void say(String text) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("mio bench experiment: " + SafeText.of(text));
        err.flush();
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }
}
