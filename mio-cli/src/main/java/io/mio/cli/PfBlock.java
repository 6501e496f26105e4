package io.mio.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One pf block of a report: of a file, or of a cache.
 *
 * @param event {@code close}, {@code exit} or {@code inter}
 * @param tag text before every line; empty for none
 * @param of the file's name as the report gives it, or for example {@code global cache 0}
 * @param pages frames of the cache
 * @param pageBytes bytes per page
 * @param sectorBytes bytes per sector
 * @param notPreread pages not read before they were written
 * @param notPrereadOf these pages and those that had to be read after all
 * @param unusedPrefetches pages read ahead that nobody asked for
 * @param prefetches pages read ahead
 * @param distance pages read ahead at a time; 0 in the block of a cache
 * @param writeBehinds asynchronous page writes
 * @param forcedSyncs pages written and read at once because a write covered only parts of sectors
 * @param retainedPages pages kept over the close
 * @param unit of the four amounts, for example {@code bytes}
 * @param programWrites what the layer above wrote
 * @param pageWrites what pf wrote to the layer below
 * @param programReads what the layer above read
 * @param pageReads what pf read from the layer below
 * @param last name of the last layer
 * @param plan how the reads of the file went by a plan; null if there is nothing on it
 */
public record PfBlock(
        String event,
        String tag,
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
        long forcedSyncs,
        long retainedPages,
        String unit,
        Transfer programWrites,
        Transfer pageWrites,
        Transfer programReads,
        Transfer pageReads,
        String last,
        PlanBlock plan) {
    private static final Pattern CACHE = Pattern.compile("global cache \\d+|private cache");

    /**
     * Data moved in one direction.
     *
     * @param amount in the unit of the block
     */
    public record Transfer(long amount, long requests) {}

    /** Returns true if the block is of a file, false if it is of a cache. */
    public boolean isOfFile() {
        return !CACHE.matcher(of).matches();
    }

    /** Takes the lines of one block. Unknown lines are skipped. */
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
        private static final Pattern FORCED_SYNCS =
                Pattern.compile(" *(\\d+) page syncs forced by ill formed writes");
        private static final Pattern RETAINED =
                Pattern.compile(" *(\\d+) pages retained over close");
        private static final Pattern WRITTEN =
                Pattern.compile(
                        " *program --> +(\\d+)/(\\d+) +--> pf --> +(\\d+)/(\\d+) +--> (.*)");
        private static final Pattern READ =
                Pattern.compile(" *program <-- +(\\d+)/(\\d+) +<-- pf <-- +(\\d+)/(\\d+) +<-- .*");

        private static final Pattern PLAN =
                Pattern.compile(
                        " *(\\d+)/(\\d+) requests by the plan : place=(\\d+)/(\\d+) left=(\\d+)");
        private static final Pattern PLAN_LEFT = Pattern.compile(" *plan left : (.*)");
        private static final Pattern NO_PLAN = Pattern.compile(" *no plan : (.*)");

        private static final Pattern COUNT =
                Pattern.compile(
                        "\\d+ (write behinds|page syncs forced by .*|pages retained over close)");

        /**
         * Most lines kept of one block: a block has twelve at most, so that more belong to other
         * text.
         */
        private static final int LINES_MAX = 100;

        private final String tag;
        private final String event;
        private final String of;
        private final List<String> lines = new ArrayList<>();

        Parser(String tag, String event, String of) {
            this.tag = tag;
            this.event = event;
            this.of = of;
        }

        /** Returns true if the line is the first one after a title that has this tag. */
        static boolean begins(String tag, String line) {
            return line.startsWith(tag) && GEOMETRY.matcher(line.substring(tag.length())).matches();
        }

        /**
         * Returns true if the line belongs to this block: it is indented, or a count fills its
         * column.
         */
        boolean isOwn(String line) {
            return line.startsWith(tag)
                    && lines.size() < LINES_MAX
                    && (line.startsWith(" ", tag.length())
                            || COUNT.matcher(line.substring(tag.length())).matches());
        }

        void take(String line) {
            lines.add(line.substring(tag.length()));
        }

        /**
         * Returns the block.
         *
         * @throws IllegalArgumentException if a line is missing, or a number too large
         */
        PfBlock block() {
            Matcher geometry = find(GEOMETRY);
            Matcher notPreread = find(NOT_PREREAD);
            Matcher prefetches = find(PREFETCHES);
            Matcher written = find(WRITTEN);
            Matcher read = find(READ);
            return new PfBlock(
                    event,
                    tag,
                    of,
                    number(geometry, 1),
                    number(geometry, 2),
                    number(geometry, 3),
                    number(notPreread, 1),
                    number(notPreread, 2),
                    number(prefetches, 1),
                    number(prefetches, 2),
                    number(prefetches, 3),
                    number(find(WRITE_BEHINDS), 1),
                    numberIfThere(FORCED_SYNCS),
                    numberIfThere(RETAINED),
                    find(UNIT).group(1),
                    transfer(written, 1),
                    transfer(written, 3),
                    transfer(read, 1),
                    transfer(read, 3),
                    written.group(5),
                    plan());
        }

        private PlanBlock plan() {
            Matcher none = findIfThere(NO_PLAN);
            Matcher plan = findIfThere(PLAN);
            if (none != null || plan == null) {
                return none == null ? null : PlanBlock.none(none.group(1));
            }
            Matcher left = findIfThere(PLAN_LEFT);
            return new PlanBlock(
                    left == null ? PlanBlock.FOLLOWED : PlanBlock.LEFT,
                    left == null ? "" : left.group(1),
                    number(plan, 4),
                    number(plan, 3),
                    number(plan, 2),
                    number(plan, 1),
                    number(plan, 5));
        }

        private Matcher find(Pattern pattern) {
            Matcher matcher = findIfThere(pattern);
            if (matcher == null) {
                throw new IllegalArgumentException(
                        "'pf "
                                + event
                                + " for "
                                + of
                                + "' has no line of the form '"
                                + pattern
                                + "'");
            }
            return matcher;
        }

        private Matcher findIfThere(Pattern pattern) {
            for (String line : lines) {
                Matcher matcher = pattern.matcher(line);
                if (matcher.matches()) {
                    return matcher;
                }
            }
            return null;
        }

        private long numberIfThere(Pattern pattern) {
            Matcher matcher = findIfThere(pattern);
            return matcher == null ? 0 : number(matcher, 1);
        }

        private long number(Matcher matcher, int group) {
            try {
                return Long.parseLong(matcher.group(group));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "'pf " + event + " for " + of + "': too large: " + matcher.group(group), e);
            }
        }

        private Transfer transfer(Matcher matcher, int group) {
            return new Transfer(number(matcher, group), number(matcher, group + 1));
        }
    }
}
