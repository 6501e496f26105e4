package io.mio.cli.events.export;

import io.mio.events.Event;
import java.io.IOException;
import java.util.PriorityQueue;

/**
 * Brings events, which come in the order of their ends, into that of their starts: the call of the
 * program before those beneath it. Holds a bounded number of them. One that took longer than so
 * many others comes late, and its taker has to cope.
 */
public final class StartOrder {
    /** Events held, about 10 MB. */
    public static final int HELD_MAX = 1 << 16;

    /** Takes what is next. */
    public interface Taker {
        /** The next one. */
        void take(Event event) throws IOException;
    }

    /**
     * @param place of the layer in its stack: of two calls at one time the upper one is first
     * @param number in which order they came
     */
    private record Held(Event event, int place, long number) implements Comparable<Held> {
        @Override
        public int compareTo(Held other) {
            int order = Long.compare(event.startNanos(), other.event.startNanos());
            if (order == 0) {
                order = event.kind().compareTo(other.event.kind());
            }
            if (order == 0) {
                order = Long.compare(other.event.durationNanos(), event.durationNanos());
            }
            if (order == 0) {
                order = Integer.compare(place, other.place);
            }
            return order == 0 ? Long.compare(number, other.number) : order;
        }
    }

    private final PriorityQueue<Held> held = new PriorityQueue<>();
    private final int most;
    private final Taker taker;
    private long number;

    /**
     * @param most events held
     */
    public StartOrder(int most, Taker taker) {
        this.most = most;
        this.taker = taker;
    }

    /** One more, of a layer that stands there. */
    public void add(Event event, int place) throws IOException {
        held.add(new Held(event, place, number++));
        if (held.size() > most) {
            taker.take(held.poll().event());
        }
    }

    /** Hands over all that is left. */
    public void drain() throws IOException {
        while (!held.isEmpty()) {
            taker.take(held.poll().event());
        }
    }
}
