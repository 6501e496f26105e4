package io.mio.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** Options of {@code mio bench} that say what is measured. */
public final class TestOptions {
    private static final int RUNS_MAX = 1000;

    @Option(
            names = {"-i", "--tests"},
            paramLabel = "TEST",
            description =
                    "What to measure, with commas: write, rewrite (IOzone's 0), read, reread (1),"
                            + " random-read, random-write (2), backward (3), record-rewrite (4),"
                            + " strided (5), mixed (8). Default: all of these; by name only:"
                            + " solver, interleaved, nested, zipf, loop")
    private List<String> tests = new ArrayList<>();

    @Option(
            names = {"-r", "--record"},
            paramLabel = "SIZES",
            description =
                    "Bytes per read and write: 4k, or 4k,64k,1m, or 1k..8m (doubling). 1b is one"
                            + " byte. Default: 4k")
    private List<String> records = new ArrayList<>();

    @Option(
            names = {"-s", "--size"},
            paramLabel = "SIZES",
            description = "Sizes of the file, likewise. Default: 64m, or as large as it is with -f")
    private List<String> sizes = new ArrayList<>();

    @Option(
            names = {"-a", "--auto"},
            description =
                    "IOzone's: records of 4k to 16m (-y LEAST, -q MOST), files of 64k to 512m (-n"
                            + " LEAST, -g MOST), all doubling.")
    private boolean auto;

    @Option(names = "-y", paramLabel = "SIZE", hidden = true)
    private String recordLeast;

    @Option(names = "-q", paramLabel = "SIZE", hidden = true)
    private String recordMost;

    @Option(names = "-n", paramLabel = "SIZE", hidden = true)
    private String sizeLeast;

    @Option(names = "-g", paramLabel = "SIZE", hidden = true)
    private String sizeMost;

    @Option(
            names = {"-e", "--flush"},
            description = "The time includes fsync.")
    private boolean flush;

    @Option(
            names = {"-c", "--close"},
            description = "The time includes close. What pf keeps is written then at the latest.")
    private boolean close;

    @Option(
            names = {"-I", "--direct"},
            description = "The workers ask for direct I/O.")
    private boolean direct;

    @Option(
            names = {"-j", "--stride"},
            paramLabel = "N",
            defaultValue = "17",
            description = "Records from one strided read to the next. Default: ${DEFAULT-VALUE}")
    private long stride;

    @Option(
            names = "--mix",
            paramLabel = "PERCENT",
            defaultValue = "70",
            description = "Reads among the calls of mixed. Default: ${DEFAULT-VALUE}")
    private int mixPercent;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Of random orders and contents. Default: ${DEFAULT-VALUE}")
    private long seed;

    @Option(
            names = "--verify",
            description = "Check every byte that is read, and all that was written. Takes time.")
    private boolean verify;

    @Option(names = "--cold", description = "No page of the file in memory. The default.")
    private boolean cold;

    @Option(names = "--warm", description = "All pages of the file in memory.")
    private boolean warm;

    @Option(
            names = "--twice",
            description =
                    "No page of the file in memory, and each test twice, the second time with what"
                            + " the first has left there; figures are of both.")
    private boolean twice;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often each test is run. Default: ${DEFAULT-VALUE}")
    private int runs;

    /**
     * Checks that numbers are within their bounds.
     *
     * @throws IllegalArgumentException if not; the message says what they may be
     */
    void check() {
        Checks.check(runs >= 1 && runs <= RUNS_MAX, "--runs: 1 to " + RUNS_MAX);
        Checks.check(mixPercent >= 0 && mixPercent <= 100, "--mix: 0 to 100");
        Checks.check(stride >= 1, "-j: at least 1");
        Checks.check(seed >= 0, "--seed: not negative");
        Checks.check(
                Stream.of(cold, warm, twice).filter(given -> given).count() <= 1,
                "--cold, --warm and --twice exclude each other");
        Checks.check(
                !(direct && warm),
                "-I and --warm exclude each other: direct I/O reads past the pages in memory");
    }

    List<BenchTest> tests() {
        return Tests.list(tests);
    }

    /** Returns the sizes of files; empty if none are given. */
    List<Long> fileBytes() {
        return sizes(sizes, "-s", sizeLeast, sizeMost, "64k", "512m");
    }

    /** Returns the sizes of records. */
    List<Long> recordBytes() {
        List<Long> list = sizes(records, "-r", recordLeast, recordMost, "4k", "16m");
        return list.isEmpty() ? Sizes.list("4k") : list;
    }

    /**
     * Returns the given sizes, or those of a range if {@code -a} or one of its ends is given; an
     * end that is not given is that of IOzone with {@code -a}. Without any of these the list is
     * empty.
     */
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

    boolean flush() {
        return flush;
    }

    boolean close() {
        return close;
    }

    boolean direct() {
        return direct;
    }

    long stride() {
        return stride;
    }

    int mixPercent() {
        return mixPercent;
    }

    long seed() {
        return seed;
    }

    boolean verify() {
        return verify;
    }

    FileState state() {
        return warm ? FileState.WARM : twice ? FileState.TWICE : FileState.COLD;
    }

    int runs() {
        return runs;
    }
}
