package io.mio.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * One row of a benchmark that has ended: a test of a configuration at one size, in all its runs.
 *
 * @param configuration name of the configuration
 * @param sizeBytes size of each file, as it was asked for
 * @param samples samples of the runs, in their order; at least one
 */
public record Measured(
        String configuration,
        BenchTest test,
        long sizeBytes,
        int recordBytes,
        List<Sample> samples) {
    /** Returns all rows that ran, by size, test and configuration. */
    public static List<Measured> of(BenchReport report) {
        List<Measured> rows = new ArrayList<>();
        for (Point point : report.points()) {
            for (BenchTest test : report.options().tests()) {
                for (Configuration configuration : report.options().configurations()) {
                    List<Sample> samples = report.results().of(configuration, point, test);
                    if (!samples.isEmpty()) {
                        rows.add(
                                new Measured(
                                        configuration.name(),
                                        test,
                                        point.sizeBytes(),
                                        point.recordBytes(),
                                        List.copyOf(samples)));
                    }
                }
            }
        }
        return rows;
    }

    /** Returns the spread of a figure over all runs. */
    public Spread spread(ToDoubleFunction<Sample> figure) {
        return Spread.of(samples.stream().mapToDouble(figure).toArray());
    }

    /** Returns the times of the calls of all runs together. */
    public Histogram latency() {
        Histogram all = new Histogram();
        samples.forEach(sample -> all.add(sample.latency()));
        return all;
    }
}
