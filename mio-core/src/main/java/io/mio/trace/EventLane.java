package io.mio.trace;

import io.mio.events.EventFormat;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One place to write events to: a block, which a thread owns for the few stores of one record by a
 * flag taken with one compare-and-set.
 */
final class EventLane {
    private static final VarHandle OWNED;
    private static final VarHandle LONGS =
            MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final VarHandle INTS =
            MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.nativeOrder());
    private static final boolean LITTLE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    static {
        try {
            OWNED = MethodHandles.lookup().findVarHandle(EventLane.class, "owned", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings("UnusedVariable") // by the handle
    private int owned;

    private ByteBuffer block;
    private int used;

    /** Number of the lane, from 1; 0 while it has had no block. */
    int number;

    boolean tryOwn() {
        return (int) OWNED.getOpaque(this) == 0 && OWNED.compareAndSet(this, 0, 1);
    }

    void release() {
        OWNED.setRelease(this, 0);
    }

    /** Whether there is room for so many records. */
    boolean hasRoom(int records) {
        return block != null && used + records <= EventFormat.BLOCK_RECORDS;
    }

    /** Continues in a fresh block; null: there is none. */
    void turn(ByteBuffer fresh) {
        block = fresh;
        used = 0;
    }

    /**
     * Returns the place of the next record. The caller puts its bytes there, but for the first
     * eight, and then calls {@link #done}.
     */
    int begin() {
        return EventFormat.BLOCK_HEADER_BYTES + used * EventFormat.RECORD_BYTES;
    }

    ByteBuffer bytes() {
        return block;
    }

    /**
     * Stores the first eight bytes, last of all: they say that the others are there. A record that
     * was broken off before (by a full stack) is overwritten by the next, because readers skip one
     * without these bytes.
     */
    void done(int at, int type, int second, int third, int id) {
        LONGS.setRelease(block, at, first(type, second, third, id));
        used++;
    }

    private static long first(int type, int second, int third, int id) {
        long high = Integer.toUnsignedLong(id);
        return LITTLE
                ? type | (long) second << 16 | (long) third << 24 | high << 32
                : (long) type << 48 | (long) second << 40 | (long) third << 32 | high;
    }

    /** Begins a block; its magic number is stored last. */
    static void begin(ByteBuffer block, int kind, int lane, long process, long beganNanos) {
        block.putShort(4, (short) kind);
        block.putShort(6, (short) lane);
        block.putInt(8, (int) process);
        block.putLong(16, beganNanos);
        INTS.setRelease(block, 0, EventFormat.BLOCK_MAGIC);
    }

    /** Adds to a number, atomically; returns what it was before. */
    static long add(ByteBuffer header, int at, long more) {
        return (long) LONGS.getAndAdd(header, at, more);
    }

    static long get(ByteBuffer header, int at) {
        return (long) LONGS.getVolatile(header, at);
    }

    static boolean change(ByteBuffer header, int at, long from, long to) {
        return LONGS.compareAndSet(header, at, from, to);
    }

    static int addInt(ByteBuffer header, int at, int more) {
        return (int) INTS.getAndAdd(header, at, more);
    }
}
