package io.mio.cli.events;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
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
import java.util.List;

/**
 * Writes an events file of one process record by record, as {@code docs/format/events.md} says,
 * with nothing of what the product writes such files with.
 */
public final class MadeEvents implements Closeable {
    /** The number of the process, unless {@link #another} gives a different one. */
    public static final int PROCESS = 4711;

    public static final long REALTIME = 1_790_000_000_000_000_000L;
    public static final long MONOTONIC = 5_000_000_000_000L;

    private final FileChannel channel;
    private final ByteBuffer header = little(EventFormat.HEADER_BYTES);
    private final ByteBuffer definitions = little(EventFormat.BLOCK_BYTES);
    private final ByteBuffer events = little(EventFormat.BLOCK_BYTES);
    private long blocks;
    private int files;
    private int process = PROCESS;

    /** Begins a file of a native process named "program". */
    public MadeEvents(Path file) throws IOException {
        this(file, header(EventFormat.NATIVE, "program"));
    }

    public MadeEvents(Path file, EventHeader says) throws IOException {
        channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE);
        header.putLong(0, EventFormat.MAGIC).putInt(8, EventFormat.BYTE_ORDER);
        header.putShort(12, (short) EventFormat.MAJOR).putShort(14, (short) says.minor());
        header.putInt(16, EventFormat.HEADER_BYTES).putInt(20, EventFormat.BLOCK_BYTES);
        header.putInt(24, EventFormat.BLOCK_HEADER_BYTES).putInt(28, EventFormat.RECORD_BYTES);
        header.putInt(32, PROCESS).putInt(36, says.door());
        header.putLong(40, says.realtimeNanos()).putLong(48, says.monotonicNanos());
        dropped(says.dropped(), says.limitBytes());
        header.put(EventFormat.AT_PROGRAM, bytes(says.program()));
        header.put(EventFormat.AT_HOST, bytes(says.host()));
        header.put(EventFormat.AT_LIBRARY, bytes(says.library()));
        definitions.position(EventFormat.BLOCK_HEADER_BYTES);
        events.position(EventFormat.BLOCK_HEADER_BYTES);
    }

    /** The contents of the header of such a file. */
    public static EventHeader header(int door, String program) {
        return new EventHeader(
                ByteOrder.LITTLE_ENDIAN,
                0,
                PROCESS,
                door,
                REALTIME,
                MONOTONIC,
                1L << 40,
                0,
                0,
                program,
                "host",
                "libmio-test");
    }

    private static ByteBuffer little(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** Sets what the header says about losses. */
    public void dropped(long count, long limitBytes) {
        header.putLong(EventFormat.AT_DROPPED, count).putLong(64, limitBytes);
    }

    // ---- definitions

    /** Defines the process, whose parent is process 1. */
    public void process(int door, String program) throws IOException {
        int at = next(definitions, EventFormat.PROCESS);
        definitions.putInt(at + 4, process).putInt(at + 16, 1).putInt(at + 20, door);
        text(EventFormat.TEXT_PROGRAM, process, bytes(program));
    }

    /** The next records are of another process, a native one. */
    public void another(int number, String program) throws IOException {
        flush(definitions, EventFormat.DEFINITIONS);
        flush(events, EventFormat.EVENTS);
        process = number;
        process(EventFormat.NATIVE, program);
    }

    /** Defines a trace layer right below the program and above the system; returns its id. */
    public int file(String path, long inode) throws IOException {
        return file(path, inode, 1, "program", "os", 1);
    }

    /** Defines a trace layer anywhere; returns its id. */
    public int file(String path, long inode, int place, String above, String below, int sample)
            throws IOException {
        return define(traced(files + 1, path, inode, place, above, below, 0, sample));
    }

    /** Defines the pages of a file; returns their id. */
    public int pages(String path, long inode, int pageBytes, int frames) throws IOException {
        return define(cached(files + 1, path, inode, 2, pageBytes, frames, 1));
    }

    /** A trace layer for {@link #define}. */
    public static EventFile traced(
            int id,
            String path,
            long inode,
            int place,
            String above,
            String below,
            long sizeBytes,
            int sample) {
        return new EventFile(
                id,
                EventFormat.OF_TRACE,
                place,
                PROCESS,
                0,
                0,
                inode,
                0,
                0,
                sizeBytes,
                0,
                0,
                0,
                sample,
                path,
                "trace",
                above,
                below);
    }

    /** The pages of a file for {@link #define}. */
    public static EventFile cached(
            int id, String path, long inode, int place, int pageBytes, int frames, int cache) {
        return new EventFile(
                id,
                EventFormat.OF_PF,
                place,
                PROCESS,
                0,
                0,
                inode,
                0,
                0,
                0,
                pageBytes,
                frames,
                cache,
                1,
                path,
                "pf",
                "trace",
                "trace");
    }

    /** Defines a layer or pages; returns the id. */
    public int define(EventFile file) throws IOException {
        List<byte[]> texts =
                List.of(
                        bytes(file.path()),
                        bytes(file.name()),
                        bytes(file.above()),
                        bytes(file.below()));
        int records = 1;
        for (byte[] text : texts) {
            records += (text.length + EventFormat.TEXT_BYTES - 1) / EventFormat.TEXT_BYTES;
        }
        if (definitions.remaining() < records * EventFormat.RECORD_BYTES) {
            flush(definitions, EventFormat.DEFINITIONS);
        }
        int at = next(definitions, EventFormat.FILE);
        definitions.put(at + 2, (byte) file.layer()).put(at + 3, (byte) file.place());
        definitions.putInt(at + 4, file.id()).putLong(at + 8, file.openedNanos());
        definitions.putLong(at + 16, file.device()).putLong(at + 24, file.inode());
        definitions.putInt(at + 32, file.oflags()).putInt(at + 36, file.mode());
        definitions.putLong(at + 40, file.sizeBytes()).putInt(at + 48, (int) file.pageBytes());
        definitions.putInt(at + 52, (int) file.frames()).putInt(at + 56, (int) file.cache());
        definitions.putInt(at + 60, (int) file.sample());
        for (int i = 0; i < texts.size(); i++) {
            text(EventFormat.TEXT_PATH + i, file.id(), texts.get(i));
        }
        files = Math.max(files, file.id());
        return file.id();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private void text(int kind, int id, byte[] text) {
        for (int from = 0; from < text.length; from += EventFormat.TEXT_BYTES) {
            int count = Math.min(EventFormat.TEXT_BYTES, text.length - from);
            int at = next(definitions, EventFormat.TEXT);
            definitions.put(at + 2, (byte) kind).put(at + 3, (byte) count).putInt(at + 4, id);
            definitions.put(at + 8, text, from, count);
        }
    }

    // ---- events

    /** Adds an event as it is: in the order of ends, as readers of files expect, or not. */
    public void add(Event event) throws IOException {
        if (!events.hasRemaining()) {
            flush(definitions, EventFormat.DEFINITIONS);
            flush(events, EventFormat.EVENTS);
        }
        if (events.position() == EventFormat.BLOCK_HEADER_BYTES) {
            events.putLong(16, event.endNanos());
        }
        int at = next(events, event.kind().ordinal() + 1);
        events.putLong(at + 8, event.startNanos()).putLong(at + 16, event.durationNanos());
        if (event.kind() == Event.Kind.DROPPED) {
            events.putLong(at + 24, event.requested());
            return;
        }
        int code = event.page() == null ? event.operation().ordinal() : event.page().code();
        int flags = (event.failed() ? 1 : 0) + (event.append() ? 2 : 0);
        events.put(at + 2, (byte) code);
        events.put(at + 3, (byte) (flags + (event.asynchronous() ? 4 : 0)));
        events.putInt(at + 4, event.file()).putLong(at + 24, event.offset());
        events.putLong(at + 32, event.requested()).putLong(at + 40, event.delivered());
        events.putInt(at + 48, event.errno()).putInt(at + 52, (int) event.thread());
        events.putLong(at + 56, event.number());
    }

    private static int next(ByteBuffer block, int type) {
        int at = block.position();
        block.putShort(at, (short) type).position(at + EventFormat.RECORD_BYTES);
        return at;
    }

    private void flush(ByteBuffer block, int kind) throws IOException {
        if (block.position() == EventFormat.BLOCK_HEADER_BYTES) {
            return;
        }
        block.putInt(0, EventFormat.BLOCK_MAGIC).putShort(4, (short) kind).putInt(8, process);
        block.putShort(6, (short) (kind == EventFormat.EVENTS ? 1 : 0)).rewind();
        channel.write(block, EventFormat.HEADER_BYTES + blocks++ * EventFormat.BLOCK_BYTES);
        block.clear()
                .put(new byte[EventFormat.BLOCK_BYTES])
                .position(EventFormat.BLOCK_HEADER_BYTES);
    }

    @Override
    public void close() throws IOException {
        flush(definitions, EventFormat.DEFINITIONS);
        flush(events, EventFormat.EVENTS);
        header.putLong(EventFormat.AT_CLAIMED, blocks).putInt(EventFormat.AT_FILES, files);
        header.rewind();
        channel.write(header, 0);
        channel.close();
    }

    // ---- common events, of thread 7

    public static Event call(
            TraceOperation operation, int file, long start, long nanos, long offset, long bytes) {
        return MadeEvent.call(operation, file, start, nanos).bytes(offset, bytes).made();
    }

    public static Event failed(
            TraceOperation operation, int file, long start, long nanos, int errno) {
        return MadeEvent.call(operation, file, start, nanos).bytes(-1, -1).failed(errno).made();
    }

    public static Event submitted(TraceOperation operation, int file, long start, long number) {
        return MadeEvent.call(operation, file, start, 1).number(number).made();
    }

    public static Event ended(
            TraceOperation operation,
            int file,
            long start,
            long nanos,
            long offset,
            long bytes,
            long number) {
        return MadeEvent.end(operation, file, start, nanos)
                .bytes(offset, bytes)
                .number(number)
                .made();
    }

    public static Event page(
            PageOperation page,
            int file,
            long start,
            long nanos,
            long offset,
            long bytes,
            long frame,
            boolean asynchronous) {
        return MadeEvent.page(page, file, start, nanos)
                .bytes(offset, bytes)
                .number(frame)
                .asynchronous(asynchronous)
                .made();
    }
}
