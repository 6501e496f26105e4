package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.cli.events.MadeEvent;
import io.mio.cli.events.MadeEvents;
import io.mio.cli.term.CliException;
import io.mio.cli.term.Progress;
import io.mio.cli.term.Terminal;
import io.mio.events.EventFormat;
import io.mio.events.EventHeader;
import io.mio.events.PageOperation;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings that are damaged, cut, or not of a program over its cache. */
@Timeout(60)
class StrangeRecordingsTest {
    private static final String RULE = "pf/cache=1m/page=64k/pref=2/replace=lru";
    private static final long MS = 1_000_000;

    @TempDir Path dir;
    private Path events;

    @BeforeEach
    void name() {
        events = dir.resolve("strange.events");
    }

    private Simulation simulation(Device device, String measured, String... rules) {
        return Simulation.of(
                events.toString(),
                List.of(),
                Stream.of(rules).map(Rule::parse).toList(),
                device,
                measured,
                progress());
    }

    /** Makes the header say that there are more blocks than the file has. */
    private void claimMoreBlocks() throws IOException {
        try (FileChannel channel = FileChannel.open(events, StandardOpenOption.WRITE)) {
            ByteBuffer claimed = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            channel.write(claimed.putLong(0, 5), EventFormat.AT_CLAIMED);
        }
    }

    private static Progress progress() {
        return new Progress(new PrintWriter(new StringWriter()), Terminal.NONE, "mio simulate");
    }

    private static MadeEvent call(TraceOperation operation, int file, long start) {
        return MadeEvent.call(operation, file, start, 1000);
    }

    @Test
    void shouldEndWhateverADamagedRecordingSays() throws Exception {
        Random random = new Random(1);
        long[] numbers = {
            -1,
            0,
            1,
            4096,
            70_000,
            5_000_000,
            Integer.MAX_VALUE,
            1L << 40,
            Long.MAX_VALUE,
            Long.MIN_VALUE
        };
        TraceOperation[] operations = TraceOperation.values();
        int simulated = 0;
        for (int run = 0; run < 40; run++) {
            try (MadeEvents made = new MadeEvents(events)) {
                for (int file = 1; file < 4; file++) {
                    made.define(
                            MadeEvents.traced(
                                    file,
                                    "f" + file,
                                    file % 2,
                                    1,
                                    "program",
                                    "os",
                                    any(random, numbers),
                                    1));
                }
                for (int i = 0; i < 60; i++) {
                    made.add(
                            call(operations[random.nextInt(operations.length)], 1 + i % 3, i * MS)
                                    .bytes(
                                            any(random, numbers),
                                            Math.min(any(random, numbers), 1 << 22),
                                            Math.min(any(random, numbers), 1 << 22))
                                    .number(random.nextInt(5))
                                    .made());
                }
            }
            try {
                Simulation all = simulation(Device.assumed(), null, RULE, "pf/cache=64k");
                assertThat(all.outcomes()).hasSize(2);
                simulated++;
            } catch (CliException e) {
                assertThat(e.getMessage()).contains("has no reads and writes");
            }
        }
        assertThat(simulated).as("recordings that had reads or writes").isPositive();
    }

    private static long any(Random random, long[] numbers) {
        return numbers[random.nextInt(numbers.length)];
    }

    /** No other thread could wake one that waits, so each wait must be for a request. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "16k/page=16k",
                "16k/page=4k",
                "32k/page=16k",
                "48k/page=16k",
                "64k/page=4k",
                "256k/page=16k",
                "1m/page=64k"
            })
    void shouldEndWithAnyCacheAndAnyOption(String sizes) throws Exception {
        Random random = new Random(2);
        try (MadeRun run = new MadeRun(events, "a.dat", 1 << 20, 1000, 100)) {
            for (int i = 0; i < 1500; i++) {
                int place = i % 3 == 0 ? i * 700 : random.nextInt(1 << 20);
                if (random.nextInt(3) == 0) {
                    run.write(place, 1 + random.nextInt(40_000));
                } else {
                    run.read(place, 1 + random.nextInt(40_000));
                }
                if (i % 500 == 499) {
                    run.cut(random.nextInt(1 << 20));
                }
            }
        }
        for (String options :
                List.of(
                        "",
                        "/pref=1",
                        "/pref=8/replace=lru",
                        "/pref=1:16",
                        "/synchronous",
                        "/private",
                        "/norelease",
                        "/retain/norelease",
                        "/listio",
                        "/pffw",
                        "/through",
                        "/stride=3",
                        "/streams=1/pref=4",
                        "/discovered_direct=16k",
                        "/passthru={20k:300k}",
                        "/scratch")) {
            String rule = "pf/cache=" + sizes + options;
            Outcome one = simulation(Device.assumed(), null, rule).outcomes().get(0);

            assertThat(one.counts().programReads).as(rule).isGreaterThan(900);
            if (!options.contains("direct") && !options.contains("passthru")) {
                // One request past the pages can bring many pages.
                assertThat(one.best().fetches())
                        .as(rule)
                        .isLessThanOrEqualTo(one.counts().pageReads);
            }
            assertThat(one.bestNanos()).as(rule).isLessThanOrEqualTo(one.timeNanos());
        }
    }

    @Test
    void shouldLeaveOutWhatWasRecordedBelowACacheOnly() throws Exception {
        try (MadeEvents made = new MadeEvents(events)) {
            made.define(MadeEvents.traced(1, "low.dat", 5, 2, "pf", "os", 1 << 20, 1));
            made.define(MadeEvents.cached(2, "low.dat", 5, 1, 4096, 16, 1));
            made.add(call(TraceOperation.READ, 1, 0).bytes(0, 4096).made());
        }

        assertThatThrownBy(() -> simulation(null, null, RULE))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("low.dat: recorded below a cache only");
    }

    @Test
    void shouldTakeTheTopmostLayerAndTheDeviceFromWhatIsBelow() throws Exception {
        try (MadeEvents made = new MadeEvents(events)) {
            made.process(EventFormat.NATIVE, "program");
            made.define(MadeEvents.traced(1, "a.dat", 5, 1, "program", "pf", 1 << 20, 1));
            made.define(MadeEvents.cached(2, "a.dat", 5, 2, 65536, 16, 1));
            made.define(MadeEvents.traced(3, "a.dat", 5, 3, "pf", "os", 1 << 20, 1));
            for (int i = 0; i < 5; i++) {
                made.add(call(TraceOperation.READ, 3, i * MS).bytes(i * 65536L, 4096).made());
                made.add(
                        MadeEvent.page(PageOperation.ARRIVED, 2, i * MS, 2000)
                                .bytes(i * 65536L, 4096)
                                .made());
                made.add(
                        MadeEvent.page(PageOperation.ARRIVED, 2, i * MS, 65536)
                                .bytes(i * 65536L, 65536)
                                .asynchronous(true)
                                .made());
                made.add(call(TraceOperation.READ, 1, i * MS).bytes(i * 65536L, 100).made());
            }
        }

        Simulation all = simulation(null, null, RULE, "none");

        assertThat(all.transfers()).isEqualTo(5);
        assertThat(all.cached()).isTrue();
        assertThat(all.device().source()).isEqualTo("as recorded, from page requests");
        assertThat(all.device().latencyNanos()).isEqualTo(2000);
        assertThat(all.device().bytesPerSecond()).isEqualTo(1_000_000_000);
        assertThat(all.outcomes().get(0).counts().programReadBytes).isEqualTo(500);
        // Without a cache nothing was measured.
        assertThat(all.outcomes().get(1).timeNanos()).isEqualTo(-1);
    }

    @Test
    void shouldShowWholeRulesAndWhatIsForeignSafely() throws Exception {
        EventHeader header = MadeEvents.header(EventFormat.NATIVE, "evil\033[2J");
        try (MadeEvents made = new MadeEvents(events, header)) {
            made.define(MadeEvents.traced(1, "a.dat", 5, 1, "program", "os", 1 << 20, 1));
            made.define(MadeEvents.traced(2, "b\033[2J", 6, 2, "pf", "os", 1 << 20, 1));
            made.define(MadeEvents.cached(3, "b\033[2J", 6, 1, 4096, 16, 1));
            made.add(call(TraceOperation.READ, 1, 0).bytes(0, 4096).made());
        }
        String large = RULE.replace("=1m", "=9m");

        List<String> lines =
                SimulationText.lines(
                        simulation(Device.assumed(), null, RULE, large),
                        new Terminal(true, true, 80, false, true));

        assertThat(lines)
                .anyMatch(line -> line.startsWith("program evil\\033[2J, "))
                .anyMatch(line -> line.startsWith("Note: left out: b\\033[2J"))
                .anyMatch(line -> line.startsWith(RULE + "  "))
                .anyMatch(line -> line.startsWith(large + "  "))
                .noneMatch(line -> line.contains("\033"));
    }

    @Test
    void shouldSayThatABlockIsMissing() throws Exception {
        try (MadeRun run = new MadeRun(events, "a.dat", 1 << 20, 1000, 0)) {
            run.read(0, 100);
        }
        claimMoreBlocks();

        Simulation all = simulation(Device.assumed(), null, RULE);

        assertThat(all.damaged()).isTrue();
        assertThat(all.notes()).anyMatch(note -> note.startsWith("missing: 3 blocks of up to"));
    }

    @Test
    void shouldSayThatThereAreTooManyPages() throws Exception {
        try (MadeRun run = new MadeRun(events, "a.dat", 1 << 20, 1000, 0)) {
            run.read(0, 100);
        }

        assertThatThrownBy(() -> simulation(null, null, "pf/cache=1t/page=4k"))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("not enough memory to simulate so many pages; take larger");
    }

    @Test
    void shouldNotKnowTheBestOfACacheThatKeepsToTheKernel() throws Exception {
        try (MadeRun run = new MadeRun(events, "a.dat", 1 << 20, 1000, 0)) {
            for (int i = 0; i < 3000; i++) {
                run.read(i * 100L, 100);
            }
        }

        Simulation all = simulation(Device.assumed(), null, "pf/auto");

        assertThat(all.outcomes().get(0).best()).isNull();
        assertThat(all.outcomes().get(0).bestNanos()).isEqualTo(-1);
        assertThat(SimulationData.json(all))
                .contains("\"best_fetches\" : null", "\"best_ns\" : null");
        assertThat(SimulationText.lines(all, new Terminal(true, true, 200, false, true)))
                .anyMatch(line -> line.matches("pf/auto .* - +- +-"));
    }

    @Test
    void shouldSayThatNoFileFitsWhateverElseIsAmiss() throws Exception {
        try (MadeRun run = new MadeRun(events, "a.dat", 1 << 20, 1000, 0)) {
            run.read(0, 100);
        }
        claimMoreBlocks();

        assertThatThrownBy(
                        () ->
                                Simulation.of(
                                        events.toString(),
                                        List.of("*.typo", "*.none"),
                                        List.of(Rule.parse(RULE)),
                                        null,
                                        null,
                                        progress()))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("has no calls of files that fit *.typo, *.none; missing: 3");
    }

    @Test
    void shouldMeasureADevice() throws IOException {
        try (MadeRun run = new MadeRun(events, "a.dat", 1 << 20, 1000, 0)) {
            run.read(0, 100);
        }
        Path data = Files.write(dir.resolve("data"), new byte[4 << 20]);
        try {
            Device device = simulation(null, data.toString(), RULE).device();
            // A file system in memory may have no latency.
            assertThat(device.latencyNanos()).isNotNegative();
            assertThat(device.bytesPerSecond()).isGreaterThan(1 << 20);
            // Each takes less than a tenth of a millisecond, but some time.
            assertThat(device.callNanos()).isBetween(1L, 100_000L);
            assertThat(device.kernelNanos()).isBetween(1L, 100_000L);
            assertThat(device.source()).startsWith("measured with " + data + " (4.00 MiB)");
        } catch (CliException e) {
            // Not every file system allows reads past the page cache.
            assertThat(e.getMessage()).contains("use --device");
        }
    }
}
