package io.mio.events;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One block in memory; its events come in the order of their ends.
 *
 * <p>Its numbers are taken out of an array of words, not out of the buffer: a plan is read while a
 * program starts, by an interpreter, to which each number of a buffer is ten calls.
 */
final class EventBlock {
    final ByteBuffer bytes;
    long number;
    private final boolean isLittle;
    private final long[] words = new long[EventFormat.BLOCK_BYTES / Long.BYTES];
    private final int[] order = new int[EventFormat.BLOCK_RECORDS];
    private final long[] ends = new long[EventFormat.BLOCK_RECORDS];
    private int count;
    private int next;

    EventBlock(ByteOrder byteOrder) {
        this.bytes = ByteBuffer.allocate(EventFormat.BLOCK_BYTES).order(byteOrder);
        this.isLittle = byteOrder == ByteOrder.LITTLE_ENDIAN;
    }

    /** The eight bytes at a place, a multiple of eight. */
    long int64(int at) {
        return words[at >> 3];
    }

    /** The four bytes at a place, a multiple of four. */
    int int32(int at) {
        long word = words[at >> 3];
        return (at & 4) != 0 == isLittle ? (int) (word >>> 32) : (int) word;
    }

    /** The two bytes at a place, a multiple of two; 0 and more. */
    int int16(int at) {
        int before = 8 * (at & 7);
        return (int) (words[at >> 3] >>> (isLittle ? before : 48 - before)) & 0xffff;
    }

    /** The byte at a place; 0 and more. */
    int int8(int at) {
        int before = 8 * (at & 7);
        return (int) (words[at >> 3] >>> (isLittle ? before : 56 - before)) & 0xff;
    }

    long process() {
        return Integer.toUnsignedLong(int32(8));
    }

    /** Looks at what was read, up to the limit of {@link #bytes}: finished records come first. */
    void begin(long newNumber) {
        number = newNumber;
        next = 0;
        count = 0;
        bytes.asLongBuffer().get(words, 0, bytes.limit() / Long.BYTES);
        int room = (bytes.limit() - EventFormat.BLOCK_HEADER_BYTES) / EventFormat.RECORD_BYTES;
        for (int at = at(0); count < room && int16(at) != 0; at += EventFormat.RECORD_BYTES) {
            insert(count++, int64(at + 8) + int64(at + 16));
        }
    }

    private static int at(int record) {
        return EventFormat.BLOCK_HEADER_BYTES + record * EventFormat.RECORD_BYTES;
    }

    /** They are nearly in order: a thread may be overtaken between its call and its record. */
    private void insert(int record, long end) {
        int to = record;
        while (to > 0 && ends[to - 1] > end) {
            ends[to] = ends[to - 1];
            order[to] = order[to - 1];
            to--;
        }
        ends[to] = end;
        order[to] = record;
    }

    int records() {
        return count;
    }

    boolean hasNext() {
        return next < count;
    }

    /** End of the next record. */
    long nextEnd() {
        return ends[next];
    }

    /** Place of the next record, which is then passed. */
    int next() {
        return at(order[next++]);
    }

    /** Place of a record in the order in which they were written. */
    int place(int record) {
        return at(record);
    }
}
