package io.mio.cli.events;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import io.mio.events.EventProcess;
import io.mio.events.EventReader;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Events files for tests: the golden one, and made-up ones. */
public final class EventSamples {
    /** Names, each of which is a trap for some program. */
    static final List<String> HOSTILE =
            List.of(
                    "</script><img src=x onerror=alert(1)>",
                    "line\nbreak,\"quoted\"",
                    "\033]0;title\007\033[2J",
                    "left\u202eright.txt",
                    "=cmd|' /C calc'!A0",
                    "+1",
                    "-1",
                    "@SUM(A1)",
                    "\t=1",
                    "\r=1",
                    "\uff1d1",
                    "'already",
                    "C:\\dir\\033 {}",
                    " blank ",
                    "\ud83d\ude00 \u00e4",
                    "");

    private static final Path HEX = Path.of("../mio-core/src/test/resources/twin/events/calls.hex");

    private EventSamples() {}

    /** Writes the golden file; scripts call this. */
    public static void main(String[] args) throws IOException {
        Files.write(Path.of(args[1]), bytes(Path.of(args[0])));
    }

    /** The bytes of the golden file that both doors write. */
    public static byte[] golden() throws IOException {
        return bytes(HEX);
    }

    private static byte[] bytes(Path hex) throws IOException {
        List<String> lines = Files.readAllLines(hex);
        byte[] bytes = new byte[Integer.parseInt(lines.get(lines.size() - 1), 16)];
        for (String line : lines.subList(0, lines.size() - 1)) {
            int at = Integer.parseInt(line.substring(0, 8), 16);
            String[] values = line.substring(10).split(" ");
            for (int i = 0; i < values.length; i++) {
                bytes[at + i] = (byte) Integer.parseInt(values[i], 16);
            }
        }
        return bytes;
    }

    static EventHeader header(String program, String host) {
        return new EventHeader(
                ByteOrder.LITTLE_ENDIAN,
                0,
                100,
                EventFormat.NATIVE,
                1_790_000_000_000_000_000L,
                5_000_000_000L,
                1L << 30,
                0,
                0,
                program,
                host,
                "libmio 0.1.0");
    }

    static EventProcess process(long number, String program) {
        return new EventProcess(number, 1, EventFormat.NATIVE, 0, program);
    }

    /** An open as a trace layer saw it. */
    static EventFile file(
            int id, long process, int place, String path, String above, String below) {
        return new EventFile(
                id,
                EventFormat.OF_TRACE,
                place,
                process,
                0,
                64769,
                1000 + id,
                0,
                0644,
                4096,
                0,
                0,
                0,
                1,
                path,
                "trace",
                above,
                below);
    }

    /** The definition of the pages of a file. */
    static EventFile pages(int id, long process, String path) {
        return new EventFile(
                id,
                EventFormat.OF_PF,
                2,
                process,
                0,
                64769,
                1000 + id,
                0,
                0644,
                4096,
                65536,
                16,
                1,
                1,
                path,
                "pf",
                "trace",
                "trace");
    }

    static Event call(
            TraceOperation operation,
            int file,
            long start,
            long duration,
            long offset,
            long bytes) {
        return call(operation, file, start, duration, offset, bytes, 100);
    }

    static Event call(
            TraceOperation operation,
            int file,
            long start,
            long duration,
            long offset,
            long bytes,
            long process) {
        return MadeEvent.call(operation, file, start, duration)
                .bytes(offset, bytes)
                .thread(process)
                .process(process)
                .made();
    }

    static Event page(PageOperation operation, int file, long start, long duration, long bytes) {
        return MadeEvent.page(operation, file, start, duration)
                .bytes(0, bytes, 0)
                .number(3)
                .thread(100)
                .process(100)
                .made();
    }

    /** Events of all kinds, with all numbers that are possible, in the order of their ends. */
    static List<Event> random(Random random, int count, int files, int processes) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Event.Kind kind = Event.Kind.values()[random.nextInt(4)];
            boolean lost = kind == Event.Kind.DROPPED;
            TraceOperation operation = TraceOperation.values()[random.nextInt(12)];
            PageOperation page = PageOperation.values()[random.nextInt(14)];
            boolean isPage = kind == Event.Kind.PAGE;
            boolean failed = !lost && random.nextInt(5) == 0;
            int requested = random.nextInt(1 << 20) - 1;
            int delivered = requested <= 0 ? 0 : random.nextInt(requested + 1);
            events.add(
                    new Event(
                            kind,
                            lost || isPage ? null : operation,
                            isPage ? page : null,
                            lost ? 0 : 1 + random.nextInt(files),
                            i * 1000L + random.nextInt(5000) - 3000,
                            random.nextInt(20_000),
                            lost ? -1 : random.nextInt(4) == 0 ? -1 : random.nextLong() >>> 4,
                            lost ? random.nextInt(1000) : requested,
                            lost ? 0 : delivered,
                            failed,
                            !lost && random.nextBoolean(),
                            !lost && random.nextBoolean(),
                            failed ? random.nextInt(140) : 0,
                            lost ? 0 : Integer.toUnsignedLong(random.nextInt()),
                            lost ? 0 : random.nextLong(),
                            100 + random.nextInt(processes)));
        }
        events.sort(Comparator.comparingLong(Event::endNanos));
        return events;
    }

    /** Writes an events file. */
    static Path write(Path file, Definitions definitions, List<Event> events) throws IOException {
        try (FileChannel channel =
                FileChannel.open(
                        file,
                        StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING,
                        StandardOpenOption.WRITE)) {
            EventFileWriter writer = new EventFileWriter(channel, definitions);
            for (Event event : events) {
                writer.event(event);
            }
            writer.close();
        }
        return file;
    }

    /** Writes a file for each hostile name, with one read of each and programs of those names. */
    static Path hostile(Path file) throws IOException {
        List<EventFile> files = new ArrayList<>();
        List<Event> events = new ArrayList<>();
        List<EventProcess> processes = new ArrayList<>();
        for (int i = 0; i < HOSTILE.size(); i++) {
            long process = 100L + i;
            processes.add(process(process, HOSTILE.get(i)));
            files.add(file(i + 1, process, 1, HOSTILE.get(i), HOSTILE.get(i), HOSTILE.get(i)));
            events.add(call(TraceOperation.READ, i + 1, 1000L * i, 10, 0, 100, process));
        }
        String name = HOSTILE.get(0) + HOSTILE.get(1) + HOSTILE.get(2) + HOSTILE.get(3);
        return write(file, new Definitions(header(name, name), processes, files), events);
    }

    /** Reads all events, in order. */
    static List<Event> read(Path file) throws IOException {
        List<Event> events = new ArrayList<>();
        try (EventReader reader = EventReader.open(file)) {
            for (Event event = reader.next(); event != null; event = reader.next()) {
                events.add(event);
            }
        }
        return events;
    }
}
