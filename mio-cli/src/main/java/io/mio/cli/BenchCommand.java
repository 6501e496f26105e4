package io.mio.cli;

import io.mio.cli.bench.BenchChart;
import io.mio.cli.bench.BenchOptions;
import io.mio.cli.bench.BenchOptions.Door;
import io.mio.cli.bench.BenchReport;
import io.mio.cli.bench.BenchRun;
import io.mio.cli.bench.Configuration;
import io.mio.cli.bench.DataReport;
import io.mio.cli.bench.Sizes;
import io.mio.cli.bench.StateException;
import io.mio.cli.bench.Tests;
import io.mio.cli.bench.TextReport;
import io.mio.cli.bench.WrongContentException;
import io.mio.cli.demo.PageCache;
import io.mio.cli.term.CliException;
import io.mio.cli.term.OutputFile;
import io.mio.cli.term.Progress;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mio bench}: a benchmark of files in the manner of IOzone, with MIO and without. */
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
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio bench --pf                                  all tests, without MIO and with pf",
            "  mio bench /data -i 0,1 -r 4k..8m -s 1g -e       write and read, records doubling",
            "  mio bench --config plain= --config 'a=[ pf/cache=64m/page=1m/direct ]' -i read",
            "  mio bench --door native --warm --verify -t 4    a C program, four threads",
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
    private static final int THREADS_MAX = 1024;
    private static final int RUNS_MAX = 1000;

    /** As of {@code mio run}. */
    private static final String PF = "cache=64m/page=1m/direct";

    /** Where temporary files outlive a restart, and are not in memory therefore. */
    private static final Path ON_DISK = Path.of("/var/tmp");

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Parameters(
            arity = "0..1",
            paramLabel = "PATH",
            description =
                    "A directory for the files, or the file itself, as with -f. Default: the"
                            + " system's temporary directory, or /var/tmp where that one is in"
                            + " memory")
    String path;

    @Option(
            names = {"-i", "--tests"},
            paramLabel = "TEST",
            description =
                    "What to measure, with commas: write, rewrite (IOzone's 0), read, reread (1),"
                            + " random-read, random-write (2), backward (3), record-rewrite (4),"
                            + " strided (5), mixed (8). Default: all")
    List<String> tests = new ArrayList<>();

    @Option(
            names = {"-r", "--record"},
            paramLabel = "SIZES",
            description =
                    "Bytes per read and write: 4k, or 4k,64k,1m, or 1k..8m (doubling). 1b is one"
                            + " byte. Default: 4k")
    List<String> records = new ArrayList<>();

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZES",
            description = "Sizes of the file, likewise. Default: 64m, or as large as it is with -f")
    List<String> sizes = new ArrayList<>();

    @Option(
            names = {"-a", "--auto"},
            description =
                    "IOzone's: records of 4k to 16m (-y LEAST, -q MOST), files of 64k to 512m (-n"
                            + " LEAST, -g MOST), all doubling.")
    boolean auto;

    @Option(names = "-y", paramLabel = "SIZE", hidden = true)
    String recordLeast;

    @Option(names = "-q", paramLabel = "SIZE", hidden = true)
    String recordMost;

    @Option(names = "-n", paramLabel = "SIZE", hidden = true)
    String sizeLeast;

    @Option(names = "-g", paramLabel = "SIZE", hidden = true)
    String sizeMost;

    @Option(
            names = {"-e", "--flush"},
            description = "The time includes fsync.")
    boolean flush;

    @Option(
            names = {"-c", "--close"},
            description = "The time includes close. What pf keeps is written then at the latest.")
    boolean close;

    @Option(
            names = {"-I", "--direct"},
            description = "The workers ask for direct I/O.")
    boolean direct;

    @Option(
            names = {"-t", "--threads"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Workers at the same time, a file of that size for each. Default: 1")
    int threads;

    @Option(names = "--processes", description = "Workers are processes, not threads of one.")
    boolean processes;

    @Option(names = "--shared", description = "Workers have a part each of one file.")
    boolean shared;

    @Option(
            names = {"-f", "--file"},
            paramLabel = "FILE",
            description =
                    "The file. One that is there is never written to: only tests that read, and it"
                            + " stays.")
    String file;

    @Option(
            names = {"-F", "--files"},
            arity = "1..*",
            paramLabel = "FILE",
            description = "The files, one for each worker of -t.")
    List<String> files = new ArrayList<>();

    @Option(
            names = {"-j", "--stride"},
            paramLabel = "N",
            defaultValue = "17",
            description = "Records from one strided read to the next. Default: ${DEFAULT-VALUE}")
    long stride;

    @Option(
            names = "--mix",
            paramLabel = "PERCENT",
            defaultValue = "70",
            description = "Reads among the calls of mixed. Default: ${DEFAULT-VALUE}")
    int mixPercent;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of random orders and contents. Default: ${DEFAULT-VALUE}")
    long seed;

    @Option(
            names = "--verify",
            description = "Check every byte that is read, and all that was written. Takes time.")
    boolean verify;

    @Option(names = "--cold", description = "No page of the file in memory. The default.")
    boolean cold;

    @Option(names = "--warm", description = "All pages of the file in memory.")
    boolean warm;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often each test is run. Default: ${DEFAULT-VALUE}")
    int runs;

    @Option(
            names = "--door",
            paramLabel = "DOOR",
            defaultValue = "jvm",
            description =
                    "Workers in Java (jvm), or in C under the preload library (native). Default:"
                            + " ${DEFAULT-VALUE}")
    Door door;

    @Option(
            names = "--config",
            paramLabel = "NAME=RULE",
            description =
                    "A configuration to be measured: RULE is '[ layers ]' for the files, or as in"
                            + " MIO_FILES, or nothing for no MIO. May be repeated; ratios are to"
                            + " the first one. Default: plain=")
    List<String> configurations = new ArrayList<>();

    @Option(
            names = "--pf",
            arity = "0..1",
            fallbackValue = PF,
            paramLabel = "OPTIONS",
            description =
                    "The same as --config plain= --config 'pf=[ pf/OPTIONS ]'. Default OPTIONS: "
                            + PF)
    String pf;

    @Option(
            names = "--trace",
            arity = "0..1",
            fallbackValue = "",
            paramLabel = "OPTIONS",
            description = "The same with trace; with --pf a row for each.")
    String trace;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description =
                    "Limit memory and page cache of the workers, by a cgroup. A worker in Java"
                            + " needs some 200m beside the caches.")
    String memory;

    @Option(
            names = "--reports",
            paramLabel = "DIR",
            description = "Keep MIO's reports there, one for each run.")
    String reports;

    @Option(names = "--keep", description = "Do not remove the files, and say where they are.")
    boolean keep;

    @Option(
            names = {"-O", "--operations"},
            description = "Tables show calls per second instead of KB per second.")
    boolean operations;

    @Option(names = "--json", description = "Print JSON instead, every run in full.")
    boolean json;

    @Option(names = "--csv", description = "Print CSV instead.")
    boolean csv;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FILE",
            description = "Write the report there, not to standard output.")
    Path output;

    @Option(
            names = "--gnuplot",
            paramLabel = "FILE",
            description = "Write columns for gnuplot as well.")
    Path gnuplot;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description =
                    "Draw rates by record as well: FILE.svg, FILE.png or FILE.html. May be"
                            + " repeated.")
    List<Path> plots = new ArrayList<>();

    @Override
    public Integer call() throws InterruptedException {
        BenchOptions options = options();
        List<Path> names = names();
        Path dir = names.isEmpty() ? directory() : null;
        BenchReport report = measure(options, dir, names);
        if (report == null) {
            return CommandLine.ExitCode.SOFTWARE;
        }
        try {
            show(report);
        } catch (IOException e) {
            throw new CliException(e.getMessage());
        }
        return CommandLine.ExitCode.OK;
    }

    /** Null if it was stopped from outside. */
    private BenchReport measure(BenchOptions options, Path dir, List<Path> names)
            throws InterruptedException {
        Progress progress =
                new Progress(spec.commandLine().getErr(), Terminal.ofProcess(), "mio bench");
        BenchRun run = new BenchRun(options, keep, progress);
        // Also when the user presses Ctrl-C: a large file is not left behind.
        Thread hook = new Thread(() -> stop(run));
        Runtime.getRuntime().addShutdownHook(hook);
        try {
            return run.run(dir, names);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        } catch (StateException e) {
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

    private static String reason(IOException e) {
        if (e instanceof NoSuchFileException missing) {
            return missing.getFile() + ": there is no such file";
        }
        return e.getMessage() == null ? e.toString() : e.getMessage();
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // It is running.
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

    private void show(BenchReport report) throws IOException {
        DataReport data = new DataReport(report);
        Terminal terminal = output == null ? Terminal.ofProcess() : Terminal.NONE;
        String text;
        if (json) {
            text = data.json() + "\n";
        } else if (csv) {
            text = data.csv();
        } else {
            text = String.join("\n", new TextReport(report, operations, terminal).lines()) + "\n";
        }
        if (output != null) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            OutputFile.write(output, out -> out.write(bytes));
        } else {
            PrintWriter out = spec.commandLine().getOut();
            out.print(text);
            out.flush();
        }
        for (Path plot : plots) {
            BenchChart chart = new BenchChart(report);
            String form = BenchChart.form(plot.toString());
            OutputFile.write(plot, out -> chart.write(form, out));
        }
        if (gnuplot != null) {
            byte[] columns = data.gnuplot().getBytes(StandardCharsets.UTF_8);
            OutputFile.write(gnuplot, out -> out.write(columns));
        }
        if (keep) {
            report.files().forEach(kept -> say("kept " + kept));
        }
    }

    private BenchOptions options() {
        checkNumbers();
        return new BenchOptions(
                understood(() -> Tests.list(tests)),
                understood(() -> sizes(sizes, "-s", sizeLeast, sizeMost, "64k", "512m")),
                understood(() -> recordSizes()),
                flush,
                close,
                threads,
                processes,
                shared,
                direct,
                stride,
                seed,
                mixPercent,
                verify,
                warm,
                runs,
                door,
                understood(this::stacks),
                memory == null ? 0 : understood(() -> Sizes.size(memory)),
                reports == null ? null : reportsDirectory());
    }

    private <T> T understood(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private void checkNumbers() {
        check(threads >= 1 && threads <= THREADS_MAX, "-t: 1 to " + THREADS_MAX);
        check(runs >= 1 && runs <= RUNS_MAX, "--runs: 1 to " + RUNS_MAX);
        check(mixPercent >= 0 && mixPercent <= 100, "--mix: 0 to 100");
        check(stride >= 1, "-j: at least 1");
        check(seed >= 0, "--seed: not negative");
        check(!(cold && warm), "--cold and --warm exclude each other");
        check(!(json && csv), "--json and --csv exclude each other");
        check(
                (path == null ? 0 : 1) + (file == null ? 0 : 1) + (files.isEmpty() ? 0 : 1) < 2,
                "PATH, -f and -F exclude each other");
        check(files.isEmpty() || files.size() == threads, "-F: as many files as -t has workers");
        for (Path plot : plots) {
            check(
                    BenchChart.form(plot.toString()) != null,
                    "--plot: " + plot + ": name a file that ends in .svg, .png or .html");
        }
        check(!shared || files.size() < 2, "--shared: one file, so no -F");
    }

    private void check(boolean right, String message) {
        if (!right) {
            throw wrong(message);
        }
    }

    private List<Long> recordSizes() {
        List<Long> list = sizes(records, "-r", recordLeast, recordMost, "4k", "16m");
        return list.isEmpty() ? Sizes.list("4k") : list;
    }

    /** IOzone's least and most, and its range with -a. */
    private List<Long> sizes(
            List<String> given,
            String name,
            String least,
            String most,
            String autoLeast,
            String autoMost) {
        boolean ranged = auto && given.isEmpty() || least != null || most != null;
        if (ranged && !given.isEmpty()) {
            throw new IllegalArgumentException(
                    name + " is given, and a range of its sizes as well");
        }
        if (ranged) {
            return Sizes.doubling(
                    Sizes.size(least == null ? autoLeast : least),
                    Sizes.size(most == null ? autoMost : most));
        }
        return given.isEmpty() ? List.of() : Sizes.list(String.join(",", given));
    }

    private List<Configuration> stacks() {
        List<Configuration> stacks = new ArrayList<>();
        for (String text : configurations) {
            stacks.add(Configuration.of(text));
        }
        if (stacks.isEmpty()) {
            stacks.add(new Configuration("plain", ""));
        }
        if (trace != null) {
            stacks.add(
                    Configuration.of(
                            "trace=[ trace" + (trace.isEmpty() ? "" : "/" + trace) + " ]"));
        }
        if (pf != null) {
            stacks.add(Configuration.of("pf=[ pf/" + pf + " ]"));
        }
        for (Configuration stack : stacks) {
            if (stacks.stream().filter(one -> one.name().equals(stack.name())).count() > 1) {
                throw new IllegalArgumentException(
                        "--config: there are two of the name '" + stack.name() + "'");
            }
        }
        return stacks;
    }

    private Path reportsDirectory() {
        Path dir = pathOf("--reports", reports);
        try {
            return Files.createDirectories(dir);
        } catch (IOException e) {
            throw wrong("--reports: no directory can be made there: " + e.getMessage());
        }
    }

    private List<Path> names() {
        if (!files.isEmpty()) {
            return files.stream().map(name -> fileOf("-F", name)).toList();
        }
        if (file != null) {
            return List.of(fileOf("-f", file));
        }
        if (path != null && !Files.isDirectory(pathOf("PATH", path))) {
            return List.of(fileOf("PATH", path));
        }
        return List.of();
    }

    private Path fileOf(String option, String name) {
        Path named = pathOf(option, name);
        if (Files.isDirectory(named)) {
            throw wrong(option + ": " + name + " is a directory");
        }
        Path parent = named.toAbsolutePath().getParent();
        if (!Files.isDirectory(parent)) {
            throw wrong(option + ": " + name + ": there is no such directory");
        }
        return named;
    }

    private Path pathOf(String option, String name) {
        check(!name.isEmpty(), option + ": the name is empty");
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw wrong(option + ": no name of a file here: " + e.getReason());
        }
    }

    private Path directory() {
        Path dir = path != null ? pathOf("PATH", path) : temporaryDirectory();
        check(
                Files.isWritable(dir),
                String.format(Locale.ROOT, "%s is not writable; name another directory", dir));
        return dir.toAbsolutePath();
    }

    private static Path temporaryDirectory() {
        Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
        try {
            if (PageCache.isInMemory(temporary)
                    && Files.isWritable(ON_DISK)
                    && !PageCache.isInMemory(ON_DISK)) {
                return ON_DISK;
            }
        } catch (IOException e) {
            // The directory is looked at later, with a message.
        }
        return temporary;
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }
}
