package io.mio.cli.events;

import io.mio.cli.events.export.EventExport;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import io.mio.events.EventProcess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Writes an events file (docs/format/events.md) from events in the order of their ends. A block
 * holds events of one process, so each process has a block of its own that is being filled. A block
 * keeps the place it got when it was begun: a reader goes by it where times are equal.
 */
final class EventFileWriter implements EventExport {
    /**
     * Most processes with a block in memory. If there are more, the block that was used longest ago
     * is ended.
     */
    private static final int OPEN_MAX = 256;

    /** Most bytes of a path that a reader keeps. */
    private static final int PATH_BYTES_MAX = 16 << 10;

    private static final int TEXT_BYTES_MAX = 1 << 10;

    private static final byte[] EMPTY = new byte[EventFormat.BLOCK_BYTES];

    private final FileChannel channel;
    private final ByteOrder order;
    private final Map<Long, Block> open = new LinkedHashMap<>(16, 0.75f, true);
    private Block spare;
    private long blocks;

    /** A block that is being filled. */
    private static final class Block {
        final ByteBuffer bytes;
        long number;

        Block(ByteOrder order) {
            bytes = ByteBuffer.allocate(EventFormat.BLOCK_BYTES).order(order);
        }
    }

    /** Writes the header and the definitions to an empty file, which the caller closes. */
    EventFileWriter(FileChannel channel, Definitions definitions) throws IOException {
        this.channel = channel;
        this.order = definitions.header().order();
        header(definitions);
        Map<Long, List<EventFile>> files =
                definitions.files().stream()
                        .collect(
                                Collectors.groupingBy(
                                        EventFile::process,
                                        LinkedHashMap::new,
                                        Collectors.toList()));
        for (EventProcess process : definitions.processes()) {
            define(process, files.getOrDefault(process.process(), List.of()));
            files.remove(process.process());
        }
        // A damaged file may have files whose processes are not defined.
        for (Map.Entry<Long, List<EventFile>> left : files.entrySet()) {
            Block block = begin(EventFormat.DEFINITIONS, left.getKey(), 0);
            for (EventFile file : left.getValue()) {
                block = define(block, file);
            }
            end(block);
        }
    }

    private void header(Definitions definitions) throws IOException {
        EventHeader header = definitions.header();
        long lastFile =
                definitions.files().stream()
                        .mapToLong(file -> Integer.toUnsignedLong(file.id()))
                        .max()
                        .orElse(0);
        ByteBuffer bytes = ByteBuffer.allocate(EventFormat.HEADER_BYTES);
        bytes.order(ByteOrder.LITTLE_ENDIAN).putLong(0, EventFormat.MAGIC).order(order);
        bytes.putInt(8, EventFormat.BYTE_ORDER);
        bytes.putShort(12, (short) EventFormat.MAJOR).putShort(14, (short) EventFormat.MINOR);
        bytes.putInt(16, EventFormat.HEADER_BYTES).putInt(20, EventFormat.BLOCK_BYTES);
        bytes.putInt(24, EventFormat.BLOCK_HEADER_BYTES).putInt(28, EventFormat.RECORD_BYTES);
        bytes.putInt(32, (int) header.process()).putInt(36, header.door());
        bytes.putLong(40, header.realtimeNanos()).putLong(48, header.monotonicNanos());
        bytes.putLong(64, header.limitBytes());
        bytes.putLong(EventFormat.AT_DROPPED, header.dropped());
        bytes.putInt(EventFormat.AT_FILES, (int) lastFile);
        text(bytes, EventFormat.AT_PROGRAM, header.program());
        text(bytes, EventFormat.AT_HOST, header.host());
        text(bytes, EventFormat.AT_LIBRARY, header.library());
        write(bytes, 0);
    }

    private static void text(ByteBuffer bytes, int at, String text) {
        bytes.put(at, utf8(text, EventFormat.HEADER_TEXT_BYTES - 1));
    }

    /** Returns at most so many bytes; a character that does not fit whole is left out. */
    private static byte[] utf8(String text, int bytesMax) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= bytesMax) {
            return bytes;
        }
        int end = bytesMax;
        while (end > 0 && (bytes[end] & 0xc0) == 0x80) {
            end--;
        }
        return Arrays.copyOf(bytes, end);
    }

    // ---- definitions

    private void define(EventProcess process, List<EventFile> files) throws IOException {
        Block block = begin(EventFormat.DEFINITIONS, process.process(), process.beganNanos());
        ByteBuffer bytes = block.bytes;
        int at = record(bytes, EventFormat.PROCESS, 0, 0, (int) process.process());
        bytes.putLong(at + 8, process.beganNanos());
        bytes.putInt(at + 16, (int) process.parent()).putInt(at + 20, process.door());
        texts(
                bytes,
                EventFormat.TEXT_PROGRAM,
                (int) process.process(),
                utf8(process.program(), TEXT_BYTES_MAX));
        for (EventFile file : files) {
            block = define(block, file);
        }
        end(block);
    }

    /** Writes a definition with all its texts into one block. Returns the block to go on with. */
    private Block define(Block begun, EventFile file) throws IOException {
        byte[][] texts = {
            utf8(file.path(), PATH_BYTES_MAX),
            utf8(file.name(), TEXT_BYTES_MAX),
            utf8(file.above(), TEXT_BYTES_MAX),
            utf8(file.below(), TEXT_BYTES_MAX)
        };
        int records = 1;
        for (byte[] text : texts) {
            records += records(text);
        }
        Block block = begun;
        if (block.bytes.remaining() < records * EventFormat.RECORD_BYTES) {
            end(block);
            block = begin(EventFormat.DEFINITIONS, file.process(), file.openedNanos());
        }
        ByteBuffer bytes = block.bytes;
        int at = record(bytes, EventFormat.FILE, file.layer(), file.place(), file.id());
        bytes.putLong(at + 8, file.openedNanos());
        bytes.putLong(at + 16, file.device()).putLong(at + 24, file.inode());
        bytes.putInt(at + 32, file.oflags()).putInt(at + 36, file.mode());
        bytes.putLong(at + 40, file.sizeBytes());
        bytes.putInt(at + 48, (int) file.pageBytes()).putInt(at + 52, (int) file.frames());
        bytes.putInt(at + 56, (int) file.cache()).putInt(at + 60, (int) file.sample());
        for (int i = 0; i < texts.length; i++) {
            texts(bytes, EventFormat.TEXT_PATH + i, file.id(), texts[i]);
        }
        return block;
    }

    private static int records(byte[] text) {
        return (text.length + EventFormat.TEXT_BYTES - 1) / EventFormat.TEXT_BYTES;
    }

    private static void texts(ByteBuffer bytes, int kind, int id, byte[] text) {
        for (int from = 0; from < text.length; from += EventFormat.TEXT_BYTES) {
            int count = Math.min(EventFormat.TEXT_BYTES, text.length - from);
            int at = record(bytes, EventFormat.TEXT, kind, count, id);
            bytes.put(at + 8, text, from, count);
        }
    }

    /** Begins a record with its first eight bytes. Returns its place. */
    private static int record(ByteBuffer bytes, int type, int second, int third, int fourth) {
        int at = bytes.position();
        bytes.putShort(at, (short) type).put(at + 2, (byte) second).put(at + 3, (byte) third);
        bytes.putInt(at + 4, fourth);
        bytes.position(at + EventFormat.RECORD_BYTES);
        return at;
    }

    // ---- events

    @Override
    public void event(Event event) throws IOException {
        ByteBuffer bytes = block(event).bytes;
        switch (event.kind()) {
            case CALL -> put(bytes, EventFormat.CALL, event.operation().ordinal(), event);
            case END -> put(bytes, EventFormat.END, event.operation().ordinal(), event);
            case PAGE -> put(bytes, EventFormat.PAGE, event.page().code(), event);
            case DROPPED -> {
                int at = record(bytes, EventFormat.DROPPED, 0, 0, 0);
                bytes.putLong(at + 8, event.startNanos()).putLong(at + 16, event.durationNanos());
                bytes.putLong(at + 24, event.requested());
            }
        }
    }

    private static void put(ByteBuffer bytes, int type, int operation, Event event) {
        int flags =
                (event.failed() ? EventFormat.FAILED : 0)
                        | (event.append() ? EventFormat.APPEND : 0)
                        | (event.asynchronous() ? EventFormat.ASYNCHRONOUS : 0);
        int at = record(bytes, type, operation, flags, event.file());
        bytes.putLong(at + 8, event.startNanos()).putLong(at + 16, event.durationNanos());
        bytes.putLong(at + 24, event.offset()).putLong(at + 32, event.requested());
        bytes.putLong(at + 40, event.delivered()).putInt(at + 48, event.errno());
        bytes.putInt(at + 52, (int) event.thread()).putLong(at + 56, event.number());
    }

    /** Returns the block of the event's process, with room for the event. */
    private Block block(Event event) throws IOException {
        Block block = open.get(event.process());
        if (block != null && block.bytes.hasRemaining()) {
            return block;
        }
        if (block != null) {
            open.remove(event.process());
            end(block);
        } else if (open.size() == OPEN_MAX) {
            Map.Entry<Long, Block> eldest = open.entrySet().iterator().next();
            open.remove(eldest.getKey());
            end(eldest.getValue());
        }
        block = begin(EventFormat.EVENTS, event.process(), event.endNanos());
        open.put(event.process(), block);
        return block;
    }

    // ---- blocks

    private Block begin(int kind, long process, long nanos) {
        Block block = spare == null ? new Block(order) : spare;
        spare = null;
        block.number = blocks++;
        ByteBuffer bytes = block.bytes.clear();
        bytes.put(EMPTY).clear();
        bytes.putInt(0, EventFormat.BLOCK_MAGIC).putShort(4, (short) kind);
        bytes.putShort(6, (short) (kind == EventFormat.EVENTS ? 1 : 0));
        bytes.putInt(8, (int) process).putLong(16, nanos);
        bytes.position(EventFormat.BLOCK_HEADER_BYTES);
        return block;
    }

    private void end(Block block) throws IOException {
        ByteBuffer bytes = block.bytes.clear();
        write(bytes, EventFormat.HEADER_BYTES + block.number * EventFormat.BLOCK_BYTES);
        spare = block;
    }

    private void write(ByteBuffer bytes, long at) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes, at + bytes.position());
        }
    }

    @Override
    public void close() throws IOException {
        for (Block block : open.values()) {
            end(block);
        }
        open.clear();
        ByteBuffer claimed = ByteBuffer.allocate(Long.BYTES).order(order).putLong(0, blocks);
        for (int done = 0; claimed.hasRemaining(); ) {
            done += channel.write(claimed, EventFormat.AT_CLAIMED + done);
        }
    }
}
