package io.mio.os;

import java.util.BitSet;

/** The numbers of all descriptors of MIO's own that the helper has opened. */
final class OwnNumbers {
    /** Guarded by itself. */
    private static final BitSet NUMBERS = new BitSet();

    private OwnNumbers() {}

    /** Adds a number that was just opened. */
    static void add(int number) {
        synchronized (NUMBERS) {
            NUMBERS.set(number);
        }
    }

    /** Removes one about to be closed, or counted as somebody else's from now on; ignores -1. */
    static void remove(int number) {
        if (number >= 0) {
            synchronized (NUMBERS) {
                NUMBERS.clear(number);
            }
        }
    }

    /** Returns a copy of all numbers. */
    static BitSet all() {
        synchronized (NUMBERS) {
            return (BitSet) NUMBERS.clone();
        }
    }
}
