package io.mio.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One pf block of a report: of a file, or of a cache.
 *
 * @param of the file's name as the report gives it, or for example {@code global cache 0}
 * @param pages frames of the cache
 * @param pageBytes bytes per page
 * @param sectorBytes bytes per sector
 * @param notPreread pages not read before they were written
 * @param notPrereadOf the same and those that had to be read after all
 * @param unusedPrefetches pages read ahead that nobody asked for
 * @param prefetches pages read ahead
 * @param distance pages read ahead at a time; 0 in the block of a cache
 * @param writeBehinds asynchronous page writes
 * @param unit of the four amounts, for example {@code bytes}
 * @param programWrites what the layer above wrote
 * @param pageWrites what pf wrote to the layer below
 * @param programReads what the layer above read
 * @param pageReads what pf read from the layer below
 */
public record PfBlock(
        String of,
        long pages,
        long pageBytes,
        long sectorBytes,
        long notPreread,
        long notPrereadOf,
        long unusedPrefetches,
        long prefetches,
        long distance,
        long writeBehinds,
        String unit,
        Transfer programWrites,
        Transfer pageWrites,
        Transfer programReads,
        Transfer pageReads) {
    private static final String TITLE = "pf close for ";
    private static final String CACHE_TITLE = "global cache ";

    /**
     * Data moved one way.
     *
     * @param amount in the unit of the block
     */
    public record Transfer(long amount, long requests) {}

    /** True if the block is of a file, false if it is of a cache. */
    public boolean isOfFile() {
        return !of.startsWith(CACHE_TITLE);
    }

    static boolean isTitle(String line) {
        return line.startsWith(TITLE);
    }

    /** Takes the lines of one block. A line it does not know is passed over. */
    static final class Parser {
        private static final Pattern GEOMETRY =
                Pattern.compile(" *(\\d+) pages of (\\d+) bytes +(\\d+) bytes per sector");
        private static final Pattern NOT_PREREAD =
                Pattern.compile(" *(\\d+)/(\\d+) pages not preread for write");
        private static final Pattern PREFETCHES =
                Pattern.compile(" *(\\d+) unused prefetches out of (\\d+) : prefetch=(\\d+)");
        private static final Pattern WRITE_BEHINDS = Pattern.compile(" *(\\d+) write behinds");
        private static final Pattern UNIT =
                Pattern.compile(" *(\\w+) transferred / Number of requests");
        private static final Pattern WRITTEN =
                Pattern.compile(" *program --> +(\\d+)/(\\d+) +--> pf --> +(\\d+)/(\\d+) +--> .*");
        private static final Pattern READ =
                Pattern.compile(" *program <-- +(\\d+)/(\\d+) +<-- pf <-- +(\\d+)/(\\d+) +<-- .*");

        private final String title;
        private final List<String> lines = new ArrayList<>();

        Parser(String title) {
            this.title = title;
        }

        void take(String line) {
            lines.add(line);
        }

        PfBlock block() {
            Matcher geometry = find(GEOMETRY);
            Matcher notPreread = find(NOT_PREREAD);
            Matcher prefetches = find(PREFETCHES);
            Matcher written = find(WRITTEN);
            Matcher read = find(READ);
            return new PfBlock(
                    title.substring(TITLE.length()),
                    number(geometry, 1),
                    number(geometry, 2),
                    number(geometry, 3),
                    number(notPreread, 1),
                    number(notPreread, 2),
                    number(prefetches, 1),
                    number(prefetches, 2),
                    number(prefetches, 3),
                    number(find(WRITE_BEHINDS), 1),
                    find(UNIT).group(1),
                    transfer(written, 1),
                    transfer(written, 3),
                    transfer(read, 1),
                    transfer(read, 3));
        }

        private Matcher find(Pattern pattern) {
            for (String line : lines) {
                Matcher matcher = pattern.matcher(line);
                if (matcher.matches()) {
                    return matcher;
                }
            }
            throw new IllegalArgumentException(
                    "'" + title + "' has no line of the form '" + pattern + "'");
        }

        private static long number(Matcher matcher, int group) {
            return Long.parseLong(matcher.group(group));
        }

        private static Transfer transfer(Matcher matcher, int group) {
            return new Transfer(number(matcher, group), number(matcher, group + 1));
        }
    }
}
