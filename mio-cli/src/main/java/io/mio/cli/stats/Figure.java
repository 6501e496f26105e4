package io.mio.cli.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A figure of a row as JSON, CSV and OpenMetrics have it: all counters, and what is calculated from
 * them. Amounts are in bytes, times in nanoseconds.
 *
 * @param name the name, which ends with the unit
 * @param grows true if the figures of the parts add up to that of the whole
 * @param value null where it is not known
 * @param rough whether it is rounded by more than a few percent
 */
record Figure(String name, boolean grows, Function<Row, Number> value, Predicate<Row> rough) {
    static final List<Figure> ALL = all();

    private static List<Figure> all() {
        List<Figure> all = new ArrayList<>();
        all.add(whole("processes", false, Row::processes));
        all.add(whole("files", false, Row::files));
        all.add(whole("run_ns", false, Row::runNanos));
        all.add(whole("calls", true, Row::calls));
        all.add(whole("bytes", true, Row::bytes, Row::isRoughBytes));
        all.add(decimal("rate_bytes_per_second", Row::rate, Row::isRoughRate));
        all.add(decimal("mean_request_bytes", Row::meanRequest, Row::isRoughRequest));
        all.add(decimal("mean_seek_bytes", Row::meanSeek, row -> false));
        all.add(decimal("hit_share", Row::hitShare, row -> false));
        all.add(whole("system_requests", true, Row::systemRequests));
        for (Counter counter : Counter.values()) {
            boolean sum = counter.merge() == Counter.Merge.SUM;
            all.add(
                    whole(
                            counter.label(),
                            sum,
                            row -> row.get(counter),
                            row -> row.isRough(counter)));
        }
        all.add(whole("recov_retries", true, Row::retries));
        all.add(whole("recov_failures", true, Row::failures));
        return List.copyOf(all);
    }

    private static Figure whole(String name, boolean grows, Function<Row, Long> value) {
        return whole(name, grows, value, row -> false);
    }

    private static Figure whole(
            String name, boolean grows, Function<Row, Long> value, Predicate<Row> rough) {
        return new Figure(
                name,
                grows,
                row -> {
                    Long known = value.apply(row);
                    return known < 0 ? null : known;
                },
                rough);
    }

    private static Figure decimal(String name, Function<Row, Double> value, Predicate<Row> rough) {
        return new Figure(
                name,
                false,
                row -> {
                    Double known = value.apply(row);
                    return known.isNaN() || known.isInfinite() ? null : known;
                },
                rough);
    }
}
