package io.mio.cli.plot;

import java.util.Arrays;

/**
 * The frames of all caches, each with the page it holds: in columns, about 100 bytes each, and no
 * more than a quarter of a million.
 */
final class FrameTable {
    private static final int ROOM = 1 << 18;

    /** Flag: the frame holds a page. */
    static final int RESIDENT = 1;

    /** Flag: the page in the frame was used since it came. */
    static final int USED = 2;

    /** Flag: a page is on its way into the frame. */
    static final int READING = 4;

    /** Flag: the page on its way is one that is read ahead. */
    static final int READING_AHEAD = 8;

    /** Flag: the request on its way was drawn when it began. */
    static final int READING_SEEN = 16;

    /** Flag: the page that came is drawn. */
    static final int SEEN = 32;

    private final SeededHash hash = new SeededHash();
    private int count;
    private boolean full;
    private int[] slots = new int[256];

    // Facts of the frame.
    private long[] processCaches = new long[64];
    private long[] numbers = new long[64];
    byte[] flags = new byte[64];

    // Facts of the page in the frame.
    byte[] whats = new byte[64];
    byte[] codes = new byte[64];
    int[] definitions = new int[64];
    int[] threads = new int[64];
    long[] since = new long[64];
    long[] offsets = new long[64];
    long[] offsetEnds = new long[64];
    long[] requested = new long[64];

    /** Returns the number of frames known so far. */
    int count() {
        return count;
    }

    boolean isFull() {
        return full;
    }

    long process(int frame) {
        return processCaches[frame] >>> 32;
    }

    long number(int frame) {
        return numbers[frame];
    }

    boolean is(int frame, int flag) {
        return (flags[frame] & flag) != 0;
    }

    void set(int frame, int flag, boolean on) {
        flags[frame] = (byte) (on ? flags[frame] | flag : flags[frame] & ~flag);
    }

    /** Returns the index of a frame, which is added if it is new; -1 if there is no room. */
    int find(long process, long cache, long number) {
        long processCache = process << 32 | cache & 0xffffffffL;
        int at = slot(processCache, number);
        if (slots[at] != 0) {
            return slots[at] - 1;
        }
        if (count == ROOM) {
            full = true;
            return -1;
        }
        if (count == numbers.length) {
            grow();
            at = slot(processCache, number);
        }
        processCaches[count] = processCache;
        numbers[count] = number;
        slots[at] = ++count;
        return count - 1;
    }

    private int slot(long processCache, long number) {
        int at = (int) hash.of(processCache, number) & slots.length - 1;
        while (slots[at] != 0
                && (processCaches[slots[at] - 1] != processCache
                        || numbers[slots[at] - 1] != number)) {
            at = at + 1 & slots.length - 1;
        }
        return at;
    }

    private void grow() {
        int room = Math.min(ROOM, 2 * count);
        processCaches = Arrays.copyOf(processCaches, room);
        numbers = Arrays.copyOf(numbers, room);
        flags = Arrays.copyOf(flags, room);
        whats = Arrays.copyOf(whats, room);
        codes = Arrays.copyOf(codes, room);
        definitions = Arrays.copyOf(definitions, room);
        threads = Arrays.copyOf(threads, room);
        since = Arrays.copyOf(since, room);
        offsets = Arrays.copyOf(offsets, room);
        offsetEnds = Arrays.copyOf(offsetEnds, room);
        requested = Arrays.copyOf(requested, room);
        slots = new int[4 * room];
        for (int frame = 0; frame < count; frame++) {
            slots[slot(processCaches[frame], numbers[frame])] = frame + 1;
        }
    }
}
