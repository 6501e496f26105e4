package io.mio.cli.events;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventHeader;
import io.mio.events.EventProcess;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Removes from an events file what tells whose it is: names, the time of day, and the numbers of
 * processes, threads, devices and inodes. What was equal stays equal. Offsets, sizes, durations and
 * times since the beginning are kept: they are what the file is about.
 */
final class Anonymizer {
    /** Words of the configuration, which are kept; any other word may tell something. */
    private static final Set<String> LAYERS =
            Set.of("program", "mio", "trace", "pf", "recov", "os", "aix", "posix");

    private static final String OTHER_LAYER = "layer";
    private static final String HOST = "host";
    private static final Pattern EXTENSION = Pattern.compile("[^/]\\.([A-Za-z0-9]{1,8})$");

    /** Names of the library, which are kept: versions look alike everywhere. */
    private static final Pattern LIBRARY = Pattern.compile("(lib)?mio[ -][0-9.]{1,16}(-SNAPSHOT)?");

    /** Most threads that are told apart; a file that somebody made up may have more. */
    private static final int THREADS_MAX = 1 << 18;

    private final Map<Long, Long> processes = new HashMap<>();
    private final Map<String, String> programs = new HashMap<>();
    private final Map<Long, Long> devices = new HashMap<>();
    private final Map<List<Long>, Long> inodes = new HashMap<>();
    private final Map<String, String> paths = new HashMap<>();
    private final Map<Long, Long> threads = new HashMap<>();
    private final boolean keepExtensions;
    private final Definitions definitions;

    // The last event's process and thread, as most events are of the same thread as the one before.
    private long lastProcess = -1;
    private long lastThread = -1;
    private long newProcess;
    private long newThread;

    /**
     * Prepares the definitions without names.
     *
     * @param keepExtensions whether a name keeps what is behind its last point
     */
    Anonymizer(Definitions original, boolean keepExtensions) {
        this.keepExtensions = keepExtensions;
        EventHeader header = header(original.header());
        List<EventProcess> newProcesses = new ArrayList<>();
        for (EventProcess process : original.processes()) {
            newProcesses.add(process(process));
        }
        List<EventFile> files = new ArrayList<>();
        for (EventFile file : original.files()) {
            files.add(file(file));
        }
        definitions = new Definitions(header, newProcesses, files);
    }

    /** Returns the header, processes and files without names. */
    Definitions definitions() {
        return definitions;
    }

    /** Returns the event with other numbers for its process and thread. */
    Event event(Event event) {
        if (event.process() != lastProcess || event.thread() != lastThread) {
            lastProcess = event.process();
            lastThread = event.thread();
            newProcess = process(lastProcess);
            newThread = event.kind() == Event.Kind.DROPPED ? 0 : thread(lastProcess, lastThread);
        }
        return new Event(
                event.kind(),
                event.operation(),
                event.page(),
                event.file(),
                event.startNanos(),
                event.durationNanos(),
                event.offset(),
                event.requested(),
                event.delivered(),
                event.failed(),
                event.append(),
                event.asynchronous(),
                event.errno(),
                newThread,
                event.number(),
                newProcess);
    }

    private EventHeader header(EventHeader header) {
        return new EventHeader(
                header.order(),
                header.minor(),
                process(header.process()),
                header.door(),
                0,
                0,
                header.limitBytes(),
                header.claimedBlocks(),
                header.dropped(),
                program(header.program()),
                HOST,
                LIBRARY.matcher(header.library()).matches() ? header.library() : "");
    }

    private EventProcess process(EventProcess process) {
        return new EventProcess(
                process(process.process()),
                process(process.parent()),
                process.door(),
                process.beganNanos(),
                program(process.program()));
    }

    private EventFile file(EventFile file) {
        return new EventFile(
                file.id(),
                file.layer(),
                file.place(),
                process(file.process()),
                file.openedNanos(),
                device(file.device()),
                inode(file.device(), file.inode()),
                file.oflags(),
                file.mode(),
                file.sizeBytes(),
                file.pageBytes(),
                file.frames(),
                file.cache(),
                file.sample(),
                path(file.path()),
                layer(file.name()),
                layer(file.above()),
                layer(file.below()));
    }

    /** Returns another number for a process. 0 stays: it means nobody, or not known. */
    private long process(long process) {
        return process == 0
                ? 0
                : processes.computeIfAbsent(process, unknown -> processes.size() + 1L);
    }

    /**
     * Returns another number for a thread. JVMs number their threads themselves, so the key
     * includes the process.
     */
    private long thread(long process, long thread) {
        long key = process << Integer.SIZE | thread;
        Long known = threads.get(key);
        if (known == null && threads.size() < THREADS_MAX) {
            known = threads.size() + 1L;
            threads.put(key, known);
        }
        return known == null ? 0 : known;
    }

    private String program(String program) {
        return program.isEmpty()
                ? ""
                : programs.computeIfAbsent(program, unknown -> "program-" + (programs.size() + 1));
    }

    private long device(long device) {
        return device == 0 ? 0 : devices.computeIfAbsent(device, unknown -> devices.size() + 1L);
    }

    private long inode(long device, long inode) {
        return inode == 0
                ? 0
                : inodes.computeIfAbsent(List.of(device, inode), unknown -> inodes.size() + 1L);
    }

    private String path(String path) {
        return paths.computeIfAbsent(
                path,
                unknown -> String.format(Locale.ROOT, "f%04d", paths.size() + 1) + extension(path));
    }

    private String extension(String path) {
        Matcher matcher = EXTENSION.matcher(path);
        return keepExtensions && matcher.find() ? "." + matcher.group(1) : "";
    }

    /**
     * Returns the name of a layer if it is a word of the configuration, which may be abbreviated
     * there; else a name that tells nothing.
     */
    private static String layer(String name) {
        return LAYERS.stream().anyMatch(word -> word.startsWith(name)) ? name : OTHER_LAYER;
    }
}
