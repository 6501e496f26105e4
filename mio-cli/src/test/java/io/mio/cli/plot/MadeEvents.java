package io.mio.cli.plot;

import io.mio.events.Event;
import io.mio.events.EventFormat;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes an events file record by record, as {@code docs/format/events.md} says. */
final class MadeEvents implements Closeable {
    static final int PROCESS = 4711;

    private final FileChannel channel;
    private final ByteBuffer header = little(EventFormat.HEADER_BYTES);
    private final ByteBuffer definitions = little(EventFormat.BLOCK_BYTES);
    private final ByteBuffer events = little(EventFormat.BLOCK_BYTES);
    private long blocks;
    private int files;

    MadeEvents(Path file) throws IOException {
        channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
        header.putLong(0, EventFormat.MAGIC).putInt(8, EventFormat.BYTE_ORDER);
        header.putShort(12, (short) EventFormat.MAJOR);
        header.putInt(16, EventFormat.HEADER_BYTES).putInt(20, EventFormat.BLOCK_BYTES);
        header.putInt(24, EventFormat.BLOCK_HEADER_BYTES).putInt(28, EventFormat.RECORD_BYTES);
        header.putInt(32, PROCESS).putInt(36, EventFormat.NATIVE);
        header.putLong(64, 1L << 40);
        definitions.position(EventFormat.BLOCK_HEADER_BYTES);
        events.position(EventFormat.BLOCK_HEADER_BYTES);
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** What the header says of losses. */
    void dropped(long count, long limitBytes) {
        header.putLong(EventFormat.AT_DROPPED, count).putLong(64, limitBytes);
    }

    /** A trace layer right below the program, and above the system. */
    int file(String path, long inode) throws IOException {
        return file(path, inode, 1, "program", "os", 1);
    }

    /** A trace layer anywhere. */
    int file(String path, long inode, int place, String above, String below, int sample)
            throws IOException {
        int id = ++files;
        return define(id, EventFormat.OF_TRACE, path, inode, place, above, below, 0, 0, 0, sample);
    }

    /** The pages of a file. */
    int pages(String path, long inode, int pageBytes, int frames) throws IOException {
        int id = ++files;
        return define(
                id, EventFormat.OF_PF, path, inode, 2, "trace", "trace", pageBytes, frames, 1, 1);
    }

    private int define(
            int id,
            int layer,
            String path,
            long inode,
            int place,
            String above,
            String below,
            int pageBytes,
            int frames,
            int cache,
            int sample)
            throws IOException {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        int records = 4 + (name.length + EventFormat.TEXT_BYTES - 1) / EventFormat.TEXT_BYTES;
        if (definitions.remaining() < records * EventFormat.RECORD_BYTES) {
            flush(definitions, EventFormat.DEFINITIONS);
        }
        int at = next(definitions);
        definitions.putShort(at, (short) EventFormat.FILE);
        definitions.put(at + 2, (byte) layer).put(at + 3, (byte) place).putInt(at + 4, id);
        definitions.putLong(at + 24, inode).putInt(at + 48, pageBytes).putInt(at + 52, frames);
        definitions.putInt(at + 56, cache).putInt(at + 60, sample);
        text(EventFormat.TEXT_PATH, id, name);
        text(EventFormat.TEXT_LAYER, id, bytes(layer == EventFormat.OF_PF ? "pf" : "trace"));
        text(EventFormat.TEXT_ABOVE, id, bytes(above));
        text(EventFormat.TEXT_BELOW, id, bytes(below));
        return id;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void text(int kind, int id, byte[] text) {
        for (int from = 0; from < text.length; from += EventFormat.TEXT_BYTES) {
            int count = Math.min(EventFormat.TEXT_BYTES, text.length - from);
            int at = next(definitions);
            definitions.putShort(at, (short) EventFormat.TEXT);
            definitions.put(at + 2, (byte) kind).put(at + 3, (byte) count).putInt(at + 4, id);
            definitions.put(at + 8, text, from, count);
        }
    }

    void add(Event event) throws IOException {
        if (events.remaining() < EventFormat.RECORD_BYTES) {
            flush(events, EventFormat.EVENTS);
        }
        if (events.position() == EventFormat.BLOCK_HEADER_BYTES) {
            events.putLong(16, event.endNanos());
        }
        int at = next(events);
        events.putLong(at + 8, event.startNanos()).putLong(at + 16, event.durationNanos());
        if (event.kind() == Event.Kind.DROPPED) {
            events.putShort(at, (short) EventFormat.DROPPED).putLong(at + 24, event.requested());
            return;
        }
        events.putShort(at, (short) (event.kind().ordinal() + 1));
        events.put(
                at + 2,
                (byte)
                        (event.kind() == Event.Kind.PAGE
                                ? event.page().code()
                                : event.operation().ordinal()));
        events.put(at + 3, (byte) ((event.failed() ? 1 : 0) + (event.asynchronous() ? 4 : 0)));
        events.putInt(at + 4, event.file()).putLong(at + 24, event.offset());
        events.putLong(at + 32, event.requested()).putLong(at + 40, event.delivered());
        events.putInt(at + 48, event.errno()).putInt(at + 52, (int) event.thread());
        events.putLong(at + 56, event.number());
    }

    private static int next(ByteBuffer block) {
        int at = block.position();
        block.position(at + EventFormat.RECORD_BYTES);
        return at;
    }

    private void flush(ByteBuffer block, int kind) throws IOException {
        block.putInt(0, EventFormat.BLOCK_MAGIC).putShort(4, (short) kind).putInt(8, PROCESS);
        block.rewind();
        channel.write(block, EventFormat.HEADER_BYTES + blocks++ * EventFormat.BLOCK_BYTES);
        block.clear()
                .put(new byte[EventFormat.BLOCK_BYTES])
                .position(EventFormat.BLOCK_HEADER_BYTES);
    }

    @Override
    public void close() throws IOException {
        flush(definitions, EventFormat.DEFINITIONS);
        flush(events, EventFormat.EVENTS);
        header.putLong(EventFormat.AT_CLAIMED, blocks);
        header.rewind();
        channel.write(header, 0);
        channel.close();
    }

    // ---- events

    static Event call(
            TraceOperation operation, int file, long start, long nanos, long offset, long bytes) {
        return event(Event.Kind.CALL, operation, null, file, start, nanos, offset, bytes, 0, false);
    }

    static Event failed(TraceOperation operation, int file, long start, long nanos, int errno) {
        return new Event(
                Event.Kind.CALL,
                operation,
                null,
                file,
                start,
                nanos,
                -1,
                -1,
                0,
                true,
                false,
                false,
                errno,
                7,
                0,
                PROCESS);
    }

    static Event submitted(TraceOperation operation, int file, long start, long number) {
        return event(Event.Kind.CALL, operation, null, file, start, 1, 0, 0, number, false);
    }

    static Event ended(
            TraceOperation operation,
            int file,
            long start,
            long nanos,
            long offset,
            long bytes,
            long number) {
        return event(
                Event.Kind.END, operation, null, file, start, nanos, offset, bytes, number, false);
    }

    static Event page(
            PageOperation page,
            int file,
            long start,
            long nanos,
            long offset,
            long bytes,
            long frame,
            boolean asynchronous) {
        return event(
                Event.Kind.PAGE,
                null,
                page,
                file,
                start,
                nanos,
                offset,
                bytes,
                frame,
                asynchronous);
    }

    static Event dropped(long start, long nanos, long count) {
        return event(Event.Kind.DROPPED, null, null, 0, start, nanos, -1, count, 0, false);
    }

    private static Event event(
            Event.Kind kind,
            TraceOperation operation,
            PageOperation page,
            int file,
            long start,
            long nanos,
            long offset,
            long bytes,
            long number,
            boolean asynchronous) {
        return new Event(
                kind,
                operation,
                page,
                file,
                start,
                nanos,
                offset,
                bytes,
                bytes,
                false,
                false,
                asynchronous,
                0,
                7,
                number,
                PROCESS);
    }
}
