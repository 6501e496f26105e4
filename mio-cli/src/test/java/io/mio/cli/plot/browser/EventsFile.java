package io.mio.cli.plot.browser;

import io.mio.cli.events.MadeEvent;
import io.mio.cli.events.MadeEvents;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects events and writes them in the order of their ends. Times are in nanoseconds. */
final class EventsFile {
    static final int PROCESS = MadeEvents.PROCESS;
    static final int THREAD = 4712;
    private static final int DIRECT = 1 << 14;

    private final List<EventFile> files = new ArrayList<>();
    private final List<Event> events = new ArrayList<>();
    private final String program;
    private long dropped;
    private long limitBytes = 1L << 40;

    EventsFile(String program) {
        this.program = program;
    }

    /** A file as the trace layer next to the program sees it. */
    int traced(String path, String below, int sample) {
        return file(EventFormat.OF_TRACE, 1, path, "trace", "program", below, 0, 0, sample);
    }

    /** A file as the trace layer between pf and the system sees it. */
    int tracedBelow(String path) {
        return file(EventFormat.OF_TRACE, 3, path, "trace", "pf", "os", 0, 0, 1);
    }

    /** Defines the pages of a file. */
    int cached(String path, int pageBytes, int frames) {
        return file(EventFormat.OF_PF, 2, path, "pf", "trace", "trace", pageBytes, frames, 0);
    }

    private int file(
            int layer,
            int place,
            String path,
            String name,
            String above,
            String below,
            int pageBytes,
            int frames,
            int sample) {
        int id = files.size() + 1;
        int cache = layer == EventFormat.OF_PF ? 1 : 0;
        files.add(
                new EventFile(
                        id, layer, place, PROCESS, 0, 7, id, DIRECT, -1, 0, pageBytes, frames,
                        cache, sample, path, name, above, below));
        return id;
    }

    /** A call that moved all it asked for; offset -1 and 0 bytes for calls that move nothing. */
    EventsFile call(
            int file, TraceOperation operation, long start, long nanos, long offset, long bytes) {
        return add(MadeEvent.call(operation, file, start, nanos).bytes(offset, bytes));
    }

    /** A call that failed. */
    EventsFile failed(
            int file,
            TraceOperation operation,
            long start,
            long nanos,
            long offset,
            long bytes,
            int errno) {
        MadeEvent call = MadeEvent.call(operation, file, start, nanos);
        return add(call.bytes(offset, bytes).failed(errno));
    }

    /** An asynchronous request: its submission, which takes a microsecond, and its end. */
    EventsFile request(
            int file,
            TraceOperation operation,
            long start,
            long nanos,
            long offset,
            long bytes,
            long number) {
        MadeEvent submission = MadeEvent.call(operation, file, start, 1000);
        add(submission.bytes(offset, bytes, 0).number(number));
        MadeEvent end = MadeEvent.end(operation, file, start, nanos);
        return add(end.bytes(offset, bytes).number(number));
    }

    /** Adds what happens to a page in a frame. */
    EventsFile page(
            int file,
            PageOperation operation,
            boolean asynchronous,
            long start,
            long nanos,
            long offset,
            long bytes,
            long frame) {
        MadeEvent page = MadeEvent.page(operation, file, start, nanos);
        return add(page.bytes(offset, bytes).asynchronous(asynchronous).number(frame));
    }

    /** {@code count} events were lost in this time. */
    EventsFile lost(long start, long nanos, long count) {
        events.add(MadeEvent.lost(start, nanos, count));
        return this;
    }

    /** The file is full: it had no room for {@code count} events, and nothing says when. */
    EventsFile full(long count) {
        dropped = count;
        limitBytes = EventFormat.HEADER_BYTES + 2L * EventFormat.BLOCK_BYTES;
        return this;
    }

    private EventsFile add(MadeEvent event) {
        events.add(event.thread(THREAD).made());
        return this;
    }

    /** Writes the file. */
    Path write(Path file) throws IOException {
        events.sort(Comparator.comparingLong(Event::endNanos));
        // 2026-11-21 00:00 UTC.
        EventHeader header =
                new EventHeader(
                        ByteOrder.LITTLE_ENDIAN,
                        EventFormat.MINOR,
                        PROCESS,
                        EventFormat.NATIVE,
                        1_795_219_200_000_000_000L,
                        0,
                        1L << 40,
                        0,
                        0,
                        program,
                        "test",
                        "test");
        try (MadeEvents made = new MadeEvents(file, header)) {
            made.dropped(dropped, limitBytes);
            made.process(EventFormat.NATIVE, program);
            for (EventFile one : files) {
                made.define(one);
            }
            for (Event event : events) {
                made.add(event);
            }
        }
        return file;
    }
}
