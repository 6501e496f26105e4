package io.mio.cli.events.export;

import io.mio.events.Event;
import io.mio.events.EventFormat;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Writes an events file, by {@code docs/format/events.md}: definitions first, then events. */
final class EventsFile implements Closeable {
    static final long REALTIME = 1_790_000_000_000_000_000L;
    static final long MONOTONIC = 5_000_000_000_000L;
    static final int PROCESS = 4711;

    private static final int BLOCK = EventFormat.BLOCK_BYTES;

    private final OutputStream out;
    private final byte[] bytes = new byte[BLOCK];
    private final ByteBuffer block = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    private int kind = EventFormat.DEFINITIONS;
    private int at = EventFormat.BLOCK_HEADER_BYTES;

    EventsFile(Path file, int door) throws IOException {
        this(file, door, 0);
    }

    EventsFile(Path file, int door, long dropped) throws IOException {
        out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20);
        ByteBuffer header = block;
        header.putLong(0, EventFormat.MAGIC)
                .putInt(8, EventFormat.BYTE_ORDER)
                .putShort(12, (short) 1);
        header.putInt(16, EventFormat.HEADER_BYTES).putInt(20, BLOCK);
        header.putInt(24, EventFormat.BLOCK_HEADER_BYTES).putInt(28, EventFormat.RECORD_BYTES);
        header.putInt(32, PROCESS).putInt(36, door);
        header.putLong(40, REALTIME).putLong(48, MONOTONIC);
        header.putLong(EventFormat.AT_DROPPED, dropped);
        put(header, EventFormat.AT_PROGRAM, "program");
        put(header, EventFormat.AT_HOST, "host");
        put(header, EventFormat.AT_LIBRARY, "libmio-test");
        out.write(bytes);
        Arrays.fill(bytes, (byte) 0);
    }

    private static void put(ByteBuffer bytes, int place, String text) {
        bytes.put(place, text.getBytes(StandardCharsets.UTF_8));
    }

    private int record(int type) throws IOException {
        if (at == BLOCK) {
            flush();
        }
        int place = at;
        block.putShort(place, (short) type);
        at += EventFormat.RECORD_BYTES;
        return place;
    }

    private void flush() throws IOException {
        block.putInt(0, EventFormat.BLOCK_MAGIC).putShort(4, (short) kind).putInt(8, PROCESS);
        out.write(bytes);
        Arrays.fill(bytes, (byte) 0);
        at = EventFormat.BLOCK_HEADER_BYTES;
    }

    EventsFile program(String name) throws IOException {
        int place = record(EventFormat.PROCESS);
        block.putInt(place + 4, PROCESS).putInt(place + 20, EventFormat.NATIVE);
        text(EventFormat.TEXT_PROGRAM, PROCESS, name);
        return this;
    }

    /** A file as a trace layer sees it. */
    EventsFile file(int id, int place, String path, String above, String below, int sample)
            throws IOException {
        room(path);
        int record = record(EventFormat.FILE);
        block.put(record + 2, (byte) EventFormat.OF_TRACE).put(record + 3, (byte) place);
        block.putInt(record + 4, id).putInt(record + 60, sample).putLong(record + 40, 1 << 20);
        texts(id, path, List.of("trace", above, below));
        return this;
    }

    /** The pages of a file. */
    EventsFile pages(int id, int place, String path, int frames, int cache) throws IOException {
        room(path);
        int record = record(EventFormat.FILE);
        block.put(record + 2, (byte) EventFormat.OF_PF).put(record + 3, (byte) place);
        block.putInt(record + 4, id).putInt(record + 48, 4096);
        block.putInt(record + 52, frames).putInt(record + 56, cache).putInt(record + 60, 1);
        texts(id, path, List.of("pf", "trace", "trace"));
        return this;
    }

    /** A definition lies in one block. */
    private void room(String path) throws IOException {
        int records = 4 + path.getBytes(StandardCharsets.UTF_8).length / EventFormat.TEXT_BYTES + 1;
        if (at + records * EventFormat.RECORD_BYTES > BLOCK) {
            flush();
        }
    }

    private void texts(int id, String path, List<String> layers) throws IOException {
        text(EventFormat.TEXT_PATH, id, path);
        text(EventFormat.TEXT_LAYER, id, layers.get(0));
        text(EventFormat.TEXT_ABOVE, id, layers.get(1));
        text(EventFormat.TEXT_BELOW, id, layers.get(2));
    }

    private void text(int which, int id, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int from = 0; from < bytes.length; from += EventFormat.TEXT_BYTES) {
            int count = Math.min(EventFormat.TEXT_BYTES, bytes.length - from);
            int place = record(EventFormat.TEXT);
            block.put(place + 2, (byte) which).put(place + 3, (byte) count).putInt(place + 4, id);
            block.put(place + 8, bytes, from, count);
        }
    }

    /** An event; the first of a block gives the block its time. */
    EventsFile event(Event event) throws IOException {
        if (kind == EventFormat.DEFINITIONS) {
            flush();
            kind = EventFormat.EVENTS;
        }
        int place = record(event.kind().ordinal() + 1);
        if (place == EventFormat.BLOCK_HEADER_BYTES) {
            block.putLong(16, event.endNanos());
        }
        if (event.kind() == Event.Kind.DROPPED) {
            block.putLong(place + 8, event.startNanos()).putLong(place + 16, event.durationNanos());
            block.putLong(place + 24, event.requested());
            return this;
        }
        int code = event.page() == null ? event.operation().ordinal() : event.page().code();
        int flags = (event.failed() ? 1 : 0) | (event.append() ? 2 : 0);
        block.put(place + 2, (byte) code);
        block.put(place + 3, (byte) (flags | (event.asynchronous() ? 4 : 0)));
        block.putInt(place + 4, event.file()).putLong(place + 8, event.startNanos());
        block.putLong(place + 16, event.durationNanos()).putLong(place + 24, event.offset());
        block.putLong(place + 32, event.requested()).putLong(place + 40, event.delivered());
        block.putInt(place + 48, event.errno()).putInt(place + 52, (int) event.thread());
        block.putLong(place + 56, event.number());
        return this;
    }

    @Override
    public void close() throws IOException {
        flush();
        out.close();
    }
}
