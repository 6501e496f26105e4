package io.mio.cli.events.export;

import io.mio.events.Event;
import java.io.IOException;
import java.util.PriorityQueue;

/**
 * Brings events, which come in the order of their ends, into the order of their starts: the call of
 * the program before those beneath it. Holds a bounded number of events. An event that lasts so
 * long that this number of others follow comes late, and its taker has to cope with that.
 */
public final class StartOrder {
    /** Most events held, about 10 MB. */
    public static final int HELD_MAX = 1 << 16;

    /** Takes the events in their new order. */
    public interface Taker {
        /** Takes the next event. */
        void take(Event event) throws IOException;
    }

    /**
     * An event that is held.
     *
     * @param place place of the layer in its stack: of two calls at one time the upper one is first
     * @param number the order in which the events came
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
     * Makes an empty order.
     *
     * @param most most events held
     */
    public StartOrder(int most, Taker taker) {
        this.most = most;
        this.taker = taker;
    }

    /** Adds an event of a layer at this place. */
    public void add(Event event, int place) throws IOException {
        held.add(new Held(event, place, number++));
        if (held.size() > most) {
            taker.take(held.poll().event());
        }
    }

    /** Hands over all events that are left. */
    public void drain() throws IOException {
        while (!held.isEmpty()) {
            taker.take(held.poll().event());
        }
    }
}
