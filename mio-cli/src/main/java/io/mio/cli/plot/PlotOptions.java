package io.mio.cli.plot;

import io.mio.events.Event;
import io.mio.events.EventReader;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

/**
 * How a run is reduced.
 *
 * @param marksMax most marks of the finest level, at least {@link #MARKS_LEAST}
 * @param filesMax files with a line of their own, at least 1
 * @param filter which events are drawn, made for each events file
 * @param filtered in words what the filter leaves, or empty if it leaves everything
 * @param progress gets the number of events read so far, now and then; each is read twice
 */
public record PlotOptions(
        int marksMax,
        int filesMax,
        Function<EventReader, Predicate<Event>> filter,
        String filtered,
        LongConsumer progress) {
    /** The usual most marks, which a page and a browser handle easily. */
    public static final int MARKS_MAX = 400_000;

    /** Fewest marks allowed: fewer make no picture. */
    public static final int MARKS_LEAST = 1000;

    /**
     * The largest number of marks allowed: more than anybody can look at, and few enough for tables
     * of them.
     */
    public static final int MARKS_MOST = 10_000_000;

    /** The usual most files, which a list shows easily. */
    public static final int FILES_MAX = 500;

    /** Returns options for everything, with the usual limits. */
    public static PlotOptions usual() {
        return new PlotOptions(MARKS_MAX, FILES_MAX, reader -> event -> true, "", count -> {});
    }
}
