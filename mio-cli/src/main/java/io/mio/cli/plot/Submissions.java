package io.mio.cli.plot;

import io.mio.events.Event;
import io.mio.stats.TraceOperation;

/**
 * Counts asynchronous requests that were submitted and never came back, by the numbers of those in
 * flight: 64 K at most. A request may come back before the call that submitted it has ended.
 */
final class Submissions {
    private static final int SLOTS = 1 << 17;
    private static final int ROOM = SLOTS / 2;
    private static final byte FREE = 0;
    private static final byte ENDED = 1;
    private static final byte SUBMITTED_UNSEEN = 2;

    /** Submitted and drawn; the ordinal of the stage is added. */
    private static final byte SUBMITTED = 3;

    private final SeededHash hash = new SeededHash();

    /** Hashes of 64 bits, so that two requests do not share one by chance. */
    private long[] keys = new long[64];

    private byte[] states = new byte[64];
    private int count;
    private boolean full;

    /**
     * Takes a call.
     *
     * @param seen whether the event is drawn; one that is not drawn is not counted
     */
    void add(Event event, Stage stage, boolean seen) {
        TraceOperation operation = event.operation();
        if (operation != TraceOperation.AREAD && operation != TraceOperation.AWRITE) {
            return;
        }
        if (event.kind() == Event.Kind.END) {
            meet(event, ENDED);
        } else if (!event.failed()) {
            meet(event, seen ? (byte) (SUBMITTED + stage.ordinal()) : SUBMITTED_UNSEEN);
        }
    }

    private void meet(Event event, byte state) {
        long key = hash.of(event.number(), event.file());
        int at = find(key);
        if (states[at] == FREE) {
            if (count == ROOM) {
                full = true;
                return;
            }
            keys[at] = key;
            states[at] = state;
            if (++count * 2 > keys.length) {
                grow();
            }
        } else if ((states[at] == ENDED) != (state == ENDED)) {
            remove(at);
            count--;
        }
    }

    private int find(long key) {
        int at = home(key);
        while (states[at] != FREE && keys[at] != key) {
            at = at + 1 & keys.length - 1;
        }
        return at;
    }

    private int home(long key) {
        return (int) key & keys.length - 1;
    }

    /** Moves up the entries that would not be found any more behind a free slot. */
    private void remove(int removed) {
        int free = removed;
        int mask = keys.length - 1;
        for (int at = free + 1 & mask; states[at] != FREE; at = at + 1 & mask) {
            int distance = at - home(keys[at]) & mask;
            if (distance >= (at - free & mask)) {
                keys[free] = keys[at];
                states[free] = states[at];
                free = at;
            }
        }
        states[free] = FREE;
    }

    private void grow() {
        long[] oldKeys = keys;
        byte[] oldStates = states;
        int length = Math.min(SLOTS, 2 * keys.length);
        keys = new long[length];
        states = new byte[length];
        for (int i = 0; i < oldKeys.length; i++) {
            if (oldStates[i] != FREE) {
                int at = find(oldKeys[i]);
                keys[at] = oldKeys[i];
                states[at] = oldStates[i];
            }
        }
    }

    /**
     * Returns the number of requests that were drawn as submitted and have no end. It is the
     * largest of any stage, not the sum, as each layer sees the same requests.
     */
    long pending() {
        long most = 0;
        for (Stage stage : Stage.values()) {
            long pending = 0;
            for (byte state : states) {
                pending += state == SUBMITTED + stage.ordinal() ? 1 : 0;
            }
            most = Math.max(most, pending);
        }
        return most;
    }

    /** Returns true if there were too many at once, so that more may be pending. */
    boolean isFull() {
        return full;
    }
}
