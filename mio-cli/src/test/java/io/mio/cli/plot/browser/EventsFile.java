package io.mio.cli.plot.browser;

import io.mio.events.EventFormat;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Makes an events file of given events, by {@code docs/format/events.md}. Times in nanoseconds. */
final class EventsFile {
    static final int PROCESS = 4711;
    static final int THREAD = 4712;
    private static final int DIRECT = 1 << 14;

    private final List<ByteBuffer> definitions = new ArrayList<>();
    private final List<ByteBuffer> events = new ArrayList<>();
    private final String program;
    private int files;

    EventsFile(String program) {
        this.program = program;
        ByteBuffer process = record(EventFormat.PROCESS);
        process.putInt(4, PROCESS);
        process.putInt(16, 1);
        process.putInt(20, EventFormat.NATIVE);
        definitions.add(process);
        text(EventFormat.TEXT_PROGRAM, PROCESS, program);
    }

    /** A file as the trace layer next to the program sees it. */
    int traced(String path, String below, int sample) {
        ByteBuffer file = file(EventFormat.OF_TRACE, 1);
        file.putInt(60, sample);
        return named(path, "trace", "program", below);
    }

    /** A file as the trace layer between pf and the system sees it. */
    int tracedBelow(String path) {
        ByteBuffer file = file(EventFormat.OF_TRACE, 3);
        file.putInt(60, 1);
        return named(path, "trace", "pf", "os");
    }

    /** The pages of a file. */
    int cached(String path, int pageBytes, int frames) {
        ByteBuffer file = file(EventFormat.OF_PF, 2);
        file.putInt(48, pageBytes);
        file.putInt(52, frames);
        file.putInt(56, 1);
        return named(path, "pf", "trace", "trace");
    }

    private ByteBuffer file(int layer, int place) {
        ByteBuffer file = record(EventFormat.FILE);
        file.put(2, (byte) layer);
        file.put(3, (byte) place);
        file.putInt(4, ++files);
        file.putLong(16, 7);
        file.putLong(24, files);
        file.putInt(32, DIRECT);
        file.putInt(36, -1);
        definitions.add(file);
        return file;
    }

    private int named(String path, String name, String above, String below) {
        text(EventFormat.TEXT_PATH, files, path);
        text(EventFormat.TEXT_LAYER, files, name);
        text(EventFormat.TEXT_ABOVE, files, above);
        text(EventFormat.TEXT_BELOW, files, below);
        return files;
    }

    private void text(int kind, int id, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int at = 0; at < bytes.length; at += EventFormat.TEXT_BYTES) {
            int count = Math.min(EventFormat.TEXT_BYTES, bytes.length - at);
            ByteBuffer piece = record(EventFormat.TEXT);
            piece.put(2, (byte) kind);
            piece.put(3, (byte) count);
            piece.putInt(4, id);
            piece.put(8, bytes, at, count);
            definitions.add(piece);
        }
    }

    /** A call that moved all it asked for; offset -1 and bytes 0 of those that move nothing. */
    EventsFile call(
            int file, TraceOperation operation, long start, long nanos, long offset, long bytes) {
        events.add(event(EventFormat.CALL, operation.ordinal(), file, start, nanos, offset, bytes));
        return this;
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
        ByteBuffer call =
                event(EventFormat.CALL, operation.ordinal(), file, start, nanos, offset, bytes);
        call.put(3, (byte) EventFormat.FAILED);
        call.putLong(40, 0);
        call.putInt(48, errno);
        events.add(call);
        return this;
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
        for (int type : new int[] {EventFormat.CALL, EventFormat.END}) {
            boolean end = type == EventFormat.END;
            ByteBuffer one =
                    event(
                            type,
                            operation.ordinal(),
                            file,
                            start,
                            end ? nanos : 1000,
                            offset,
                            bytes);
            one.putLong(40, end ? bytes : 0);
            one.putLong(56, number);
            events.add(one);
        }
        return this;
    }

    /** What happens to a page in a frame. */
    EventsFile page(
            int file,
            PageOperation operation,
            boolean asynchronous,
            long start,
            long nanos,
            long offset,
            long bytes,
            long frame) {
        ByteBuffer page =
                event(EventFormat.PAGE, operation.code(), file, start, nanos, offset, bytes);
        page.put(3, (byte) (asynchronous ? EventFormat.ASYNCHRONOUS : 0));
        page.putLong(56, frame);
        events.add(page);
        return this;
    }

    /** So many events were lost in a time. */
    EventsFile lost(long start, long nanos, long count) {
        ByteBuffer lost = record(EventFormat.DROPPED);
        lost.putLong(8, start);
        lost.putLong(16, nanos);
        lost.putLong(24, count);
        events.add(lost);
        return this;
    }

    private static ByteBuffer event(
            int type, int operation, int file, long start, long nanos, long offset, long bytes) {
        ByteBuffer event = record(type);
        event.put(2, (byte) operation);
        event.putInt(4, file);
        event.putLong(8, start);
        event.putLong(16, nanos);
        event.putLong(24, offset);
        event.putLong(32, bytes);
        event.putLong(40, bytes);
        event.putInt(52, THREAD);
        return event;
    }

    private static ByteBuffer record(int type) {
        ByteBuffer record =
                ByteBuffer.allocate(EventFormat.RECORD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        record.putShort(0, (short) type);
        return record;
    }

    /** Writes the file. */
    Path write(Path file) throws IOException {
        events.sort(Comparator.comparingLong(event -> event.getLong(8) + event.getLong(16)));
        int defined = blocks(definitions.size());
        int claimed = defined + blocks(events.size());
        ByteBuffer all =
                ByteBuffer.allocate(EventFormat.HEADER_BYTES + claimed * EventFormat.BLOCK_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN);
        header(all, claimed);
        put(all, 0, EventFormat.DEFINITIONS, 0, definitions);
        put(all, defined, EventFormat.EVENTS, 1, events);
        return Files.write(file, all.array());
    }

    private static int blocks(int records) {
        return (records + EventFormat.BLOCK_RECORDS - 1) / EventFormat.BLOCK_RECORDS;
    }

    private void header(ByteBuffer all, int claimed) {
        all.putLong(0, EventFormat.MAGIC);
        all.putInt(8, EventFormat.BYTE_ORDER);
        all.putShort(12, (short) EventFormat.MAJOR);
        all.putShort(14, (short) EventFormat.MINOR);
        all.putInt(16, EventFormat.HEADER_BYTES);
        all.putInt(20, EventFormat.BLOCK_BYTES);
        all.putInt(24, EventFormat.BLOCK_HEADER_BYTES);
        all.putInt(28, EventFormat.RECORD_BYTES);
        all.putInt(32, PROCESS);
        all.putInt(36, EventFormat.NATIVE);
        // 2026-11-21 00:00 UTC.
        all.putLong(40, 1_795_219_200_000_000_000L);
        all.putLong(64, 1L << 40);
        all.putLong(EventFormat.AT_CLAIMED, claimed);
        all.putInt(EventFormat.AT_FILES, files);
        putText(all, EventFormat.AT_PROGRAM, program);
        putText(all, EventFormat.AT_HOST, "test");
        putText(all, EventFormat.AT_LIBRARY, "test");
    }

    private static void putText(ByteBuffer all, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        all.put(at, bytes, 0, Math.min(bytes.length, EventFormat.HEADER_TEXT_BYTES - 1));
    }

    private static void put(
            ByteBuffer all, int firstBlock, int kind, int lane, List<ByteBuffer> records) {
        for (int i = 0; i < records.size(); i++) {
            int block = firstBlock + i / EventFormat.BLOCK_RECORDS;
            int at = EventFormat.HEADER_BYTES + block * EventFormat.BLOCK_BYTES;
            int place = i % EventFormat.BLOCK_RECORDS;
            ByteBuffer record = records.get(i);
            if (place == 0) {
                all.putInt(at, EventFormat.BLOCK_MAGIC);
                all.putShort(at + 4, (short) kind);
                all.putShort(at + 6, (short) lane);
                all.putInt(at + 8, PROCESS);
                all.putLong(at + 16, record.getLong(8) + record.getLong(16));
            }
            int to = at + EventFormat.BLOCK_HEADER_BYTES + place * EventFormat.RECORD_BYTES;
            all.put(to, record, 0, EventFormat.RECORD_BYTES);
        }
    }
}
