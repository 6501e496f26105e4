package io.mio.os;

import java.util.BitSet;

/** The numbers of all descriptors of MIO's own that the helper has opened. */
final class OwnNumbers {
    /** Guarded by itself. */
    private static final BitSet NUMBERS = new BitSet();

    private OwnNumbers() {}

    /** Just opened. */
    static void add(int number) {
        synchronized (NUMBERS) {
            NUMBERS.set(number);
        }
    }

    /** About to be closed, or somebody else's from now on; nothing happens for -1. */
    static void remove(int number) {
        if (number >= 0) {
            synchronized (NUMBERS) {
                NUMBERS.clear(number);
            }
        }
    }

    /** A copy of all. */
    static BitSet all() {
        synchronized (NUMBERS) {
            return (BitSet) NUMBERS.clone();
        }
    }
}
