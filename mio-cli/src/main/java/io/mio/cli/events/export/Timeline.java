package io.mio.cli.events.export;

import io.mio.cli.term.Amounts;
import io.mio.cli.term.SafeText;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventLosses;
import io.mio.events.EventProcess;
import io.mio.events.EventReader;
import io.mio.events.PageOperation;
import java.io.IOException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lays events out on tracks: for each process its threads with their calls, the asynchronous
 * requests of each file and layer, the caches with what happens to their pages, and what is
 * missing.
 *
 * <p>Memory is bounded by {@link StartOrder#HELD_MAX} events, {@link #GROUPS_MAX} groups of tracks,
 * and {@link #ROOM_MAX} for what all of these hold. Beyond that, the groups used longest ago are
 * given up, and begun anew when they are needed.
 */
final class Timeline implements EventExport {
    private static final int GROUPS_MAX = 4096;

    /** Most memory of all groups, in numbers of eight bytes: 8 MiB. */
    private static final int ROOM_MAX = 1 << 20;

    /** Columns that the name of a file may take in that of a track. */
    private static final int NAME_COLUMNS = 80;

    private static final String NOTES = "what is missing";

    private final EventReader reader;
    private final TimelineWriter writer;
    private final StartOrder order;
    private final Map<Long, EventProcess> programs = new HashMap<>();
    private final LinkedHashMap<Group.Key, Group> groups = new LinkedHashMap<>(16, 0.75f, true);
    private long tracks;

    /** The part of {@link #ROOM_MAX} that is in use. */
    private long room;

    /** The latest end of a slice in any group that was given up. */
    private long floor = Long.MIN_VALUE;

    Timeline(EventReader reader, TimelineWriter writer) {
        this(reader, writer, StartOrder.HELD_MAX);
    }

    Timeline(EventReader reader, TimelineWriter writer, int held) {
        this.reader = reader;
        this.writer = writer;
        this.order = new StartOrder(held, this::draw);
        for (EventProcess process : reader.processes()) {
            programs.put(process.process(), process);
        }
    }

    @Override
    public void event(Event event) throws IOException {
        EventFile file = reader.files().get(event.file());
        order.add(event, file == null ? 0 : file.place());
    }

    @Override
    public void close() throws IOException {
        order.drain();
        for (Group group : groups.values()) {
            group.endCount(writer);
        }
        losses();
        writer.end();
    }

    // ---- events

    private void draw(Event event) throws IOException {
        EventFile file = reader.files().get(event.file());
        Facts facts = new Facts(event, file);
        switch (event.kind()) {
            case CALL -> {
                boolean submits = event.operation().isAsynchronous() && event.number() != 0;
                slice(
                        thread(event),
                        event.operation().label(),
                        event,
                        facts,
                        submits ? flow(event) : 0);
                sampled(event, file);
            }
            case END -> {
                Group requests = requests(event, file);
                slice(requests, event.operation().label(), event, facts, flow(event));
                if (requests.inFlight() == null) {
                    Track parent = requests.track().parent();
                    requests.inFlight(
                            track(Track.Kind.IN_FLIGHT, parent, name("in flight", event, file)));
                }
                int before = requests.room();
                requests.count(writer, event.startNanos(), event.endNanos());
                grew(requests.room() - before);
            }
            case PAGE -> page(event, file, facts);
            case DROPPED ->
                    slice(
                            group(event.process(), Track.Kind.NOTES, 0, NOTES),
                            event.requested() == 1
                                    ? "1 event dropped"
                                    : event.requested() + " events dropped",
                            event,
                            facts,
                            0);
            default -> throw new IllegalStateException(event.toString());
        }
    }

    private void page(Event event, EventFile file, Facts facts) throws IOException {
        String name = event.page().label();
        if (event.page() == PageOperation.WAIT) {
            slice(thread(event), "wait for page", event, facts, 0);
            return;
        }
        long cache = file == null ? 0 : file.cache();
        Group pages = group(event.process(), Track.Kind.CACHE, cache, cacheName(file));
        if (event.page() == PageOperation.ARRIVED || event.page() == PageOperation.WRITTEN) {
            Group requests =
                    group(
                            event.process(),
                            Track.Kind.PAGE_REQUESTS,
                            cache,
                            "cache " + cache + ": page requests");
            String what = event.page() == PageOperation.ARRIVED ? "page read" : "page write";
            slice(requests, what, event, facts, 0);
        } else {
            writer.instant(pages.track(), name, event.startNanos(), facts);
        }
    }

    private static String cacheName(EventFile file) {
        return file == null
                ? "pages of files that are not known"
                : "cache "
                        + file.cache()
                        + ": pages ("
                        + file.frames()
                        + " frames of "
                        + Amounts.bytes(file.pageBytes())
                        + ")";
    }

    private void slice(Group group, String name, Event event, Facts facts, long flow)
            throws IOException {
        Track first = group.track();
        // The reader does not check the times of dropped events.
        boolean isMoment =
                event.kind() == Event.Kind.DROPPED && event.endNanos() <= event.startNanos();
        int before = group.room();
        int row = isMoment ? Rows.NONE : group.rows().take(event.startNanos(), event.endNanos());
        grew(group.room() - before);
        if (row == Rows.NONE) {
            writer.instant(first, name, event.startNanos(), facts);
            return;
        }
        Track track = row == 0 ? first : group.row(row);
        if (track == null) {
            track =
                    new Track(
                            ++tracks,
                            first.kind(),
                            first.kind().nests() ? first : first.parent(),
                            first.process(),
                            first.thread(),
                            row,
                            first.name(),
                            "");
            writer.track(track);
            group.row(row, track);
        }
        writer.slice(track, name, event.startNanos(), event.durationNanos(), facts, flow);
    }

    /**
     * Returns a number that is the same for the submission and the end of a request in one layer,
     * and for nothing else.
     */
    private static long flow(Event event) {
        long mixed = event.process() * 0x9E3779B97F4A7C15L + event.file();
        mixed = (mixed ^ mixed >>> 29) * 0xBF58476D1CE4E5B9L + event.number();
        mixed = (mixed ^ mixed >>> 32) * 0x94D049BB133111EBL;
        return mixed == 0 ? 1 : mixed;
    }

    // ---- tracks

    private Group thread(Event event) throws IOException {
        // JVMs number their threads themselves.
        String name = isJvm(event.process()) ? "JVM thread" : "";
        return group(event.process(), Track.Kind.THREAD, event.thread(), name);
    }

    private Group requests(Event event, EventFile file) throws IOException {
        int place = file == null ? 0 : file.place();
        String name = name("requests", event, file);
        return group(event.process(), Track.Kind.REQUESTS, place, name);
    }

    /**
     * Returns the name of a track. The file comes first, as viewers cut the end, and sort tracks by
     * name.
     */
    private static String name(String what, Event event, EventFile file) {
        if (file == null) {
            return "file " + event.file() + ": " + what;
        }
        return SafeText.shorten(Facts.path(file), NAME_COLUMNS)
                + ": "
                + what
                + ", "
                + SafeText.shorten(Facts.layer(file), NAME_COLUMNS);
    }

    private Group group(long process, Track.Kind kind, long number, String name)
            throws IOException {
        // Caches and threads are known by number, requests by name.
        boolean byName = kind == Track.Kind.REQUESTS;
        Group.Key key = new Group.Key(process, kind, number, byName ? name : "");
        Group found = groups.get(key);
        if (found != null) {
            return found;
        }
        Track parent = kind == Track.Kind.PROCESS ? null : process(process);
        Track track =
                new Track(
                        ++tracks,
                        kind,
                        parent,
                        process,
                        kind == Track.Kind.THREAD ? number : 0,
                        0,
                        name,
                        kind == Track.Kind.PROCESS ? about() : "");
        writer.track(track);
        Group made = new Group(track, floor);
        groups.put(key, made);
        if (groups.size() > GROUPS_MAX) {
            giveUpOne();
        }
        return made;
    }

    private Track process(long process) throws IOException {
        EventProcess known = programs.get(process);
        String name = known == null ? "" : known.program();
        if (name.isEmpty() && process == reader.header().process()) {
            name = reader.header().program();
        }
        return group(process, Track.Kind.PROCESS, 0, Facts.safe(name)).track();
    }

    private String about() {
        return Facts.safe(
                "recorded by " + reader.header().library() + " on " + reader.header().host());
    }

    private Track track(Track.Kind kind, Track parent, String name) throws IOException {
        Track track = new Track(++tracks, kind, parent, parent.process(), 0, 0, name, "");
        writer.track(track);
        return track;
    }

    /**
     * Counts memory that a group has taken, and gives up others beyond the limit. The group that
     * has grown was used last, and stays.
     */
    private void grew(int more) throws IOException {
        room += more;
        while (room > ROOM_MAX && groups.size() > 1) {
            giveUpOne();
        }
    }

    private void giveUpOne() throws IOException {
        Iterator<Group> all = groups.values().iterator();
        Group eldest = all.next();
        all.remove();
        room -= eldest.room();
        eldest.endCount(writer);
        if (eldest.track().kind().rows() > 0) {
            floor = Math.max(floor, eldest.rows().lastEnd());
        }
    }

    /** Notes once for each process that only some of its calls are there. */
    private void sampled(Event event, EventFile file) throws IOException {
        if (file == null || file.sample() <= 1) {
            return;
        }
        Group notes = group(event.process(), Track.Kind.NOTES, 0, NOTES);
        if (!notes.told()) {
            notes.tell();
            writer.instant(
                    notes.track(),
                    "calls are sampled: one in " + file.sample() + " is recorded",
                    event.startNanos(),
                    new Facts(event, file));
        }
    }

    /** Notes the losses that no event tells of. */
    private void losses() throws IOException {
        EventLosses losses = reader.losses();
        if (losses.dropped() > 0) {
            note("events dropped in all: " + losses.dropped());
        }
        if (losses.cutBytes() > 0) {
            note("the events file is cut, bytes missing of a block: " + losses.cutBytes());
        }
        if (losses.missingBlocks() > 0) {
            note("the events file is cut, blocks missing: " + losses.missingBlocks());
        }
        if (losses.damagedBlocks() > 0) {
            note("damaged blocks, left out: " + losses.damagedBlocks());
        }
        if (losses.damagedRecords() > 0) {
            note("damaged records, left out: " + losses.damagedRecords());
        }
        if (losses.unknownRecords() + losses.unknownBlocks() > 0) {
            note(
                    "records that this version of MIO does not know, left out: "
                            + (losses.unknownRecords() + losses.unknownBlocks()));
        }
    }

    private void note(String words) throws IOException {
        Group notes = group(reader.header().process(), Track.Kind.NOTES, 0, NOTES);
        writer.instant(notes.track(), words, 0, Facts.NONE);
    }

    private boolean isJvm(long process) {
        EventProcess known = programs.get(process);
        return (known == null ? reader.header().door() : known.door()) == EventFormat.JVM;
    }
}
