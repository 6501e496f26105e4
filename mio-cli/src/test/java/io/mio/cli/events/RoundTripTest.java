package io.mio.cli.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.events.EventsOptions.Form;
import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.events.EventHeader;
import io.mio.events.EventLosses;
import io.mio.events.EventProcess;
import io.mio.events.EventReader;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events files that are written anew hold what was chosen of the old ones. */
class RoundTripTest {
    @TempDir Path dir;

    private Path cut(Path from, String... filter) {
        Path to = dir.resolve("cut.events");
        Cli cli = new Cli();
        cli.form = Form.EVENTS;
        cli.output = to;
        assertThat(cli.run(from, filter)).as(cli.err.toString()).isZero();
        return to;
    }

    @Test
    void shouldKeepTheGoldenFile() throws IOException {
        Path golden = Files.write(dir.resolve("golden.events"), EventSamples.golden());
        Path cut = cut(golden);
        assertThat(EventSamples.read(cut)).isEqualTo(EventSamples.read(golden));
        try (EventReader before = EventReader.open(golden);
                EventReader after = EventReader.open(cut)) {
            assertThat(after.header()).isEqualTo(before.header());
            assertThat(after.files()).isEqualTo(before.files());
            assertThat(after.processes()).isEqualTo(before.processes());
            assertThat(after.losses()).isEqualTo(new EventLosses(0, 0, 0, 0, 0, 0, 0, 0));
        }
    }

    @Test
    void shouldCutOutWhatWasChosen() throws IOException {
        Path golden = Files.write(dir.resolve("golden.events"), EventSamples.golden());
        Path cut = cut(golden, "--layer", "pf", "--from", "60us", "--to", "500us");
        List<Event> expected =
                EventSamples.read(golden).stream()
                        .filter(event -> event.kind() == Event.Kind.PAGE)
                        .filter(event -> event.startNanos() < 500_000 && event.endNanos() > 60_000)
                        .toList();
        assertThat(expected).hasSizeGreaterThan(3);
        assertThat(EventSamples.read(cut)).isEqualTo(expected);
        try (EventReader after = EventReader.open(cut)) {
            assertThat(after.files()).containsOnlyKeys(2);
        }
    }

    private Definitions definitions(ByteOrder order, int files, int processes) {
        EventHeader plain = EventSamples.header("program", "host");
        EventHeader header =
                new EventHeader(
                        order,
                        0,
                        plain.process(),
                        plain.door(),
                        plain.realtimeNanos(),
                        plain.monotonicNanos(),
                        plain.limitBytes(),
                        0,
                        17,
                        plain.program(),
                        plain.host(),
                        plain.library());
        List<EventFile> all = new ArrayList<>();
        List<EventProcess> running = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            running.add(EventSamples.process(100 + i, "program " + i));
        }
        for (int i = 1; i <= files; i++) {
            // Some of these paths take many records.
            String path = "/dir/" + "\u00e4".repeat(i * 37 % 3000) + i;
            all.add(EventSamples.file(i, 100 + i % processes, 1, path, "program", "os"));
        }
        return new Definitions(header, running, all);
    }

    @Test
    void shouldKeepAnyEventsOfFewAndOfManyProcessesInEitherByteOrder() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int processes : new int[] {1, 3, 400}) {
            for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
                List<Event> events = EventSamples.random(random, 5000, 70, processes);
                events.removeIf(
                        event ->
                                event.operation() == io.mio.stats.TraceOperation.SEEK
                                        && event.kind() == Event.Kind.DROPPED);
                Path file = dir.resolve("random.events");
                EventSamples.write(file, definitions(order, 70, processes), events);
                Path cut = cut(file);
                try (EventReader reader = EventReader.open(cut)) {
                    assertThat(reader.header().order()).isEqualTo(order);
                    assertThat(reader.header().dropped()).isEqualTo(17);
                    assertThat(reader.files()).hasSize(70);
                    assertThat(reader.processes()).hasSize(processes);
                    EventFile last = reader.files().get(70);
                    assertThat(last.path()).isEqualTo("/dir/" + "\u00e4".repeat(2590) + "70");
                }
                List<Event> after = EventSamples.read(cut);
                if (processes == 1) {
                    assertThat(after).as("seed %d", seed).isEqualTo(events);
                } else {
                    // Where times are equal, processes may come in any order.
                    assertThat(after)
                            .as("seed %d", seed)
                            .containsExactlyInAnyOrderElementsOf(events);
                    assertThat(after)
                            .isSortedAccordingTo(java.util.Comparator.comparing(Event::endNanos));
                }
            }
        }
    }

    @Test
    void shouldEndAtTheLimit() throws IOException {
        Path golden = Files.write(dir.resolve("golden.events"), EventSamples.golden());
        Cli cli = new Cli();
        cli.form = Form.EVENTS;
        cli.output = dir.resolve("some.events");
        cli.limit = 5;
        assertThat(cli.run(golden)).isZero();
        assertThat(EventSamples.read(cli.output))
                .isEqualTo(EventSamples.read(golden).subList(0, 5));
    }
}
