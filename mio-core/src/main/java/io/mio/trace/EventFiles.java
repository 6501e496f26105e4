package io.mio.trace;

import io.mio.events.EventFormat;
import io.mio.stats.HostLine;
import io.mio.stats.LineText;
import io.mio.stats.MioVersion;
import io.mio.stats.OpenReports;
import io.mio.stats.ProcessFacts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The events files of this process, by name; each is made when it is first asked for. */
final class EventFiles implements Runnable {
    /** Writers by path; null for a file that cannot be had. */
    private static final Map<String, EventWriter> WRITERS = new HashMap<>();

    private EventFiles() {}

    /**
     * Returns the file of this name, or null if it cannot be had, which is told once.
     *
     * @param platform file system of the machine itself
     * @param text value of the option {@code events}
     * @param limitBytes most bytes the file may have, if it is made
     */
    static EventWriter of(FileSystem platform, String text, long limitBytes) {
        synchronized (WRITERS) {
            String path = ProcessFacts.expand(text.trim());
            InvalidPathException noName = null;
            try {
                path = platform.getPath(path).toAbsolutePath().normalize().toString();
            } catch (InvalidPathException e) {
                noName = e;
            }
            if (WRITERS.containsKey(path)) {
                return WRITERS.get(path);
            }
            EventWriter writer = null;
            try {
                if (noName != null) {
                    throw noName;
                }
                writer = new EventWriter(platform, facts(path, limitBytes));
            } catch (IOException | RuntimeException | OutOfMemoryError e) {
                say(path, e);
            }
            if (WRITERS.isEmpty()) {
                OpenReports.beforeExit(new EventFiles());
            }
            WRITERS.put(path, writer);
            return writer;
        }
    }

    /** Gives back unused blocks at the end of the JVM. */
    @Override
    public void run() {
        synchronized (WRITERS) {
            for (EventWriter writer : WRITERS.values()) {
                if (writer != null) {
                    writer.end();
                }
            }
        }
    }

    private static void say(String path, Throwable why) {
        String reason = why instanceof FileSystemException e ? e.getReason() : why.getMessage();
        HostLine.write(
                "cannot write events to "
                        + LineText.of(
                                path
                                        + ": "
                                        + (reason == null
                                                ? why.getClass().getSimpleName()
                                                : reason))
                        + "; the program runs on without them (give another file in the option"
                        + " events)");
    }

    private static EventFacts facts(String path, long limitBytes) {
        Instant now = Instant.now();
        long realtime = now.getEpochSecond() * 1_000_000_000 + now.getNano();
        long process = ProcessFacts.pid();
        Optional<ProcessHandle> parent = ProcessHandle.current().parent();
        String tree = System.getenv("MIO_STATS_OWNER");
        return new EventFacts(
                path,
                limitBytes,
                hash(tree == null || tree.isEmpty() ? process + " " + realtime : tree),
                process,
                parent.isPresent() ? parent.get().pid() : 0,
                EventFormat.JVM,
                realtime,
                System.nanoTime(),
                ProcessFacts.program(),
                ProcessFacts.host(),
                "mio-core " + MioVersion.NUMBER);
    }

    /** The hash FNV-1a, 64 bits. */
    static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (byte letter : text.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ Byte.toUnsignedInt(letter)) * 0x100000001b3L;
        }
        return hash;
    }
}
