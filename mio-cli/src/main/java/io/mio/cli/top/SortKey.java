package io.mio.cli.top;

import java.util.Comparator;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** What the rows are sorted by; figures are sorted with the largest first. */
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

    /** Returns the word for the key. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the next key; the first one after the last. */
    public SortKey next() {
        return values()[(ordinal() + 1) % values().length];
    }

    /**
     * Returns the order of rows; killed processes come last.
     *
     * @param rates whether to sort by the growth over the interval, not by the totals
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
