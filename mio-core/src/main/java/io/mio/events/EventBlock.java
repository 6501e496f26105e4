package io.mio.events;

import io.mio.stats.TraceOperation;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One block in memory; gives its events in the order of their ends.
 *
 * <p>Numbers are read from an array of words, not from the buffer: a plan is read while a program
 * starts, by an interpreter, for which each number of a buffer costs ten calls.
 */
final class EventBlock {
    // Parts of the first word of a record: type, operation, whether it failed.
    private static final long KIND = 0xffffL + (0xffL << 16) + ((long) EventFormat.FAILED << 24);
    private static final long READ = call(TraceOperation.READ);
    private static final long AREAD = call(TraceOperation.AREAD);

    final ByteBuffer bytes;
    long number;
    private final boolean isLittle;
    private final long[] words = new long[EventFormat.BLOCK_BYTES / Long.BYTES];
    private final int[] order = new int[EventFormat.BLOCK_RECORDS];
    private final long[] ends = new long[EventFormat.BLOCK_RECORDS];
    private int count;
    private int lost;
    private int next;

    EventBlock(ByteOrder byteOrder) {
        this.bytes = ByteBuffer.allocate(EventFormat.BLOCK_BYTES).order(byteOrder);
        this.isLittle = byteOrder == ByteOrder.LITTLE_ENDIAN;
    }

    private static long call(TraceOperation operation) {
        return EventFormat.CALL + ((long) operation.ordinal() << 16);
    }

    /** Returns the eight bytes at a place, a multiple of eight. */
    long int64(int at) {
        return words[at >> 3];
    }

    /** Returns the four bytes at a place, a multiple of four. */
    int int32(int at) {
        long word = words[at >> 3];
        return (at & 4) != 0 == isLittle ? (int) (word >>> 32) : (int) word;
    }

    /** Returns the two bytes at a place, a multiple of two; 0 and more. */
    int int16(int at) {
        int before = 8 * (at & 7);
        return (int) (words[at >> 3] >>> (isLittle ? before : 48 - before)) & 0xffff;
    }

    /** Returns the byte at a place; 0 and more. */
    int int8(int at) {
        int before = 8 * (at & 7);
        return (int) (words[at >> 3] >>> (isLittle ? before : 56 - before)) & 0xff;
    }

    /** Returns the first eight bytes of a record, as a little-endian machine has them. */
    private long head(int at) {
        long word = words[at >> 3];
        return isLittle
                ? word
                : int16(at) | (long) int8(at + 2) << 16 | (long) int8(at + 3) << 24 | word << 32;
    }

    long process() {
        return Integer.toUnsignedLong(int32(8));
    }

    /**
     * Takes in what was read, up to the limit of {@link #bytes}.
     *
     * @return records that were lost: they have no type, and others follow them
     */
    int begin(long newNumber) {
        number = newNumber;
        next = 0;
        count = 0;
        bytes.asLongBuffer().get(words, 0, bytes.limit() / Long.BYTES);
        int room = (bytes.limit() - EventFormat.BLOCK_HEADER_BYTES) / EventFormat.RECORD_BYTES;
        long last = Long.MIN_VALUE;
        int passed = 0;
        lost = 0;
        for (int record = 0; record < room; record++) {
            int at = at(record);
            if (int16(at) == 0) {
                passed++;
                continue;
            }
            lost += passed;
            passed = 0;
            long end = words[(at >> 3) + 1] + words[(at >> 3) + 2];
            if (end < last) {
                insert(count++, record, end);
            } else {
                last = end;
                ends[count] = end;
                order[count++] = record;
            }
        }
        return lost;
    }

    /** True if the block has no records, as far as it was read. */
    boolean isEmpty() {
        for (int i = EventFormat.BLOCK_HEADER_BYTES / Long.BYTES;
                i < bytes.limit() / Long.BYTES;
                i++) {
            if (words[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static int at(int record) {
        return EventFormat.BLOCK_HEADER_BYTES + record * EventFormat.RECORD_BYTES;
    }

    /** Records are nearly in order: a thread may be overtaken between its call and its record. */
    private void insert(int to, int record, long end) {
        while (to > 0 && ends[to - 1] > end) {
            ends[to] = ends[to - 1];
            order[to] = order[to - 1];
            to--;
        }
        ends[to] = end;
        order[to] = record;
    }

    /** Number of records up to the last one, including lost ones, which have no type. */
    int records() {
        return count + lost;
    }

    boolean hasNext() {
        return next < count;
    }

    /** Time at which the next record ends. */
    long nextEnd() {
        return ends[next];
    }

    /** Returns the place of the next record, and passes it. */
    int next() {
        return at(order[next++]);
    }

    /**
     * Gives the reads among the next record and those behind it that end before {@code until}, and
     * passes all of these.
     *
     * @return false if no more are wanted
     */
    boolean reads(long until, EventReader.ReadTarget target) {
        boolean wantsMore = true;
        do {
            int at = next();
            int word = at >> 3;
            long head = head(at);
            boolean delivers = (head & KIND) == READ;
            long offset = words[word + 3];
            long requested = words[word + 4];
            long delivered = words[word + 5];
            if ((delivers || (head & KIND) == AREAD)
                    && Event.canBeRead(
                            words[word + 1], words[word + 2], offset, requested, delivered)) {
                long bytes = delivers ? delivered : requested;
                wantsMore = target.read((int) (head >> 32), offset, bytes);
            }
        } while (wantsMore && next < count && ends[next] < until);
        return wantsMore;
    }

    /** Place of a record in the order in which they were written. */
    int place(int record) {
        return at(record);
    }
}
