package io.mio.cli.events.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.events.EventSamples;
import io.mio.cli.events.MadeEvents;
import io.mio.events.Event;
import io.mio.events.EventFormat;
import io.mio.stats.TraceOperation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The trace for Perfetto, field by field. PerfettoReadTest has what its trace processor finds. */
class PerfettoExportTest {
    @TempDir private Path directory;

    private static String dump(Path events) throws IOException {
        return PerfettoDump.of(Events.export(events, PerfettoExport::new));
    }

    @Test
    void shouldWriteTheGoldenEvents() throws IOException {
        Path events = Files.write(directory.resolve("golden.events"), EventSamples.golden());
        Golden.compare("golden.pftrace.txt", dump(events));
    }

    @Test
    void shouldWriteTheStory() throws IOException {
        Golden.compare("story.pftrace.txt", dump(Story.file(directory)));
    }

    /** Each text gets a number before it is used, also after all texts were forgotten. */
    @Test
    void shouldForgetTextsAndGiveThemAnew() throws IOException {
        Path file = directory.resolve("x.events");
        try (MadeEvents out = new MadeEvents(file)) {
            for (int id = 1; id <= 50; id++) {
                out.define(Events.file(id, 1, "/data/" + id, "program", "os", 1));
            }
            for (int i = 0; i < 500; i++) {
                out.add(Events.call(TraceOperation.READ, i % 50 + 1, i * 100L, 50));
            }
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Events.export(
                file,
                (reader, out) -> new Timeline(reader, new PerfettoWriter(reader.header(), out, 20)),
                bytes);
        int most = 0;
        int forgotten = 0;
        Set<String> known = new HashSet<>();
        for (String line : PerfettoDump.of(bytes.toByteArray()).lines().toList()) {
            if (line.contains("sequence_flags: 1")) {
                forgotten++;
                known.clear();
            }
            for (String given : all("\\{iid: (\\d+)", line)) {
                assertThat(known.add(given)).as(line).isTrue();
            }
            for (String used : all("(?:name_iid|category_iids|string_value_iid): (\\d+)", line)) {
                assertThat(known).as(line).contains(used);
            }
            most = Math.max(most, known.size());
        }
        assertThat(forgotten).isGreaterThan(20);
        assertThat(most).isBetween(20, 40);
    }

    private static List<String> all(String pattern, String line) {
        return Pattern.compile(pattern).matcher(line).results().map(m -> m.group(1)).toList();
    }

    @Test
    void shouldSayThatTheFileIsCut() throws IOException {
        byte[] whole = Files.readAllBytes(Story.file(directory));
        int length = 2 * EventFormat.BLOCK_BYTES + 64 * (1 + 5) + 13;
        Path cut = Files.write(directory.resolve("cut"), Arrays.copyOf(whole, length));
        String dump = dump(cut);
        assertThat(dump).contains("the events file is cut, bytes missing of a block: 65139");
        assertThat(all("(type: 1 )", dump)).hasSize(3);
        assertThat(dump).contains("events dropped in all: 13");
    }

    @Test
    void shouldSayThatTheFileIsCutBetweenTwoBlocks() throws IOException {
        byte[] whole = Files.readAllBytes(Story.file(directory));
        Path cut =
                Files.write(
                        directory.resolve("cut"), Arrays.copyOf(whole, EventFormat.HEADER_BYTES));
        assertThat(dump(cut)).contains("the events file is cut, blocks missing: 2");
    }

    /** Whatever a file holds, each end of a slice has a beginning, and rows are bounded. */
    @Test
    void shouldWriteAWholeTraceOfDamagedEvents() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] story = Files.readAllBytes(Story.file(directory));
        for (int round = 0; round < 50; round++) {
            byte[] bytes = story.clone();
            for (int i = random.nextInt(300); i >= 0; i--) {
                int block = EventFormat.BLOCK_BYTES * (1 + random.nextInt(2));
                bytes[block + 64 + random.nextInt(64 * 30)] = (byte) random.nextInt();
            }
            Path file = Files.write(directory.resolve("damaged"), bytes);
            String dump = dump(file);
            assertThat(all("track_event \\{(type: 1) ", dump))
                    .as("seed %d, round %d", seed, round)
                    .hasSameSizeAs(all("track_event \\{(type: 2) ", dump));
        }
    }

    @Test
    void shouldNameThreadsOfAJvmAsSuch() throws IOException {
        Path file = directory.resolve("x.events");
        try (MadeEvents out = new MadeEvents(file, MadeEvents.header(EventFormat.JVM, "program"))) {
            out.define(Events.file(1, 1, "/data", "program", "os", 1));
            Event call = Events.call(TraceOperation.READ, 1, 0, 1, 0, 1, 23);
            out.add(call);
        }
        assertThat(dump(file)).contains("thread {pid: 4711 tid: 23 thread_name: \"JVM thread\"}");
    }
}
