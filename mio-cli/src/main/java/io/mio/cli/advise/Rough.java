package io.mio.cli.advise;

import io.mio.cli.term.Amounts;
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

    private static final String JSON = "JSON lines do (mio run --trace --stats NAME.jsonl)";

    private Rough() {}

    /** Null: leave the file alone. */
    static String rule(FileProfile files, long runNanos) {
        if (!isWorth(files, runNanos) || untold(files, runNanos) != null) {
            return null;
        }
        if (files.share(Pattern.BACKWARD) + files.share(Pattern.STRIDED) > HALF) {
            return Candidates.HINTS;
        }
        boolean inOrder = files.share(Pattern.RANDOM) <= HALF;
        boolean slow = rate(files) < MEMORY_RATE;
        return slow && inOrder && !Candidates.isWritten(files) ? PAGES : null;
    }

    private static boolean isWorth(FileProfile files, long runNanos) {
        return files.readBytes >= SMALL_BYTES && surely(files) >= Choice.GAIN_MIN * runNanos;
    }

    /** Time in reads, at least. */
    private static long surely(FileProfile files) {
        return files.readNanos - files.nanosOff;
    }

    /** At most. */
    private static double rate(FileProfile files) {
        return files.readBytes * 1e9 / Math.max(1, surely(files));
    }

    /** What the reports lack to tell whether a rule helps; null: nothing. */
    static String untold(FileProfile files, long runNanos) {
        if (!files.counted) {
            return "the report does not tell how much is read and written";
        }
        if (files.readBytes < SMALL_BYTES) {
            return null;
        }
        if (!files.timed) {
            return "the report does not tell how long its calls take: a trace next to the program"
                    + " does (mio run --trace)";
        }
        if (runNanos <= 0) {
            return "the report does not tell how long the program ran";
        }
        if (files.readNanos + files.nanosOff < Choice.GAIN_MIN * runNanos) {
            return null;
        }
        if (surely(files) < Choice.GAIN_MIN * runNanos) {
            return "the report tells the time of an open in hundredths of a second: too coarse; "
                    + JSON;
        }
        return files.patterned
                ? null
                : "the report does not tell in which order it is read; " + JSON;
    }

    static String why(String rule) {
        return rule.equals(PAGES)
                ? "reads in order that come slower than out of memory: pages are read while the"
                        + " program works"
                : "the kernel does not read ahead of such reads by itself, unless it is told";
    }

    static String alone(FileProfile files, long runNanos) {
        String untold = untold(files, runNanos);
        if (untold != null) {
            return untold;
        }
        if (!files.timed || runNanos <= 0) {
            return withoutTimes(files);
        }
        if (isWorth(files, runNanos) && files.share(Pattern.RANDOM) <= HALF) {
            if (files.writtenBytes == 0) {
                return "it comes as fast as out of memory";
            }
            if (rate(files) < DEVICE_RATE) {
                return "it is written, too: whether pages help then, single calls tell";
            }
        }
        return Words.alone(files, runNanos, null);
    }

    private static String withoutTimes(FileProfile files) {
        if (files.reads + files.writes == 0) {
            return Words.NO_CALLS;
        }
        return files.reads == 0
                ? Words.ONLY_WRITTEN
                : "less than " + Amounts.bytes(SMALL_BYTES) + " is read: nothing to gain";
    }
}
