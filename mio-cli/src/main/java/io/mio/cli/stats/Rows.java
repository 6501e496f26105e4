package io.mio.cli.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The rows of a table by file, program, process or layer: sorted, only the first ones, with the
 * total.
 */
final class Rows {
    private final List<Row> shown;
    private final Row total;
    private final int left;

    private Rows(List<Row> shown, Row total, int left) {
        this.shown = shown;
        this.total = total;
        this.left = left;
    }

    static Rows of(RunStats stats, StatsOptions options) {
        List<Row> all =
                switch (options.by()) {
                    case FILE -> stats.files().stream().map(Rows::file).toList();
                    case PROGRAM -> stats.programs().stream().map(Rows::program).toList();
                    case PROCESS -> stats.processes().stream().map(Rows::process).toList();
                    case LAYER -> layers(stats);
                    case TOTAL -> List.of();
                };
        List<Row> sorted = new ArrayList<>(all);
        sorted.sort(order(options.sort()));
        if (options.reverse()) {
            Collections.reverse(sorted);
        }
        int count = Math.min(options.top(), sorted.size());
        return new Rows(List.copyOf(sorted.subList(0, count)), total(stats), sorted.size() - count);
    }

    List<Row> shown() {
        return shown;
    }

    Row total() {
        return total;
    }

    /** Returns how many rows are not among the first ones. */
    int left() {
        return left;
    }

    /**
     * Returns the order of rows: figures with the largest first, names from A to Z. Equal rows are
     * sorted by name, so that the order is always the same.
     */
    private static Comparator<Row> order(StatsOptions.Sort sort) {
        Comparator<Row> byName = Comparator.comparing(Row::name);
        if (sort == StatsOptions.Sort.NAME) {
            return byName;
        }
        // An unknown figure is less than any other.
        return Comparator.comparingDouble(
                        (Row row) -> {
                            double value = sort.value(row);
                            return Double.isNaN(value) ? -1 : value;
                        })
                .reversed()
                .thenComparing(byName);
    }

    static Row file(FileFigures file) {
        return row(
                labels(Row.FILE, file.name(), Row.PROGRAM, file.program()),
                List.of(file),
                file.processes(),
                Counts.UNKNOWN,
                Counts.UNKNOWN);
    }

    static Row program(ProgramFigures program) {
        return row(
                labels(Row.PROGRAM, program.name()),
                program.files(),
                program.processes(),
                program.files().size(),
                program.runNanosSum());
    }

    static Row total(RunStats stats) {
        long processes = 0;
        long runNanos = 0;
        for (ProgramFigures program : stats.programs()) {
            processes += program.processes();
            runNanos = Counts.add(runNanos, program.runNanosSum());
        }
        long names = stats.files().stream().map(FileFigures::name).distinct().count();
        return row(Map.of(), stats.files(), processes, names, runNanos);
    }

    private static Row process(ProcessFigures process) {
        return new Row(
                labels(Row.PROCESS, process.name(), Row.PROGRAM, process.program().name()),
                process.top(),
                process.pf(),
                1,
                Counts.UNKNOWN,
                process.runNanos(),
                Counts.UNKNOWN,
                Counts.UNKNOWN,
                Counts.UNKNOWN);
    }

    private static List<Row> layers(RunStats stats) {
        Map<FileFigures.Layer, Counts> sums = new LinkedHashMap<>();
        for (FileFigures file : stats.files()) {
            file.layers()
                    .forEach(
                            (layer, counts) ->
                                    sums.computeIfAbsent(layer, any -> Counts.ofTrace())
                                            .add(counts));
        }
        List<Row> rows = new ArrayList<>();
        sums.forEach(
                (layer, counts) ->
                        rows.add(
                                new Row(
                                        labels(Row.ABOVE, layer.above(), Row.BELOW, layer.below()),
                                        counts,
                                        null,
                                        Counts.UNKNOWN,
                                        Counts.UNKNOWN,
                                        Counts.UNKNOWN,
                                        Counts.UNKNOWN,
                                        Counts.UNKNOWN,
                                        Counts.UNKNOWN)));
        return rows;
    }

    private static Row row(
            Map<String, String> labels,
            List<FileFigures> files,
            long processes,
            long names,
            long runNanos) {
        Counts top = Counts.ofTrace();
        Counts pf = Counts.ofPf();
        long requests = 0;
        long retries = 0;
        long failures = 0;
        for (FileFigures file : files) {
            top.add(file.top());
            if (file.pf() != null) {
                pf.add(file.pf());
            }
            if (!file.layers().isEmpty() || file.pf() != null) {
                requests = Counts.add(requests, file.systemRequests());
            }
            retries = Counts.add(retries, file.retries());
            failures = Counts.add(failures, file.failures());
        }
        return new Row(
                labels,
                top,
                pf.isEmpty() ? null : pf,
                processes,
                names,
                runNanos,
                requests,
                retries,
                failures);
    }

    private static Map<String, String> labels(String... namesAndValues) {
        Map<String, String> labels = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            labels.put(namesAndValues[i], namesAndValues[i + 1]);
        }
        return Collections.unmodifiableMap(labels);
    }
}
