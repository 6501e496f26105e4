package io.mio.cli.advise;

import io.mio.stats.TraceSnapshot.Pattern;

/** Which rule shapes and times alone speak for: pure. */
final class Rough {
    static final String PAGES = "pf/cache=32m/page=1m/direct";
    static final long PAGES_BYTES = 32 << 20;

    private static final long SMALL_BYTES = 1 << 20;
    private static final double HALF = 0.5;

    /** What is copied out of memory comes as fast as this, bytes a second. */
    private static final double MEMORY_RATE = 1.5e9;

    /** Of what was written before: slower than this it cannot be in the kernel's memory. */
    private static final double DEVICE_RATE = 0.2e9;

    private Rough() {}

    /** Null: leave the file alone. */
    static String rule(FileProfile files, long runNanos) {
        boolean worth = files.readNanos >= Choice.GAIN_MIN * runNanos;
        if (!worth || files.readBytes < SMALL_BYTES) {
            return null;
        }
        if (files.share(Pattern.BACKWARD) + files.share(Pattern.STRIDED) > HALF) {
            return Candidates.HINTS;
        }
        double rate = files.readBytes * 1e9 / files.readNanos;
        boolean random = files.share(Pattern.RANDOM) > HALF;
        double slow = files.writtenBytes == 0 ? MEMORY_RATE : DEVICE_RATE;
        return rate < slow && !random ? PAGES : null;
    }

    static String why(String rule) {
        return rule.equals(PAGES)
                ? "reads in order that come slower than out of memory: pages are read while the"
                        + " program works"
                : "the kernel does not read ahead of such reads by itself, unless it is told";
    }

    static String alone(FileProfile files, long runNanos) {
        if (files.readNanos >= Choice.GAIN_MIN * runNanos
                && files.share(Pattern.RANDOM) <= HALF
                && files.writtenBytes == 0
                && files.readBytes >= SMALL_BYTES) {
            return "it comes as fast as out of memory";
        }
        return Words.alone(files, runNanos, null);
    }
}
