package io.mio.pf;

import java.util.Arrays;

/**
 * A set of sectors of a page, with numbers from 0 up to, without, a count. Methods are those of
 * {@link java.util.BitSet}. It is one object, with no other inside for up to 64 sectors.
 */
final class SectorBits {
    private static final long ALL = -1;
    private static final long[] NONE = {};

    private long first;
    private final long[] more;

    SectorBits(int count) {
        more = count <= Long.SIZE ? NONE : new long[(count - 1) / Long.SIZE];
    }

    private int words() {
        return 1 + more.length;
    }

    private long word(int at) {
        return at == 0 ? first : more[at - 1];
    }

    private void word(int at, long bits) {
        if (at == 0) {
            first = bits;
        } else {
            more[at - 1] = bits;
        }
    }

    /** The bits of one word that lie in {@code from} .. {@code to} (without). */
    private static long mask(int word, int from, int to) {
        long mask = ALL;
        int start = word * Long.SIZE;
        if (from > start) {
            mask &= ALL << (from - start);
        }
        if (to < start + Long.SIZE) {
            mask &= ALL >>> (start + Long.SIZE - to);
        }
        return mask;
    }

    boolean get(int at) {
        return (word(at / Long.SIZE) >>> at % Long.SIZE & 1) != 0;
    }

    void set(int at) {
        set(at, at + 1);
    }

    void set(int from, int to) {
        for (int i = from / Long.SIZE; i * Long.SIZE < to; i++) {
            word(i, word(i) | mask(i, from, to));
        }
    }

    void clear() {
        first = 0;
        Arrays.fill(more, 0);
    }

    void clear(int at) {
        clear(at, at + 1);
    }

    void clear(int from, int to) {
        for (int i = from / Long.SIZE; i * Long.SIZE < to; i++) {
            word(i, word(i) & ~mask(i, from, to));
        }
    }

    /** The first sector of the set from {@code from} on, or -1. */
    int nextSetBit(int from) {
        for (int i = from / Long.SIZE; i < words(); i++) {
            long left = word(i) & mask(i, from, Integer.MAX_VALUE);
            if (left != 0) {
                return i * Long.SIZE + Long.numberOfTrailingZeros(left);
            }
        }
        return -1;
    }

    /**
     * The first sector from {@code from} on that is not in the set; behind the last one if all are.
     */
    int nextClearBit(int from) {
        for (int i = from / Long.SIZE; i < words(); i++) {
            long left = ~word(i) & mask(i, from, Integer.MAX_VALUE);
            if (left != 0) {
                return i * Long.SIZE + Long.numberOfTrailingZeros(left);
            }
        }
        return Math.max(from, words() * Long.SIZE);
    }

    /** The last sector of the set up to and with {@code from}, or -1. */
    int previousSetBit(int from) {
        for (int i = from / Long.SIZE; i >= 0; i--) {
            long left = word(i) & mask(i, 0, from + 1);
            if (left != 0) {
                return i * Long.SIZE + Long.SIZE - 1 - Long.numberOfLeadingZeros(left);
            }
        }
        return -1;
    }

    boolean isEmpty() {
        return nextSetBit(0) < 0;
    }

    /** The last sector of the set plus one; 0 if the set is empty. */
    int length() {
        return previousSetBit(words() * Long.SIZE - 1) + 1;
    }

    int cardinality() {
        int count = Long.bitCount(first);
        for (long word : more) {
            count += Long.bitCount(word);
        }
        return count;
    }
}
