package io.mio.cli.top;

import java.util.Comparator;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What the rows are sorted by; figures with the largest first. */
public enum SortKey {
    BYTES(figures -> (double) figures.readBytes() + figures.writtenBytes()),
    READ(Counters::readBytes),
    WRITE(Counters::writtenBytes),
    CALLS(Counters::calls),
    TIME(Counters::ioNanos),
    HITS(figures -> Double.isNaN(figures.hitShare()) ? -1 : figures.hitShare()),
    WAITS(Counters::waits),
    DIRTY(null),
    NAME(null),
    PID(null);

    @SuppressWarnings("ImmutableEnumChecker") // a function without state
    private final ToDoubleFunction<Counters> figure;

    SortKey(ToDoubleFunction<Counters> figure) {
        this.figure = figure;
    }

    /** The word for it. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The one after it, and after the last the first. */
    public SortKey next() {
        return values()[(ordinal() + 1) % values().length];
    }

    /**
     * The order of rows; killed processes come last.
     *
     * @param rates by the growth over the interval, not by the totals
     */
    public Comparator<Row> order(boolean rates) {
        Comparator<Row> order =
                switch (this) {
                    case NAME -> Comparator.comparing(SortKey::name);
                    case PID -> Comparator.comparingLong(Row::pid);
                    case DIRTY -> Comparator.comparingLong(row -> -row.gauges().dirtyBytes());
                    default ->
                            Comparator.comparingDouble(
                                    row -> -figure.applyAsDouble(figures(row, rates)));
                };
        return Comparator.comparing(Row::killed)
                .thenComparing(order)
                .thenComparing(row -> -row.totals().readBytes() - row.totals().writtenBytes())
                .thenComparing(Row::pid)
                .thenComparing(Row::file);
    }

    private static String name(Row row) {
        return row.file().isEmpty() ? row.program() : row.file();
    }

    private static Counters figures(Row row, boolean rates) {
        if (!rates) {
            return row.totals();
        }
        return row.growth() == null ? Counters.NONE : row.growth();
    }
}
