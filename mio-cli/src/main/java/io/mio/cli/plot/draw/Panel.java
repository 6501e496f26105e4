package io.mio.cli.plot.draw;

import java.util.Locale;

/** What a picture can show, from top to bottom. */
public enum Panel {
    /** Offsets against time, one panel for each stage. */
    ACTIVITY,
    /** Bytes per second. */
    BANDWIDTH,
    /** Requests that have begun and not ended. */
    IN_FLIGHT,
    /** Pages of caches. */
    PAGES,
    /** Bytes so far. */
    CUMULATIVE,
    /** Durations. */
    LATENCY,
    /** Bytes of requests. */
    SIZES;

    /** Returns the name as typed. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
