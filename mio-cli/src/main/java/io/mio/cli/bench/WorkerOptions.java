package io.mio.cli.bench;

import io.mio.cli.bench.BenchOptions.Door;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options of {@code mio bench} that say who measures. */
public final class WorkerOptions {
    private static final int THREADS_MAX = 1024;

    @Option(
            names = {"-t", "--threads"},
            paramLabel = "N",
            defaultValue = "1",
            description = "Workers at the same time, a file of that size for each. Default: 1")
    private int threads;

    @Option(names = "--processes", description = "Workers are processes, not threads of one.")
    private boolean processes;

    @Option(names = "--shared", description = "Workers have a part each of one file.")
    private boolean shared;

    @Option(
            names = "--door",
            paramLabel = "DOOR",
            defaultValue = "jvm",
            description =
                    "Workers in Java (jvm), or in C under the preload library (native). Default:"
                            + " ${DEFAULT-VALUE}")
    private Door door;

    @Option(
            names = "--memory",
            paramLabel = "SIZE",
            description =
                    "Limit memory and page cache of the workers, by a cgroup. A worker in Java"
                            + " needs some 200m beside the caches.")
    private String memory;

    @Option(
            names = "--reports",
            paramLabel = "DIR",
            description = "Keep MIO's reports there, one for each run.")
    private String reports;

    /**
     * Checks that numbers are within their bounds.
     *
     * @throws IllegalArgumentException if not; the message says what they may be
     */
    void check() {
        Checks.check(threads >= 1 && threads <= THREADS_MAX, "-t: 1 to " + THREADS_MAX);
    }

    int threads() {
        return threads;
    }

    boolean processes() {
        return processes;
    }

    boolean shared() {
        return shared;
    }

    Door door() {
        return door;
    }

    /** Returns the limit of memory; 0 for none. */
    long memoryBytes() {
        return memory == null ? 0 : Sizes.size(memory);
    }

    /**
     * Returns where MIO's reports go, which is made where it is missing; null for nowhere.
     *
     * @throws IllegalArgumentException if nothing can be written there
     */
    Path reports() {
        if (reports == null) {
            return null;
        }
        try {
            Path dir = Files.createDirectories(Checks.path("--reports", reports));
            Checks.check(Files.isWritable(dir), "--reports: " + dir + " is not writable");
            return dir;
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "--reports: no directory can be made there: " + e.getMessage(), e);
        }
    }
}
