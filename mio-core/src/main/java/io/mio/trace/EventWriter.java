package io.mio.trace;

import io.mio.events.EventFormat;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes one events file of this process (docs/format/events.md).
 *
 * <p>An event is one record in a mapped block: no system call, no object, no wait for a lock. A
 * thread owns a lane, and so its block, for the few stores of a record, as it owns a stripe of
 * counters. When a block is full the lane takes the next one of those that the process has claimed;
 * more are claimed under a lock. Without space events are dropped and counted.
 */
final class EventWriter {
    private static final int LANES = 16;
    private static final int CHUNK_FIRST = 2;
    private static final int CHUNK_MOST = 16;

    /** Longest wait for the owner of a lane, who needs it only for some stores. */
    private static final long OWNER_NANOS_MAX = 20_000_000;

    /** Number of events dropped before space is asked for again. */
    private static final int DROPPED_BETWEEN = 1024;

    private final EventFacts facts;
    private final EventStorage storage;
    private final ByteBuffer header;
    private final long zeroNanos;
    private final long blocksMax;
    private final EventLane[] lanes = new EventLane[LANES];

    // Guarded by this object's monitor.
    private final EventLane definitions = new EventLane();
    private int lanesUsed;
    private boolean introduced;
    private ByteBuffer chunk;
    private long chunkFirst;
    private int chunkLeft;
    private int chunkNext = CHUNK_FIRST;

    /** Events dropped since the last one that was recorded. */
    private final AtomicLong lost = new AtomicLong();

    private volatile long lostFirst;
    private volatile long lostLast;

    /**
     * Makes or joins the file.
     *
     * @throws IOException if that cannot be done, see {@link EventStorage#open}
     */
    EventWriter(FileSystem platform, EventFacts facts) throws IOException {
        this.facts = facts;
        this.storage = new EventStorage(platform, facts);
        this.header = storage.open();
        this.zeroNanos = header.getLong(48);
        this.blocksMax =
                Math.max(0, header.getLong(64) - EventFormat.HEADER_BYTES)
                        / EventFormat.BLOCK_BYTES;
        for (int i = 0; i < LANES; i++) {
            lanes[i] = new EventLane();
        }
    }

    /** Returns nanoseconds since time zero. */
    long since(long nanoTime) {
        return nanoTime - zeroNanos;
    }

    // ---- blocks

    /** Begins a block; null if there is none. */
    private ByteBuffer beginBlock(int kind, int lane, long nanos) {
        if (chunkLeft == 0 && !grow()) {
            return null;
        }
        int at = chunk.capacity() - chunkLeft * EventFormat.BLOCK_BYTES;
        ByteBuffer block = chunk.slice(at, EventFormat.BLOCK_BYTES).order(ByteOrder.nativeOrder());
        chunkFirst++;
        chunkLeft--;
        EventLane.begin(block, kind, lane, facts.process(), nanos);
        return block;
    }

    private boolean grow() {
        long from = EventLane.get(header, EventFormat.AT_CLAIMED);
        int count = 0;
        while (count == 0) {
            if (from >= blocksMax) {
                return false;
            }
            count = (int) Math.min(chunkNext, blocksMax - from);
            if (!EventLane.change(header, EventFormat.AT_CLAIMED, from, from + count)) {
                from = EventLane.get(header, EventFormat.AT_CLAIMED);
                count = 0;
            }
        }
        try {
            chunk = storage.blocks(from, count);
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            giveBack(from, count);
            // There may be space for fewer.
            chunkNext = Math.max(1, count / 2);
            return false;
        }
        chunkFirst = from;
        chunkLeft = count;
        chunkNext = Math.min(2 * chunkNext, CHUNK_MOST);
        return true;
    }

    /** Frees blocks again, if no other process has claimed any behind them. */
    private void giveBack(long first, int count) {
        EventLane.change(header, EventFormat.AT_CLAIMED, first + count, first);
    }

    /** Gives back the blocks that are claimed and not begun, when the process ends. */
    synchronized void end() {
        if (chunkLeft > 0) {
            giveBack(chunkFirst, chunkLeft);
            chunkLeft = 0;
        }
    }

    // ---- events

    /** Records an event; see {@link io.mio.events.Event}. Times are since time zero. */
    void put(
            int type,
            int operation,
            int flags,
            int file,
            long start,
            long duration,
            long offset,
            long requested,
            long delivered,
            int errno,
            long thread,
            long number) {
        EventLane lane = own(Thread.currentThread().getId());
        if (lane == null) {
            drop(start + duration);
            return;
        }
        try {
            if (!lane.hasRoom(1) && !turn(lane, start + duration)) {
                drop(start + duration);
                return;
            }
            ByteBuffer bytes = lane.bytes();
            int at = lane.begin();
            bytes.putLong(at + 8, start);
            bytes.putLong(at + 16, duration);
            bytes.putLong(at + 24, offset);
            bytes.putLong(at + 32, requested);
            bytes.putLong(at + 40, delivered);
            bytes.putInt(at + 48, errno);
            bytes.putInt(at + 52, (int) thread);
            bytes.putLong(at + 56, number);
            lane.done(at, type, operation, flags, file);
        } finally {
            lane.release();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // correct without it: the owner lost its processor
    private EventLane own(long thread) {
        int first = (int) (thread * 0x9E3779B97F4A7C15L >>> 32) & LANES - 1;
        long waitsSince = 0;
        for (int tries = 0; ; tries++) {
            EventLane lane = lanes[first + tries & LANES - 1];
            if (lane.tryOwn()) {
                return lane;
            }
            if (tries % LANES < LANES - 1) {
                continue;
            }
            long now = System.nanoTime();
            if (tries == LANES - 1) {
                waitsSince = now;
            }
            if (now - waitsSince > OWNER_NANOS_MAX) {
                return null;
            }
            Thread.yield();
        }
    }

    /** Gives an owned lane a fresh block; false if none can be had. */
    private boolean turn(EventLane lane, long nanos) {
        lane.turn(null);
        if (lost.get() % DROPPED_BETWEEN != 0) {
            return false;
        }
        ByteBuffer fresh;
        synchronized (this) {
            if (lane.number == 0) {
                lane.number = ++lanesUsed;
            }
            fresh = beginBlock(EventFormat.EVENTS, lane.number, nanos);
        }
        lane.turn(fresh);
        if (fresh == null) {
            return false;
        }
        tellLost(lane);
        return true;
    }

    private void drop(long nanos) {
        EventLane.add(header, EventFormat.AT_DROPPED, 1);
        lostLast = nanos;
        if (lost.getAndIncrement() == 0) {
            lostFirst = nanos;
        }
    }

    /** Records what was lost before this block. */
    private void tellLost(EventLane lane) {
        long count = lost.getAndSet(0);
        if (count > 0) {
            int at = lane.begin();
            lane.bytes().putLong(at + 8, lostFirst);
            lane.bytes().putLong(at + 16, Math.max(0, lostLast - lostFirst));
            lane.bytes().putLong(at + 24, count);
            lane.done(at, EventFormat.DROPPED, 0, 0, 0);
        }
    }

    // ---- definitions

    /** A text of a definition. */
    record Words(int kind, String text) {}

    /**
     * Defines a file.
     *
     * @return its id, or 0: there is no space, and it cannot have events
     */
    synchronized int define(
            int layer,
            int place,
            long opened,
            long device,
            long inode,
            int oflags,
            int mode,
            long size,
            int[] more,
            Words... texts) {
        byte[][] words = new byte[texts.length][];
        int records = 1;
        for (int i = 0; i < texts.length; i++) {
            words[i] = texts[i].text().getBytes(StandardCharsets.UTF_8);
            records += records(words[i]);
        }
        if (records > EventFormat.BLOCK_RECORDS
                || !introduce(opened)
                || !makeRoom(records, opened)) {
            // The file's calls are not recorded; the drop shows that some are missing.
            drop(opened);
            return 0;
        }
        int id = EventLane.addInt(header, EventFormat.AT_FILES, 1) + 1;
        ByteBuffer bytes = definitions.bytes();
        int at = definitions.begin();
        bytes.putLong(at + 8, opened);
        bytes.putLong(at + 16, device);
        bytes.putLong(at + 24, inode);
        bytes.putInt(at + 32, oflags);
        bytes.putInt(at + 36, mode);
        bytes.putLong(at + 40, size);
        for (int i = 0; i < more.length; i++) {
            bytes.putInt(at + 48 + 4 * i, more[i]);
        }
        definitions.done(at, EventFormat.FILE, layer, Math.min(place, 255), id);
        for (int i = 0; i < texts.length; i++) {
            put(texts[i].kind(), id, words[i]);
        }
        return id;
    }

    /**
     * Records a decision of a cache layer; without space it is dropped, and counted.
     *
     * @param file id of the file it is about
     * @param nanos since time zero
     */
    synchronized void decide(int file, long nanos, long thread, Words... texts) {
        byte[][] words = new byte[texts.length][];
        int records = 1;
        for (int i = 0; i < texts.length; i++) {
            words[i] = texts[i].text().getBytes(StandardCharsets.UTF_8);
            records += records(words[i]);
        }
        if (records > EventFormat.BLOCK_RECORDS || !introduce(nanos) || !makeRoom(records, nanos)) {
            drop(nanos);
            return;
        }
        int id = EventLane.addInt(header, EventFormat.AT_FILES, 1) + 1;
        ByteBuffer bytes = definitions.bytes();
        int at = definitions.begin();
        bytes.putLong(at + 8, nanos);
        bytes.putInt(at + 16, file);
        bytes.putInt(at + 20, (int) thread);
        definitions.done(at, EventFormat.DECISION, 0, 0, id);
        for (int i = 0; i < texts.length; i++) {
            put(texts[i].kind(), id, words[i]);
        }
    }

    private static int records(byte[] text) {
        return (text.length + EventFormat.TEXT_BYTES - 1) / EventFormat.TEXT_BYTES;
    }

    private void put(int kind, int id, byte[] text) {
        for (int from = 0; from < text.length; from += EventFormat.TEXT_BYTES) {
            int count = Math.min(EventFormat.TEXT_BYTES, text.length - from);
            int at = definitions.begin();
            definitions.bytes().put(at + 8, text, from, count);
            definitions.done(at, EventFormat.TEXT, kind, count, id);
        }
    }

    private boolean makeRoom(int records, long nanos) {
        if (!definitions.hasRoom(records)) {
            ByteBuffer fresh = beginBlock(EventFormat.DEFINITIONS, 0, nanos);
            if (fresh == null) {
                return false;
            }
            definitions.turn(fresh);
        }
        return true;
    }

    private boolean introduce(long nanos) {
        byte[] program = facts.program().getBytes(StandardCharsets.UTF_8);
        if (introduced || records(program) >= EventFormat.BLOCK_RECORDS) {
            return true;
        }
        if (!makeRoom(1 + records(program), nanos)) {
            return false;
        }
        int at = definitions.begin();
        definitions.bytes().putLong(at + 8, nanos);
        definitions.bytes().putInt(at + 16, (int) facts.parent());
        definitions.bytes().putInt(at + 20, facts.door());
        definitions.done(at, EventFormat.PROCESS, 0, 0, (int) facts.process());
        put(EventFormat.TEXT_PROGRAM, (int) facts.process(), program);
        introduced = true;
        return true;
    }
}
