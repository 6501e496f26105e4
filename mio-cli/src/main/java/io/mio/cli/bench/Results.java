package io.mio.cli.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Samples of all runs, by configuration, point and test. */
final class Results {
    private record Key(Configuration configuration, Point point, BenchTest test) {}

    private final Map<Key, List<Sample>> samples = new LinkedHashMap<>();

    void add(Configuration configuration, Point point, BenchTest test, Sample sample) {
        samples.computeIfAbsent(new Key(configuration, point, test), key -> new ArrayList<>())
                .add(sample);
    }

    /** Returns samples in the order of the runs; empty if the test did not run. */
    List<Sample> of(Configuration configuration, Point point, BenchTest test) {
        return samples.getOrDefault(new Key(configuration, point, test), List.of());
    }

    /** Returns the spread of a figure; null if the test did not run. */
    Spread spread(
            Configuration configuration,
            Point point,
            BenchTest test,
            ToDoubleFunction<Sample> figure) {
        List<Sample> runs = of(configuration, point, test);
        return runs.isEmpty() ? null : Spread.of(runs.stream().mapToDouble(figure).toArray());
    }

    /** Returns the times of the calls of all runs together. */
    Histogram latency(Configuration configuration, Point point, BenchTest test) {
        Histogram all = new Histogram();
        of(configuration, point, test).forEach(sample -> all.add(sample.latency()));
        return all;
    }
}
