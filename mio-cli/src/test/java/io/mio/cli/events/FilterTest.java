package io.mio.cli.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.events.Event;
import io.mio.events.EventReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Which events of the golden file the options choose. */
class FilterTest {
    @TempDir Path dir;
    private Path golden;

    @CommandLine.Command
    private static final class Holder {}

    @BeforeEach
    void write() throws IOException {
        golden = Files.write(dir.resolve("golden.events"), EventSamples.golden());
    }

    private List<Event> chosen(String... args) throws IOException {
        FilterOptions options = new FilterOptions();
        new CommandLine(new Holder())
                .addMixin("filter", options)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .parseArgs(args);
        List<Event> chosen = new ArrayList<>();
        try (EventReader reader = EventReader.open(golden)) {
            EventFilter filter = options.filter(reader);
            for (Event event = reader.next(); event != null; event = reader.next()) {
                if (filter.test(event)) {
                    chosen.add(event);
                }
            }
        }
        return chosen;
    }

    /** The numbers were counted by hand in calls.txt. */
    @ParameterizedTest
    @CsvSource({
        "'', 22",
        "--files data.file, 21",
        "--files *.file, 21",
        "--files /a/**, 1",
        "--files /a/** --files data.file, 22",
        "--files /a/*, 0",
        "--op read, 3",
        "--op reads, 5",
        "--op aread, 2",
        "--op aread-end, 1",
        "--op writes, 3",
        "--op write;open, 4",
        "--op prefetch-issued, 1",
        "--op pages, 9",
        "--op lost, 0",
        "--layer trace, 13",
        "--layer pf, 9",
        "--layer cache, 9",
        "--layer program, 8",
        "--layer system, 6",
        "--thread 4712, 4",
        "--thread 4712;4715, 7",
        "--process 4711, 22",
        "--process 1, 0",
        "--failed, 2",
        "--from 60us --to 80us, 6",
        "--slower 250us, 2",
        "--slower 90us, 4",
        "--layer system --op read --failed, 0",
    })
    void shouldChoose(String args, int count) throws IOException {
        String[] words = args.isEmpty() ? new String[0] : args.replace(';', ',').split(" ");
        assertThat(chosen(words)).hasSize(count);
    }

    /** Compares by brute force, at all times at which something happens. */
    @Test
    void shouldChooseWhatOverlapsASpanOfTime() throws IOException {
        List<Event> all = chosen();
        List<Long> times = new ArrayList<>();
        for (Event event : all) {
            if (event.startNanos() >= 0 && event.endNanos() < 1_000_000_000) {
                times.add(event.startNanos());
                times.add(event.endNanos());
            }
        }
        for (long from : times) {
            for (long to : times) {
                if (from >= to) {
                    continue;
                }
                List<Event> expected =
                        all.stream()
                                .filter(
                                        one ->
                                                one.durationNanos() == 0
                                                        ? one.startNanos() >= from
                                                                && one.startNanos() < to
                                                        : Math.max(from, one.startNanos())
                                                                < Math.min(to, one.endNanos()))
                                .toList();
                assertThat(chosen("--from", from + "ns", "--to", to + "ns"))
                        .as("from %d to %d", from, to)
                        .isEqualTo(expected);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "12.5s, 12500000000",
        "0.1, 100000000",
        ".5, 500000000",
        ".200000s, 200000000",
        "2., 2000000000",
        "3.ms, 3000000",
        "300ms, 300000000",
        "5m, 300000000000",
        "1h, 3600000000000",
        "20us, 20000",
        "7ns, 7",
        "1.4ns, 1",
        "0.000000001, 1",
        "999999999999999h, 9223372036854775807",
    })
    void shouldReadTimes(String text, long nanos) {
        assertThat(TimePoint.of(text)).isEqualTo(new TimePoint(nanos, null));
    }

    @Test
    void shouldReadTimesOfTheDay() {
        ZoneId zone = ZoneId.of("Europe/Berlin");
        Instant zero = Instant.parse("2026-06-01T12:00:00.5Z");
        long zeroNanos = zero.getEpochSecond() * 1_000_000_000L + zero.getNano();
        assertThat(TimePoint.of("14:00:01").since(zeroNanos, zone)).isEqualTo(500_000_000L);
        assertThat(TimePoint.of("14:03:22.25").since(zeroNanos, zone)).isEqualTo(201_750_000_000L);
        assertThat(TimePoint.of("14:01").since(zeroNanos, zone)).isEqualTo(59_500_000_000L);
        // A time that has passed today is taken for tomorrow's.
        assertThat(TimePoint.of("14:00").since(zeroNanos, zone))
                .isEqualTo(86_400_000_000_000L - 500_000_000L);
    }

    /** A night in which clocks go from 2:00 to 3:00, and one in which they go from 3:00 to 2:00. */
    @ParameterizedTest
    @CsvSource({
        "2026-03-29T00:30:00Z, 04:00, 90",
        "2026-03-29T00:30:00Z, 01:00, 1350",
        "2026-10-25T00:45:00Z, 04:00, 135",
        "2026-10-25T00:45:00Z, 02:30, 45",
        "2026-10-25T00:45:00Z, 02:50, 5",
    })
    void shouldReadTimesOfADayOnWhichClocksChange(Instant zero, String text, long minutes) {
        assertThat(
                        TimePoint.of(text)
                                .since(
                                        zero.getEpochSecond() * 1_000_000_000L,
                                        ZoneId.of("Europe/Berlin")))
                .isEqualTo(minutes * 60_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource({"x", "-1s", "5 d", "1e3", "''", "25:00", "12:60", "1.5.5", "0x10", ".", ".s"})
    void shouldRefuseWhatIsNoTime(String text) {
        assertThatThrownBy(() -> TimePoint.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is no time");
    }

    @Test
    void shouldNameTheOperationsThereAre() {
        assertThatThrownBy(() -> OperationSet.of("prefetch-isued"))
                .hasMessageContaining("did you mean prefetch-issued?")
                .hasMessageContaining("reads, writes, pages, open, write");
        assertThatThrownBy(() -> OperationSet.of("xyzzyxyzzy"))
                .hasMessageContaining("is no operation; there are")
                .hasMessageNotContaining("did you mean");
        assertThatThrownBy(() -> OperationSet.of("seek")).hasMessageContaining("are not recorded");
        for (String name : OperationSet.names()) {
            assertThat(OperationSet.of(name)).as(name).isNotNull();
        }
    }
}
