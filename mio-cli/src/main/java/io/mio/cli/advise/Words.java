package io.mio.cli.advise;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.Table;
import io.mio.stats.TraceSnapshot.Pattern;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Says in words what a program does with files, and why a rule helps or does not: pure. */
final class Words {
    private static final double MOSTLY = 0.85;
    private static final double WORTH_A_WORD = 0.1;
    private static final double WAITS = 0.02;

    /** Part of a time that it can be off by without a word about it. */
    private static final double ROUGH = 0.05;

    /** Part of the time in calls from which on calls that are no reads or writes get a word. */
    private static final double OTHERS = 0.01;

    private static final String OTHER_CALLS = "opens, syncs, locks and other calls";

    static final String NO_CALLS = "nothing is read or written by calls";

    static final String ONLY_WRITTEN =
            "only written: the kernel takes writes into its memory and writes them while the"
                    + " program runs on; a cache would only copy once more";

    private static final String THROUGH =
            "with O_DIRECT, O_SYNC or O_DSYNC each write goes to the device before it returns, as"
                    + " the program asks";

    static final String DEVICE = "a device: MIO gives it no cache";

    static final String UNCACHED =
            "opened with O_DIRECT, O_APPEND, O_SYNC or O_DSYNC: such opens of native programs get"
                    + " no cache";

    static final String WITHDRAWN =
            "with the rules of other files, a rule for it makes the run no shorter";

    private Words() {}

    /** A table with these headings: names come first, {@code Set} has words, all others numbers. */
    static Table headings(List<String> headings) {
        Table table = new Table().name(headings.get(0));
        for (String heading : headings.subList(1, headings.size())) {
            if (heading.equals("Set")) {
                table.left(heading);
            } else {
                table.right(heading);
            }
        }
        return table;
    }

    static String does(FileProfile files, long runNanos) {
        if (files.reads + files.writes == 0) {
            if (!files.counted) {
                return "not told by the report";
            }
            return (files.opens > 0 ? "opened " + times(files.opens) + ", " : "")
                    + "neither read nor written"
                    + (files.mmaps > 0 ? ", but mapped" : "");
        }
        List<String> parts = new ArrayList<>();
        if (files.reads > 0) {
            parts.add("reads " + Amounts.bytes(files.readBytes) + how(files) + passes(files));
        }
        if (files.writes > 0) {
            parts.add("writes " + Amounts.bytes(files.writtenBytes));
        }
        StringBuilder text = new StringBuilder(String.join(", ", parts));
        text.append("; requests of ").append(Amounts.bytes(files.requestBytes()));
        text.append(files.files > 1 ? "; " + Amounts.count(files.files) + " files" : "");
        if (files.processes.size() > 1) {
            text.append("; ").append(files.processes.size()).append(" processes");
        } else if (files.threads.size() > 1) {
            text.append("; ").append(files.threads.size()).append(" threads");
        }
        text.append(files.locks > 0 ? "; " + Amounts.count(files.locks) + " lock calls" : "");
        text.append(". ").append(requests(files));
        if (files.timed) {
            text.append(files.reads + files.writes == 1 ? " takes " : " take ");
            text.append(isRough(files) ? "at most " : "");
            text.append(Amounts.time(mostNanos(files) - files.otherNanos));
            boolean others = files.otherNanos > OTHERS * files.ioNanos();
            if (others) {
                text.append(", ").append(OTHER_CALLS).append(' ');
                text.append(Amounts.time(files.otherNanos));
            }
            if (runNanos > 0) {
                text.append(others ? ": " : ", ").append(ofRun(files, runNanos));
                text.append(" of the run");
            }
        }
        if (files.reads > 0 && files.passes() > 0) {
            text.append("; ").append(Amounts.percent((double) files.waitedReads / files.reads));
            text.append(" of the reads waited for the device");
        }
        return text.toString();
    }

    /** How many reads and writes there are: {@code 12 reads and writes}, or {@code 1 read}. */
    private static String requests(FileProfile files) {
        long count = files.reads + files.writes;
        String end = count == 1 ? "" : "s";
        return Amounts.count(count)
                + (files.reads > 0 ? " read" + end : "")
                + (files.reads > 0 && files.writes > 0 ? " and" : "")
                + (files.writes > 0 ? " write" + end : "");
    }

    /**
     * Time in calls, in words; the most that it can be where it is known only roughly. Null if not
     * known.
     */
    static String inCalls(FileProfile files) {
        if (!files.timed) {
            return null;
        }
        return (isRough(files) ? "at most " : "") + Amounts.time(mostNanos(files));
    }

    /** Time in calls as a part of the run, in words; null if not known. */
    static String ofRun(FileProfile files, long runNanos) {
        return !files.timed || runNanos <= 0
                ? null
                : Amounts.percent((double) mostNanos(files) / runNanos);
    }

    private static boolean isRough(FileProfile files) {
        return files.nanosOff > ROUGH * files.ioNanos();
    }

    private static long mostNanos(FileProfile files) {
        return files.ioNanos() + (isRough(files) ? files.nanosOff : 0);
    }

    /** How reads lie: {@code backward}, or {@code 62 % forward and 38 % at random}. */
    private static String how(FileProfile files) {
        List<String> parts = new ArrayList<>();
        for (Pattern pattern : Pattern.values()) {
            double share = files.share(pattern);
            if (share >= MOSTLY) {
                return " " + word(pattern);
            }
            if (share >= WORTH_A_WORD) {
                parts.add(Amounts.percent(share) + " " + word(pattern));
            }
        }
        return parts.isEmpty() ? "" : " " + String.join(" and ", parts);
    }

    private static String word(Pattern pattern) {
        return switch (pattern) {
            case SEQUENTIAL -> "forward";
            case BACKWARD -> "backward";
            case STRIDED -> "in even steps";
            case RANDOM -> "at random";
        };
    }

    private static String passes(FileProfile files) {
        double passes = files.passes();
        if (passes == 0) {
            return "";
        }
        return passes < 1.15 ? ", once" : String.format(Locale.ROOT, ", %.1f times", passes);
    }

    private static String times(long count) {
        return count == 1 ? "once" : Amounts.count(count) + " times";
    }

    /** Why this rule is chosen, in words. */
    static String why(FileProfile files, Tried chosen) {
        if (chosen.isHints() && chosen.memoryBytes() > 0) {
            return "requests of "
                    + Amounts.bytes(files.requestBytes())
                    + " near each other are copied out of a few pages, without a call of the"
                    + " kernel each. Little memory, and nothing to lose";
        }
        if (chosen.isHints()) {
            return "the kernel does not read ahead of such reads by itself; with hints it has the"
                    + " bytes in its cache when the program asks. No memory, and nothing to lose";
        }
        List<String> reasons = new ArrayList<>();
        double unforeseen = files.share(Pattern.BACKWARD) + files.share(Pattern.STRIDED);
        if (unforeseen >= 0.5) {
            reasons.add("the kernel does not read ahead of such reads by itself");
        }
        if ((double) files.waitedNanos / Math.max(1, files.readNanos) > 0.3) {
            reasons.add("pages are read while the program works, so that it need not wait");
        }
        if (files.requestBytes() <= 64 << 10) {
            reasons.add(
                    "requests of "
                            + Amounts.bytes(files.requestBytes())
                            + " become copies out of large pages");
        }
        if (files.passes() > 1.3) {
            reasons.add("what is read again is still there");
        }
        if (reasons.isEmpty() || chosen.rule().endsWith("/direct")) {
            reasons.add("direct reads spare the kernel's cache its work");
        }
        if (files.locks > 0) {
            reasons.add(
                    "the program locks it, so that others may write it: pages are compared with the"
                            + " file at each lock, and not between locks");
        }
        return String.join("; ", reasons);
    }

    /**
     * Why no rule is chosen, in words.
     *
     * @param tried all rules that were tried
     * @param leastBytes least bytes read for which a rule is tried
     * @param untried why no rule is tried that may help, in words; null if there is no such reason
     */
    static String alone(
            Group group, long runNanos, List<Tried> tried, long leastBytes, String untried) {
        FileProfile files = group.sum();
        double share = (double) files.ioNanos() / Math.max(1, runNanos);
        String noTime = "its calls take " + Amounts.percent(share) + " of the run: nothing to gain";
        if (files.reads + files.writes == 0) {
            return NO_CALLS;
        }
        if (share < Choice.GAIN_MIN) {
            return noTime;
        }
        if ((double) files.readNanos / Math.max(1, runNanos) < Choice.GAIN_MIN) {
            return fewReads(files, runNanos);
        }
        if (files.readBytes < leastBytes) {
            return tooLittle(leastBytes);
        }
        if (files.writtenBytes > 0 && files.waitedNanos < Choice.GAIN_MIN * runNanos) {
            return "written, and read again out of the kernel's memory";
        }
        if (!group.isNamed()) {
            return "no name fits these files alone: a rule would be that of "
                    + Typable.of(group.other())
                    + " as well";
        }
        if (files.isDevice()) {
            return DEVICE;
        }
        if (untried != null) {
            return untried;
        }
        Tried wished = Choice.of(runNanos, tried);
        if (wished != null) {
            return "its cache does not fit into what is left of --memory; "
                    + wished.rule()
                    + gained(runNanos, wished.runNanos());
        }
        String end =
                tried.stream()
                        .min(Comparator.comparingLong(Tried::runNanos))
                        .map(best -> "; " + best.rule() + gained(runNanos, best.runNanos()))
                        .orElse("");
        if (files.uncached) {
            return UNCACHED + end;
        }
        if (Candidates.isWritten(files)) {
            return writtenToo(files) + end;
        }
        long least = Candidates.leastBytes(files);
        if (least > 0 && !tried.isEmpty() && tried.stream().allMatch(Tried::isHints)) {
            return "pages need a cache of " + Amounts.bytes(least) + ", more than --memory";
        }
        if (files.passes() > 0
                && (double) files.waitedReads / files.reads < WAITS
                && files.waitedNanos < Choice.GAIN_MIN * runNanos) {
            return "what it reads is in the kernel's cache, or there in time" + end;
        }
        if (files.share(Pattern.RANDOM) > 0.5) {
            return "read at random: nobody knows what comes next" + end;
        }
        return "no rule makes it faster than the kernel alone" + end;
    }

    /** Why no rule is chosen where reads take next to no time, and all calls do, in words. */
    private static String fewReads(FileProfile files, long runNanos) {
        if (files.otherNanos > files.ioNanos() / 2) {
            double share = (double) files.otherNanos / Math.max(1, runNanos);
            return OTHER_CALLS
                    + " take "
                    + Amounts.percent(share)
                    + " of the run, which a cache does not shorten";
        }
        if (files.reads == 0) {
            return files.writtenThrough ? "only written; " + THROUGH : ONLY_WRITTEN;
        }
        double share = (double) files.readNanos / Math.max(1, runNanos);
        String reads = "its reads take " + Amounts.percent(share) + " of the run";
        if (files.writes == 0) {
            return reads + ": nothing to gain";
        }
        return files.writtenThrough
                ? reads + "; " + THROUGH
                : reads + ", and writes the kernel does while the program runs on";
    }

    /** Why a group of files that may be worth a rule has none, in words. */
    static String untried(int groupsMax) {
        return "not tried: rules are tried for the "
                + groupsMax
                + " groups of files that take most time; --file has others tried";
    }

    static String tooLittle(long leastBytes) {
        return "less than " + Amounts.bytes(leastBytes) + " is read: nothing to gain";
    }

    /** Why files that are written get no pages, in words. */
    static String writtenToo(FileProfile files) {
        return (files.writtenElsewhere ? "it is written by another name" : "it is written, too")
                + ": pages of it could be out of date for other processes, and what is written"
                + " would be lost if the program is killed";
    }

    private static String gained(long runNanos, long nanos) {
        double gain = (double) (runNanos - nanos) / Math.max(1, runNanos);
        return gain >= 0
                ? " would gain " + Amounts.percent(gain) + " of the run"
                : " would make the run " + Amounts.percent(-gain) + " longer";
    }
}
