package io.mio.cli.advise;

import io.mio.cli.term.Amounts;
import io.mio.stats.TraceSnapshot.Pattern;
import java.util.List;

/** Chooses a rule by the shapes and times of reports alone: pure. */
final class Rough {
    /** A rule with pages, and the memory of its cache. */
    private record Pages(String rule, long bytes) {}

    /** Rules with pages; those that take most memory come first. */
    private static final List<Pages> PAGES =
            List.of(
                    new Pages("pf/cache=32m/page=1m/direct", 32 << 20),
                    new Pages("pf/cache=16m/page=256k/direct", 16 << 20),
                    new Pages("pf/cache=8m/page=256k/direct", 8 << 20));

    private static final long SMALL_BYTES = 1 << 20;
    private static final double HALF = 0.5;

    /** Rate of reads above which bytes come out of the kernel's memory, in bytes per second. */
    private static final double MEMORY_RATE = 1.5e9;

    /**
     * Rate of reads below which bytes that were written before cannot be in the kernel's memory, in
     * bytes per second.
     */
    private static final double DEVICE_RATE = 0.2e9;

    private static final String JSON = "JSON lines do (mio run --trace --stats NAME.jsonl)";

    private Rough() {}

    /**
     * The rule to set, or null: leave the file alone.
     *
     * @param memoryBytes most memory of a cache
     */
    static String rule(FileProfile files, long runNanos, long memoryBytes) {
        if (!isWorth(files, runNanos) || files.isDevice() || untold(files, runNanos) != null) {
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

    /** Memory of the rule's cache, in bytes; 0 for a rule without pages, and for null. */
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

    /** Least time in reads, as the reported time may be off; nanoseconds. */
    private static long surely(FileProfile files) {
        return files.readNanos - files.nanosOff;
    }

    /** Highest rate of the reads, as the reported time may be off; bytes per second. */
    private static double rate(FileProfile files) {
        return files.readBytes * 1e9 / Math.max(1, surely(files));
    }

    /** What the reports lack to tell whether a rule helps, in words; null if they lack nothing. */
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

    /** Why there is no {@link #rule}, in words. */
    static String alone(Group group, long runNanos) {
        FileProfile files = group.sum();
        String untold = untold(files, runNanos);
        if (untold != null) {
            return untold;
        }
        if (!files.timed || runNanos <= 0) {
            return withoutTimes(files);
        }
        boolean isWorth = group.isNamed() && !files.isDevice() && isWorth(files, runNanos);
        if (isWorth && files.share(Pattern.RANDOM) <= HALF) {
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
        return Words.alone(group, runNanos, List.of(), SMALL_BYTES, null);
    }

    private static String withoutTimes(FileProfile files) {
        if (files.reads + files.writes == 0) {
            return Words.NO_CALLS;
        }
        return files.reads == 0 ? Words.ONLY_WRITTEN : Words.tooLittle(SMALL_BYTES);
    }
}
