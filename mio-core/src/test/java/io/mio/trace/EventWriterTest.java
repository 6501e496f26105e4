package io.mio.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.events.Event;
import io.mio.events.EventFormat;
import io.mio.events.EventReader;
import io.mio.events.GoldenEvents;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests how events files are written: their bytes, who shares them, and what happens without space.
 */
class EventWriterTest {
    @TempDir private Path directory;

    private EventFacts facts(String name, long limit, long tree) {
        return new EventFacts(
                directory.resolve(name).toString(),
                limit,
                tree,
                4711,
                815,
                EventFormat.JVM,
                1,
                0,
                "program",
                "host",
                "mio-core");
    }

    private static EventWriter writer(EventFacts facts) throws IOException {
        return new EventWriter(FileSystems.getDefault(), facts);
    }

    private static int define(EventWriter writer, String path) {
        return writer.define(
                EventFormat.OF_TRACE,
                1,
                0,
                0,
                0,
                0,
                0,
                0,
                new int[] {0, 0, 0, 1},
                new EventWriter.Words(EventFormat.TEXT_PATH, path));
    }

    private static void put(EventWriter writer, int file, long start) {
        writer.put(EventFormat.CALL, 3, 0, file, start, 0, start, 10, 10, 0, 1, 0);
    }

    private List<Event> read(String name) throws IOException {
        List<Event> events = new ArrayList<>();
        try (EventReader reader = EventReader.open(directory.resolve(name))) {
            for (Event event = reader.next(); event != null; event = reader.next()) {
                events.add(event);
            }
        }
        return events;
    }

    private long dropped(String name) throws IOException {
        try (EventReader reader = EventReader.open(directory.resolve(name))) {
            return reader.losses().dropped();
        }
    }

    /** A stack overflow can end a thread within a record; readers stop at a missing record. */
    @Test
    void shouldPutTheNextRecordWhereOneWasBegunAndNotDone() {
        EventLane lane = new EventLane();
        lane.turn(
                ByteBuffer.allocateDirect(EventFormat.BLOCK_BYTES).order(ByteOrder.nativeOrder()));
        int begun = lane.begin();
        assertThat(lane.begin()).isEqualTo(begun);
        lane.done(begun, 1, 0, 0, 1);
        assertThat(lane.begin()).isEqualTo(begun + EventFormat.RECORD_BYTES);
    }

    @Test
    void shouldWriteTheGoldenFile() throws IOException {
        assumeTrue(
                ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN,
                "the golden bytes are of a little-endian machine");
        EventWriter writer = null;
        for (String line : GoldenEvents.calls()) {
            Iterator<String> fields = List.of(line.split(" ")).iterator();
            switch (fields.next()) {
                case "facts" -> writer = writer(facts(fields));
                case "define" -> assertThat(defined(writer, fields)).isPositive();
                case "decide" ->
                        writer.decide(
                                Integer.parseInt(fields.next()),
                                Long.parseLong(fields.next()),
                                Long.parseLong(fields.next()),
                                new EventWriter.Words(EventFormat.TEXT_WHAT, fields.next()),
                                new EventWriter.Words(EventFormat.TEXT_REASON, fields.next()));
                default -> put(writer, fields);
            }
        }
        byte[] bytes = Files.readAllBytes(directory.resolve("golden"));
        assertThat(GoldenEvents.hex(bytes)).isEqualTo(GoldenEvents.hex());
    }

    /**
     * Compares with the C twin which events are lost where space is refused, and when the writer
     * asks for space again.
     */
    @Test
    void shouldLoseWhatTheGoldenCaseTellsWhereSpaceIsRefused() throws IOException {
        EventWriter writer = null;
        Path file = directory.resolve("space");
        Path away = directory.resolve("away");
        int put = 0;
        for (String line : GoldenEvents.space()) {
            String[] fields = line.split(" ");
            switch (fields[0]) {
                case "limit" -> {
                    writer = writer(facts("space", Long.parseLong(fields[1]), 7));
                    assertThat(define(writer, "x")).isEqualTo(1);
                }
                case "refuse" -> Files.move(file, away);
                case "allow" -> Files.move(away, file);
                default -> {
                    for (int end = put + Integer.parseInt(fields[1]); put < end; put++) {
                        put(writer, 1, put);
                    }
                    String seen = seen(Files.exists(file) ? "space" : "away", put);
                    assertThat("put " + fields[1] + seen).isEqualTo(line);
                }
            }
        }
    }

    /**
     * The events dropped, those that the file reports as dropped, and the blocks claimed, as text.
     * Checks that every other event is there.
     */
    private String seen(String name, long put) throws IOException {
        long told = 0;
        long calls = 0;
        for (Event event : read(name)) {
            if (event.kind() == Event.Kind.DROPPED) {
                told += event.requested();
            } else {
                calls++;
            }
        }
        ByteBuffer header =
                ByteBuffer.wrap(Files.readAllBytes(directory.resolve(name)))
                        .order(ByteOrder.nativeOrder());
        assertThat(calls + dropped(name)).isEqualTo(put);
        return " " + dropped(name) + " " + told + " " + header.getLong(EventFormat.AT_CLAIMED);
    }

    private static long number(Iterator<String> fields) {
        String text = fields.next();
        return text.startsWith("-") ? Long.parseLong(text) : Long.parseUnsignedLong(text);
    }

    private EventFacts facts(Iterator<String> fields) {
        return new EventFacts(
                directory.resolve("golden").toString(),
                number(fields),
                number(fields),
                number(fields),
                number(fields),
                (int) number(fields),
                number(fields),
                number(fields),
                fields.next(),
                fields.next(),
                fields.next());
    }

    private static int defined(EventWriter writer, Iterator<String> fields) {
        return writer.define(
                (int) number(fields),
                (int) number(fields),
                number(fields),
                number(fields),
                number(fields),
                (int) number(fields),
                (int) number(fields),
                number(fields),
                new int[] {
                    (int) number(fields),
                    (int) number(fields),
                    (int) number(fields),
                    (int) number(fields)
                },
                new EventWriter.Words(EventFormat.TEXT_PATH, fields.next()),
                new EventWriter.Words(EventFormat.TEXT_LAYER, fields.next()),
                new EventWriter.Words(EventFormat.TEXT_ABOVE, fields.next()),
                new EventWriter.Words(EventFormat.TEXT_BELOW, fields.next()));
    }

    private static void put(EventWriter writer, Iterator<String> fields) {
        writer.put(
                (int) number(fields),
                (int) number(fields),
                (int) number(fields),
                (int) number(fields),
                number(fields),
                number(fields),
                number(fields),
                number(fields),
                number(fields),
                (int) number(fields),
                number(fields),
                number(fields));
    }

    @Test
    void shouldMakeTheFileForItsOwnerOnly() throws IOException {
        writer(facts("x", 1 << 30, 1));
        assertThat(Files.getPosixFilePermissions(directory.resolve("x")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void shouldReplaceAnOldEventsFileAndAnEmptyOne() throws IOException {
        EventWriter old = writer(facts("x", 1 << 30, 1));
        put(old, define(old, "old"), 1);
        Files.createFile(directory.resolve("empty"));
        for (String name : List.of("x", "empty")) {
            EventWriter writer = writer(facts(name, 1 << 30, 2));
            put(writer, define(writer, "new"), 2);
            assertThat(read(name)).extracting(Event::startNanos).containsExactly(2L);
        }
        // The old file was replaced, not shortened: its writer goes on, unseen, and meets no end.
        for (int i = 0; i < 1000; i++) {
            put(old, 1, i);
        }
    }

    @Test
    void shouldLeaveOtherFilesAndLinksAlone() throws IOException {
        Files.writeString(directory.resolve("text"), "a letter ".repeat(100));
        Files.writeString(directory.resolve("short"), "short");
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("nothing"));
        Files.createDirectory(directory.resolve("directory"));
        for (String name : List.of("text", "short", "link", "directory")) {
            assertThatThrownBy(() -> writer(facts(name, 1 << 30, 1)))
                    .as(name)
                    .isInstanceOf(FileAlreadyExistsException.class);
        }
        assertThatThrownBy(() -> writer(facts("link", 1 << 30, 1)))
                .hasMessageContaining("is a symbolic link, and no events are written through one");
        assertThat(directory.resolve("short")).hasContent("short");
        assertThat(directory.resolve("nothing")).doesNotExist();
    }

    @Test
    void shouldShareTheFileOfItsTree() throws IOException {
        EventWriter one = writer(facts("x", 1 << 30, 1));
        EventWriter other = writer(facts("x", 1 << 30, 1));
        for (int i = 0; i < 5000; i++) {
            put(one, define(one, "one"), i);
            put(other, define(other, "other"), i);
        }
        assertThat(read("x")).hasSize(10_000).extracting(Event::file).doesNotHaveDuplicates();
        try (EventReader reader = EventReader.open(directory.resolve("x"))) {
            assertThat(reader.files()).hasSize(10_000);
            assertThat(reader.files().get(1).path()).isEqualTo("one");
            assertThat(reader.files().get(10_000).path()).isEqualTo("other");
        }
    }

    @Test
    void shouldDropAndCountWhatIsOverTheLimit() throws IOException {
        EventWriter writer =
                writer(facts("x", EventFormat.HEADER_BYTES + 3L * EventFormat.BLOCK_BYTES + 9, 1));
        define(writer, "x");
        for (int i = 0; i < 5000; i++) {
            put(writer, 1, i);
        }
        assertThat(read("x")).hasSize(2 * EventFormat.BLOCK_RECORDS);
        assertThat(dropped("x")).isEqualTo(5000 - 2 * EventFormat.BLOCK_RECORDS);
        assertThat(define(writer(facts("none", 0, 1)), "x")).isZero();
    }

    @Test
    void shouldGiveBackWhatItHasClaimedAndNotBegun() throws IOException {
        EventWriter writer = writer(facts("x", 1 << 30, 1));
        for (int i = 0; i < 3000; i++) {
            put(writer, 1, i);
        }
        writer.end();
        try (EventReader reader = EventReader.open(directory.resolve("x"))) {
            assertThat(reader.header().claimedBlocks()).isEqualTo(3);
        }
        for (int i = 0; i < 2000; i++) {
            put(writer, 1, i);
        }
        assertThat(read("x")).hasSize(5000);
    }

    @Test
    void shouldWriteOnWhenTheThreadIsInterruptedAndKeepThat() throws IOException {
        Thread.currentThread().interrupt();
        EventWriter writer = writer(facts("x", 1 << 30, 1));
        for (int i = 0; i < 3000; i++) {
            put(writer, 1, i);
        }
        assertThat(Thread.interrupted()).isTrue();
        assertThat(read("x")).hasSize(3000);
    }

    @Test
    void shouldLoseAndTearNothingOfManyThreads() throws Exception {
        int each = 50_000;
        EventWriter writer = writer(facts("x", 1 << 30, 1));
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            int mine = t;
            Thread thread =
                    new Thread(
                            () -> {
                                for (int i = 0; i < each; i++) {
                                    long all = (long) mine * each + i;
                                    writer.put(1, 3, 0, mine, i, mine, all, all, all, i, mine, all);
                                }
                            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
        BitSet there = new BitSet();
        for (Event event : read("x")) {
            long all = (long) event.file() * each + event.startNanos();
            assertThat(
                            event.offset() == all
                                    && event.requested() == all
                                    && event.delivered() == all
                                    && event.number() == all
                                    && event.thread() == event.file()
                                    && event.durationNanos() == event.thread()
                                    && event.errno() == event.startNanos())
                    .as("%s", event)
                    .isTrue();
            assertThat(there.get((int) all)).isFalse();
            there.set((int) all);
        }
        assertThat(there.cardinality()).isEqualTo(8 * each);
        assertThat(dropped("x")).isZero();
    }
}
