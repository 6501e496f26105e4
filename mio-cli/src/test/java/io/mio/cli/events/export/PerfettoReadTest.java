package io.mio.cli.events.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.events.EventSamples;
import io.mio.cli.events.MadeEvents;
import io.mio.events.Event;
import io.mio.stats.TraceOperation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Perfetto's own trace processor finds in both forms of a timeline. */
class PerfettoReadTest {
    private static final String COMPLAINTS =
            "select name, value from stats where severity in ('error', 'data_loss') and value > 0";

    /** Calls within calls, by name and time. */
    private static final String NESTED =
            "select p.name as above, s.name as name, s.dur as dur from slice s"
                    + " join slice p on s.parent_id = p.id order by s.ts, s.id";

    /** Facts of the writes that failed. */
    private static final String FAILED =
            "select extract_arg(arg_set_id, 'debug.file') as file,"
                    + " extract_arg(arg_set_id, 'debug.layer') as layer,"
                    + " extract_arg(arg_set_id, 'debug.offset') as offset,"
                    + " extract_arg(arg_set_id, 'debug.requested') as requested,"
                    + " extract_arg(arg_set_id, 'debug.errno') as errno"
                    + " from slice where name = 'write' and dur = 100 order by ts";

    private static final String HARMLESS =
            "/tmp/</script><img onerror=alert(1)>\\012\\033]0;x\\007\\u202e\"\\ä";

    @TempDir private Path directory;

    @BeforeEach
    void assumeThere() throws Exception {
        TraceProcessor.assumeThere();
    }

    private Path export(Path events, Events.Maker maker) throws Exception {
        return Files.write(directory.resolve("trace"), Events.export(events, maker));
    }

    private static List<List<Object>> values(List<Map<String, Object>> rows) {
        return rows.stream().map(row -> (List<Object>) new ArrayList<>(row.values())).toList();
    }

    private static List<Object> row(Object... values) {
        return List.of(values);
    }

    @Test
    void shouldShowTheStoryInPerfetto() throws Exception {
        List<List<Map<String, Object>>> answers =
                TraceProcessor.ask(
                        export(Story.file(directory), PerfettoExport::new),
                        COMPLAINTS,
                        NESTED,
                        "select pid, name from process where pid > 0",
                        "select tid from thread join process using (upid) where pid = 4711"
                                + " order by tid",
                        "select o.name as a, i.name as b, i.dur from flow join slice o on slice_out"
                                + " = o.id join slice i on slice_in = i.id order by i.ts",
                        "select count(distinct track_id) as tracks, count(*) as slices from slice"
                                + " where category = 'request'",
                        "select c.ts - 5000000000000 as at, cast(value as int) as value"
                                + " from counter c order by c.id",
                        "select clock_name as name, clock_value as value from clock_snapshot"
                                + " order by name",
                        "select s.name from slice s where category = 'mio' order by ts",
                        "select t.name as track, group_concat(s.name) as pages from slice s join"
                                + " track t on s.track_id = t.id where t.name like 'cache % pages%'"
                                + " group by t.name",
                        FAILED);
        assertThat(answers.get(0)).isEmpty();
        assertThat(values(answers.get(1)))
                .containsExactly(
                        row("open", "open", 500),
                        row("read", "read", 400),
                        row("read", "read", 600),
                        row("write", "wait for page", 300));
        assertThat(values(answers.get(2))).containsExactly(row(4711, "program"));
        assertThat(values(answers.get(3))).containsExactly(row(1), row(4711), row(4712));
        assertThat(values(answers.get(4)))
                .containsExactly(
                        row("aread", "aread", 1000),
                        row("aread", "aread", 2000),
                        row("aread", "aread", 500));
        assertThat(values(answers.get(5))).containsExactly(row(2, 3));
        assertThat(values(answers.get(6)))
                .containsExactly(
                        row(5000, 1),
                        row(5100, 2),
                        row(6000, 1),
                        row(6000, 2),
                        row(6500, 1),
                        row(7100, 0));
        assertThat(values(answers.get(7)))
                .containsExactly(
                        row("MONOTONIC", MadeEvents.MONOTONIC),
                        row("REALTIME", String.valueOf(MadeEvents.REALTIME)));
        assertThat(values(answers.get(8)))
                .containsExactly(
                        row("events dropped in all: 13"),
                        row("calls are sampled: one in 100 is recorded"),
                        row("12 events dropped"),
                        row("1 event dropped"));
        assertThat(values(answers.get(9)))
                .containsExactly(row("cache 5: pages (16 frames of 4.00 KiB)", "demand read,hit"));
        assertThat(values(answers.get(10)))
                .containsExactly(
                        row(HARMLESS, "program to os", 0, 4096, 28),
                        row(HARMLESS, "program to os", 0, 4096, 4095));
    }

    @Test
    void shouldShowTheStoryInChrome() throws Exception {
        List<List<Map<String, Object>>> answers =
                TraceProcessor.ask(
                        export(Story.file(directory), ChromeExport::new),
                        COMPLAINTS,
                        NESTED,
                        "select name from thread where tid > 0 and name is not null order by name",
                        "select count(distinct track_id) as tracks, count(*) as slices from slice"
                                + " where category like '%: requests, %'",
                        "select count(*) as slices, sum(dur) as time from slice",
                        FAILED.replace("debug.", "args."));
        assertThat(answers.get(0)).isEmpty();
        assertThat(values(answers.get(1)))
                .containsExactly(
                        row("open", "open", 500),
                        row("read", "read", 400),
                        row("read", "read", 600),
                        row("write", "wait for page", 300));
        assertThat(values(answers.get(2)))
                .containsExactly(
                        row("cache 5: pages (16 frames of 4.00 KiB)"),
                        row("thread 1"),
                        row("thread 4712"),
                        row("thread 4712, calls that overlap others"),
                        row("what is missing"));
        assertThat(values(answers.get(3))).containsExactly(row(2, 3));
        long time = Story.EVENTS.stream().mapToLong(Event::durationNanos).sum();
        assertThat(values(answers.get(4)))
                .containsExactly(row(Story.EVENTS.size() + 2, (int) time));
        assertThat(values(answers.get(5)))
                .containsExactly(
                        row(HARMLESS, "program to os", 0, 4096, 28),
                        row(HARMLESS, "program to os", 0, 4096, 4095));
    }

    @Test
    void shouldTakeTheGoldenEvents() throws Exception {
        Path events = Files.write(directory.resolve("golden.events"), EventSamples.golden());
        String count = "select count(*) as slices from slice";
        for (Events.Maker maker : List.<Events.Maker>of(PerfettoExport::new, ChromeExport::new)) {
            List<List<Map<String, Object>>> answers =
                    TraceProcessor.ask(export(events, maker), COMPLAINTS, count);
            assertThat(answers.get(0)).isEmpty();
            // These are all events, and a note on sampling.
            assertThat(values(answers.get(1))).containsExactly(row(23));
        }
    }

    /** Random trees of calls in some threads, with many equal times. */
    @Test
    void shouldNestCallsAsTheyWere() throws Exception {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        List<Event> events = new ArrayList<>();
        for (int thread = 1; thread <= 3; thread++) {
            long time = 0;
            for (int i = 0; i < 300; i++) {
                time += random.nextInt(3);
                long duration = random.nextInt(1, 21);
                tree(events, random, time, duration, 1, thread);
                time += duration;
            }
        }
        events.sort(Comparator.comparingLong(Event::endNanos));
        Path file = directory.resolve("x.events");
        try (MadeEvents out = new MadeEvents(file)) {
            for (int place = 1; place <= 5; place++) {
                out.define(Events.file(place, place, "/data", "above" + place, "below", 1));
            }
            for (Event event : events) {
                out.add(event);
            }
        }
        String depths =
                "select s.dur, s.ts - 5000000000000 as at, tid, depth + 1 as place"
                        + " from slice s join thread_track t on s.track_id = t.id"
                        + " join thread using (utid) order by tid, s.ts, depth";
        List<List<Map<String, Object>>> answers =
                TraceProcessor.ask(export(file, PerfettoExport::new), COMPLAINTS, depths);
        assertThat(answers.get(0)).as("seed %d", seed).isEmpty();
        List<List<Object>> expected =
                events.stream()
                        .sorted(
                                Comparator.comparingLong(Event::thread)
                                        .thenComparingLong(Event::startNanos)
                                        .thenComparingInt(Event::file))
                        .map(
                                e ->
                                        row(
                                                (int) e.durationNanos(),
                                                (int) e.startNanos(),
                                                (int) e.thread(),
                                                e.file()))
                        .toList();
        assertThat(values(answers.get(1))).as("seed %d", seed).isEqualTo(expected);
    }

    /** Adds a call of a layer and those beneath it, one after the other; the file is the layer. */
    private static void tree(
            List<Event> events, Random random, long start, long duration, int place, int thread) {
        events.add(Events.call(TraceOperation.READ, place, start, duration, 0, 1, thread));
        long time = start;
        while (place < 5 && time < start + duration && random.nextInt(4) > 0) {
            time += random.nextInt(2);
            long length = Math.min(start + duration - time, random.nextInt(1, 11));
            if (length > 0) {
                tree(events, random, time, length, place + 1, thread);
                time += length;
            }
        }
    }
}
