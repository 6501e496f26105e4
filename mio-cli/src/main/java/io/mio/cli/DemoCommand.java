package io.mio.cli;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.mio.cli.demo.AlotBuf;
import io.mio.cli.demo.DemoRun;
import io.mio.cli.demo.DemoSummary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mio demo}: the original's example on this machine, with the report explained. */
@Command(
        name = "demo",
        description = {
            "Runs a small program with MIO's trace switched on, and shows what MIO saw.",
            "",
            "The program knows nothing of MIO: it writes a file in records, reads it forward, reads"
                    + " it backward and checks every byte. The report and three lines about it go"
                    + " to standard output. The file is deleted.",
            ""
        },
        mixinStandardHelpOptions = true,
        versionProvider = Main.Version.class,
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  mio demo",
            "  mio demo --size 4g --dir /var/tmp",
            "  mio demo --size original     140000 records of 100k: 14.3 GB",
            "  mio demo --json | jq .passes",
            "",
            "Exit status:",
            "  0  the program ran and every byte was right",
            "  1  the program or MIO failed",
            "  2  wrong arguments, or no place for the file"
        })
final class DemoCommand implements Callable<Integer> {
    private static final String ORIGINAL = "original";

    /** Set by the launcher, which can ask about standard error; the JVM cannot. */
    private static final String TERMINAL_PROPERTY = "mio.cli.terminal";

    private static final double MIB = 1024 * 1024;

    private final AtomicBoolean cleaned = new AtomicBoolean();

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
            description = "Where the file is made. Default: the system's temporary directory")
    Path dir;

    @Option(names = "--keep", description = "Keep the file and the report, and say where they are.")
    boolean keep;

    @Option(names = "--json", description = "Print the figures as JSON instead.")
    boolean json;

    @Override
    public Integer call() throws InterruptedException {
        long records = records();
        Path parent = dir != null ? dir : Path.of(System.getProperty("java.io.tmpdir"));
        checkPlace(parent, records * recordBytes);
        Path runDir;
        try {
            runDir = Files.createTempDirectory(parent, "mio-demo-");
        } catch (IOException e) {
            throw wrong("--dir: no directory can be made in " + parent + ": " + e.getMessage());
        }
        DemoRun run = new DemoRun(runDir);
        // Also when the user presses Ctrl-C: a large file is not left behind.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> clean(run, runDir)));
        try {
            run.run((int) recordBytes, records, this::showProgress);
            show(run);
            return CommandLine.ExitCode.OK;
        } catch (IOException | IllegalArgumentException e) {
            showError(e.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        } finally {
            clean(run, runDir);
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

    private void show(DemoRun run) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        DemoSummary summary = DemoSummary.of(run, memoryBytes());
        if (json) {
            ObjectMapper mapper =
                    JsonMapper.builder()
                            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
                            .enable(SerializationFeature.INDENT_OUTPUT)
                            .build();
            out.println(mapper.writeValueAsString(summary.figures()));
        } else {
            out.print(run.report());
            out.println();
            for (String line : summary.lines()) {
                out.println(line);
            }
        }
        out.flush();
    }

    /** The machine's memory; 0 if it cannot be found out. */
    private static long memoryBytes() {
        try {
            List<String> lines = Files.readAllLines(Path.of("/proc/meminfo"));
            // MemTotal:       24681472 kB
            return Long.parseLong(lines.get(0).replaceAll("[^0-9]", "")) << 10;
        } catch (IOException | RuntimeException e) {
            return 0;
        }
    }

    private void showProgress(String pass) {
        if (Boolean.getBoolean(TERMINAL_PROPERTY)) {
            PrintWriter err = spec.commandLine().getErr();
            err.println("mio demo: " + pass + " done");
            err.flush();
        }
    }

    private void showError(String message) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("mio demo: " + message);
        err.flush();
    }

    private void clean(DemoRun run, Path runDir) {
        if (!cleaned.compareAndSet(false, true)) {
            return;
        }
        if (keep) {
            showError("kept in " + runDir);
            return;
        }
        try {
            run.stop();
            run.deleteFiles();
            Files.deleteIfExists(runDir);
        } catch (IOException e) {
            showError("left behind: " + e.getMessage());
        }
    }
}
