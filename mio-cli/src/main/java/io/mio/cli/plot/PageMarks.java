package io.mio.cli.plot;

import io.mio.events.Event;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.util.function.Predicate;

/**
 * Follows the frames of the caches: from which moment to which one a page was resident, and why.
 *
 * <p>Frames are followed through all events, also those that are not drawn: a page that came before
 * the window that is drawn may be resident within it.
 */
final class PageMarks {
    /** Takes the mark of an event, in which all is set but the series. */
    interface Sink {
        void page(MarkRow row, int definition, What what);
    }

    private static final What[] WHATS = What.values();
    private static final PageOperation[] OPERATIONS = PageOperation.values();

    private final FileTable table;
    private final Predicate<Event> filter;
    private final long beginNanos;
    private final long endNanos;
    private final Sink sink;
    private final FrameTable frames = new FrameTable();
    private final MarkRow row = new MarkRow();

    /**
     * Begins with no frames.
     *
     * @param filter which events are drawn
     * @param beginNanos first moment that is drawn
     * @param endNanos last moment that is drawn
     */
    PageMarks(FileTable table, Predicate<Event> filter, long beginNanos, long endNanos, Sink sink) {
        this.table = table;
        this.filter = filter;
        this.beginNanos = beginNanos;
        this.endNanos = endNanos;
        this.sink = sink;
    }

    /**
     * Takes a page event.
     *
     * @param seen whether the event itself is drawn
     */
    void add(Event event, int definition, boolean seen) {
        PageOperation operation = event.page();
        switch (operation) {
            case HIT -> point(event, definition, What.PAGE_HIT, operation, seen);
            case MISS -> point(event, definition, What.PAGE_MISS, operation, seen);
            case WAIT -> point(event, definition, What.PAGE_WAIT, operation, seen);
            case PREFETCH_ISSUED, DEMAND_READ -> issued(event, definition, seen);
            case ARRIVED -> arrived(event, definition, seen);
            case PREPARED -> prepared(event, definition, seen);
            case PREFETCH_USED -> {
                int frame = frame(event, definition);
                if (frame >= 0) {
                    frames.set(frame, FrameTable.USED, true);
                }
            }
            case WRITTEN ->
                    point(
                            event,
                            definition,
                            event.failed() ? What.FAILED : What.PAGE_WRITING,
                            event.asynchronous() ? PageOperation.WRITE_BEHIND : operation,
                            seen);
            case EVICT, DROPPED -> {
                int frame = frame(event, definition);
                if (frame >= 0) {
                    end(frame, event.endNanos());
                }
                if (operation == PageOperation.EVICT) {
                    point(event, definition, What.PAGE_EVICTED, operation, seen);
                }
            }
            default -> {}
        }
    }

    private int frame(Event event, int definition) {
        return frames.find(event.process(), table.cache(definition), event.number());
    }

    private void issued(Event event, int definition, boolean seen) {
        int frame = frame(event, definition);
        if (frame >= 0) {
            frames.set(frame, FrameTable.READING, true);
            frames.set(
                    frame, FrameTable.READING_AHEAD, event.page() == PageOperation.PREFETCH_ISSUED);
            frames.set(frame, FrameTable.READING_SEEN, seen);
        }
    }

    private void arrived(Event event, int definition, boolean seen) {
        int frame = frame(event, definition);
        // The begin of the request may not have been recorded.
        boolean ahead =
                frame >= 0 && frames.is(frame, FrameTable.READING)
                        ? frames.is(frame, FrameTable.READING_AHEAD)
                        : event.asynchronous();
        point(
                event,
                definition,
                event.failed() ? What.FAILED : What.PAGE_READING,
                ahead ? PageOperation.PREFETCH_ISSUED : PageOperation.DEMAND_READ,
                seen);
        if (frame >= 0) {
            frames.set(frame, FrameTable.READING, false);
            if (!event.failed()) {
                begin(
                        frame,
                        event,
                        definition,
                        ahead ? What.PAGE_PREFETCHED : What.PAGE_DEMANDED,
                        seen);
            }
        }
    }

    private void prepared(Event event, int definition, boolean seen) {
        int frame = frame(event, definition);
        if (frame >= 0) {
            begin(frame, event, definition, What.PAGE_PREPARED, seen);
        }
    }

    private void point(Event event, int definition, What what, PageOperation code, boolean seen) {
        if (!seen) {
            return;
        }
        long bytes = Math.max(0, event.requested());
        EventMarks.fill(row, event);
        row.offsetEnd = event.offset() < 0 ? -1 : event.offset() + bytes;
        row.bytes = bytes;
        row.code = code.code();
        sink.page(row, definition, what);
    }

    private void begin(int frame, Event event, int definition, What what, boolean seen) {
        long offsetEnd = event.offset() < 0 ? -1 : event.offset() + Math.max(0, event.requested());
        if (isSamePage(frame, event, definition)) {
            // The event is about more sectors of the page that the frame holds.
            frames.offsets[frame] = Math.min(frames.offsets[frame], event.offset());
            frames.offsetEnds[frame] = Math.max(frames.offsetEnds[frame], offsetEnd);
            return;
        }
        end(frame, event.endNanos());
        frames.set(frame, FrameTable.RESIDENT, true);
        frames.set(frame, FrameTable.USED, false);
        frames.set(frame, FrameTable.SEEN, seen);
        frames.whats[frame] = (byte) what.ordinal();
        frames.codes[frame] = (byte) event.page().ordinal();
        frames.definitions[frame] = definition;
        frames.threads[frame] = (int) event.thread();
        frames.since[frame] = event.endNanos();
        frames.offsets[frame] = event.offset();
        frames.offsetEnds[frame] = offsetEnd;
        frames.requested[frame] = event.requested();
    }

    private boolean isSamePage(int frame, Event event, int definition) {
        long pageBytes = table.pageBytes(definition);
        return pageBytes > 0
                && frames.is(frame, FrameTable.RESIDENT)
                && table.file(frames.definitions[frame]) == table.file(definition)
                && frames.offsets[frame] >= 0
                && event.offset() >= 0
                && frames.offsets[frame] / pageBytes == event.offset() / pageBytes;
    }

    private void end(int frame, long atNanos) {
        if (!frames.is(frame, FrameTable.RESIDENT)) {
            return;
        }
        frames.set(frame, FrameTable.RESIDENT, false);
        long since = frames.since[frame];
        long start = Math.max(since, beginNanos);
        long end = Math.min(Math.max(atNanos, since), endNanos);
        boolean drawn = frames.is(frame, FrameTable.SEEN);
        if (start > end || (!drawn && !(since < beginNanos && filter.test(moved(frame, start))))) {
            return;
        }
        What what = WHATS[frames.whats[frame]];
        row.shape = Shape.EVENT;
        row.startNanos = start;
        row.endNanos = end;
        row.offset = frames.offsets[frame];
        row.offsetEnd = frames.offsetEnds[frame];
        row.events = 1;
        row.bytes = row.offsetEnd - row.offset;
        row.busyNanos = end - start;
        row.longestNanos = end - start;
        row.thread = Integer.toUnsignedLong(frames.threads[frame]);
        row.code = OPERATIONS[frames.codes[frame]].code();
        row.requested = frames.requested[frame];
        row.errno = 0;
        row.number = frames.number(frame);
        row.process = frames.process(frame);
        boolean unused = what == What.PAGE_PREFETCHED && !frames.is(frame, FrameTable.USED);
        sink.page(row, frames.definitions[frame], unused ? What.PAGE_UNUSED : what);
    }

    /** Returns the event that brought a page, as if it had happened when the window begins. */
    private Event moved(int frame, long atNanos) {
        return new Event(
                Event.Kind.PAGE,
                (TraceOperation) null,
                OPERATIONS[frames.codes[frame]],
                table.id(frames.definitions[frame]),
                atNanos,
                0,
                frames.offsets[frame],
                frames.requested[frame],
                0,
                false,
                false,
                false,
                0,
                Integer.toUnsignedLong(frames.threads[frame]),
                frames.number(frame),
                frames.process(frame));
    }

    /** Ends the run: pages that were not evicted are resident to the end. */
    void finish() {
        for (int frame = 0; frame < frames.count(); frame++) {
            end(frame, endNanos);
        }
    }

    /**
     * Returns the number of requests for pages that were drawn when they began, and have no end.
     */
    long pending() {
        long pending = 0;
        for (int frame = 0; frame < frames.count(); frame++) {
            pending +=
                    frames.is(frame, FrameTable.READING)
                                    && frames.is(frame, FrameTable.READING_SEEN)
                            ? 1
                            : 0;
        }
        return pending;
    }

    /** Returns true if there are more frames than are followed. */
    boolean isFull() {
        return frames.isFull();
    }
}
