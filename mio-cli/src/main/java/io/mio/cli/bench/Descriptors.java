package io.mio.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Whether a benchmark may have as many files open as it needs. */
final class Descriptors {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern SOFT = Pattern.compile("(?m)^Max open files +(\\d+)");

    /** Of a JVM, MIO and the terminal. */
    private static final int OTHERS = 100;

    /** From and to a worker. */
    private static final int PIPES = 3;

    private Descriptors() {}

    /** What a process may have open; no limit if nobody tells. */
    static long limit() {
        try {
            // Children inherit it.
            Matcher soft = SOFT.matcher(Files.readString(LIMITS));
            return soft.find() ? Long.parseLong(soft.group(1)) : Long.MAX_VALUE;
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /**
     * Looks whether that is enough, here and in each worker.
     *
     * @throws IllegalArgumentException if not
     */
    static void check(BenchOptions options, long limit) {
        int workers = options.processes() ? options.threads() : 1;
        int here = OTHERS + options.files() + PIPES * workers;
        int there = OTHERS + options.threads() / workers;
        Checks.check(
                Math.max(here, there) <= limit,
                "-t "
                        + options.threads()
                        + ": takes "
                        + Math.max(here, there)
                        + " open files, of which "
                        + limit
                        + " are allowed; take fewer, or raise ulimit -n");
    }
}
