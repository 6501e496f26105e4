package io.mio.cli.simulate;

import io.mio.cli.events.EventInput;
import io.mio.cli.events.FileFacts;
import io.mio.config.NamePattern;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import io.mio.events.EventProcess;
import io.mio.events.EventReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * What the program did, from an events file: for each open, the calls that its topmost trace layer
 * saw, in the order in which they began. The file is read anew for each configuration, in bounded
 * memory.
 */
final class Recording {
    /** Identifies one open: all its layers have the same opening time. */
    private record Opened(long process, long nanos, long device, long inode, String path) {
        static Opened of(EventFile file) {
            return new Opened(
                    file.process(), file.openedNanos(), file.device(), file.inode(), file.path());
        }
    }

    /**
     * Identifies a file of a process: by device and inode, or by path where these are not known.
     */
    private record Known(long process, long device, long inode, String path) {
        static Known of(EventFile file) {
            boolean byNumber = file.device() != 0 || file.inode() != 0;
            return new Known(
                    file.process(), file.device(), file.inode(), byNumber ? "" : file.path());
        }
    }

    private static final int EVENTS_BETWEEN_PROGRESS = 1 << 14;

    private final String name;
    private final List<NamePattern> names;
    private final Map<Integer, EventFile> files = new HashMap<>();
    private final EventHeader header;
    private final List<String> notes = new ArrayList<>();

    /** The cache of each file that has one. */
    private final Map<Known, EventFile> caches = new HashMap<>();

    /** Paths of all files in the recording, whether they are taken or not. */
    private final Set<String> paths = new HashSet<>();

    /** The door of each process. */
    private final Map<Long, Integer> doors = new HashMap<>();

    /** The events that are played; known after the survey. */
    private final PlayedCalls.Counts played = new PlayedCalls.Counts();

    private boolean cached;
    private boolean damaged;

    /**
     * Finds out which layers were recorded.
     *
     * @param names templates of the files that are taken; none: all
     * @throws IOException if the events file cannot be read; the message names it
     */
    Recording(String name, List<String> names) throws IOException {
        this.name = name;
        this.names = names.stream().map(NamePattern::of).toList();
        try (EventReader reader = EventInput.open(name)) {
            header = reader.header();
            for (EventProcess each : reader.processes()) {
                doors.put(each.process(), each.door());
            }
            choose(reader);
            if (files.isEmpty()) {
                notes.addAll(FileFacts.unread(reader.losses()));
            }
        }
    }

    private void choose(EventReader reader) {
        Map<Opened, EventFile> top = new HashMap<>();
        for (EventFile file : reader.files().values()) {
            paths.add(file.path());
            if (file.layer() != EventFormat.OF_TRACE) {
                caches.put(Known.of(file), file);
            } else if (fits(file)) {
                top.merge(
                        Opened.of(file), file, (one, two) -> one.place() < two.place() ? one : two);
            }
        }
        Set<String> below = new HashSet<>();
        long sampled = 0;
        long unnamed = 0;
        for (EventFile file : top.values()) {
            if (file.path().isEmpty()) {
                unnamed++;
                continue;
            }
            EventFile cache = caches.get(Known.of(file));
            if (cache != null && cache.place() < file.place()) {
                below.add(file.path());
                continue;
            }
            cached |= cache != null;
            sampled += file.sample() > 1 ? 1 : 0;
            files.put(file.id(), file);
        }
        if (!below.isEmpty()) {
            notes.add(
                    "left out: "
                            + String.join(", ", below.stream().sorted().limit(3).toList())
                            + (below.size() > 3 ? ", ..." : "")
                            + ": recorded below a cache only; put trace/events above it");
        }
        if (unnamed > 0) {
            notes.add("left out: opens without a name, so that no rule can be theirs: " + unnamed);
        }
        if (sampled > 0) {
            notes.add(
                    "of "
                            + sampled
                            + " opens only one call in so many is recorded (events_sample): the"
                            + " program did more than is simulated");
        }
    }

    private boolean fits(EventFile file) {
        return names.isEmpty() || names.stream().anyMatch(each -> each.matches(file.path()));
    }

    EventHeader header() {
        return header;
    }

    /** Path of the events file. */
    Path path() {
        return Path.of(name);
    }

    /** What a reader of the results has to know of the recording, a line each. */
    List<String> notes() {
        return notes;
    }

    /** Paths of all files in the recording, whether they are taken or not. */
    Set<String> paths() {
        return paths;
    }

    /** Whether some of the files had a cache while they were recorded. */
    boolean isCached() {
        return cached;
    }

    /** True if no open has calls that can be simulated. */
    boolean isEmpty() {
        return files.isEmpty();
    }

    /**
     * Whether a part of the recording could not be read; the notes say which. Known after the
     * survey.
     */
    boolean isDamaged() {
        return damaged;
    }

    /** The open that made this call. */
    EventFile file(Event call) {
        return files.get(call.file());
    }

    /** Gives the events to {@code survey} in the order of the file, and notes what is missing. */
    void survey(Survey survey, LongConsumer progress) throws IOException {
        survey(survey, (event, file, door) -> {}, progress);
    }

    /** Does the same, and gives each event of a file that can be simulated to {@code taker}. */
    void survey(Survey survey, SurveyTaker taker, LongConsumer progress) throws IOException {
        try (EventReader reader = EventInput.open(name)) {
            long seen = 0;
            for (Event next = reader.next(); next != null; next = reader.next()) {
                Event event = next.bounded();
                if (++seen % EVENTS_BETWEEN_PROGRESS == 0) {
                    progress.accept(seen);
                }
                EventFile file = reader.files().get(event.file());
                if (file != null) {
                    boolean chosen = files.containsKey(event.file());
                    survey.add(event, file, chosen);
                    if (chosen) {
                        taker.take(event, file, doors.getOrDefault(file.process(), header.door()));
                    } else if (isWritten(event)) {
                        taker.written(file);
                    }
                    if (chosen && PlayedCalls.plays(event)) {
                        played.add(event);
                    }
                }
            }
            if (reader.losses().dropped() > 0) {
                notes.add(
                        reader.losses().dropped()
                                + " events could not be recorded: the program did more than is"
                                + " simulated");
            }
            List<String> unread = FileFacts.unread(reader.losses());
            damaged = !unread.isEmpty();
            notes.addAll(unread);
        }
    }

    private static boolean isWritten(Event event) {
        return event.operation() != null && event.operation().isWrite() && event.delivered() > 0;
    }

    /** Plays the calls in the order in which they began. To be called after the survey. */
    void play(PlayedCalls.Player player, LongConsumer progress) throws IOException {
        try (EventReader reader = EventInput.open(name)) {
            PlayedCalls calls = new PlayedCalls(player, played);
            long seen = 0;
            for (Event next = reader.next(); next != null; next = reader.next()) {
                Event event = next.bounded();
                if (++seen % EVENTS_BETWEEN_PROGRESS == 0) {
                    progress.accept(seen);
                }
                if (PlayedCalls.plays(event) && files.containsKey(event.file())) {
                    calls.add(event);
                }
            }
            calls.drain();
        }
    }
}
