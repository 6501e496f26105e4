package io.mio.cli.plot;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.PageOperation;
import java.util.HashMap;
import java.util.Map;

/**
 * Follows the frames of the caches: from which moment to which one a page was resident, and why.
 */
final class PageMarks {
    /** Takes a mark. */
    interface Sink {
        void page(Event event, EventFile definition, What what, long startNanos, long endNanos);
    }

    private record Frame(long process, long cache, long number) {}

    /** A page that is resident. */
    private static final class Resident {
        Event event;
        EventFile definition;
        What what;
        long sinceNanos;
        boolean used;
    }

    private final Sink sink;
    private final long endNanos;
    private final Map<Frame, Resident> frames = new HashMap<>();

    PageMarks(Sink sink, long endNanos) {
        this.sink = sink;
        this.endNanos = endNanos;
    }

    void add(Event event, EventFile definition) {
        Frame frame = new Frame(event.process(), definition.cache(), event.number());
        switch (event.page()) {
            case HIT -> point(event, definition, What.PAGE_HIT);
            case MISS -> point(event, definition, What.PAGE_MISS);
            case WAIT -> point(event, definition, What.PAGE_WAIT);
            case ARRIVED -> {
                point(event, definition, event.failed() ? What.FAILED : What.PAGE_READING);
                if (!event.failed()) {
                    begin(frame, event, definition);
                }
            }
            case PREPARED -> begin(frame, event, definition);
            case PREFETCH_USED -> {
                Resident resident = frames.get(frame);
                if (resident != null) {
                    resident.used = true;
                }
            }
            case WRITTEN ->
                    point(event, definition, event.failed() ? What.FAILED : What.PAGE_WRITING);
            case EVICT, DROPPED -> {
                end(frame, event.endNanos());
                if (event.page() == PageOperation.EVICT) {
                    point(event, definition, What.PAGE_EVICTED);
                }
            }
            default -> {}
        }
    }

    private void point(Event event, EventFile definition, What what) {
        sink.page(event, definition, what, event.startNanos(), event.endNanos());
    }

    private void begin(Frame frame, Event event, EventFile definition) {
        end(frame, event.endNanos());
        Resident resident = new Resident();
        resident.event = event;
        resident.definition = definition;
        resident.what =
                event.page() == PageOperation.PREPARED
                        ? What.PAGE_PREPARED
                        : event.asynchronous() ? What.PAGE_PREFETCHED : What.PAGE_DEMANDED;
        resident.sinceNanos = event.endNanos();
        frames.put(frame, resident);
    }

    private void end(Frame frame, long atNanos) {
        Resident resident = frames.remove(frame);
        if (resident != null) {
            What what =
                    resident.what == What.PAGE_PREFETCHED && !resident.used
                            ? What.PAGE_UNUSED
                            : resident.what;
            sink.page(
                    resident.event,
                    resident.definition,
                    what,
                    resident.sinceNanos,
                    Math.max(atNanos, resident.sinceNanos));
        }
    }

    /** Pages that never gave way are resident to the end. */
    void finish() {
        for (Frame frame : Map.copyOf(frames).keySet()) {
            end(frame, endNanos);
        }
    }
}
