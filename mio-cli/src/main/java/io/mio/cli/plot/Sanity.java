package io.mio.cli.plot;

import io.mio.events.Event;

/**
 * What a damaged or hostile file may claim and cannot be drawn: one time far away would make all
 * others a point. What passes here can be added, subtracted and shifted without overflow.
 */
final class Sanity {
    /** 36 years, or an EiB. */
    private static final long MOST = 1L << 60;

    private Sanity() {}

    static boolean passes(Event event) {
        return hasTimes(event)
                && event.offset() >= -1
                && event.offset() <= MOST
                && event.delivered() >= 0
                && event.delivered() <= MOST
                && event.requested() <= MOST;
    }

    /** It has times that can be drawn. */
    static boolean hasTimes(Event event) {
        return event.startNanos() >= -MOST
                && event.startNanos() <= MOST
                && event.durationNanos() >= 0
                && event.durationNanos() <= MOST
                && event.endNanos() <= MOST;
    }
}
