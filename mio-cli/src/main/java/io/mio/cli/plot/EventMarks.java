package io.mio.cli.plot;

import io.mio.events.Event;
import io.mio.stats.TraceOperation;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Makes a mark of each event; {@link PageMarks} makes those of pages. */
final class EventMarks {
    private final FileTable table;
    private final Survey survey;
    private final SeriesTable series;
    private final Consumer<MarkRow> sink;
    private final MarkRow row = new MarkRow();
    private final PageMarks pages;
    private long events;

    /**
     * Prepares the marks of a run.
     *
     * @param filter which events are drawn
     * @param sink takes each mark at once: the row is used again
     */
    EventMarks(
            FileTable table,
            Survey survey,
            SeriesTable series,
            Predicate<Event> filter,
            Consumer<MarkRow> sink) {
        this.table = table;
        this.survey = survey;
        this.series = series;
        this.sink = sink;
        this.pages =
                new PageMarks(table, filter, survey.beginNanos(), survey.endNanos(), this::page);
    }

    /**
     * Returns what an event of a call stands for; null for the submission of a request that has an
     * end.
     */
    static What whatOfCall(Event event) {
        TraceOperation operation = event.operation();
        boolean asynchronous =
                operation == TraceOperation.AREAD || operation == TraceOperation.AWRITE;
        if (event.failed()) {
            return What.FAILED;
        }
        if (asynchronous && event.kind() == Event.Kind.CALL) {
            return null;
        }
        return switch (operation) {
            case READ -> What.READ;
            case WRITE -> What.WRITE;
            case AREAD -> What.ASYNC_READ;
            case AWRITE -> What.ASYNC_WRITE;
            default -> What.OTHER;
        };
    }

    /**
     * Makes the mark of a call.
     *
     * @param definition its place in the table of files
     * @param what what it stands for, not null
     */
    void call(Event event, int definition, int drawn, What what) {
        long moved = what.isTransfer() ? event.delivered() : 0;
        fill(row, event);
        row.series = series.index(drawn, table.stage(definition), what);
        row.offsetEnd = event.offset() < 0 ? -1 : event.offset() + moved;
        row.bytes = moved;
        row.code = event.operation().ordinal();
        events++;
        sink.accept(row);
    }

    /**
     * Takes a page event.
     *
     * @param seen whether the event itself is drawn
     */
    void page(Event event, int definition, boolean seen) {
        pages.add(event, definition, seen);
    }

    private void page(MarkRow made, int definition, What what) {
        int drawn = survey.drawn(table.file(definition));
        if (drawn >= 0) {
            made.series = series.index(drawn, table.stage(definition), what);
            events++;
            sink.accept(made);
        }
    }

    /** Copies what marks of all events have in common. */
    static void fill(MarkRow row, Event event) {
        row.shape = Shape.EVENT;
        row.startNanos = event.startNanos();
        row.endNanos = event.endNanos();
        row.offset = event.offset();
        row.events = 1;
        row.busyNanos = event.durationNanos();
        row.longestNanos = event.durationNanos();
        row.thread = event.thread();
        row.requested = event.requested();
        row.errno = event.failed() ? event.errno() : 0;
        row.number = event.number();
        row.process = event.process();
    }

    /** Ends the run: there are no more events. */
    void finish() {
        pages.finish();
    }

    /** Returns the number of marks made so far. */
    long events() {
        return events;
    }

    /** Returns the object that follows the pages. */
    PageMarks pages() {
        return pages;
    }
}
