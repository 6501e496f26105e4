package io.mio.cli;

import io.mio.cli.bench.BenchOptions;
import io.mio.cli.bench.BenchReport;
import io.mio.cli.bench.BenchRun;
import io.mio.cli.bench.FileOptions;
import io.mio.cli.bench.ReportFiles;
import io.mio.cli.bench.ReportOptions;
import io.mio.cli.bench.StackOptions;
import io.mio.cli.bench.StateException;
import io.mio.cli.bench.TestOptions;
import io.mio.cli.bench.WorkerCommand;
import io.mio.cli.bench.WorkerOptions;
import io.mio.cli.bench.WrongContentException;
import io.mio.cli.term.CliException;
import io.mio.cli.term.OutputFile;
import io.mio.cli.term.Progress;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mio bench}: a benchmark of files in the manner of IOzone, with and without MIO. */
@Command(
        name = "bench",
        description = {
            "Measures reading and writing of files, without MIO and with it, in the manner of"
                    + " IOzone.",
            "",
            "Workers read and write a file in records, in processes of their own. Several"
                + " configurations take turns; medians, their spread and ratios are shown, and a"
                + " ratio that may be chance is marked. Before each test but write and reread the"
                + " file is cold, no page of it in memory, or warm; that is proven, and a test that"
                + " was not in that state fails. Files are removed at the end."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        subcommands = ExperimentCommand.class,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio bench --pf                                  all tests, without MIO and with pf",
            "  mio bench /data -i 0,1 -r 4k..8m -s 1g -e       write and read, records doubling",
            "  mio bench --config plain= --config 'a=[ pf/cache=64m/page=1m/direct ]' -i read",
            "  mio bench --door native --warm --verify -t 4    a C program, four threads",
            "  mio bench --twice -i read,backward --pf         cold, and once more as that left it",
            "  mio bench -f big.dat -i read,backward --pf      a file that is there, read only",
            "  mio bench -r 1k..8m --plot rates.html           rates by record, as a picture",
            "  mio bench --pf --json | jq '.rows[] | [.test, .ratio]'",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:everything ran",
            "1:a worker or MIO failed",
            "2:wrong arguments, or no place for the files",
            "3:a file was not cold, or not warm: there is no figure to be believed",
            "4:--verify found a wrong byte"
        })
final class BenchCommand implements Callable<Integer> {
    private static final int WRONG_STATE = 3;
    private static final int WRONG_CONTENT = 4;

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Mixin FileOptions place;

    @Mixin TestOptions test;

    @Mixin WorkerOptions workers;

    @Mixin StackOptions stacks;

    @Mixin ReportOptions form;

    @Override
    public Integer call() throws InterruptedException {
        try {
            return run();
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int run() throws InterruptedException {
        BenchOptions options = BenchOptions.of(test, workers, stacks, place, form);
        List<Path> names = place.names();
        Path dir = names.isEmpty() ? place.directory() : null;
        try (ReportFiles files = form.open(options.paths(names), options.reports())) {
            List<String> withheld = WorkerCommand.withheld();
            if (!withheld.isEmpty()) {
                say("workers do not get " + String.join(", ", withheld) + " of the environment");
            }
            List<String> failures = new ArrayList<>();
            BenchReport report = measure(options, dir, names, failures);
            if (report == null) {
                return CommandLine.ExitCode.SOFTWARE;
            }
            // The report comes first: its results must not be lost when one of the other files
            // fails.
            String text = form.text(report);
            if (!files.writeReport(text, failures)) {
                PrintWriter out = spec.commandLine().getOut();
                out.print(text);
                out.flush();
            }
            files.writeOthers(report, failures);
            if (place.keep()) {
                report.files().forEach(kept -> say("kept " + kept));
            }
            failures.forEach(this::say);
            return failures.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        } catch (IOException e) {
            throw new CliException(reason(e));
        }
    }

    /**
     * Runs the benchmark.
     *
     * @param failures gets what could not be kept
     * @return null if the benchmark was stopped from outside
     */
    private BenchReport measure(
            BenchOptions options, Path dir, List<Path> names, List<String> failures)
            throws InterruptedException {
        Progress progress =
                new Progress(spec.commandLine().getErr(), Terminal.ofProcess(), "mio bench");
        BenchRun run = new BenchRun(options, place.keep(), progress);
        // The hook stops the run when the user presses Ctrl-C, too, so that no large file is left
        // behind.
        Thread hook = new Thread(() -> stop(run));
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            BenchReport report = run.run(dir, names);
            failures.addAll(run.failures());
            return report;
        } catch (StateException e) {
            if (run.isStopped()) {
                return null;
            }
            throw new CliException(WRONG_STATE, e.getMessage());
        } catch (WrongContentException e) {
            throw new CliException(WRONG_CONTENT, e.getMessage());
        } catch (IOException e) {
            if (run.isStopped()) {
                return null;
            }
            throw new CliException(reason(e));
        } finally {
            progress.close();
            stop(run);
            removeHook(hook);
        }
    }

    static String reason(IOException e) {
        if (e instanceof FileSystemException failure && failure.getFile() != null) {
            return failure.getFile() + ": " + OutputFile.reason(e);
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is shutting down and the hook is running already.
        }
    }

    private void stop(BenchRun run) {
        run.stop().forEach(wrong -> say("left behind: " + wrong));
    }

    private void say(String text) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("mio bench: " + SafeText.of(text));
        err.flush();
    }
}
