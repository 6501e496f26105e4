package io.mio.cli.experiment;

import io.mio.cli.bench.BenchOptions;
import io.mio.cli.bench.BenchTest;
import io.mio.cli.bench.Configuration;
import io.mio.cli.bench.FileState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A benchmark that is part of an experiment: the options of {@code mio bench}, with its defaults.
 * Files are cold unless {@link #warm} is called, and that is enforced; configurations take turns.
 */
public final class Measuring {
    /** The defaults are those of {@code mio bench}. */
    private static final long STRIDE = 17;

    private static final int MIX_PERCENT = 70;

    private final List<BenchTest> tests = new ArrayList<>();
    private final List<Long> files = new ArrayList<>();
    private final List<Long> records = new ArrayList<>();
    private final List<Configuration> configurations = new ArrayList<>();
    private boolean flush;
    private boolean close;
    private int threads = 1;
    private boolean processes;
    private boolean shared;
    private boolean direct;
    private long stride = STRIDE;
    private int mixPercent = MIX_PERCENT;
    private boolean verify;
    private boolean warm;
    private int runs;
    private long memoryBytes;
    private Path reports;

    /**
     * Makes a benchmark without tests.
     *
     * @param runs runs of each test
     */
    public Measuring(int runs) {
        this.runs = runs;
    }

    /** Adds tests, in the order in which they run in each program. */
    public Measuring tests(BenchTest... added) {
        tests.addAll(Arrays.asList(added));
        return this;
    }

    /** Adds sizes of each file. */
    public Measuring fileBytes(long... added) {
        Arrays.stream(added).forEach(files::add);
        return this;
    }

    public Measuring recordBytes(long... added) {
        Arrays.stream(added).forEach(records::add);
        return this;
    }

    /**
     * Adds one of the configurations that take turns.
     *
     * @param rule {@code [ layers ]}; empty for none of MIO
     */
    public Measuring configuration(String name, String rule) {
        configurations.add(new Configuration(name, rule));
        return this;
    }

    /** Includes fsync in the time. */
    public Measuring flush() {
        flush = true;
        return this;
    }

    /** Includes close in the time. */
    public Measuring close() {
        close = true;
        return this;
    }

    /**
     * Sets the number of threads that run at the same time, each with a file of its own unless
     * {@link #shared}.
     */
    public Measuring threads(int count) {
        threads = count;
        return this;
    }

    /** Runs so many processes instead of threads. */
    public Measuring processes(int count) {
        threads = count;
        processes = true;
        return this;
    }

    /** Gives all threads one file, a part for each. */
    public Measuring shared() {
        shared = true;
        return this;
    }

    /** Has the program itself ask for direct I/O. */
    public Measuring direct() {
        direct = true;
        return this;
    }

    /** Sets the records from one strided read to the next. */
    public Measuring stride(long count) {
        stride = count;
        return this;
    }

    /** Sets the reads in a hundred calls of the mixed test. */
    public Measuring mixPercent(int reads) {
        mixPercent = reads;
        return this;
    }

    /** Has the content checked, which takes time. */
    public Measuring verify() {
        verify = true;
        return this;
    }

    /** Has all pages in the kernel's page cache before a test, instead of none. */
    public Measuring warm() {
        warm = true;
        return this;
    }

    /** Sets a limit for the programs and their page cache together; 0 for none. */
    public Measuring memoryBytes(long limit) {
        memoryBytes = limit;
        return this;
    }

    /** Keeps MIO's reports in a directory. */
    public Measuring reports(Path dir) {
        reports = dir;
        return this;
    }

    BenchOptions options(BenchOptions.Door door) {
        return new BenchOptions(
                List.copyOf(tests),
                List.copyOf(files),
                List.copyOf(records),
                flush,
                close,
                threads,
                processes,
                shared,
                direct,
                stride,
                1,
                mixPercent,
                verify,
                warm ? FileState.WARM : FileState.COLD,
                runs,
                door,
                List.copyOf(configurations),
                memoryBytes,
                reports);
    }
}
