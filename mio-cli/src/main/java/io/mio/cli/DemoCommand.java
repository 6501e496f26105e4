package io.mio.cli;

import io.mio.cli.demo.AlotBuf;
import io.mio.cli.demo.Comparison;
import io.mio.cli.demo.DemoPlot;
import io.mio.cli.demo.DemoProgram;
import io.mio.cli.demo.DemoRun;
import io.mio.cli.demo.JavaProgram;
import io.mio.cli.demo.NativeProgram;
import io.mio.cli.demo.PageCache;
import io.mio.cli.term.CliException;
import io.mio.cli.term.Json;
import io.mio.cli.term.OutputFile;
import io.mio.cli.term.SafeText;
import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mio demo}: runs the original's example on this machine and explains the report. */
@Command(
        name = "demo",
        description = {
            "Runs a small program twice, with MIO's trace alone and with its cache, and"
                    + " compares the two.",
            "",
            "The program knows nothing of MIO: it writes a file in records, reads it"
                    + " forward, reads it backward and checks every byte. The kernel's page cache"
                    + " is limited or emptied, so that reads show the disk; the output says which."
                    + " A table of both runs goes to standard output, and a page with a picture of"
                    + " both to mio-demo.html. The file is deleted."
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio demo",
            "  mio demo --size 4g --dir /var/tmp",
            "  mio demo --native            the same for a program that is not Java",
            "  mio demo --size original     140000 records of 100k: 14.3 GB",
            "  mio demo --json | jq .gains",
            ""
        },
        exitCodeListHeading = "%nExit status:%n",
        exitCodeList = {
            "0:the program ran twice and every byte was right",
            "1:the program or MIO failed, or the picture could not be written",
            "2:wrong arguments, or no place for the file"
        })
final class DemoCommand implements Callable<Integer> {
    private static final String ORIGINAL = "original";

    private static final double MIB = 1024 * 1024;

    private final AtomicBoolean cleaned = new AtomicBoolean();
    private final List<DemoRun> runs = new CopyOnWriteArrayList<>();
    private Path runDir;
    private DemoProgram program;

    @CommandLine.Spec CommandLine.Model.CommandSpec spec;

    @Option(
            names = "--size",
            paramLabel = "SIZE",
            defaultValue = "256m",
            description = "Size of the file, or 'original'. Default: ${DEFAULT-VALUE}")
    String size;

    @Option(
            names = "--record",
            paramLabel = "SIZE",
            defaultValue = "100k",
            converter = SizeConverter.class,
            description = "Bytes per read and write. Default: ${DEFAULT-VALUE}")
    long recordBytes;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "Where the file is made. Default: the system's temporary directory, or"
                            + " /var/tmp where that one is in memory")
    Path dir;

    @Option(
            names = "--native",
            description =
                    "The program is one in C, under MIO's preload library, instead of one in Java.")
    boolean nativeProgram;

    @Option(names = "--report", description = "Print the reports of both runs as well.")
    boolean report;

    @Option(names = "--keep", description = "Keep the file and the reports, and say where.")
    boolean keep;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description =
                    "Where the picture of both runs goes, a page for a browser. Default:"
                            + " mio-demo.html here, or in the temporary directory where this one"
                            + " is not writable")
    Path plot;

    @Option(names = "--no-plot", description = "No picture.")
    boolean noPlot;

    @Option(names = "--json", description = "Print the figures as JSON instead.")
    boolean json;

    @Override
    public Integer call() throws InterruptedException {
        if (noPlot && plot != null) {
            throw wrong("--plot and --no-plot exclude each other");
        }
        if (plot != null) {
            checkPicture();
        }
        long records = records();
        Path parent = dir != null ? dir : PageCache.usualDirectory();
        checkPlace(parent, records * recordBytes);
        try {
            runDir = Files.createTempDirectory(parent, "mio-demo-");
        } catch (IOException e) {
            throw wrong("--dir: no directory can be made in " + parent + ": " + e.getMessage());
        }
        // The hook cleans up when the user presses Ctrl-C, too, so that no large file is left
        // behind.
        Runtime.getRuntime().addShutdownHook(new Thread(this::clean));
        try {
            prepareProgram();
            PageCache pageCache = choosePageCache(records * recordBytes);
            DemoRun before = run(DemoRun.Rule.TRACE, pageCache, records);
            // There is room for one file only, and the second run must not pay for the file of the
            // first.
            before.deleteFile();
            DemoRun after = run(DemoRun.Rule.PF, pageCache, records);
            Comparison comparison = Comparison.of(before, after, pageCache, ORIGINAL.equals(size));
            Path page = noPlot ? null : draw(before, after);
            show(before, after, comparison, page);
            return noPlot || page != null ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        } catch (IOException | IllegalArgumentException e) {
            if (!cleaned.get()) {
                showError(e.getMessage());
            }
            return CommandLine.ExitCode.SOFTWARE;
        } finally {
            clean();
        }
    }

    /** Unpacks the program under the lock of {@link #clean}, which removes it again. */
    private synchronized void prepareProgram() throws IOException {
        program = nativeProgram ? NativeProgram.unpack(runDir) : new JavaProgram();
    }

    /** Chooses under the lock of {@link #clean}, which removes what is made for trying. */
    private synchronized PageCache choosePageCache(long fileBytes)
            throws IOException, InterruptedException {
        return PageCache.choose(runDir, fileBytes, recordBytes);
    }

    private DemoRun run(DemoRun.Rule rule, PageCache pageCache, long records)
            throws IOException, InterruptedException {
        DemoRun run = new DemoRun(runDir, rule, pageCache, program);
        runs.add(run);
        // A hook that runs now either finds the run in the list, or has set the flag that is read
        // here.
        if (cleaned.get()) {
            throw new IOException("stopped");
        }
        run.run((int) recordBytes, records, pass -> showProgress(rule, pass));
        return run;
    }

    /**
     * Writes the page and returns its place. A failure is reported and returns null: the figures
     * are worth showing without a picture.
     */
    private Path draw(DemoRun before, DemoRun after) {
        try {
            Path page =
                    plot != null
                            ? plot
                            : DemoPlot.usualPlace(
                                    Path.of("").toAbsolutePath(),
                                    Path.of(System.getProperty("java.io.tmpdir")));
            DemoPlot.write(before, after, page);
            return page.toAbsolutePath();
        } catch (IOException | CliException e) {
            showError("no picture: " + e.getMessage());
            return null;
        }
    }

    private long records() {
        if (recordBytes > Integer.MAX_VALUE / 2) {
            throw wrong("--record: at most 1g");
        }
        if (ORIGINAL.equals(size)) {
            recordBytes = AlotBuf.ORIGINAL_RECORD_BYTES;
            return AlotBuf.ORIGINAL_RECORDS;
        }
        long bytes;
        try {
            bytes = new SizeConverter().convert(size);
        } catch (CommandLine.TypeConversionException e) {
            throw wrong("--size: " + e.getMessage() + ", or 'original'");
        }
        if (bytes < recordBytes) {
            throw wrong("--size: less than one record of " + recordBytes + " bytes");
        }
        return bytes / recordBytes;
    }

    /** Checks the place of the picture before the program runs, which may take long. */
    private void checkPicture() {
        if (!plot.toString().toLowerCase(Locale.ROOT).endsWith(".html")) {
            throw wrong("--plot: " + plot + ": name a file that ends in .html");
        }
        try {
            OutputFile.create(plot).close();
        } catch (IOException e) {
            throw new CliException(plot + ": cannot be written: " + OutputFile.reason(e));
        }
    }

    private void checkPlace(Path parent, long bytes) {
        if (!Files.isDirectory(parent)) {
            throw wrong("--dir: no directory " + parent);
        }
        if (!Files.isWritable(parent)) {
            throw wrong("--dir: " + parent + " is not writable");
        }
        long free;
        try {
            free = Files.getFileStore(parent).getUsableSpace();
        } catch (IOException e) {
            throw wrong("--dir: " + parent + ": " + e.getMessage());
        }
        if (free < bytes) {
            throw wrong(
                    String.format(
                            Locale.ROOT,
                            "--size: %.0f MiB needed, %.0f MiB free in %s; choose a smaller --size"
                                    + " or another --dir",
                            bytes / MIB,
                            free / MIB,
                            parent));
        }
    }

    private CommandLine.ParameterException wrong(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }

    private void show(DemoRun before, DemoRun after, Comparison comparison, Path page)
            throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            Map<String, Object> figures = comparison.figures();
            figures.put("plot", page == null ? null : page.toString());
            out.println(Json.indented().writeValueAsString(figures));
        } else {
            if (report) {
                out.println(before.report());
                out.println(after.report());
            }
            for (String line : comparison.lines()) {
                out.println(line);
            }
            out.println();
            out.println(
                    (report ? "" : "The reports behind it: --report. ")
                            + "Your own program: docs/GettingStarted.md");
            if (page != null) {
                out.println("The picture of both runs: " + SafeText.of(page.toString()));
            }
        }
        out.flush();
    }

    private void showProgress(DemoRun.Rule rule, String pass) {
        if (Terminal.ofProcess().errIsTerminal()) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("mio demo: " + rule.label() + ": " + pass + " done");
            err.flush();
        }
    }

    private void showError(String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("mio demo: " + message);
        err.flush();
    }

    private synchronized void clean() {
        if (!cleaned.compareAndSet(false, true)) {
            return;
        }
        for (DemoRun run : runs) {
            try {
                run.stop();
                if (!keep) {
                    run.deleteFiles();
                }
            } catch (IOException e) {
                showError("left behind: " + e.getMessage());
            }
        }
        try {
            if (program != null) {
                program.close();
            }
        } catch (IOException e) {
            showError("left behind: " + e.getMessage());
        }
        if (keep) {
            showError("kept in " + runDir);
            return;
        }
        try {
            Files.deleteIfExists(runDir);
        } catch (IOException e) {
            showError("left behind: " + e.getMessage());
        }
    }
}
