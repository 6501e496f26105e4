package io.mio.cli.plot;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Spreads pairs of numbers over a table. Each table has another seed, so that the writer of an
 * events file cannot choose numbers that meet in one slot and make searches long.
 */
final class SeededHash {
    private final long first = ThreadLocalRandom.current().nextLong();
    private final long second = ThreadLocalRandom.current().nextLong();

    /** Returns a hash whose bits all depend on all bits of both numbers, and on the seed. */
    long of(long one, long other) {
        return mixed(mixed(one ^ first) ^ mixed(other + second));
    }

    /** Finalizer of MurmurHash3, by Austin Appleby, in the public domain. */
    private static long mixed(long value) {
        long mixed = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ mixed >>> 33;
    }
}
