package io.mio.cli.events.export;

import java.io.IOException;

/**
 * A form in which a timeline is written. Times are nanoseconds since time zero, and in no order.
 */
interface TimelineWriter {
    /** Describes a track before its first use, when its parent has been described. */
    void track(Track track) throws IOException;

    /**
     * Writes a span of time on a track.
     *
     * @param flow joins all slices with this number; 0 for none
     */
    void slice(Track track, String name, long start, long duration, Facts facts, long flow)
            throws IOException;

    void instant(Track track, String name, long time, Facts facts) throws IOException;

    void count(Track track, long time, long value) throws IOException;

    /** Finishes the document. */
    void end() throws IOException;
}
