package io.mio.cli.advise;

import io.mio.stats.TraceSnapshot;
import java.util.ArrayList;
import java.util.List;

/** Chooses the rules that are worth trying for a group of files: pure. */
final class Candidates {
    /** The rule by which the kernel gets hints. */
    static final String HINTS = "pf/auto";

    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    /** Bytes that the kernel reads with the first requests anyway; for less no rule is tried. */
    static final long SMALL_BYTES = 256 << 10;

    /** Number of passes over a file above which it is worth keeping. */
    private static final double AGAIN = 1.3;

    /** Pages that each open file needs for readahead. */
    private static final long PAGES_EACH = 6;

    /** The smallest cache and its pages. */
    private static final long LEAST_BYTES = 8 * MIB;

    private static final long LEAST_PAGE = 256 * KIB;

    private static final double RANDOM_SOME = 0.2;
    private static final double RANDOM_MOST = 0.5;

    private Candidates() {}

    /**
     * The rules to try, as options of a {@code pf} layer, about in the order of the memory they
     * take.
     *
     * @param memoryBytes most memory of a cache
     */
    static List<String> of(FileProfile files, long memoryBytes) {
        List<String> rules = new ArrayList<>();
        if (files.readBytes < SMALL_BYTES || files.isDevice()) {
            return rules;
        }
        rules.add(HINTS);
        if (!areForPages(files)) {
            return rules;
        }
        double random = files.share(TraceSnapshot.Pattern.RANDOM);
        long streams = streams(files);
        add(rules, LEAST_BYTES, LEAST_PAGE, streams, memoryBytes);
        add(rules, 16 * MIB, 256 * KIB, streams, memoryBytes);
        add(rules, 32 * MIB, MIB, streams, memoryBytes);
        add(rules, 64 * MIB, 2 * MIB, streams, memoryBytes);
        if (random > RANDOM_SOME) {
            add(rules, 32 * MIB, 16 * KIB, 1, memoryBytes);
            add(rules, 128 * MIB, 64 * KIB, 1, memoryBytes);
        }
        if (files.passes() > AGAIN) {
            long all = (files.loopBytes() / MIB / 16 + 1) * 16 * MIB;
            add(rules, all, random > RANDOM_MOST ? 64 * KIB : MIB, streams, memoryBytes);
        }
        return rules;
    }

    private static boolean areForPages(FileProfile files) {
        if (files.mmaps > 0 || files.uncached || isWritten(files)) {
            // There would be none, or they would be out of date for a mapping and for other
            // processes, and bytes that were written into them would be lost if the program is
            // killed.
            return false;
        }
        // The next read cannot be predicted, and nothing is read twice.
        return files.share(TraceSnapshot.Pattern.RANDOM) <= RANDOM_MOST || files.passes() > AGAIN;
    }

    /** The smallest cache with pages that would be tried with enough memory, in bytes; or 0. */
    static long leastBytes(FileProfile files) {
        return areForPages(files) ? bytes(LEAST_BYTES, LEAST_PAGE, streams(files)) : 0;
    }

    private static long streams(FileProfile files) {
        return Math.max(1, files.openMost);
    }

    private static long bytes(long cache, long page, long streams) {
        return Math.max(cache, streams * PAGES_EACH * page);
    }

    /**
     * True if the files are written, however little: a single byte that other processes never see
     * is too much.
     */
    static boolean isWritten(FileProfile files) {
        return files.writtenBytes > 0 || files.writtenElsewhere;
    }

    private static void add(
            List<String> rules, long cache, long page, long streams, long memoryBytes) {
        long bytes = bytes(cache, page, streams);
        String rule = "pf/cache=" + size(bytes) + "/page=" + size(page) + "/direct";
        if (bytes <= memoryBytes && !rules.contains(rule)) {
            rules.add(rule);
        }
    }

    private static String size(long bytes) {
        return bytes % MIB == 0 ? bytes / MIB + "m" : bytes / KIB + "k";
    }
}
