package io.mio.cli.events.export;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The tracks that are rows of one track, and how many of their requests are in flight. */
final class Group {
    /** Most requests that are counted at one time. */
    private static final int IN_FLIGHT_MAX = 4096;

    /**
     * Identifies a group.
     *
     * @param number thread, cache, or place of the layer
     * @param name the name, for groups without a number
     */
    record Key(long process, Track.Kind kind, long number, String name) {}

    private final Track track;
    private final Rows rows;
    private final List<Track> more = new ArrayList<>();
    private final Ends ends = new Ends();
    private Track inFlight;
    private long counted = Long.MIN_VALUE;
    private boolean told;

    Group(Track track, long floor) {
        this.track = track;
        this.rows = new Rows(track.kind().rows(), track.kind().nests(), floor);
    }

    /** Returns the track of row 0. */
    Track track() {
        return track;
    }

    Rows rows() {
        return rows;
    }

    /** Returns the track of a row from 1 on, or null. */
    Track row(int row) {
        return row <= more.size() ? more.get(row - 1) : null;
    }

    /** Sets the track of the next row; rows come one after the other. */
    void row(int row, Track its) {
        more.add(row - 1, its);
    }

    Track inFlight() {
        return inFlight;
    }

    void inFlight(Track its) {
        inFlight = its;
    }

    /**
     * Counts a request. Those that come too late are not counted, as a count that was written
     * cannot be changed.
     */
    void count(TimelineWriter writer, long start, long end) throws IOException {
        if (start < counted || ends.size() == IN_FLIGHT_MAX) {
            return;
        }
        while (ends.size() > 0 && ends.first() <= start) {
            long time = ends.take();
            writer.count(inFlight, time, ends.size());
        }
        ends.add(end);
        writer.count(inFlight, start, ends.size());
        counted = start;
    }

    /** Ends the requests that are left. */
    void endCount(TimelineWriter writer) throws IOException {
        while (ends.size() > 0) {
            long time = ends.take();
            writer.count(inFlight, time, ends.size());
            counted = time;
        }
    }

    /** Returns the memory used, in numbers of eight bytes. */
    int room() {
        return rows.room() + ends.room();
    }

    boolean told() {
        return told;
    }

    void tell() {
        told = true;
    }
}
