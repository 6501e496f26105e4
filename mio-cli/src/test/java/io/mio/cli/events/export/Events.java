package io.mio.cli.events.export;

import io.mio.events.Event;
import io.mio.events.EventReader;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Events for tests, and what exports make of files of them. */
final class Events {
    static final int THREAD = 4712;

    /** Golden case of both writers of events. */
    private static final Path GOLDEN =
            Path.of("../mio-core/src/test/resources/twin/events/calls.hex");

    private Events() {}

    /** Makes an export for an open reader. */
    interface Maker {
        EventExport make(EventReader reader, OutputStream out) throws IOException;
    }

    static byte[] golden() throws IOException {
        List<String> lines = Files.readAllLines(GOLDEN);
        byte[] bytes = new byte[Integer.parseInt(lines.get(lines.size() - 1), 16)];
        for (String line : lines.subList(0, lines.size() - 1)) {
            int at = Integer.parseInt(line.substring(0, 8), 16);
            for (String value : line.substring(10).split(" ")) {
                bytes[at++] = (byte) Integer.parseInt(value, 16);
            }
        }
        return bytes;
    }

    /** All events of a file in another form. */
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
        return new Event(
                Event.Kind.CALL,
                operation,
                null,
                file,
                start,
                duration,
                offset,
                bytes,
                bytes,
                false,
                false,
                false,
                0,
                thread,
                0,
                EventsFile.PROCESS);
    }

    static Event failed(TraceOperation operation, int file, long start, int errno) {
        return new Event(
                Event.Kind.CALL,
                operation,
                null,
                file,
                start,
                100,
                0,
                4096,
                0,
                true,
                false,
                false,
                errno,
                THREAD,
                0,
                EventsFile.PROCESS);
    }

    /** Submission or end of an asynchronous read. */
    static Event request(Event.Kind kind, int file, long start, long duration, long number) {
        return new Event(
                kind,
                TraceOperation.AREAD,
                null,
                file,
                start,
                duration,
                number * 4096,
                4096,
                kind == Event.Kind.END ? 4096 : 0,
                false,
                false,
                false,
                0,
                THREAD,
                number,
                EventsFile.PROCESS);
    }

    static Event page(PageOperation page, int file, long start, long duration, long frame) {
        return new Event(
                Event.Kind.PAGE,
                null,
                page,
                file,
                start,
                duration,
                frame * 4096,
                4096,
                4096,
                false,
                false,
                false,
                0,
                THREAD,
                frame,
                EventsFile.PROCESS);
    }

    static Event dropped(long start, long duration, long count) {
        return new Event(
                Event.Kind.DROPPED,
                null,
                null,
                0,
                start,
                duration,
                -1,
                count,
                0,
                false,
                false,
                false,
                0,
                0,
                0,
                EventsFile.PROCESS);
    }
}
