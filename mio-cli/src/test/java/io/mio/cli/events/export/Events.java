package io.mio.cli.events.export;

import io.mio.cli.events.MadeEvent;
import io.mio.cli.events.MadeEvents;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventReader;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Events for tests, and the exports that are made of files of them. */
final class Events {
    static final int THREAD = 4712;

    private Events() {}

    /** Makes an export for an open reader. */
    interface Maker {
        EventExport make(EventReader reader, OutputStream out) throws IOException;
    }

    /** Exports all events of a file in another form. */
    static byte[] export(Path file, Maker maker) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        export(file, maker, out);
        return out.toByteArray();
    }

    static void export(Path file, Maker maker, OutputStream out) throws IOException {
        try (EventReader reader = EventReader.open(file);
                EventExport export = maker.make(reader, out)) {
            for (Event event = reader.next(); event != null; event = reader.next()) {
                export.event(event);
            }
        }
    }

    static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** A file as a trace layer sees it. */
    static EventFile file(int id, int place, String path, String above, String below, int sample) {
        return MadeEvents.traced(id, path, 0, place, above, below, 1 << 20, sample);
    }

    static Event call(TraceOperation operation, int file, long start, long duration) {
        return call(operation, file, start, duration, 0, 4096, THREAD);
    }

    static Event call(
            TraceOperation operation,
            int file,
            long start,
            long duration,
            long offset,
            long bytes,
            long thread) {
        MadeEvent call = MadeEvent.call(operation, file, start, duration);
        return call.bytes(offset, bytes).thread(thread).made();
    }

    static Event failed(TraceOperation operation, int file, long start, int errno) {
        MadeEvent call = MadeEvent.call(operation, file, start, 100);
        return call.bytes(0, 4096).failed(errno).thread(THREAD).made();
    }

    /** The submission of an asynchronous read. */
    static Event submitted(int file, long start, long duration, long number) {
        MadeEvent call = MadeEvent.call(TraceOperation.AREAD, file, start, duration);
        return call.bytes(number * 4096, 4096, 0).number(number).thread(THREAD).made();
    }

    /** The end of an asynchronous read. */
    static Event ended(int file, long start, long duration, long number) {
        MadeEvent end = MadeEvent.end(TraceOperation.AREAD, file, start, duration);
        return end.bytes(number * 4096, 4096).number(number).thread(THREAD).made();
    }

    static Event page(PageOperation page, int file, long start, long duration, long frame) {
        MadeEvent event = MadeEvent.page(page, file, start, duration);
        return event.bytes(frame * 4096, 4096).number(frame).thread(THREAD).made();
    }
}
