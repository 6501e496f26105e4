package io.mio.cli.plot;

import java.util.Arrays;

/**
 * The frames of all caches, each with the page it holds: in columns, about 100 bytes each, and no
 * more than a quarter of a million.
 */
final class FrameTable {
    private static final int ROOM = 1 << 18;

    /** The frame holds a page. */
    static final int RESIDENT = 1;

    /** Its page was used since it came. */
    static final int USED = 2;

    /** A page is on its way into it. */
    static final int READING = 4;

    /** What is on its way was asked for by a read ahead. */
    static final int READING_AHEAD = 8;

    /** What is on its way was drawn when it began. */
    static final int READING_SEEN = 16;

    /** The page that came is drawn. */
    static final int SEEN = 32;

    private int count;
    private boolean full;
    private int[] slots = new int[256];

    // Of the frame.
    private long[] processCaches = new long[64];
    private long[] numbers = new long[64];
    byte[] flags = new byte[64];

    // Of the page.
    byte[] whats = new byte[64];
    byte[] codes = new byte[64];
    int[] definitions = new int[64];
    int[] threads = new int[64];
    long[] since = new long[64];
    long[] offsets = new long[64];
    long[] offsetEnds = new long[64];
    long[] requested = new long[64];

    /** Frames known so far. */
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

    /** Index of a frame, which is made if it is new; -1 if there is no room. */
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
        long hash = (processCache * 0x9e3779b97f4a7c15L + number) * 0xd6e8feb86659fd93L;
        int at = (int) (hash >>> 32) & slots.length - 1;
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
