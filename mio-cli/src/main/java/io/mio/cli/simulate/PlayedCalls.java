package io.mio.cli.simulate;

import io.mio.cli.events.export.StartOrder;
import io.mio.events.Event;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Hands the calls of a recording to a replay, in the order in which they began. The end of an
 * asynchronous call comes right after the call, or later if more events follow the call than {@link
 * StartOrder} holds.
 */
final class PlayedCalls {
    /** Plays the calls. */
    interface Player {
        /** Plays the next call, or the end of an asynchronous one. */
        void call(Event event) throws IOException;

        /** The process that made the last call makes no more of them. */
        void ended(long process) throws IOException;
    }

    /** How many events there are of each process. */
    static final class Counts {
        private final Map<Long, long[]> ofProcess = new HashMap<>();

        /** Counts an event. */
        void add(Event event) {
            ofProcess.computeIfAbsent(event.process(), any -> new long[1])[0]++;
        }

        private Counts copy() {
            Counts copy = new Counts();
            ofProcess.forEach((process, count) -> copy.ofProcess.put(process, count.clone()));
            return copy;
        }

        /** Takes one event off; returns whether it was the last one of its process. */
        private boolean isLast(Event event) {
            long[] left = ofProcess.get(event.process());
            return left != null && --left[0] == 0;
        }
    }

    private final Player player;
    private final Counts left;
    private final StartOrder order = new StartOrder(StartOrder.HELD_MAX, this::play);

    PlayedCalls(Player player, Counts counts) {
        this.player = player;
        this.left = counts.copy();
    }

    /** Whether events of this kind are played. */
    static boolean plays(Event event) {
        return event.kind() == Event.Kind.CALL || event.kind() == Event.Kind.END;
    }

    void add(Event event) throws IOException {
        order.add(event, 0);
    }

    /** Hands over all that is left. */
    void drain() throws IOException {
        order.drain();
    }

    private void play(Event event) throws IOException {
        player.call(event);
        if (left.isLast(event)) {
            player.ended(event.process());
        }
    }
}
