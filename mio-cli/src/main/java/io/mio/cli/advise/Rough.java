package io.mio.cli.advise;

import io.mio.cli.term.Amounts;
import io.mio.stats.TraceSnapshot.Pattern;
import java.util.List;

/** Which rule shapes and times alone speak for: pure. */
final class Rough {
    /** What a cache of such pages takes. */
    private record Pages(String rule, long bytes) {}

    /** The ones that take most memory first. */
    private static final List<Pages> PAGES =
            List.of(
                    new Pages("pf/cache=32m/page=1m/direct", 32 << 20),
                    new Pages("pf/cache=16m/page=256k/direct", 16 << 20),
                    new Pages("pf/cache=8m/page=256k/direct", 8 << 20));

    private static final long SMALL_BYTES = 1 << 20;
    private static final double HALF = 0.5;

    /** What is copied out of memory comes as fast as this, bytes a second. */
    private static final double MEMORY_RATE = 1.5e9;

    /** Of what was written before: slower than this it cannot be in the kernel's memory. */
    private static final double DEVICE_RATE = 0.2e9;

    private static final String JSON = "JSON lines do (mio run --trace --stats NAME.jsonl)";

    private Rough() {}

    /**
     * Null: leave the file alone.
     *
     * @param memoryBytes of a cache, at most
     */
    static String rule(FileProfile files, long runNanos, long memoryBytes) {
        if (!isWorth(files, runNanos) || untold(files, runNanos) != null) {
            return null;
        }
        if (files.share(Pattern.BACKWARD) + files.share(Pattern.STRIDED) > HALF) {
            return Candidates.HINTS;
        }
        return isForPages(files) ? pages(memoryBytes) : null;
    }

    private static boolean isForPages(FileProfile files) {
        return rate(files) < MEMORY_RATE
                && files.share(Pattern.RANDOM) <= HALF
                && !Candidates.isWritten(files);
    }

    private static String pages(long memoryBytes) {
        for (Pages each : PAGES) {
            if (each.bytes() <= memoryBytes) {
                return each.rule();
            }
        }
        return null;
    }

    /** Of its cache. */
    static long memoryBytes(String rule) {
        for (Pages each : PAGES) {
            if (each.rule().equals(rule)) {
                return each.bytes();
            }
        }
        return 0;
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
        return memoryBytes(rule) > 0
                ? "reads in order that come slower than out of memory: pages are read while the"
                        + " program works"
                : "the kernel does not read ahead of such reads by itself, unless it is told";
    }

    /** Why there is no {@link #rule}. */
    static String alone(Group group, long runNanos) {
        FileProfile files = group.sum();
        String untold = untold(files, runNanos);
        if (untold != null) {
            return untold;
        }
        if (!files.timed || runNanos <= 0) {
            return withoutTimes(files);
        }
        if (group.isNamed() && isWorth(files, runNanos) && files.share(Pattern.RANDOM) <= HALF) {
            if (isForPages(files)) {
                return "pages need a cache of "
                        + Amounts.bytes(PAGES.get(PAGES.size() - 1).bytes())
                        + ", more than is left of --memory";
            }
            if (!Candidates.isWritten(files)) {
                return "it comes as fast as out of memory";
            }
            if (rate(files) < DEVICE_RATE) {
                return Words.writtenToo(files);
            }
        }
        return Words.alone(group, runNanos, null, SMALL_BYTES);
    }

    private static String withoutTimes(FileProfile files) {
        if (files.reads + files.writes == 0) {
            return Words.NO_CALLS;
        }
        return files.reads == 0 ? Words.ONLY_WRITTEN : Words.tooLittle(SMALL_BYTES);
    }
}
