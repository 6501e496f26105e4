package io.mio.cli.stats;

import io.mio.cli.term.Amounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares two runs, whose files are paired by name; files of several programs with the same name
 * are added up. A gain is before over after for times, and after over before for rates: more than
 * one is better.
 */
final class Comparison {
    /** A gain between this and its reciprocal counts as no change. */
    static final double CHANGED = 1.05;

    /** Nanoseconds in I/O below which a change of time is noise. */
    static final long NOTICED_NS = 1_000_000;

    /**
     * The rows of one file name in both runs.
     *
     * @param before null if the file is only in the other run
     * @param after likewise
     */
    record Pair(String name, Row before, Row after) {
        /**
         * Returns the gain in time; NaN if not known, or if the rounding of the reports alone may
         * explain it.
         */
        double timeGain() {
            return before == null || after == null
                    ? Double.NaN
                    : sure(
                            Row.quotient(
                                    before.top().get(Counter.IO_NS),
                                    after.top().get(Counter.IO_NS)),
                            1);
        }

        /**
         * Returns the gain in rate; NaN if not known, or if the rounding of the reports alone may
         * explain it.
         */
        double rateGain() {
            return before == null || after == null
                    ? Double.NaN
                    : sure(
                            after.rate() / before.rate(),
                            Row.quotient(after.bytes(), before.bytes()));
        }

        /**
         * Returns the gain, or NaN if the rounded times also allow that there is none.
         *
         * @param work the gain if both times were the same
         */
        private double sure(double gain, double work) {
            Counts first = before.top();
            Counts second = after.top();
            boolean changed = gain >= CHANGED || gain <= 1 / CHANGED;
            boolean maybeNone =
                    work * least(first) <= most(second) && work * most(first) >= least(second);
            return changed && maybeNone ? Double.NaN : gain;
        }

        private static double least(Counts counts) {
            return (double) counts.get(Counter.IO_NS) - counts.nanosOff();
        }

        private static double most(Counts counts) {
            return (double) counts.get(Counter.IO_NS) + counts.nanosOff();
        }

        /**
         * Returns true if a figure calculated from the times is rounded by more than a few percent.
         */
        boolean isRough() {
            return before != null
                    && after != null
                    && (before.isRough(Counter.IO_NS) || after.isRough(Counter.IO_NS));
        }

        private boolean isNoticed() {
            return Math.max(before.top().get(Counter.IO_NS), after.top().get(Counter.IO_NS))
                    >= NOTICED_NS;
        }

        boolean isBetter() {
            return timeGain() >= CHANGED && isNoticed();
        }

        boolean isWorse() {
            return timeGain() <= 1 / CHANGED && isNoticed();
        }
    }

    private final List<Pair> pairs;
    private final Pair total;

    private Comparison(List<Pair> pairs, Pair total) {
        this.pairs = pairs;
        this.total = total;
    }

    static Comparison of(RunStats before, RunStats after, StatsOptions options) {
        Map<String, Row> first = byName(before);
        Map<String, Row> second = byName(after);
        Map<String, Row> names = new TreeMap<>(first);
        names.putAll(second);
        List<Pair> pairs = new ArrayList<>();
        for (String name : names.keySet()) {
            pairs.add(new Pair(name, first.get(name), second.get(name)));
        }
        if (options.sort() != StatsOptions.Sort.NAME) {
            pairs.sort(
                    Comparator.comparingDouble((Pair pair) -> largest(pair, options.sort()))
                            .reversed());
        }
        if (options.reverse()) {
            Collections.reverse(pairs);
        }
        return new Comparison(pairs, new Pair("total", Rows.total(before), Rows.total(after)));
    }

    private static double largest(Pair pair, StatsOptions.Sort sort) {
        double largest = -1;
        for (Row row : new Row[] {pair.before(), pair.after()}) {
            double value = row == null ? Double.NaN : sort.value(row);
            largest = Double.isNaN(value) ? largest : Math.max(largest, value);
        }
        return largest;
    }

    private static Map<String, Row> byName(RunStats stats) {
        Map<String, FileFigures> files = new LinkedHashMap<>();
        for (FileFigures file : stats.files()) {
            files.computeIfAbsent(file.name(), name -> new FileFigures("", name)).add(file);
        }
        Map<String, Row> rows = new LinkedHashMap<>();
        files.forEach((name, file) -> rows.put(name, Rows.file(file)));
        return rows;
    }

    List<Pair> pairs() {
        return pairs;
    }

    Pair total() {
        return total;
    }

    /** Returns in words what got better and what got worse. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        Row before = total.before();
        Row after = total.after();
        words.add(
                change(
                        "Time in I/O",
                        TextReport.ioTime(before),
                        TextReport.ioTime(after),
                        total.timeGain(),
                        total.isRough(),
                        "less",
                        "more"));
        words.add(
                change(
                        "Requests to the system",
                        TextReport.count(before.systemRequests()),
                        TextReport.count(after.systemRequests()),
                        Row.quotient(before.systemRequests(), after.systemRequests()),
                        false,
                        "fewer",
                        "more"));
        named(words, "Faster", pairs.stream().filter(Pair::isBetter).toList());
        named(words, "Slower", pairs.stream().filter(Pair::isWorse).toList());
        long alike =
                pairs.stream()
                        .filter(pair -> pair.before() != null && pair.after() != null)
                        .filter(pair -> !pair.isBetter() && !pair.isWorse())
                        .count();
        if (alike > 0) {
            words.add("Alike, or not known: " + files(alike) + ".");
        }
        only(words, "before", pairs.stream().filter(pair -> pair.after() == null).toList());
        only(words, "after", pairs.stream().filter(pair -> pair.before() == null).toList());
        long bytesBefore = before.bytes();
        long bytesAfter = after.bytes();
        if (bytesBefore >= 0
                && bytesAfter >= 0
                && (bytesBefore > bytesAfter * CHANGED || bytesAfter > bytesBefore * CHANGED)) {
            words.add(
                    "The runs did not do the same work: "
                            + Amounts.bytes(bytesBefore)
                            + " read and written before, "
                            + Amounts.bytes(bytesAfter)
                            + " after. Compare rates rather than times.");
        }
        return words;
    }

    private static String change(
            String what,
            String before,
            String after,
            double gain,
            boolean rough,
            String less,
            String more) {
        String text =
                what
                        + ": "
                        + (before == null ? Amounts.NONE : before)
                        + " before, "
                        + (after == null ? Amounts.NONE : after)
                        + " after";
        if (Double.isNaN(gain) || gain == 0) {
            return text + ".";
        }
        boolean same = gain < CHANGED && gain > 1 / CHANGED;
        return text
                + (same
                        ? ", about the same."
                        : ", "
                                + TextReport.marked(
                                        rough, Amounts.ratio(gain > 1 ? gain : 1 / gain))
                                + " "
                                + (gain > 1 ? less : more)
                                + ".");
    }

    private static void named(List<String> words, String what, List<Pair> some) {
        if (some.isEmpty()) {
            return;
        }
        StringBuilder text = new StringBuilder(what + ": ");
        for (int i = 0; i < Math.min(NAMED_MAX, some.size()); i++) {
            Pair pair = some.get(i);
            double gain = pair.timeGain();
            text.append(i > 0 ? ", " : "")
                    .append(pair.name())
                    .append(" ")
                    .append(
                            TextReport.marked(
                                    pair.isRough(), Amounts.ratio(gain > 1 ? gain : 1 / gain)));
        }
        if (some.size() > NAMED_MAX) {
            text.append(" and ").append(files(some.size() - NAMED_MAX)).append(" more");
        }
        words.add(text.append('.').toString());
    }

    private static void only(List<String> words, String run, List<Pair> some) {
        if (some.isEmpty()) {
            return;
        }
        List<String> names = some.stream().limit(NAMED_MAX).map(Pair::name).toList();
        words.add(
                "Only "
                        + run
                        + ": "
                        + String.join(", ", names)
                        + (some.size() > NAMED_MAX
                                ? " and " + files(some.size() - NAMED_MAX) + " more"
                                : "")
                        + ".");
    }

    private static final int NAMED_MAX = 5;

    private static String files(long count) {
        return Amounts.count(count) + (count == 1 ? " file" : " files");
    }
}
