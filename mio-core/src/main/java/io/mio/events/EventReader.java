package io.mio.events;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/**
 * Reads an events file of any size. Definitions are there at once. Events come one by one in the
 * order of their ends, by merging the blocks that were written at the same time.
 *
 * <p>The memory used is that of the blocks that overlap in time, about one for each thread that
 * wrote (76 KB each), 16 bytes for each block of the file, and the definitions; all of it bounded.
 * A file may end anywhere, may still be written, and may hold anything: what makes no sense is
 * skipped and counted ({@link #losses}). Times may be any numbers.
 *
 * <p>Not for several threads.
 */
public final class EventReader implements Closeable {
    /** Most blocks in memory; if more overlap, the order of events suffers. */
    private static final int BLOCKS_MAX = 512;

    /** Most blocks that a process sets aside and may give back: they are empty. */
    private static final int GIVEN_BACK_MOST = 16;

    private final FileChannel channel;
    private final EventHeader header;
    private final EventIndex index = new EventIndex();
    private final EventDefinitions definitions = new EventDefinitions();
    private final EventRecords records = new EventRecords();
    private final PriorityQueue<EventBlock> open =
            new PriorityQueue<>(
                    (one, other) -> {
                        int byTime = Long.compare(one.nextEnd(), other.nextEnd());
                        return byTime != 0 ? byTime : Long.compare(one.number, other.number);
                    });
    private final ArrayDeque<EventBlock> spare = new ArrayDeque<>();
    private int nextBlock;
    private long cutBytes;
    private long missingBlocks;
    private long damagedBlocks;
    private long unknownBlocks;
    private long lostRecords;

    private EventReader(FileChannel channel, Path file) throws IOException {
        this.channel = channel;
        this.header = header(channel, file);
        scan();
    }

    /**
     * Opens a file and reads its definitions.
     *
     * @throws EventFormatException if it is no events file, or one of another version
     * @throws IOException if it cannot be read
     */
    public static EventReader open(Path file) throws IOException {
        // Opening a pipe would wait for a writer.
        if (!Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()) {
            throw noEventsFile(file);
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            return new EventReader(channel, file);
        } catch (IOException | RuntimeException | Error e) {
            channel.close();
            throw e;
        }
    }

    /** What the header says. */
    public EventHeader header() {
        return header;
    }

    /** The processes that wrote, in the order of their definitions. */
    public List<EventProcess> processes() {
        return Collections.unmodifiableList(definitions.processes());
    }

    /** The decisions of cache layers, in the order of their times. */
    public List<EventDecision> decisions() {
        List<EventDecision> decisions = new ArrayList<>(definitions.decisions());
        decisions.sort(Comparator.comparingLong(EventDecision::nanos));
        return decisions;
    }

    /** The files, by id. In a damaged file events may name files that are not there. */
    public Map<Integer, EventFile> files() {
        return Collections.unmodifiableMap(definitions.files());
    }

    /** What is missing, of the blocks and records read so far. */
    public EventLosses losses() {
        return new EventLosses(
                header.dropped(),
                cutBytes,
                missingBlocks,
                damagedBlocks,
                lostRecords + records.damaged() + definitions.damaged(),
                records.unknown() + definitions.unknown(),
                unknownBlocks,
                definitions.left());
    }

    /** Returns the next event, or null at the end. */
    public Event next() throws IOException {
        while (true) {
            load();
            EventBlock block = open.peek();
            if (block == null) {
                return null;
            }
            Event event = records.event(block, block.next());
            // A single block stays in the queue: no other has a record before its next one.
            if (!block.hasNext()) {
                open.poll();
                spare.add(block);
            } else if (open.size() > 1) {
                open.poll();
                open.add(block);
            }
            if (event != null) {
                return event;
            }
        }
    }

    /** Receives reads of the program, one after the other. */
    @FunctionalInterface
    public interface ReadTarget {
        /**
         * Takes the next read that did not fail.
         *
         * @param file id of the {@link EventFile}
         * @param bytes delivered; of an asynchronous request, of which that is not known when it is
         *     submitted, requested
         * @return false if no more are wanted
         */
        boolean read(int file, long offset, long bytes);
    }

    /**
     * Gives all reads from here on, in the order of their ends: what {@link #next} gives one by
     * one, at less cost. Records that make no sense are not counted.
     */
    public void reads(ReadTarget target) throws IOException {
        boolean wantsMore = true;
        while (wantsMore) {
            load();
            EventBlock block = open.poll();
            if (block == null) {
                return;
            }
            long until = nextBlock < index.size() ? index.began(nextBlock) : Long.MAX_VALUE;
            EventBlock other = open.peek();
            wantsMore =
                    block.reads(other == null ? until : Math.min(until, other.nextEnd()), target);
            if (block.hasNext()) {
                open.add(block);
            } else {
                spare.add(block);
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    // ---- the file

    private static EventFormatException noEventsFile(Path file) {
        return new EventFormatException(file + " is no events file; trace/events=FILE makes one");
    }

    private static EventHeader header(FileChannel channel, Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(EventFormat.HEADER_USED);
        read(channel, bytes, 0);
        bytes.flip().order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.limit() < Long.BYTES || bytes.getLong(0) != EventFormat.MAGIC) {
            throw noEventsFile(file);
        }
        if (bytes.limit() < EventFormat.AT_LIBRARY + EventFormat.HEADER_TEXT_BYTES) {
            throw new EventFormatException(
                    file + " was cut in its header, and nothing of it can be read any more");
        }
        if (bytes.getInt(8) != EventFormat.BYTE_ORDER) {
            bytes.order(ByteOrder.BIG_ENDIAN);
        }
        int major = Short.toUnsignedInt(bytes.getShort(12));
        if (bytes.getInt(8) != EventFormat.BYTE_ORDER || major != EventFormat.MAJOR) {
            throw new EventFormatException(
                    file
                            + " has version "
                            + major
                            + " of the events format, and this MIO reads version "
                            + EventFormat.MAJOR
                            + "; use the MIO that wrote it");
        }
        if (bytes.getInt(16) != EventFormat.HEADER_BYTES
                || bytes.getInt(20) != EventFormat.BLOCK_BYTES
                || bytes.getInt(24) != EventFormat.BLOCK_HEADER_BYTES
                || bytes.getInt(28) != EventFormat.RECORD_BYTES) {
            throw new EventFormatException(
                    file + " is damaged: its header is not that of version 1");
        }
        return new EventHeader(
                bytes.order(),
                Short.toUnsignedInt(bytes.getShort(14)),
                Integer.toUnsignedLong(bytes.getInt(32)),
                bytes.getInt(36),
                bytes.getLong(40),
                bytes.getLong(48),
                bytes.getLong(64),
                bytes.getLong(EventFormat.AT_CLAIMED),
                bytes.getLong(EventFormat.AT_DROPPED),
                text(bytes, EventFormat.AT_PROGRAM),
                text(bytes, EventFormat.AT_HOST),
                text(bytes, EventFormat.AT_LIBRARY));
    }

    private static String text(ByteBuffer bytes, int at) {
        int end = at;
        while (end < at + EventFormat.HEADER_TEXT_BYTES && bytes.get(end) != 0) {
            end++;
        }
        byte[] name = new byte[end - at];
        bytes.get(at, name);
        return new String(name, StandardCharsets.UTF_8);
    }

    /** Reads as many bytes as the file has. */
    private static void read(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
        int count = 0;
        while (bytes.hasRemaining() && count >= 0) {
            count = channel.read(bytes, at + bytes.position());
        }
    }

    private static long place(long block) {
        return EventFormat.HEADER_BYTES + block * EventFormat.BLOCK_BYTES;
    }

    /** Reads the header of a block; false if there is no block. */
    private boolean readHead(ByteBuffer head, long block) throws IOException {
        head.clear();
        read(channel, head, place(block));
        return !head.hasRemaining() && head.getInt(0) == EventFormat.BLOCK_MAGIC;
    }

    /**
     * Number of blocks claimed, at most what the file may have: with an impossible number all the
     * holes of a sparse file would be searched.
     */
    private long claimed() {
        long claimed = header.claimedBlocks();
        long limit = header.limitBytes() / EventFormat.BLOCK_BYTES;
        return limit > 0 && (claimed < 0 || claimed > limit) ? limit : claimed;
    }

    /**
     * Number of blocks. Behind those claimed there is nothing, however long the file is. If the
     * header was lost in part, blocks count as far as they go.
     *
     * @param most blocks that the file has room for
     */
    private long blocks(ByteBuffer head, long most) throws IOException {
        long claimed = claimed();
        long blocks = claimed < 0 ? most : Math.min(claimed, most);
        while (blocks < most && readHead(head, blocks)) {
            blocks++;
        }
        return blocks;
    }

    /**
     * Whether there are records where a block was claimed, or behind the last block, but no header:
     * a block has lost its header, or a file was appended. A block that is begun just now does not
     * count, as its header is there before its records.
     */
    private boolean isDamaged(ByteBuffer head, long block) throws IOException {
        EventBlock whole = spare.isEmpty() ? new EventBlock(header.order()) : spare.poll();
        read(whole, block);
        spare.add(whole);
        return !whole.isEmpty() && !readHead(head, block);
    }

    /** Whether another file begins behind the last block and those that were given back. */
    private boolean isAppended(ByteBuffer head, long blocks, long most) throws IOException {
        long near = Math.min(most, blocks + GIVEN_BACK_MOST);
        for (long block = blocks; block < near; block++) {
            if (isDamaged(head, block)) {
                return true;
            }
        }
        return false;
    }

    /** Looks at the headers of all blocks, and reads the definitions. */
    private void scan() throws IOException {
        long behind = Math.max(0, channel.size() - EventFormat.HEADER_BYTES);
        long most = (behind + EventFormat.BLOCK_BYTES - 1) / EventFormat.BLOCK_BYTES;
        ByteBuffer head = ByteBuffer.allocate(EventFormat.BLOCK_HEADER_BYTES).order(header.order());
        long blocks = blocks(head, most);
        for (long block = 0; block < blocks; block++) {
            if (!readHead(head, block)) {
                damagedBlocks += isDamaged(head, block) ? 1 : 0;
                continue;
            }
            switch (Short.toUnsignedInt(head.getShort(4))) {
                case EventFormat.EVENTS -> index.addEvents(block, head.getLong(16));
                case EventFormat.DEFINITIONS -> index.addDefinitions(block);
                default -> unknownBlocks++;
            }
        }
        damagedBlocks += isAppended(head, blocks, most) ? 1 : 0;
        long last = behind % EventFormat.BLOCK_BYTES;
        cutBytes = last == 0 ? 0 : EventFormat.BLOCK_BYTES - last;
        missingBlocks = Math.max(0, claimed() - most);
        index.sort();
        EventBlock block = spare.isEmpty() ? new EventBlock(header.order()) : spare.poll();
        for (int i = 0; i < index.definitions(); i++) {
            lostRecords += read(block, index.definition(i));
            definitions.read(block);
        }
        spare.add(block);
    }

    /**
     * Returns the records that were lost, see {@link EventBlock#begin}. A record that is written
     * meanwhile may be missing although the next one is there, so a block with losses is read
     * again.
     */
    private int read(EventBlock block, long number) throws IOException {
        return readOnce(block, number) == 0 ? 0 : readOnce(block, number);
    }

    private int readOnce(EventBlock block, long number) throws IOException {
        block.bytes.clear();
        read(channel, block.bytes, place(number));
        block.bytes.flip();
        return block.begin(number);
    }

    /** Loads the blocks that may hold the next event. */
    private void load() throws IOException {
        while (nextBlock < index.size() && open.size() < BLOCKS_MAX) {
            EventBlock first = open.peek();
            if (first != null && index.began(nextBlock) > first.nextEnd()) {
                return;
            }
            EventBlock block = spare.isEmpty() ? new EventBlock(header.order()) : spare.poll();
            lostRecords += read(block, index.block(nextBlock++));
            if (block.hasNext()) {
                open.add(block);
            } else {
                spare.add(block);
            }
        }
    }
}
