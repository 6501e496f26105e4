package io.mio.cli.events.export;

import io.mio.cli.term.SafeText;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;

/**
 * Reads, writes and forces as an iolog of fio, version 3, for {@code fio --read_iolog}. See {@code
 * docs/commands/events-exports.md}.
 *
 * <p>Files get new names without a directory, {@code mio-0001.data.file}: a replay writes, and must
 * never write to the files that the events came from. The line that adds a file ends with the
 * file's size and its real name, which fio does not read: after the action it takes numbers or
 * nothing.
 *
 * <p>Times are microseconds: fio's code says so, its manual does not. A request has the bytes that
 * were moved, and the time when it was made.
 */
public final class FioIologExport implements EventExport {
    /** Most bytes that Linux moves in one call. */
    private static final long REQUEST_MAX = 0x7ffff000L;

    private static final int NANOS_PER_MICRO = 1000;

    /** Most characters of the real name at the end of a line; fio reads lines of 4095 bytes. */
    private static final int REAL_NAME_MAX = 800;

    private final Map<Integer, EventFile> definitions;
    private final IntPredicate wanted;
    private final OutputStream out;
    private final StartOrder order = new StartOrder(StartOrder.HELD_MAX, this::write);
    private final Map<String, ReplayFile> files = new HashMap<>();
    private final Map<String, Long> sizes = new HashMap<>();
    private long firstNanos;
    private long lastMicros;
    private boolean began;
    private long failed;
    private long empty;
    private long nowhere;
    private long senseless;
    private long otherCalls;
    private long unknownFiles;
    private long dropped;

    /** Begins the log of what the layer next to the program saw of each open. */
    public FioIologExport(EventReader reader, OutputStream stream) throws IOException {
        this(reader, stream, programs(reader.files()));
    }

    /**
     * Begins the log.
     *
     * @param wanted the files, by id, whose calls are replayed: one layer of each open, since
     *     otherwise the same bytes are moved more than once
     */
    public FioIologExport(EventReader reader, OutputStream stream, IntPredicate wanted)
            throws IOException {
        this.definitions = reader.files();
        this.wanted = wanted;
        this.out = stream;
        for (EventFile file : definitions.values()) {
            sizes.merge(file.path(), Math.max(0, file.sizeBytes()), Math::max);
        }
        print("fio version 3 iolog\n");
    }

    /** Chooses the uppermost trace layer of each open. */
    private static IntPredicate programs(Map<Integer, EventFile> files) {
        Map<List<Object>, Integer> uppermost = new HashMap<>();
        for (EventFile file : files.values()) {
            if (file.layer() == EventFormat.OF_TRACE) {
                uppermost.merge(open(file), file.place(), Math::min);
            }
        }
        Set<Integer> ids = new HashSet<>();
        for (EventFile file : files.values()) {
            if (file.layer() == EventFormat.OF_TRACE && file.place() == uppermost.get(open(file))) {
                ids.add(file.id());
            }
        }
        return ids::contains;
    }

    /** Returns a key that is the same for all layers of an open. */
    private static List<Object> open(EventFile file) {
        return List.of(file.process(), file.path(), file.openedNanos());
    }

    @Override
    public void event(Event event) throws IOException {
        if (event.kind() == Event.Kind.DROPPED) {
            dropped += Math.max(0, event.requested());
        } else if (!definitions.containsKey(event.file())) {
            unknownFiles++;
        } else if (event.kind() != Event.Kind.PAGE && wanted.test(event.file()) && fits(event)) {
            order.add(event, definitions.get(event.file()).place());
        }
    }

    /** Returns whether fio can do the call; if not, the call is counted. */
    private boolean fits(Event event) {
        boolean isSubmission =
                event.kind() == Event.Kind.CALL && event.operation().isAsynchronous();
        if (event.failed()) {
            failed++;
            return false;
        }
        switch (event.operation()) {
            case OPEN, CLOSE, FSYNC -> {
                return event.kind() == Event.Kind.CALL;
            }
            case READ, WRITE, AREAD, AWRITE -> {
                if (isSubmission) {
                    return false;
                }
                if (event.offset() < 0) {
                    nowhere++;
                } else if (event.delivered() == 0) {
                    empty++;
                } else if (event.delivered() < 0 || event.delivered() > REQUEST_MAX) {
                    senseless++;
                } else {
                    return true;
                }
                return false;
            }
            default -> {
                otherCalls++;
                return false;
            }
        }
    }

    @Override
    public void close() throws IOException {
        order.drain();
        out.flush();
    }

    /** Returns sentences for the user on what is not in the log; none if all is. */
    public List<String> leftOut() {
        List<String> words = new ArrayList<>();
        say(words, failed, "calls that failed");
        say(words, empty, "reads and writes of no bytes");
        say(words, nowhere, "requests whose offset is not known");
        say(words, senseless, "requests of more bytes than a call can move");
        say(words, otherCalls, "calls for which fio has no action (fstat, fcntl, mmap, trunc)");
        say(words, unknownFiles, "events of files that are not known");
        say(words, dropped, "events that were dropped when they were recorded");
        return words;
    }

    private static void say(List<String> words, long count, String what) {
        if (count > 0) {
            words.add("left out: " + count + " " + what);
        }
    }

    // ---- lines

    private void write(Event event) throws IOException {
        EventFile definition = definitions.get(event.file());
        ReplayFile file = files.get(definition.path());
        if (!began) {
            began = true;
            firstNanos = event.startNanos();
        }
        // Times begin at 1: fio takes 0 for "no time yet", and would not wait for the second line.
        long micros = (event.startNanos() - firstNanos) / NANOS_PER_MICRO + 1;
        lastMicros = Math.max(lastMicros, micros);
        if (file == null) {
            file = new ReplayFile(files.size() + 1, definition.path());
            files.put(definition.path(), file);
            line(file, "add # " + sizes.get(definition.path()) + " " + realName(definition));
        }
        switch (event.operation()) {
            case OPEN -> {
                file.opens++;
                open(file);
            }
            case CLOSE -> {
                file.opens = Math.max(0, file.opens - 1);
                if (file.opens == 0 && file.isOpen) {
                    file.isOpen = false;
                    line(file, "close");
                }
            }
            case FSYNC -> {
                open(file);
                line(file, "sync 0 0");
            }
            default -> {
                open(file);
                String action = event.operation().isWrite() ? "write " : "read ";
                line(file, action + event.offset() + " " + event.delivered());
            }
        }
    }

    /** Opens the file once, however many opens of it there are: fio ends at a second one. */
    private void open(ReplayFile file) throws IOException {
        if (!file.isOpen) {
            file.isOpen = true;
            line(file, "open");
        }
    }

    private void line(ReplayFile file, String action) throws IOException {
        print(lastMicros + " " + file.name + " " + action + "\n");
    }

    private static String realName(EventFile file) {
        return SafeText.shorten(Facts.path(file), REAL_NAME_MAX);
    }

    private void print(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }

    /** A file of the replay. */
    private static final class ReplayFile {
        /** Most characters taken from the real name, so that it can be recognised. */
        private static final int LETTERS_MAX = 60;

        final String name;
        int opens;
        boolean isOpen;

        ReplayFile(int number, String path) {
            String last = path.substring(path.lastIndexOf('/') + 1);
            String plain = last.replaceAll("[^A-Za-z0-9._-]", "_");
            String end = plain.substring(Math.max(0, plain.length() - LETTERS_MAX));
            name = String.format(Locale.ROOT, "mio-%04d.%s", number, end);
        }
    }
}
