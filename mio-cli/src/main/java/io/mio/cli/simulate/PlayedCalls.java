package io.mio.cli.simulate;

import io.mio.cli.events.export.StartOrder;
import io.mio.events.Event;
import io.mio.stats.TraceOperation;
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
    private final StartOrder order = new StartOrder(StartOrder.HELD_MAX, this::take);

    /** The last event, if it is the submission of a read; or null. */
    private Event submitted;

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
        playSubmitted(0);
    }

    /** Holds the submission of a read back until its end tells what it delivered. */
    private void take(Event event) throws IOException {
        playSubmitted(isEndOf(submitted, event) ? event.delivered() : 0);
        if (event.kind() == Event.Kind.CALL && event.operation() == TraceOperation.AREAD) {
            submitted = event;
        } else {
            play(event);
        }
    }

    private static boolean isEndOf(Event call, Event event) {
        return call != null
                && event.kind() == Event.Kind.END
                && event.process() == call.process()
                && event.number() == call.number();
    }

    private void playSubmitted(long delivered) throws IOException {
        Event call = submitted;
        submitted = null;
        if (call != null) {
            play(delivered > call.delivered() ? delivering(call, delivered) : call);
        }
    }

    private static Event delivering(Event call, long bytes) {
        return new Event(
                call.kind(),
                call.operation(),
                call.page(),
                call.file(),
                call.startNanos(),
                call.durationNanos(),
                call.offset(),
                call.requested(),
                bytes,
                call.failed(),
                call.append(),
                call.asynchronous(),
                call.errno(),
                call.thread(),
                call.number(),
                call.process());
    }

    private void play(Event event) throws IOException {
        player.call(event);
        if (left.isLast(event)) {
            player.ended(event.process());
        }
    }
}
