package io.mio.cli.demo;

import io.mio.cli.ClassicReport;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One run of {@link AlotBuf} in a JVM of its own whose default file system provider is MIO, as a
 * user would start it. The file and the report are in a directory made for the demo.
 */
public final class DemoRun {
    private static final String FILE = "demo.dat";

    private static final long MIB = 1024 * 1024;

    /** Heap of the program: it needs little, and a cgroup is small. */
    private static final long HEAP_MIB = 64;

    /** Memory outside the heap: pf's cache and some room; the program's two records on top. */
    private static final long DIRECT_MIB = 192;

    private static final long STOP_SECONDS = 10;

    /** What MIO does for the program. */
    public enum Rule {
        /** Watches only. */
        TRACE("[ trace/stats/kbytes ]"),
        /** Watches on both sides of the cache. */
        PF(
                "[ trace/stats/kbytes | pf/cache=100m/page=2m/pref=4/stats/direct"
                        + " | trace/stats/kbytes ]");

        private final String layers;

        Rule(String layers) {
            this.layers = layers;
        }

        /** As in {@code MIO_FILES}, without the pattern of names. */
        String layers() {
            return layers;
        }

        /** In file names and messages. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        private String reportName() {
            return "demo-" + label() + ".stats";
        }
    }

    private final Path dir;
    private final Rule rule;
    private final PageCache pageCache;
    private final List<Pass> passes = new ArrayList<>();
    private Usage usage;
    private long flushNanos;
    private String report = "";

    // Guarded by this, because a shutdown hook asks.
    private Process process;
    private MemoryGroup group;
    private boolean stopped;

    /**
     * @param dir stays as it is, except for the two files of the run
     */
    public DemoRun(Path dir, Rule rule, PageCache pageCache) {
        this.dir = dir.toAbsolutePath();
        this.rule = rule;
        this.pageCache = pageCache;
    }

    /** The switches that put MIO below an unchanged program; the rule fits the run's file only. */
    private List<String> switches(int recordBytes) {
        return List.of(
                "-Xmx" + HEAP_MIB + "m",
                "-XX:MaxDirectMemorySize=" + (DIRECT_MIB * MIB + 2L * recordBytes),
                // Which one the JVM takes depends on memory and processors.
                "-XX:+UseSerialGC",
                "-Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider",
                // Not the user's own settings: the demo shows one thing.
                "-Dmio.enabled=true",
                "-Dmio.defaults=",
                "-Dmio.files=" + FILE + " " + rule.layers(),
                "-Dmio.stats=" + rule.reportName(),
                "-Dmio.debug=OPEN MODULES TIMESTAMP");
    }

    /**
     * Runs the program to its end; its standard error is this process's.
     *
     * @param progress gets the name of each pass when it has ended
     * @throws IOException if it does not start, does not end with status 0, or leaves no report
     */
    public void run(int recordBytes, long records, Consumer<String> progress)
            throws IOException, InterruptedException {
        Process running = start(recordBytes, records);
        try (BufferedReader lines = running.inputReader(StandardCharsets.UTF_8);
                Writer go = running.outputWriter(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Pass pass = Pass.ofLine(line);
                if (pass != null) {
                    passes.add(pass);
                    progress.accept(pass.name());
                } else if (AlotBuf.PAUSED.equals(line)) {
                    long start = System.nanoTime();
                    pageCache.drop(dir.resolve(FILE));
                    flushNanos += System.nanoTime() - start;
                    go.write('\n');
                    go.flush();
                } else if (usage == null) {
                    usage = Usage.ofLine(line);
                }
            }
            int status = running.waitFor();
            if (status != 0) {
                throw new IOException("the program ended with status " + status);
            }
        } finally {
            stop();
        }
        try {
            report = Files.readString(dir.resolve(rule.reportName()));
        } catch (NoSuchFileException e) {
            throw new IOException("the program ran, but MIO left no report " + e.getFile(), e);
        }
    }

    private synchronized Process start(int recordBytes, long records)
            throws IOException, InterruptedException {
        if (stopped) {
            throw new IOException("stopped before it was started");
        }
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(switches(recordBytes));
        command.add("-cp");
        command.add(absoluteClassPath());
        command.add(AlotBuf.class.getName());
        command.add(FILE);
        command.add(Integer.toString(recordBytes));
        command.add(Long.toString(records));
        if (pageCache.isDropping()) {
            command.add(AlotBuf.PAUSE);
        }
        group = pageCache.openGroup();
        ProcessBuilder builder =
                new ProcessBuilder(group == null ? command : group.wrap(command))
                        .directory(dir.toFile());
        // The demo shows the same whatever the user has set for other programs.
        builder.environment().keySet().removeIf(name -> name.startsWith("MIO_"));
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        return process;
    }

    /** The run has another working directory than this process. */
    private static String absoluteClassPath() {
        StringBuilder classPath = new StringBuilder();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            if (!entry.isEmpty()) {
                classPath.append(classPath.isEmpty() ? "" : File.pathSeparator);
                classPath.append(new File(entry).getAbsolutePath());
            }
        }
        return classPath.toString();
    }

    /**
     * Ends the program, if it runs, and waits for its end; no program is started afterwards. May be
     * called from any thread, and more than once.
     *
     * @throws IOException if the run's cgroup cannot be removed
     */
    public synchronized void stop() throws IOException {
        stopped = true;
        if (process != null) {
            process.destroy();
            if (!ended()) {
                process.destroyForcibly();
                ended();
            }
            process = null;
        }
        if (group != null) {
            MemoryGroup closing = group;
            group = null;
            closing.close();
        }
    }

    private boolean ended() {
        try {
            return process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * The run in figures, after {@link #run}.
     *
     * @throws IOException if something is missing in them
     */
    RunFigures figures() throws IOException {
        return new RunFigures(
                rule.label(),
                rule.layers(),
                passes,
                usage,
                pageCache.isDropping() ? flushNanos : 0,
                ClassicReport.parse(report));
    }

    /** The report's text as MIO wrote it, after {@link #run}. */
    public String report() {
        return report;
    }

    /** Removes the file that was written and read, if it exists. */
    public void deleteFile() throws IOException {
        Files.deleteIfExists(dir.resolve(FILE));
    }

    /** Removes the two files of the run, as far as they exist. */
    public void deleteFiles() throws IOException {
        deleteFile();
        Files.deleteIfExists(dir.resolve(rule.reportName()));
    }
}
