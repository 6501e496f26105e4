package io.mio.cli.demo;

import io.mio.cli.ClassicReport;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One run of a {@link DemoProgram} with MIO below it, as a user would start it. The file, the
 * report and the events are in a directory made for the demo.
 */
public final class DemoRun {
    private static final String FILE = "demo.dat";

    private static final long STOP_SECONDS = 10;

    /** What MIO does for the program. */
    public enum Rule {
        /** MIO only watches. */
        TRACE("[ trace/stats/kbytes ]"),
        /** MIO watches on both sides of a cache. */
        PF(
                "[ trace/stats/kbytes | pf/cache=100m/page=2m/pref=4/stats/direct"
                        + " | trace/stats/kbytes ]");

        private final String layers;

        Rule(String layers) {
            this.layers = layers;
        }

        /** Returns the layers as in {@code MIO_FILES}, without the pattern of names. */
        String layers() {
            return layers;
        }

        /** Returns the name in file names and messages. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }

        private String reportName() {
            return "demo-" + label() + ".stats";
        }

        private String eventsName() {
            return "demo-" + label() + ".events";
        }
    }

    private final Path dir;
    private final Rule rule;
    private final PageCache pageCache;
    private final DemoProgram program;
    private final List<Pass> passes = new ArrayList<>();
    private Usage usage;
    private long flushNanos;
    private String report = "";

    // Guarded by this, because a shutdown hook calls stop.
    private Process process;
    private MemoryGroup group;
    private boolean stopped;

    /**
     * Prepares a run.
     *
     * @param dir stays as it is, except for the three files of the run
     */
    public DemoRun(Path dir, Rule rule, PageCache pageCache, DemoProgram program) {
        this.dir = dir.toAbsolutePath();
        this.rule = rule;
        this.pageCache = pageCache;
        this.program = program;
    }

    /** Returns all settings, so that the demo shows the same whatever the user has set. */
    private Map<String, String> settings() {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("enabled", "true");
        // In the defaults, so that the rules stay those of the documents.
        settings.put("defaults", "trace/events=" + rule.eventsName());
        // The rule applies to the run's file only.
        settings.put("files", FILE + " " + rule.layers());
        settings.put("stats", rule.reportName());
        settings.put("debug", "OPEN MODULES TIMESTAMP");
        return settings;
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
        Map<String, String> settings = settings();
        List<String> command = new ArrayList<>(program.command(settings, recordBytes));
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
        builder.environment().keySet().removeIf(name -> name.startsWith("MIO_"));
        program.prepare(settings, builder.environment());
        process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        return process;
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
     * Returns the run in figures, after {@link #run}.
     *
     * @throws IOException if a figure is missing
     */
    public RunFigures figures() throws IOException {
        return new RunFigures(
                rule.label(),
                rule.layers(),
                passes,
                usage,
                pageCache.isDropping() ? flushNanos : 0,
                ClassicReport.parse(report));
    }

    /** Returns the report's text as MIO wrote it, after {@link #run}. */
    public String report() {
        return report;
    }

    /**
     * Returns the file with every call of the run and what became of the cache's pages, after
     * {@link #run}.
     */
    public Path events() {
        return dir.resolve(rule.eventsName());
    }

    /** Removes the file that was written and read, if it exists. */
    public void deleteFile() throws IOException {
        Files.deleteIfExists(dir.resolve(FILE));
    }

    /** Removes the three files of the run, as far as they exist. */
    public void deleteFiles() throws IOException {
        deleteFile();
        Files.deleteIfExists(dir.resolve(rule.reportName()));
        Files.deleteIfExists(events());
    }
}
