package io.mio.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks that a benchmark may have as many files open as it needs. */
final class Descriptors {
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern SOFT = Pattern.compile("(?m)^Max open files +(\\d+)");

    /** Descriptors of a JVM, MIO and the terminal. */
    private static final int OTHERS = 100;

    /** Descriptors of the pipes from and to a worker. */
    private static final int PIPES = 3;

    private Descriptors() {}

    /** Returns how many files a process may have open; the largest number if that is not known. */
    static long limit() {
        try {
            // Workers inherit the limit.
            Matcher soft = SOFT.matcher(Files.readString(LIMITS));
            return soft.find() ? Long.parseLong(soft.group(1)) : Long.MAX_VALUE;
        } catch (IOException e) {
            return Long.MAX_VALUE;
        }
    }

    /**
     * Checks that the limit is enough, here and in each worker.
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
