package io.mio.cli.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What is measured and how.
 *
 * @param tests the tests, in the order in which they run
 * @param fileBytes sizes of each file; empty: as large as the files that exist, else 64 MiB
 * @param recordBytes sizes of records
 * @param flush whether the time includes a flush
 * @param close whether the time includes the close
 * @param threads workers; each has a file of its own unless {@code shared}
 * @param processes whether workers are processes, not threads of one
 * @param shared whether workers have parts of one file
 * @param direct whether programs ask for direct I/O
 * @param stride records between two reads of the strided test
 * @param mixPercent reads of the mixed test, in percent
 * @param verify whether content is checked
 * @param state state of the files before each test
 * @param runs runs of each test
 * @param door how MIO gets below the workers, and which twin they are
 * @param memoryBytes memory for a worker and its page cache; 0: no limit
 * @param reports directory for MIO's reports; null: none are kept
 */
public record BenchOptions(
        List<BenchTest> tests,
        List<Long> fileBytes,
        List<Long> recordBytes,
        boolean flush,
        boolean close,
        int threads,
        boolean processes,
        boolean shared,
        boolean direct,
        long stride,
        long seed,
        int mixPercent,
        boolean verify,
        FileState state,
        int runs,
        Door door,
        List<Configuration> configurations,
        long memoryBytes,
        Path reports) {
    /** How MIO gets below a worker. */
    public enum Door {
        JVM,
        NATIVE;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Returns the options of the command line.
     *
     * @throws IllegalArgumentException if something is wrong; the message says what to do
     */
    public static BenchOptions of(
            TestOptions test,
            WorkerOptions workers,
            StackOptions stacks,
            FileOptions place,
            ReportOptions form) {
        workers.check();
        test.check();
        place.check(workers.threads(), workers.shared());
        form.check();
        return new BenchOptions(
                test.tests(),
                test.fileBytes(),
                test.recordBytes(),
                test.flush(),
                test.close(),
                workers.threads(),
                workers.processes(),
                workers.shared(),
                test.direct(),
                test.stride(),
                test.seed(),
                test.mixPercent(),
                test.verify(),
                test.state(),
                test.runs(),
                workers.door(),
                stacks.configurations(),
                workers.memoryBytes(),
                workers.reports());
    }

    /**
     * Returns all files, of which the user has named one or all; none if the user has named none.
     */
    public List<Path> paths(List<Path> names) {
        return names.isEmpty() ? List.of() : BenchFiles.paths(names, files());
    }

    /** Returns the number of files. */
    int files() {
        return shared ? 1 : threads;
    }

    boolean isWriting() {
        return tests.stream().anyMatch(BenchTest::isWriting);
    }

    /** Returns whether there is a spread: a single run has none. */
    boolean isRepeated() {
        return runs > 1;
    }

    /** Returns whether all of the files is in memory before each test. */
    boolean warm() {
        return state == FileState.WARM;
    }
}
