package io.mio.cli.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** One row in figures, by name with the unit last: for JSON, CSV and data of plots. */
final class RowFigures {
    private static final double[] SHARES = {0.5, 0.9, 0.99, 0.999};
    private static final String[] SHARE_NAMES = {"p50", "p90", "p99", "p99_9"};

    private final BenchReport report;

    RowFigures(BenchReport report) {
        this.report = report;
    }

    /** Returns all rows that ran, by point, test and configuration. */
    List<Map<String, Object>> rows() {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (Point point : report.points()) {
            for (BenchTest test : report.options().tests()) {
                for (Configuration configuration : report.options().configurations()) {
                    if (!report.results().of(configuration, point, test).isEmpty()) {
                        rows.add(row(configuration, point, test));
                    }
                }
            }
        }
        return rows;
    }

    private Map<String, Object> row(Configuration configuration, Point point, BenchTest test) {
        Results results = report.results();
        List<Sample> runs = results.of(configuration, point, test);
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("configuration", configuration.name());
        row.put("test", test.id());
        row.put("size_bytes", point.sizeBytes());
        row.put("file_bytes", point.fileBytes());
        row.put("record_bytes", point.recordBytes());
        row.put("runs", runs.size());
        row.put("spread_known", runs.size() > 1);
        add(row, runs, "kb_per_second", Sample::kbPerSecond);
        Configuration first = report.options().configurations().get(0);
        Spread base = results.spread(first, point, test, Sample::kbPerSecond);
        Spread own = Spread.of(runs.stream().mapToDouble(Sample::kbPerSecond).toArray());
        if (!configuration.equals(first) && base != null) {
            row.put("ratio", own.ratioTo(base));
            row.put("ratio_may_be_chance", runs.size() < 2 || own.overlaps(base));
        }
        add(row, runs, "calls_per_second", Sample::callsPerSecond);
        Histogram latency = results.latency(configuration, point, test);
        for (int i = 0; i < SHARES.length; i++) {
            row.put("call_" + SHARE_NAMES[i] + "_ns", latency.percentile(SHARES[i]));
        }
        row.put("call_max_ns", latency.most());
        add(row, runs, "cpu_seconds_per_gb", Sample::cpuSecondsPerGb);
        row.put("elapsed_ns", (long) median(runs, Sample::elapsedNanos));
        row.put("cpu_ns", (long) median(runs, Sample::cpuNanos));
        row.put("machine_ns", (long) median(runs, Sample::machineNanos));
        row.put("device_read_bytes", (long) median(runs, Sample::deviceReadBytes));
        row.put("device_written_bytes", (long) median(runs, Sample::deviceWrittenBytes));
        row.put("open_ns", (long) median(runs, Sample::openNanos));
        row.put("flush_ns", (long) median(runs, Sample::flushNanos));
        row.put("close_ns", (long) median(runs, Sample::closeNanos));
        return row;
    }

    private static double median(List<Sample> runs, ToDoubleFunction<Sample> figure) {
        return Spread.of(runs.stream().mapToDouble(figure).toArray()).median();
    }

    private static void add(
            Map<String, Object> row,
            List<Sample> runs,
            String name,
            ToDoubleFunction<Sample> figure) {
        Spread spread = Spread.of(runs.stream().mapToDouble(figure).toArray());
        row.put(name, spread.median());
        row.put(name + "_least", spread.least());
        row.put(name + "_most", spread.most());
    }

    /** Returns the figures of each run. */
    List<Map<String, Object>> samples(Map<String, Object> row) {
        List<Map<String, Object>> all = new ArrayList<>();
        for (Sample sample : samplesOf(row)) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("bytes", sample.bytes());
            one.put("calls", sample.calls());
            one.put("elapsed_ns", sample.elapsedNanos());
            one.put("cpu_ns", sample.cpuNanos());
            one.put("machine_ns", sample.machineNanos());
            one.put("device_read_bytes", sample.deviceReadBytes());
            one.put("device_written_bytes", sample.deviceWrittenBytes());
            one.put("open_ns", sample.openNanos());
            one.put("flush_ns", sample.flushNanos());
            one.put("close_ns", sample.closeNanos());
            one.put("digest", String.format(Locale.ROOT, "%016x", sample.digest()));
            one.put("call_max_ns", sample.latency().most());
            one.put("call_ns_buckets", sample.latency().toMap());
            all.add(one);
        }
        return all;
    }

    private List<Sample> samplesOf(Map<String, Object> row) {
        for (Configuration configuration : report.options().configurations()) {
            if (configuration.name().equals(row.get("configuration"))) {
                Point point =
                        new Point((Long) row.get("size_bytes"), (Integer) row.get("record_bytes"));
                return report.results()
                        .of(configuration, point, BenchTest.of((String) row.get("test")));
            }
        }
        return List.of();
    }
}
