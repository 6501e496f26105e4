package io.mio.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One {@code pf/auto} block of a report.
 *
 * @param event {@code close}, {@code exit} or {@code inter}
 * @param tag text before every line; empty for none
 * @param file the file's name as the report gives it
 * @param looks requests that were looked at
 * @param state one word for the state at the end
 * @param hints ranges that the kernel was told of
 * @param amount size of these ranges together, in the unit
 * @param unit for example {@code bytes}
 * @param cached how often a range to be hinted was in the kernel's page cache already
 * @param decisions the first decisions, in their order
 * @param moreDecisions how many decisions followed these
 */
public record AutoBlock(
        String event,
        String tag,
        String file,
        long looks,
        String state,
        long hints,
        long amount,
        String unit,
        long cached,
        List<Decision> decisions,
        long moreDecisions) {
    /**
     * One decision of {@code pf/auto}.
     *
     * @param what one word for the decision
     * @param reason the reason, in words
     */
    public record Decision(String what, String reason) {}

    /** Takes the lines of one block. Unknown lines are skipped. */
    static final class Parser {
        private static final Pattern LOOKS =
                Pattern.compile(" *(\\d+) requests looked at : now (\\S+)");
        private static final Pattern HINTS =
                Pattern.compile(
                        " *(\\d+) hints of (\\d+) (\\w+) in all : (\\d+) times in the kernel's"
                                + " cache already");
        private static final Pattern DECISION = Pattern.compile(" *\\d+\\.\\d\\d  (\\S+) +(.*)");
        private static final Pattern MORE = Pattern.compile(" *(\\d+) more decisions");

        /**
         * Most lines kept of one block: a block has twenty at most, so that more belong to other
         * text.
         */
        private static final int LINES_MAX = 100;

        private final String tag;
        private final String event;
        private final String file;
        private final List<String> lines = new ArrayList<>();

        Parser(Matcher title) {
            this.tag = title.group(1);
            this.event = title.group(2);
            this.file = title.group(3);
        }

        /** Returns true if the line is the first one after a title that has this tag. */
        static boolean begins(String tag, String line) {
            return line.startsWith(tag) && LOOKS.matcher(line.substring(tag.length())).matches();
        }

        boolean isOwn(String line) {
            return lines.size() < LINES_MAX && line.startsWith(tag + " ");
        }

        void take(String line) {
            lines.add(line.substring(tag.length()));
        }

        /**
         * Returns the block.
         *
         * @throws IllegalArgumentException if a line is missing, or a number too large
         */
        AutoBlock block() {
            Matcher looks = find(LOOKS);
            Matcher hints = find(HINTS);
            Matcher more = find(MORE);
            if (looks == null || hints == null) {
                throw new IllegalArgumentException(
                        "'auto " + event + " for " + file + "' has no line on its hints");
            }
            List<Decision> decisions = new ArrayList<>();
            for (String line : lines) {
                Matcher decision = DECISION.matcher(line);
                if (decision.matches()) {
                    decisions.add(new Decision(decision.group(1), decision.group(2)));
                }
            }
            return new AutoBlock(
                    event,
                    tag,
                    file,
                    number(looks, 1),
                    looks.group(2),
                    number(hints, 1),
                    number(hints, 2),
                    hints.group(3),
                    number(hints, 4),
                    List.copyOf(decisions),
                    more == null ? 0 : number(more, 1));
        }

        private Matcher find(Pattern pattern) {
            for (String line : lines) {
                Matcher matcher = pattern.matcher(line);
                if (matcher.matches()) {
                    return matcher;
                }
            }
            return null;
        }

        private long number(Matcher matcher, int group) {
            try {
                return Long.parseLong(matcher.group(group));
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException(
                        "'auto " + event + " for " + file + "': too large: " + matcher.group(group),
                        e);
            }
        }
    }
}
