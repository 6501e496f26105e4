package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.MioCommand;
import io.mio.cli.events.MadeEvents;
import io.mio.events.Event;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Times and rates of a plot equal those of {@code mio events --summary}. */
class SummaryTimesTest {
    @TempDir Path dir;

    /** Two files, one of which has a trace below a cache as well; many calls overlap. */
    private Path made(Random random) throws IOException {
        Path file = dir.resolve("run.mio");
        try (MadeEvents made = new MadeEvents(file)) {
            int[] ids = {
                made.file("/a", 1, 1, "program", "pf", 1),
                made.file("/b", 2, 1, "program", "pf", 1),
                made.file("/a", 1, 3, "pf", "os", 1)
            };
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                long start = random.nextInt(100_000);
                long nanos = random.nextInt(2000);
                int id = ids[random.nextInt(2)];
                long offset = 4096L * random.nextInt(100);
                switch (random.nextInt(4)) {
                    case 0 -> {
                        events.add(MadeEvents.submitted(TraceOperation.AREAD, ids[2], start, i));
                        events.add(
                                MadeEvents.ended(
                                        TraceOperation.AREAD,
                                        ids[2],
                                        start,
                                        nanos,
                                        offset,
                                        4096,
                                        i));
                    }
                    case 1 ->
                            events.add(MadeEvents.failed(TraceOperation.READ, id, start, nanos, 5));
                    case 2 ->
                            events.add(
                                    MadeEvents.call(TraceOperation.FSYNC, id, start, nanos, -1, 0));
                    default ->
                            events.add(
                                    MadeEvents.call(
                                            TraceOperation.WRITE, id, start, nanos, offset, 4096));
                }
            }
            events.sort(Comparator.comparingLong(Event::endNanos));
            for (Event event : events) {
                made.add(event);
            }
        }
        return file;
    }

    private JsonNode summary(Path file) throws IOException {
        Path json = dir.resolve("summary.json");
        MioCommand.run("events", file.toString(), "--summary", "--json", "-o", json.toString());
        return new ObjectMapper().readTree(json.toFile());
    }

    private static long busy(JsonNode figures, String file, int place) {
        for (JsonNode one : figures) {
            if (one.path("file").asText("").equals(file) && one.path("place").asInt() == place) {
                return one.path("busy_ns").asLong();
            }
        }
        throw new AssertionError(file + " at " + place + " in " + figures);
    }

    @Test
    void shouldBeThoseOfTheSummary() throws IOException {
        long seed = new Random().nextLong();
        Path file = made(new Random(seed));
        JsonNode summary = summary(file);

        RunPlot run = RunReader.read(file, "run", PlotOptions.usual());

        assertThat(run.files()).as("seed %d", seed).hasSize(2);
        long sum = 0;
        for (PlotFile one : run.files()) {
            long program = one.totals().get(Stage.PROGRAM).busyNanos();
            assertThat(program)
                    .as("%s, seed %d", one.path(), seed)
                    .isPositive()
                    .isEqualTo(busy(summary.path("files"), one.path(), 1));
            sum += program;
            if (one.path().equals("/a")) {
                assertThat(one.totals().get(Stage.SYSTEM).busyNanos())
                        .as("seed %d", seed)
                        .isEqualTo(busy(summary.path("files"), "/a", 3));
            }
        }
        assertThat(run.busyNanos().get(Stage.PROGRAM))
                .as("seed %d", seed)
                .isEqualTo(busy(summary.path("layers"), "", 1))
                .isLessThan(sum);
        assertThat(run.busyNanos().get(Stage.SYSTEM))
                .as("seed %d", seed)
                .isEqualTo(busy(summary.path("layers"), "", 3));
    }
}
