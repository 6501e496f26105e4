package io.mio.cli.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.mio.cli.term.Json;
import io.mio.cli.term.SafeText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.StringJoiner;

/** A benchmark for programs: JSON, CSV, and columns for gnuplot. */
public final class DataReport {
    private static final int FORMAT = 1;

    private final BenchReport report;
    private final BenchOptions options;

    public DataReport(BenchReport report) {
        this.report = report;
        this.options = report.options();
    }

    /** Returns one JSON object, on several lines. */
    public String json() throws JsonProcessingException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("type", "mio_bench");
        all.put("format", FORMAT);
        all.put("machine", report.machine());
        all.put("files", report.files());
        all.put("settings", settings());
        List<Map<String, Object>> stacks = new ArrayList<>();
        for (Configuration configuration : options.configurations()) {
            stacks.add(
                    Map.of(
                            "name", configuration.name(),
                            "rule", configuration.rule()));
        }
        all.put("configurations", stacks);
        RowFigures figures = new RowFigures(report);
        List<Map<String, Object>> rows = figures.rows();
        rows.forEach(row -> row.put("samples", figures.samples(row)));
        all.put("rows", rows);
        all.put("left_out", report.skipped());
        return Json.indented().writeValueAsString(all);
    }

    private Map<String, Object> settings() {
        Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("door", options.door().name().toLowerCase(Locale.ROOT));
        settings.put("state", options.state().id());
        settings.put("proof", report.proof());
        settings.put("runs", options.runs());
        settings.put("flush", options.flush());
        settings.put("close", options.close());
        settings.put("threads", options.threads());
        settings.put("processes", options.processes());
        settings.put("shared", options.shared());
        settings.put("direct", options.direct());
        settings.put("stride_records", options.stride());
        settings.put("seed", options.seed());
        settings.put("mix_percent", options.mixPercent());
        settings.put("verify", options.verify());
        settings.put("memory_bytes", options.memoryBytes());
        return settings;
    }

    /** Returns a line of names, then a line for each row; RFC 4180 with LF. */
    public String csv() {
        List<Map<String, Object>> rows = new RowFigures(report).rows();
        // The first row does not have all names: the first configuration has no ratio.
        List<String> names = new ArrayList<>();
        rows.forEach(
                row -> {
                    for (String name : row.keySet()) {
                        if (!names.contains(name)) {
                            names.add(name);
                        }
                    }
                });
        StringBuilder csv = new StringBuilder();
        csv.append(String.join(",", names)).append('\n');
        for (Map<String, Object> row : rows) {
            StringJoiner line = new StringJoiner(",");
            for (String name : names) {
                line.add(cell(row.get(name)));
            }
            csv.append(line).append('\n');
        }
        return csv.toString();
    }

    private static String cell(Object value) {
        if (value == null) {
            return "";
        }
        if (value instanceof Double number) {
            return Double.isFinite(number) ? String.format(Locale.ROOT, "%.3f", number) : "";
        }
        String text = SafeText.of(value.toString());
        // Text that a spreadsheet would take for a formula gets an apostrophe in front.
        if (!text.isEmpty() && "=+-@".indexOf(text.charAt(0)) >= 0 && value instanceof String) {
            text = "'" + text;
        }
        return text.matches("[^\",\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    /**
     * Returns a block for each configuration and size of file, with two empty lines between them. A
     * line has the record in KB, then for each test median, least and most in KB per second.
     */
    public String gnuplot() {
        StringBuilder data = new StringBuilder();
        data.append("# mio bench ").append(report.machine().mio());
        data.append(", KB per second (1 KB = 1024 bytes), ")
                .append(options.state().id())
                .append('\n');
        if (!options.isRepeated()) {
            data.append("# One run of each: any difference may be chance.\n");
        }
        data.append("# plot 'FILE' index 0 using 1:2 with linespoints title columnheader(2)\n");
        boolean isFirst = true;
        for (Configuration configuration : options.configurations()) {
            for (long size : report.points().stream().map(Point::sizeBytes).distinct().toList()) {
                data.append(isFirst ? "" : "\n\n");
                isFirst = false;
                data.append("# ").append(SafeText.of(configuration.name())).append(", file ");
                data.append(Sizes.text(size)).append('\n').append("reclen");
                for (BenchTest test : options.tests()) {
                    data.append(' ').append(test.id()).append(' ').append(test.id());
                    data.append("_least ").append(test.id()).append("_most");
                }
                data.append('\n');
                gnuplotRows(data, configuration, size);
            }
        }
        return data.toString();
    }

    private void gnuplotRows(StringBuilder data, Configuration configuration, long size) {
        for (Point point : report.points()) {
            if (point.sizeBytes() != size) {
                continue;
            }
            data.append(String.format(Locale.ROOT, "%.3f", point.recordBytes() / 1024.0));
            for (BenchTest test : options.tests()) {
                Spread spread =
                        report.results().spread(configuration, point, test, Sample::kbPerSecond);
                data.append(
                        spread == null
                                ? " NaN NaN NaN"
                                : String.format(
                                        Locale.ROOT,
                                        " %.0f %.0f %.0f",
                                        spread.median(),
                                        spread.least(),
                                        spread.most()));
            }
            data.append('\n');
        }
    }
}
