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

    /** From 1; 0 while it has had no block. */
    int number;

    boolean tryOwn() {
        return (int) OWNED.getOpaque(this) == 0 && OWNED.compareAndSet(this, 0, 1);
    }

    void release() {
        OWNED.setRelease(this, 0);
    }

    /** Whether so many records have room. */
    boolean hasRoom(int records) {
        return block != null && used + records <= EventFormat.BLOCK_RECORDS;
    }

    /** Goes on in a fresh block; null: there is none. */
    void turn(ByteBuffer fresh) {
        block = fresh;
        used = 0;
    }

    /**
     * The next record: its bytes are to be put there, but for the first eight, then it is {@link
     * #done}.
     */
    int begin() {
        return EventFormat.BLOCK_HEADER_BYTES + used * EventFormat.RECORD_BYTES;
    }

    ByteBuffer bytes() {
        return block;
    }

    /**
     * The first eight bytes last: they say that the others are there. A record that something has
     * ended before (a full stack) is written over by the next, as readers pass over one without
     * them.
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

    /** A block is begun; its magic number comes last. */
    static void begin(ByteBuffer block, int kind, int lane, long process, long beganNanos) {
        block.putShort(4, (short) kind);
        block.putShort(6, (short) lane);
        block.putInt(8, (int) process);
        block.putLong(16, beganNanos);
        INTS.setRelease(block, 0, EventFormat.BLOCK_MAGIC);
    }

    /** One more, atomically; returns what it was before. */
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
