package io.mio.cli.events;

import io.mio.events.Event;

/**
 * What a damaged or hostile file may claim and cannot be: one time far away would make all others a
 * point, and sums of no sense. What passes here can be added, subtracted and shifted without
 * overflow.
 */
public final class Sanity {
    /** 36 years, or an EiB. */
    public static final long MOST = 1L << 60;

    private Sanity() {}

    public static boolean passes(Event event) {
        return hasTimes(event)
                && event.offset() >= -1
                && event.offset() <= MOST
                && event.delivered() >= 0
                && event.delivered() <= MOST
                && event.requested() <= MOST;
    }

    /** It has times that can be drawn. */
    public static boolean hasTimes(Event event) {
        return event.startNanos() >= -MOST
                && event.startNanos() <= MOST
                && event.durationNanos() >= 0
                && event.durationNanos() <= MOST
                && event.endNanos() <= MOST;
    }
}
