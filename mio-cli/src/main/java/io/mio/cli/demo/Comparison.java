package io.mio.cli.demo;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Both runs side by side: as a table, in words, and by name for JSON. */
public final class Comparison {
    private static final double MIB = 1024 * 1024;
    private static final String HEAD = "%-30s %13s %13s %9s";

    /** Gains that the original's documentation shows (reference 4.7). */
    private static final Map<String, Double> ORIGINAL_GAINS =
            Map.of(
                    "elapsed", 1685.91 / 940.94,
                    "write", 238.16 / 288.88,
                    "both reads", 1275.79 / 483.75,
                    "rate in the report", 54359.71 / 27741.92,
                    "requests to the system", 420000.0 / (6836 + 13622));

    private final RunFigures before;
    private final RunFigures after;
    private final PageCache pageCache;
    private final boolean original;
    private final List<Row> rows;

    /**
     * One row of the table.
     *
     * @param unit {@code ""} for a number
     * @param moreIsBetter true for rates
     */
    private record Row(
            String label, String unit, double before, double after, boolean moreIsBetter) {
        /** Returns how many times better the second run is; below 1 it is worse. NaN if unknown. */
        double gain() {
            if (before <= 0 || after <= 0) {
                return Double.NaN;
            }
            return moreIsBetter ? after / before : before / after;
        }

        String text(double value) {
            if (unit.isEmpty()) {
                return String.format(Locale.ROOT, "%.0f", value);
            }
            String format = "s".equals(unit) ? "%.2f s" : "%.1f " + unit;
            return String.format(Locale.ROOT, format, value);
        }
    }

    /**
     * Compares two runs that have ended.
     *
     * @param original true if the workload is the original's, of which the gains are known
     * @throws IOException if figures are missing
     */
    public static Comparison of(
            DemoRun before, DemoRun after, PageCache pageCache, boolean original)
            throws IOException {
        return new Comparison(before.figures(), after.figures(), pageCache, original);
    }

    Comparison(RunFigures before, RunFigures after, PageCache pageCache, boolean original) {
        this.before = before;
        this.after = after;
        this.pageCache = pageCache;
        this.original = original;
        this.rows = rows(before, after);
    }

    private static List<Row> rows(RunFigures before, RunFigures after) {
        List<Row> rows = new ArrayList<>();
        Usage was = before.usage();
        Usage is = after.usage();
        rows.add(new Row("elapsed", "s", was.elapsedSeconds(), is.elapsedSeconds(), false));
        String[] passes = {"write", "forward", "backward"};
        for (int i = 0; i < passes.length; i++) {
            rows.add(rate(passes[i], before.mibPerSecond(i), after.mibPerSecond(i)));
        }
        rows.add(rate("both reads", before.readMibPerSecond(), after.readMibPerSecond()));
        rows.add(
                rate(
                        "rate in the report",
                        before.reportedMibPerSecond(),
                        after.reportedMibPerSecond()));
        rows.add(new Row("CPU time", "s", was.cpuSeconds(), is.cpuSeconds(), false));
        rows.add(number("requests to the system", before.requests(), after.requests()));
        rows.add(number("calls of read, whole process", was.readCalls(), is.readCalls()));
        rows.add(number("calls of write, whole process", was.writeCalls(), is.writeCalls()));
        rows.add(
                new Row(
                        "read from the device",
                        "MiB",
                        was.deviceReadBytes() / MIB,
                        is.deviceReadBytes() / MIB,
                        false));
        if (before.flushSeconds() + after.flushSeconds() > 0) {
            rows.add(
                    new Row(
                            "pauses, not in elapsed",
                            "s",
                            before.flushSeconds(),
                            after.flushSeconds(),
                            false));
        }
        return rows;
    }

    private static Row rate(String label, double before, double after) {
        return new Row(label, "MiB/s", before, after, true);
    }

    private static Row number(String label, long before, long after) {
        return new Row(label, "", (double) before, (double) after, false);
    }

    /** Returns what was done, the table, and what pf's counters say. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(
                        Locale.ROOT,
                        "The program: wrote %.0f MiB in %d calls, read it forward and backward in"
                                + " %d calls with %d seeks; every byte was right, in both runs.",
                        before.fileBytes() / MIB,
                        before.programCount("write"),
                        before.programCount("read"),
                        before.programCount("seek")));
        lines.add("Before:      " + before.layers());
        lines.add("After:       " + after.layers());
        lines.add("Page cache:  " + pageCache.sentence() + ".");
        String counters = counters();
        if (counters != null) {
            lines.add("Counters:    " + counters + ".");
        }
        lines.add("");
        lines.addAll(table());
        return lines;
    }

    private List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(Locale.ROOT, HEAD, "", "before", "after", "gain")
                        + (original ? String.format(Locale.ROOT, "%12s", "original's") : ""));
        for (Row row : rows) {
            String line =
                    String.format(
                            Locale.ROOT,
                            HEAD,
                            row.label(),
                            row.text(row.before()),
                            row.text(row.after()),
                            times(row.gain()));
            if (original && ORIGINAL_GAINS.containsKey(row.label())) {
                line += String.format(Locale.ROOT, "%12s", times(ORIGINAL_GAINS.get(row.label())));
            }
            lines.add(line);
        }
        return lines;
    }

    private static String times(double gain) {
        if (Double.isNaN(gain)) {
            return "-";
        }
        return String.format(Locale.ROOT, gain < 1000 ? "%.2fx" : "%.0fx", gain);
    }

    /** Returns what pf's counters say; null without pf. */
    private String counters() {
        if (after.pf() == null) {
            return null;
        }
        PfExpectation expected = PfExpectation.of(after.fileBytes(), after.records());
        List<String> differences = expected.differences(after);
        if (!differences.isEmpty()) {
            return (original ? "differ from the original's: " : "not as expected: ")
                    + String.join("; ", differences);
        }
        return (original ? "as the original's: " : "as expected: ")
                + expected.inWords(after.pf().pageReads().requests(), after.count("read"));
    }

    /** Returns the same figures, and every row of the reports, for {@code --json}. */
    public Map<String, Object> figures() {
        Map<String, Object> figures = new LinkedHashMap<>();
        figures.put("file_bytes", before.fileBytes());
        figures.put("records", before.records());
        Map<String, Object> cache = new LinkedHashMap<>();
        cache.put("method", pageCache.name());
        cache.put("limit_bytes", pageCache.limitBytes());
        cache.put("text", pageCache.sentence());
        figures.put("page_cache", cache);
        figures.put("runs", List.of(before.byName(), after.byName()));
        Map<String, Object> gains = new LinkedHashMap<>();
        for (Row row : rows) {
            // JSON has no NaN.
            gains.put(
                    row.label().replaceAll("\\W+", "_").toLowerCase(Locale.ROOT),
                    Double.isNaN(row.gain()) ? null : row.gain());
        }
        figures.put("gains", gains);
        if (after.pf() != null) {
            PfExpectation expected = PfExpectation.of(after.fileBytes(), after.records());
            Map<String, Object> counters = new LinkedHashMap<>();
            counters.put("expected", expected);
            counters.put("differences", expected.differences(after));
            figures.put("counters", counters);
        }
        return figures;
    }
}
