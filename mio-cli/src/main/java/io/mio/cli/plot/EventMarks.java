package io.mio.cli.plot;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.stats.TraceOperation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Makes a mark of each event; the pages' are made by {@link PageMarks}. */
final class EventMarks {
    private final Map<Integer, EventFile> definitions;
    private final Survey survey;
    private final Consumer<Mark> sink;
    private final Map<Series, Integer> indexes = new HashMap<>();
    private final List<Series> series = new ArrayList<>();
    private final PageMarks pages;

    EventMarks(Map<Integer, EventFile> definitions, Survey survey, Consumer<Mark> sink) {
        this.definitions = definitions;
        this.survey = survey;
        this.sink = sink;
        this.pages = new PageMarks(this::page, survey.endNanos());
    }

    /** What an event of a call stands for; null for the submission of a request that has an end. */
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

    void add(Event event) {
        EventFile definition = definitions.get(event.file());
        if (definition == null || event.kind() == Event.Kind.DROPPED) {
            return;
        }
        if (event.kind() == Event.Kind.PAGE) {
            pages.add(event, definition);
            return;
        }
        What what = whatOfCall(event);
        if (what == null) {
            return;
        }
        long moved = what.isTransfer() ? event.delivered() : 0;
        sink.accept(
                mark(
                        series(definition, what),
                        event,
                        event.startNanos(),
                        event.endNanos(),
                        event.offset() < 0 ? -1 : event.offset() + Math.max(0, moved),
                        moved,
                        event.operation().ordinal()));
    }

    /** No more events. */
    void finish() {
        pages.finish();
    }

    List<Series> series() {
        return series;
    }

    int series(EventFile definition, What what) {
        Series one = new Series(survey.index(definition), Stages.of(definition), what);
        return indexes.computeIfAbsent(
                one,
                any -> {
                    series.add(any);
                    return series.size() - 1;
                });
    }

    private void page(Event event, EventFile definition, What what, long start, long end) {
        long bytes = Math.max(0, event.requested());
        sink.accept(
                mark(
                        series(definition, what),
                        event,
                        start,
                        end,
                        event.offset() < 0 ? -1 : event.offset() + bytes,
                        bytes,
                        event.page().code()));
    }

    private static Mark mark(
            int series, Event event, long start, long end, long offsetEnd, long bytes, int code) {
        return new Mark(
                series,
                Shape.EVENT,
                start,
                end,
                event.offset(),
                offsetEnd,
                1,
                bytes,
                end - start,
                end - start,
                event.thread(),
                code,
                event.requested(),
                event.errno(),
                event.number(),
                event.process());
    }
}
