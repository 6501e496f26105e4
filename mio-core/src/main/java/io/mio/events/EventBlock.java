package io.mio.events;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** One block in memory; its events come in the order of their ends. */
final class EventBlock {
    final ByteBuffer bytes;
    long number;
    private final int[] order = new int[EventFormat.BLOCK_RECORDS];
    private final long[] ends = new long[EventFormat.BLOCK_RECORDS];
    private int count;
    private int next;

    EventBlock(ByteOrder byteOrder) {
        this.bytes = ByteBuffer.allocate(EventFormat.BLOCK_BYTES).order(byteOrder);
    }

    long process() {
        return Integer.toUnsignedLong(bytes.getInt(8));
    }

    /** Looks at what was read, up to the limit of {@link #bytes}: finished records come first. */
    void begin(long newNumber) {
        number = newNumber;
        next = 0;
        count = 0;
        int room = (bytes.limit() - EventFormat.BLOCK_HEADER_BYTES) / EventFormat.RECORD_BYTES;
        while (count < room && Short.toUnsignedInt(bytes.getShort(at(count))) != 0) {
            int at = at(count);
            insert(count++, bytes.getLong(at + 8) + bytes.getLong(at + 16));
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
