package io.mio.cli.demo;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * One run of {@link AlotBuf} in a JVM of its own whose default file system provider is MIO, as a
 * user would start it. The file and the report are in a directory made for the run.
 */
public final class DemoRun {
    private static final String FILE = "demo.dat";
    private static final String REPORT = "demo.stats";

    private final Path dir;
    private final List<Pass> passes = new ArrayList<>();
    private String report = "";
    private volatile Process process;

    /**
     * @param dir an empty directory; stays as it is, except for the two files of the run
     */
    public DemoRun(Path dir) {
        this.dir = dir.toAbsolutePath();
    }

    /** The switches that put MIO below an unchanged program; the rule fits the run's file only. */
    static List<String> switches() {
        return List.of(
                "-Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider",
                // Not the user's own settings: the demo shows one thing.
                "-Dmio.enabled=true",
                "-Dmio.defaults=",
                "-Dmio.files=" + FILE + " [ trace/stats/kbytes ]",
                "-Dmio.stats=" + REPORT,
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
        process = start(recordBytes, records);
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                Pass pass = Pass.ofLine(line);
                if (pass != null) {
                    passes.add(pass);
                    progress.accept(pass.name());
                }
            }
            int status = process.waitFor();
            if (status != 0) {
                throw new IOException("the program ended with status " + status);
            }
        } finally {
            stop();
        }
        try {
            report = Files.readString(dir.resolve(REPORT));
        } catch (NoSuchFileException e) {
            throw new IOException("the program ran, but MIO left no report " + e.getFile(), e);
        }
    }

    private Process start(int recordBytes, long records) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(switches());
        command.add("-cp");
        command.add(absoluteClassPath());
        command.add(AlotBuf.class.getName());
        command.add(FILE);
        command.add(Integer.toString(recordBytes));
        command.add(Long.toString(records));
        ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile());
        // The demo shows the same whatever the user has set for other programs.
        builder.environment().keySet().removeIf(name -> name.startsWith("MIO_"));
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
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

    /** Ends the program, if it runs. May be called from any thread. */
    public void stop() {
        Process running = process;
        if (running != null) {
            running.destroy();
        }
    }

    /** The passes in their order, after {@link #run}. */
    List<Pass> passes() {
        return passes;
    }

    /** The report's text as MIO wrote it, after {@link #run}. */
    public String report() {
        return report;
    }

    /** Removes the two files of the run, as far as they exist. */
    public void deleteFiles() throws IOException {
        Files.deleteIfExists(dir.resolve(FILE));
        Files.deleteIfExists(dir.resolve(REPORT));
    }
}
