package io.mio.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the reader makes of good, shortened and damaged files. */
class EventReaderTest {
    private static final int FIRST_RECORD =
            EventFormat.HEADER_BYTES + EventFormat.BLOCK_BYTES + EventFormat.BLOCK_HEADER_BYTES;

    @TempDir private Path directory;

    private EventReader reader(byte[] bytes) throws IOException {
        return EventReader.open(Files.write(directory.resolve("x.events"), bytes));
    }

    private static List<Event> all(EventReader reader) throws IOException {
        List<Event> events = new ArrayList<>();
        for (Event event = reader.next(); event != null; event = reader.next()) {
            events.add(event);
        }
        return events;
    }

    /** Checks that {@link EventReader#reads} gives the reads of {@link EventReader#next}. */
    private void hasTheSameReads(byte[] bytes) throws IOException {
        List<List<Long>> expected = new ArrayList<>();
        try (EventReader reader = reader(bytes)) {
            for (Event event : all(reader)) {
                boolean isRead = event.operation() == TraceOperation.READ;
                boolean isOther = event.operation() == TraceOperation.AREAD;
                boolean somewhere = event.offset() <= Event.MOST && event.requested() <= Event.MOST;
                if (event.kind() == Event.Kind.CALL
                        && !event.failed()
                        && (isRead || isOther)
                        && somewhere) {
                    long moved = isRead ? event.delivered() : event.requested();
                    expected.add(List.of((long) event.file(), event.offset(), moved));
                }
            }
        }
        for (int most : new int[] {expected.size() / 2, Integer.MAX_VALUE}) {
            List<List<Long>> reads = new ArrayList<>();
            try (EventReader reader = reader(bytes)) {
                reader.reads(
                        (file, offset, moved) -> {
                            reads.add(List.of((long) file, offset, moved));
                            return reads.size() < most;
                        });
            }
            int count = Math.min(Math.max(1, most), expected.size());
            assertThat(reads).isEqualTo(expected.subList(0, count));
        }
    }

    private static Event event(String line) {
        String[] fields = line.split(" ");
        long[] numbers = new long[fields.length];
        for (int i = 1; i < fields.length; i++) {
            numbers[i] = Long.parseLong(fields[i]);
        }
        Event.Kind kind = Event.Kind.values()[(int) numbers[1] - 1];
        boolean page = kind == Event.Kind.PAGE;
        return new Event(
                kind,
                page ? null : TraceOperation.values()[(int) numbers[2]],
                page ? PageOperation.values()[(int) numbers[2] - 1] : null,
                (int) numbers[4],
                numbers[5],
                numbers[6],
                numbers[7],
                numbers[8],
                numbers[9],
                (numbers[3] & 1) != 0,
                (numbers[3] & 2) != 0,
                (numbers[3] & 4) != 0,
                (int) numbers[10],
                numbers[11],
                numbers[12],
                4711);
    }

    /** The events of {@code calls.txt}, in the order of the file. */
    private static List<Event> golden() throws IOException {
        List<Event> events = new ArrayList<>();
        for (String line : GoldenEvents.calls()) {
            if (line.startsWith("event")) {
                events.add(event(line));
            }
        }
        return events;
    }

    @Test
    void shouldReadTheGoldenFile() throws IOException {
        hasTheSameReads(GoldenEvents.bytes());
        try (EventReader reader = reader(GoldenEvents.bytes())) {
            List<Event> expected = golden();
            expected.sort(Comparator.comparingLong(Event::endNanos));
            assertThat(all(reader)).containsExactlyElementsOf(expected);
            assertThat(reader.losses()).isEqualTo(new EventLosses(0, 0, 0, 0, 0, 0, 0, 0));
            assertThat(reader.header())
                    .isEqualTo(
                            new EventHeader(
                                    ByteOrder.LITTLE_ENDIAN,
                                    0,
                                    4711,
                                    EventFormat.NATIVE,
                                    1790000000000000000L,
                                    123456789012345L,
                                    1L << 30,
                                    2,
                                    0,
                                    "program",
                                    "host.example",
                                    "libmio-1.2.3"));
            assertThat(reader.processes())
                    .containsExactly(
                            new EventProcess(4711, 815, EventFormat.NATIVE, -1500, "program"));
            assertThat(reader.files()).hasSize(4);
            assertThat(reader.decisions())
                    .containsExactly(
                            new EventDecision(4, 4711, 18446744, -5, "cached", "it_is_there"),
                            new EventDecision(
                                    3,
                                    4711,
                                    4712,
                                    355000,
                                    "pages",
                                    "63_of_64_requests_were_small_(at_most_100_bytes)_and_near_each"
                                            + "_other"));
            assertThat(reader.files().get(2))
                    .isEqualTo(
                            new EventFile(
                                    2,
                                    EventFormat.OF_PF,
                                    2,
                                    4711,
                                    -1500,
                                    64769,
                                    1234567,
                                    16386,
                                    420,
                                    1048576,
                                    65536,
                                    16,
                                    3,
                                    1,
                                    "/scratch/data.file",
                                    "pf",
                                    "trace",
                                    "trace"));
            assertThat(reader.files().get(4).path())
                    .isEqualTo(
                            "/a/path/that/takes/more/than/one/record/because/it/is/longer/than/"
                                    + "fifty-six/bytes/ä/ö/ü");
        }
    }

    @Test
    void shouldReadAFileOfTheOtherByteOrder() throws IOException {
        // One record and one definition, written here in the other byte order.
        ByteBuffer bytes = ByteBuffer.allocate(EventFormat.HEADER_BYTES + 2 * 65536);
        bytes.put(0, "MIOEVENT".getBytes(StandardCharsets.US_ASCII));
        bytes.putInt(8, EventFormat.BYTE_ORDER).putShort(12, (short) 1);
        bytes.putInt(16, 65536).putInt(20, 65536).putInt(24, 64).putInt(28, 64);
        int block = 65536;
        bytes.putInt(block, EventFormat.BLOCK_MAGIC).putShort(block + 4, (short) 2);
        bytes.putInt(block + 8, 99);
        bytes.putShort(block + 64, (short) EventFormat.FILE).putInt(block + 68, 5);
        bytes.putLong(block + 64 + 40, 77);
        block += 65536;
        bytes.putInt(block, EventFormat.BLOCK_MAGIC).putShort(block + 4, (short) 1);
        bytes.putShort(block + 64, (short) EventFormat.CALL).put(block + 66, (byte) 3);
        bytes.putInt(block + 68, 5).putLong(block + 64 + 24, 1234);
        hasTheSameReads(bytes.array());
        try (EventReader reader = reader(bytes.array())) {
            assertThat(reader.files().get(5).sizeBytes()).isEqualTo(77);
            assertThat(all(reader))
                    .singleElement()
                    .satisfies(
                            event -> {
                                assertThat(event.operation()).isEqualTo(TraceOperation.READ);
                                assertThat(event.offset()).isEqualTo(1234);
                            });
        }
    }

    @Test
    void shouldReadWhatIsThereOfAFileCutAtAnyRecord() throws IOException {
        byte[] whole = GoldenEvents.bytes();
        List<Event> expected = golden();
        for (int records = 0; records <= expected.size(); records++) {
            for (int more : new int[] {0, 1, 8, 63}) {
                int length = FIRST_RECORD + records * EventFormat.RECORD_BYTES + more;
                try (EventReader reader = reader(Arrays.copyOf(whole, length))) {
                    assertThat(all(reader))
                            .as("cut at %d", length)
                            .containsExactlyInAnyOrderElementsOf(expected.subList(0, records));
                    assertThat(reader.losses().cutBytes()).isEqualTo(whole.length - length);
                }
            }
        }
    }

    @Test
    void shouldReadAFileCutAnywhere() throws IOException {
        byte[] whole = GoldenEvents.bytes();
        List<Event> expected = golden();
        for (int length = 0; length < whole.length; length += 509) {
            Path file = Files.write(directory.resolve("cut"), Arrays.copyOf(whole, length));
            if (length < EventFormat.AT_LIBRARY + EventFormat.HEADER_TEXT_BYTES) {
                assertThatThrownBy(() -> EventReader.open(file))
                        .isInstanceOf(EventFormatException.class);
                continue;
            }
            try (EventReader reader = EventReader.open(file)) {
                List<Event> events = all(reader);
                int whole2 = (length - FIRST_RECORD) / EventFormat.RECORD_BYTES;
                int records = Math.min(expected.size(), Math.max(0, whole2));
                assertThat(events)
                        .as("cut at %d", length)
                        .containsExactlyInAnyOrderElementsOf(expected.subList(0, records));
            }
        }
    }

    @Test
    void shouldSkipWhatItDoesNotKnow() throws IOException {
        byte[] bytes = GoldenEvents.bytes();
        List<Event> expected = golden();
        ByteBuffer of = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        of.putShort(14, (short) 7);
        of.putShort(FIRST_RECORD, (short) 900);
        of.put(FIRST_RECORD + 64 + 2, (byte) 200);
        of.put(FIRST_RECORD + 2 * 64 + 2, (byte) 15);
        of.putLong(FIRST_RECORD + 3 * 64 + 16, -1);
        of.putShort(EventFormat.HEADER_BYTES + 64, (short) 901);
        try (EventReader reader = reader(bytes)) {
            assertThat(all(reader)).containsExactlyInAnyOrderElementsOf(tail(expected, 4));
            EventLosses losses = reader.losses();
            assertThat(losses.unknownRecords()).isEqualTo(4);
            // A time below zero, and the text of a process that no definition names.
            assertThat(losses.damagedRecords()).isEqualTo(2);
            assertThat(reader.files()).hasSize(4);
        }
        of.putShort(EventFormat.HEADER_BYTES + EventFormat.BLOCK_BYTES + 4, (short) 3);
        try (EventReader reader = reader(bytes)) {
            assertThat(all(reader)).isEmpty();
            assertThat(reader.losses().unknownBlocks()).isEqualTo(1);
        }
    }

    /** Changes 8 bytes of the golden file, and checks that the reader leaves out so many events. */
    private EventLosses changed(int at, long value, int left) throws IOException {
        byte[] bytes = GoldenEvents.bytes();
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putLong(at, value);
        try (EventReader reader = reader(bytes)) {
            assertThat(all(reader)).hasSize(golden().size() - left);
            return reader.losses();
        }
    }

    /** Writes times and sizes that no program has into the first record, which is a call. */
    @Test
    void shouldLeaveOutWhatCannotBe() throws IOException {
        for (int at : new int[] {8, 16, 40}) {
            for (long value : new long[] {(1L << 60) + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertThat(changed(FIRST_RECORD + at, value, 1).damagedRecords())
                        .as("%d at %d", value, at)
                        .isEqualTo(1);
            }
        }
    }

    /** A program may ask for offsets and sizes that it does not get. */
    @Test
    void shouldKeepPlacesThatNoFileHas() throws IOException {
        for (int at : new int[] {24, 32}) {
            for (long value : new long[] {-5, (1L << 60) + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
                assertThat(changed(FIRST_RECORD + at, value, 0).damagedRecords())
                        .as("%d at %d", value, at)
                        .isZero();
            }
        }
    }

    @Test
    void shouldBoundWhatIsToBeAddedUp() throws IOException {
        Event plain = golden().get(0);
        assertThat(plain.bounded()).isSameAs(plain);
        byte[] bytes = GoldenEvents.bytes();
        ByteBuffer of = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        of.putLong(FIRST_RECORD + 24, -5).putLong(FIRST_RECORD + 64 + 32, Long.MAX_VALUE);
        try (EventReader reader = reader(bytes)) {
            for (Event event : all(reader).subList(0, 2)) {
                assertThat(event.bounded())
                        .returns(-1L, Event::offset)
                        .returns(-1L, Event::requested)
                        .returns(event.startNanos(), Event::startNanos)
                        .returns(event.operation(), Event::operation);
            }
        }
    }

    @Test
    void shouldLeaveOutMoreThanWasAskedFor() throws IOException {
        List<Event> expected = golden();
        for (int i = 0; i < expected.size(); i++) {
            Event event = expected.get(i);
            if (event.kind() == Event.Kind.CALL
                    && event.operation().isTransfer()
                    && event.requested() >= 0) {
                int at = FIRST_RECORD + i * EventFormat.RECORD_BYTES + 40;
                assertThat(changed(at, event.requested() + 1, 1).damagedRecords()).isEqualTo(1);
                return;
            }
        }
        fail("the golden events have no read");
    }

    @Test
    void shouldReadOnBehindARecordThatIsLost() throws IOException {
        EventLosses losses = changed(FIRST_RECORD + 2 * EventFormat.RECORD_BYTES, 0, 1);
        assertThat(losses.damagedRecords()).isEqualTo(1);
        assertThat(losses.damagedBlocks()).isZero();
    }

    @Test
    void shouldReadDefinitionsBehindOneThatIsLost() throws IOException {
        byte[] bytes = GoldenEvents.bytes();
        ByteBuffer.wrap(bytes).putLong(EventFormat.HEADER_BYTES + 64, 0);
        try (EventReader reader = reader(bytes)) {
            assertThat(reader.processes()).hasSize(0);
            assertThat(reader.files()).hasSize(4);
            assertThat(reader.losses().damagedRecords()).isPositive();
        }
    }

    @Test
    void shouldTellOfBlocksWhoseHeaderIsLost() throws IOException {
        int head = EventFormat.HEADER_BYTES + EventFormat.BLOCK_BYTES;
        int all = golden().size();
        assertThat(changed(head, 0x1_424f494eL, all).damagedBlocks()).isEqualTo(1);
        assertThat(changed(head, 0, all).damagedBlocks()).isEqualTo(1);
        byte[] bytes = GoldenEvents.bytes();
        Arrays.fill(bytes, head + 64, bytes.length, (byte) 0);
        // A writer is about to begin the block, or was when the program was killed.
        Arrays.fill(bytes, head, head + 4, (byte) 0);
        try (EventReader reader = reader(bytes)) {
            assertThat(reader.losses().damagedBlocks()).isZero();
        }
    }

    @Test
    void shouldTellOfAFileThatWasAppended() throws IOException {
        byte[] bytes = GoldenEvents.bytes();
        int whole = EventFormat.HEADER_BYTES + 2 * EventFormat.BLOCK_BYTES;
        // The first file has given back blocks that it had set aside.
        int from = whole + 3 * EventFormat.BLOCK_BYTES;
        byte[] twice = Arrays.copyOf(bytes, from + whole);
        System.arraycopy(bytes, 0, twice, from, bytes.length);
        try (EventReader reader = reader(twice)) {
            assertThat(all(reader)).hasSameSizeAs(golden());
            assertThat(reader.losses().damagedBlocks()).isEqualTo(1);
        }
    }

    /** The file has half a terabyte of holes: a look at each block would take minutes. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldNotLookFartherThanAFileMayBeLong() throws IOException {
        byte[] bytes = GoldenEvents.bytes();
        ByteBuffer of = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        of.putLong(64, 1 << 20);
        of.putLong(EventFormat.AT_CLAIMED, 1L << 50);
        Path file = Files.write(directory.resolve("sparse"), bytes);
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength(1L << 39);
        }
        for (long claimed : new long[] {1L << 50, -1}) {
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                ByteBuffer number = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
                channel.write(number.putLong(0, claimed), EventFormat.AT_CLAIMED);
            }
            try (EventReader reader = EventReader.open(file)) {
                assertThat(all(reader)).hasSameSizeAs(golden());
                assertThat(reader.losses().missingBlocks()).isZero();
            }
        }
    }

    private static List<Event> tail(List<Event> events, int from) {
        return events.subList(from, events.size());
    }

    @Test
    void shouldRefuseOtherFilesAndOtherVersionsInWords() throws IOException {
        byte[] bytes = GoldenEvents.bytes();
        byte[] other = bytes.clone();
        other[12] = 2;
        assertThatThrownBy(() -> reader(other))
                .isInstanceOf(EventFormatException.class)
                .hasMessageEndingWith(
                        "x.events has version 2 of the events format, and this MIO reads version 1;"
                                + " use the MIO that wrote it");
        byte[] sized = bytes.clone();
        sized[22] = 2;
        assertThatThrownBy(() -> reader(sized))
                .isInstanceOf(EventFormatException.class)
                .hasMessageContaining("is damaged");
        assertThatThrownBy(() -> reader("a text".repeat(1000).getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(EventFormatException.class)
                .hasMessageContaining("is no events file");
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldNotWaitForTheWriterOfAPipe() throws Exception {
        Path pipe = directory.resolve("pipe");
        assumeTrue(
                new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0,
                "mkfifo makes pipes here");
        assertThatThrownBy(() -> EventReader.open(pipe))
                .isInstanceOf(EventFormatException.class)
                .hasMessageContaining("is no events file");
    }

    @Test
    void shouldMergeTheBlocksOfManyLanesByTime() throws IOException {
        int blocks = 40;
        ByteBuffer bytes = ByteBuffer.allocate(EventFormat.HEADER_BYTES * (blocks + 1));
        bytes.order(ByteOrder.LITTLE_ENDIAN).put(GoldenEvents.bytes(), 0, 4096);
        List<Long> times = new ArrayList<>();
        Random random = new Random(6);
        for (int block = 0; block < blocks; block++) {
            int at = EventFormat.HEADER_BYTES * (blocks - block);
            long time = (block / 4) * 100_000L;
            for (int record = 0; record < EventFormat.BLOCK_RECORDS; record++) {
                time += random.nextInt(200);
                int place = at + 64 * (record + 1);
                long duration = random.nextInt(1000);
                bytes.putShort(place, (short) 1).put(place + 2, (byte) 3);
                bytes.putLong(place + 8, time - duration).putLong(place + 16, duration);
                bytes.putLong(place + 24, times.size());
                times.add(time);
                if (record == 0) {
                    bytes.putLong(at + 16, time);
                }
            }
            bytes.putInt(at, EventFormat.BLOCK_MAGIC).putShort(at + 4, (short) 1);
        }
        try (EventReader reader = reader(bytes.array())) {
            times.sort(null);
            assertThat(all(reader)).extracting(Event::endNanos).isEqualTo(times);
        }
        hasTheSameReads(bytes.array());
    }

    /** The number of system calls by which this process has read so far. */
    private static long readingCalls() throws IOException {
        Path file = Path.of("/proc/self/io");
        assumeTrue(Files.isReadable(file), "calls are not counted");
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("syscr: "))
                .mapToLong(line -> Long.parseLong(line.substring("syscr: ".length())))
                .sum();
    }

    @Test
    void shouldReadNoMoreThanWasClaimed() throws IOException {
        List<Event> expected = all(reader(GoldenEvents.bytes()));
        Path file = Files.write(directory.resolve("sparse.events"), GoldenEvents.bytes());
        long bytes = 1L << 38;
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.allocate(1), bytes - 1);
        } catch (IOException e) {
            assumeTrue(false, "no sparse files");
        }
        long before = readingCalls();
        try (EventReader reader = EventReader.open(file)) {
            assertThat(all(reader)).isEqualTo(expected);
            assertThat(reader.losses().missingBlocks()).isZero();
        }
        assertThat(readingCalls() - before).isLessThan(1000);
    }

    /** All blocks claim the same start: their order is unknown, but no event is lost. */
    @Test
    void shouldKeepFewBlocksInMemoryWhateverTheySay() throws IOException {
        int blocks = 3000;
        Path file = directory.resolve("many.events");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(GoldenEvents.bytes(), 0, 4096), 0);
            ByteBuffer block = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
            block.putInt(0, EventFormat.BLOCK_MAGIC).putShort(4, (short) 1);
            block.putLong(16, Long.MIN_VALUE);
            block.putShort(64, (short) 1).put(66, (byte) 3).putLong(72, Event.MOST);
            for (int i = 1; i <= blocks; i++) {
                channel.write(block.rewind(), (long) i * EventFormat.BLOCK_BYTES);
            }
        }
        try (EventReader reader = EventReader.open(file)) {
            assertThat(all(reader)).hasSize(blocks);
        }
    }

    @Test
    void shouldNeverFailOnDamagedBytes() throws IOException {
        byte[] golden = GoldenEvents.bytes();
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            byte[] bytes = golden.clone();
            for (int i = random.nextInt(200); i >= 0; i--) {
                // Damages bytes that mean something; the rest of the file is zeros.
                int place =
                        switch (random.nextInt(4)) {
                            case 0 -> random.nextInt(4096);
                            case 1 -> EventFormat.HEADER_BYTES + random.nextInt(2048);
                            case 2 -> FIRST_RECORD - 64 + random.nextInt(2048);
                            default -> random.nextInt(bytes.length);
                        };
                bytes[place] = (byte) random.nextInt();
            }
            int length = random.nextInt(10) == 0 ? random.nextInt(bytes.length) : bytes.length;
            int count = 0;
            try (EventReader reader = reader(Arrays.copyOf(bytes, length))) {
                count = all(reader).size();
                hasTheSameReads(Arrays.copyOf(bytes, length));
            } catch (EventFormatException refused) {
                assertThat(refused).hasMessageContaining("x.events");
            }
            assertThat(count).as("seed %d, round %d", seed, round).isLessThanOrEqualTo(4092);
        }
    }
}
