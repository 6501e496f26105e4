package io.mio.cli.demo;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a run of {@link AlotBuf} cost its process, and the line it prints about it at its end.
 *
 * @param elapsedNanos from before the open to after the close, without the pauses
 * @param cpuNanos user and system time of all threads; 0 if not known
 * @param readCalls system calls that read, of any file; 0 if not known
 * @param writeCalls system calls that wrote, of any file; 0 if not known
 * @param deviceReadBytes what the kernel fetched from storage for the process; 0 if not known
 */
record Usage(
        long elapsedNanos, long cpuNanos, long readCalls, long writeCalls, long deviceReadBytes) {
    private static final String LINE =
            "elapsed %d ns, cpu %d ns, calls %d read %d write, device %d bytes";
    private static final Pattern PATTERN = Pattern.compile(LINE.replace("%d", "(\\d+)"));
    private static final double NANOS = 1e9;

    double elapsedSeconds() {
        return elapsedNanos / NANOS;
    }

    double cpuSeconds() {
        return cpuNanos / NANOS;
    }

    /**
     * Returns what this process has cost since it began.
     *
     * @param elapsedNanos as the caller has measured it
     */
    static Usage now(long elapsedNanos) {
        String io = "";
        // java.io does not go through the file system provider that is measured.
        try (InputStream in = new FileInputStream("/proc/self/io")) {
            io = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        } catch (IOException e) {
            // A kernel may be built without this file: the figures are not known then.
        }
        return new Usage(
                elapsedNanos,
                ProcessHandle.current().info().totalCpuDuration().map(Duration::toNanos).orElse(0L),
                number(io, "syscr"),
                number(io, "syscw"),
                number(io, "read_bytes"));
    }

    /** Returns a figure of {@code /proc/self/io}, whose lines are a name, a colon and a number. */
    static long number(String io, String name) {
        Matcher matcher = Pattern.compile("(?m)^" + name + ": (\\d+)$").matcher(io);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : 0;
    }

    /** Returns the usage since an earlier one; the elapsed time is kept. */
    Usage since(Usage before) {
        return new Usage(
                elapsedNanos,
                cpuNanos - before.cpuNanos,
                readCalls - before.readCalls,
                writeCalls - before.writeCalls,
                deviceReadBytes - before.deviceReadBytes);
    }

    String toLine() {
        return String.format(
                Locale.ROOT, LINE, elapsedNanos, cpuNanos, readCalls, writeCalls, deviceReadBytes);
    }

    /** Reads what {@link #toLine} has written; returns null if the line is another one. */
    static Usage ofLine(String line) {
        Matcher matcher = PATTERN.matcher(line);
        if (!matcher.matches()) {
            return null;
        }
        return new Usage(
                Long.parseLong(matcher.group(1)),
                Long.parseLong(matcher.group(2)),
                Long.parseLong(matcher.group(3)),
                Long.parseLong(matcher.group(4)),
                Long.parseLong(matcher.group(5)));
    }
}
