package io.mio.fs;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;

/**
 * Names whose files were small when somebody asked for the size, each for one second: a program
 * that opens the same small files again and again asks once a second and not at every open. A file
 * that grew meanwhile is left to the kernel for that long, which does no harm.
 *
 * <p>The number of names is fixed. A later name takes the place of an earlier one. Only a hash of
 * each is kept, so two names with the same hash are taken for each other. Safe for use by several
 * threads, which do not wait for each other.
 */
final class SmallNames {
    private static final int BITS = 13;

    /** A tick is 2^20 ns, about a millisecond; a 32-bit number of ticks wraps after 52 days. */
    private static final int TICK_BITS = 20;

    private static final int KEPT_TICKS = 1_000_000_000 >> TICK_BITS;

    private final LongSupplier nanos;

    /** Hash and tick of each name; 0 for none. Null until there is a name: 64 KiB. */
    private volatile AtomicLongArray slots;

    /** Uses a clock like {@link System#nanoTime}. */
    SmallNames(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** True if the name was added within the last second. */
    boolean has(String name) {
        AtomicLongArray known = slots;
        if (known == null) {
            return false;
        }
        int hash = name.hashCode();
        long slot = known.getOpaque(index(hash));
        return slot != 0 && (int) (slot >>> 32) == hash && isFresh((int) slot);
    }

    /** Adds a name whose file is small now. */
    void add(String name) {
        AtomicLongArray known = slots;
        if (known == null) {
            known = new AtomicLongArray(1 << BITS);
            slots = known;
        }
        int hash = name.hashCode();
        known.setOpaque(index(hash), (long) hash << 32 | (tick() & 0xffff_ffffL));
    }

    /** Removes a name whose file is not small, or may be larger soon. */
    void remove(String name) {
        AtomicLongArray known = slots;
        if (known == null) {
            return;
        }
        int hash = name.hashCode();
        int index = index(hash);
        if ((int) (known.getOpaque(index) >>> 32) == hash) {
            known.setOpaque(index, 0);
        }
    }

    private boolean isFresh(int since) {
        int ticks = tick() - since;
        return ticks >= 0 && ticks < KEPT_TICKS;
    }

    private int tick() {
        return (int) (nanos.getAsLong() >>> TICK_BITS);
    }

    private static int index(int hash) {
        return hash * 0x9e37_79b9 >>> 32 - BITS;
    }
}
