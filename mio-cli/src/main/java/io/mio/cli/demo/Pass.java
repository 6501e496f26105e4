package io.mio.cli.demo;

import java.util.Locale;

/** One pass of {@link AlotBuf} over the file, and the line it prints about it. */
record Pass(String name, long records, long bytes, long nanos) {
    private static final double MIB = 1024 * 1024;
    private static final double NANOS = 1e9;

    double seconds() {
        return nanos / NANOS;
    }

    double mibPerSecond() {
        return bytes / MIB / Math.max(seconds(), 1 / NANOS);
    }

    String toLine() {
        return String.format(
                Locale.ROOT,
                "%-8s %9d records %14d bytes %13d ns %10.1f MiB/s",
                name,
                records,
                bytes,
                nanos,
                mibPerSecond());
    }

    /** Reads what {@link #toLine} has written; returns null if the line is another one. */
    static Pass ofLine(String line) {
        String[] words = line.trim().split(" +");
        if (words.length != 9 || !"records".equals(words[2]) || !"ns".equals(words[6])) {
            return null;
        }
        return new Pass(
                words[0],
                Long.parseLong(words[1]),
                Long.parseLong(words[3]),
                Long.parseLong(words[5]));
    }
}
