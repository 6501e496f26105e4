package io.mio.cli.events;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventProcess;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What events add up to, compared with figures found in another way. */
class SummaryTest {
    @TempDir Path dir;

    private JsonNode summary(Cli cli, List<EventFile> files, List<Event> events)
            throws IOException {
        return summary(0, cli, files, events);
    }

    private JsonNode summary(int status, Cli cli, List<EventFile> files, List<Event> events)
            throws IOException {
        List<EventProcess> processes = List.of(EventSamples.process(100, "program"));
        Path file = dir.resolve("x.events");
        EventSamples.write(
                file,
                new Definitions(EventSamples.header("program", "host"), processes, files),
                events);
        cli.summary = true;
        cli.json = true;
        assertThat(cli.run(file)).isEqualTo(status);
        return new ObjectMapper().readTree(cli.text());
    }

    private static Event read(int file, long start, long duration, long offset, long bytes) {
        return EventSamples.call(TraceOperation.READ, file, start, duration, offset, bytes);
    }

    @Test
    void shouldAddUpByFileAndLayer() throws IOException {
        List<EventFile> files =
                List.of(
                        EventSamples.file(1, 100, 1, "a", "program", "pf"),
                        EventSamples.pages(2, 100, "a"),
                        EventSamples.file(3, 100, 3, "a", "pf", "os"),
                        EventSamples.file(4, 100, 1, "a", "program", "pf"),
                        EventSamples.file(5, 100, 1, "b", "program", "os"));
        List<Event> events =
                List.of(
                        EventSamples.call(TraceOperation.OPEN, 1, 0, 10, -1, 0),
                        read(1, 100, 100, 0, 1000),
                        read(1, 200, 100, 1000, 1000),
                        // Another open starts anew, and time that overlaps counts once.
                        read(4, 250, 100, 7000, 500),
                        EventSamples.call(TraceOperation.WRITE, 5, 400, 50, 0, 10),
                        EventSamples.page(PageOperation.HIT, 2, 500, 0, 10),
                        EventSamples.page(PageOperation.HIT, 2, 501, 0, 10),
                        EventSamples.page(PageOperation.HIT, 2, 502, 0, 10),
                        EventSamples.page(PageOperation.MISS, 2, 503, 0, 10),
                        EventSamples.page(PageOperation.WAIT, 2, 504, 33, 10),
                        EventSamples.page(PageOperation.PREFETCH_ISSUED, 2, 600, 0, 10),
                        EventSamples.page(PageOperation.PREFETCH_USED, 2, 601, 0, 10),
                        EventSamples.page(PageOperation.PREFETCH_UNUSED, 2, 602, 0, 10),
                        read(3, 700, 300, 0, 4096));
        JsonNode json = summary(new Cli(), files, events);
        assertThat(json.get("events").asLong()).isEqualTo(14);
        assertThat(json.get("span_ns").asLong()).isEqualTo(1000);
        JsonNode program = json.get("files").get(0);
        assertThat(program.get("file").asText()).isEqualTo("a");
        assertThat(program.get("layer").asText()).isEqualTo("program>pf");
        assertThat(program.get("opens").asLong()).isEqualTo(1);
        assertThat(program.get("reads").asLong()).isEqualTo(3);
        assertThat(program.get("read_bytes").asLong()).isEqualTo(2500);
        assertThat(program.get("sequential_bytes").asLong()).isEqualTo(2500);
        assertThat(program.get("io_ns").asLong()).isEqualTo(300);
        assertThat(program.get("busy_ns").asLong()).isEqualTo(250);
        assertThat(program.get("rate_bytes_per_second").asDouble()).isEqualTo(1e10);
        assertThat(program.get("max_ns").asLong()).isEqualTo(100);
        JsonNode pages = json.get("files").get(1);
        assertThat(pages.get("layer").asText()).isEqualTo("pf");
        assertThat(pages.get("hit_pages").asLong()).isEqualTo(3);
        assertThat(pages.get("hit_share").asDouble()).isEqualTo(0.75);
        assertThat(pages.get("wait_ns").asLong()).isEqualTo(33);
        assertThat(pages.get("prefetch_unused_pages").asLong()).isEqualTo(1);
        assertThat(json.get("files").get(2).get("layer").asText()).isEqualTo("pf>os");
        assertThat(json.get("files").get(3).get("file").asText()).isEqualTo("b");
        JsonNode layers = json.get("layers");
        assertThat(layers.get(0).get("layer").asText()).isEqualTo("program>os");
        assertThat(layers.get(0).get("written_bytes").asLong()).isEqualTo(10);
        assertThat(layers.get(1).get("reads").asLong()).isEqualTo(3);
        assertThat(layers.get(1).get("busy_ns").asLong()).isEqualTo(250);
    }

    @Test
    void shouldTellPatterns() throws IOException {
        List<Event> events = new ArrayList<>();
        List<EventFile> files = new ArrayList<>();
        long[][] offsets = {{0, 10, 20, 30}, {90, 80, 70, 60}, {0, 50, 100, 150}, {7, 900, 3, 444}};
        for (int i = 0; i < offsets.length; i++) {
            files.add(EventSamples.file(i + 1, 100, 1, "f" + i, "program", "os"));
            for (int j = 0; j < 4; j++) {
                events.add(read(i + 1, 100 * i + 10 * j, 5, offsets[i][j], 10));
            }
        }
        JsonNode json = summary(new Cli(), files, events);
        String[] words = {"sequential", "backward", "strided", "random"};
        // The first request of a file is sequential, and a stride is one from its second step on.
        long[] bytes = {40, 30, 20, 30};
        for (int i = 0; i < words.length; i++) {
            JsonNode file = json.get("files").get(i);
            assertThat(file.get(words[i] + "_bytes").asLong()).as(words[i]).isEqualTo(bytes[i]);
        }
    }

    private static Event aread(Event.Kind kind, long start, long duration, long bytes) {
        return new Event(
                kind,
                TraceOperation.AREAD,
                null,
                1,
                start,
                duration,
                0,
                4096,
                bytes,
                false,
                false,
                false,
                0,
                100,
                start,
                100);
    }

    /** In a window, the bytes and the count of a request with one end in it belong together. */
    @Test
    void shouldCountRequestsWhereTheirBytesAre() throws IOException {
        JsonNode json =
                summary(
                        new Cli(),
                        List.of(EventSamples.file(1, 100, 1, "a", "program", "os")),
                        List.of(
                                aread(Event.Kind.END, 100, 900, 4096),
                                aread(Event.Kind.END, 200, 900, 4096),
                                aread(Event.Kind.CALL, 1500, 5, 0)));
        JsonNode file = json.get("files").get(0);
        assertThat(file.get("reads").asLong()).isEqualTo(2);
        assertThat(file.get("requested_bytes").asLong()).isEqualTo(8192);
        assertThat(file.get("read_bytes").asLong()).isEqualTo(8192);
    }

    @Test
    void shouldLeaveOutWhatCannotBe() throws IOException {
        Cli cli = new Cli();
        JsonNode json =
                summary(
                        3,
                        cli,
                        List.of(EventSamples.file(1, 100, 1, "a", "program", "os")),
                        List.of(
                                read(1, 100, 50, 0, 10),
                                read(1, 200, 50, 10, 1L << 61),
                                read(1, 300, 1L << 61, 20, 10),
                                read(1, 1L << 61, 50, 20, 10)));
        assertThat(cli.err.toString()).contains("left out, records that make no sense: 3");
        assertThat(json.get("losses").get("damaged_records").asLong()).isEqualTo(3);
        assertThat(json.get("events").asLong()).isEqualTo(1);
        assertThat(json.get("span_ns").asLong()).isEqualTo(50);
        JsonNode file = json.get("files").get(0);
        assertThat(file.get("reads").asLong()).isEqualTo(1);
        assertThat(file.get("read_bytes").asLong()).isEqualTo(10);
    }

    @Test
    void shouldCountAsynchronousRequestsOnceWithTheTimeToTheirEnd() throws IOException {
        Event submitted = EventSamples.call(TraceOperation.AREAD, 1, 100, 5, 0, 4096);
        Event end =
                new Event(
                        Event.Kind.END,
                        TraceOperation.AREAD,
                        null,
                        1,
                        100,
                        900,
                        0,
                        4096,
                        4096,
                        false,
                        false,
                        false,
                        0,
                        100,
                        7,
                        100);
        Event submission =
                new Event(
                        Event.Kind.CALL,
                        TraceOperation.AREAD,
                        null,
                        1,
                        100,
                        5,
                        0,
                        4096,
                        0,
                        false,
                        false,
                        false,
                        0,
                        100,
                        7,
                        100);
        assertThat(submitted.operation().isAsynchronous()).isTrue();
        JsonNode json =
                summary(
                        new Cli(),
                        List.of(EventSamples.file(1, 100, 1, "a", "program", "os")),
                        List.of(submission, end));
        JsonNode file = json.get("files").get(0);
        assertThat(file.get("reads").asLong()).isEqualTo(1);
        assertThat(file.get("read_bytes").asLong()).isEqualTo(4096);
        assertThat(file.get("io_ns").asLong()).isEqualTo(900);
        assertThat(file.get("max_ns").asLong()).isEqualTo(900);
    }

    @Test
    void shouldAddUpNamesBeyondTheLimit() throws IOException {
        List<EventFile> files = new ArrayList<>();
        List<Event> events = new ArrayList<>();
        for (int i = 1; i <= 50; i++) {
            files.add(EventSamples.file(i, 100, 1, "name" + i, "program", "os"));
            events.add(read(i, 10L * i, 5, 0, 100));
        }
        Cli cli = new Cli();
        cli.namesMax = 3;
        JsonNode json = summary(cli, files, events);
        assertThat(json.get("files")).hasSize(4);
        assertThat(json.get("files").get(0).get("file").asText()).isEqualTo("(others)");
        assertThat(json.get("files").get(0).get("reads").asLong()).isEqualTo(47);
        assertThat(json.get("layers").get(0).get("reads").asLong()).isEqualTo(50);
    }

    @Test
    void shouldFindQuantilesToAFewPercent() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 50; round++) {
            long[] times = new long[1 + random.nextInt(2000)];
            Latencies latencies = new Latencies();
            Latencies rest = new Latencies();
            for (int i = 0; i < times.length; i++) {
                times[i] = random.nextLong() >>> 1 + random.nextInt(63);
                (i % 3 == 0 ? rest : latencies).add(times[i]);
            }
            latencies.add(rest);
            Arrays.sort(times);
            for (double share : new double[] {0, 0.001, 0.5, 0.9, 0.99, 1}) {
                int rank = Math.max(1, (int) Math.ceil(share * times.length));
                long exact = times[rank - 1];
                assertThat(latencies.quantile(share))
                        .as("seed %d: %f of %d", seed, share, times.length)
                        .isBetween(exact, exact + Math.min(exact / 16, Long.MAX_VALUE - exact));
            }
            assertThat(latencies.max()).isEqualTo(times[times.length - 1]);
            assertThat(latencies.count()).isEqualTo(times.length);
        }
        assertThat(new Latencies().quantile(0.5)).isEqualTo(-1);
    }

    @Test
    void shouldCountTimeThatOverlapsOnce() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            boolean[] busy = new boolean[5000];
            BusyTime time = new BusyTime();
            int end = 0;
            while (end < busy.length - 100) {
                end += random.nextInt(round % 2 == 0 ? 40 : 8);
                // Not further back than the spans that are kept, which have gaps of two or more.
                int start = Math.max(0, end - random.nextInt(60));
                time.add(start, end);
                Arrays.fill(busy, start, end, true);
            }
            int expected = 0;
            for (boolean one : busy) {
                expected += one ? 1 : 0;
            }
            assertThat(time.nanos()).as("seed %d, round %d", seed, round).isEqualTo(expected);
        }
    }
}
