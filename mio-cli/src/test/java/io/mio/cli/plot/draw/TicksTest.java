package io.mio.cli.plot.draw;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.plot.draw.Ticks.Tick;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TicksTest {
    private static final double SECOND = 1e9;

    private static List<String> labels(List<Tick> ticks) {
        return ticks.stream().map(Tick::label).toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 10 | 5 | 0,2 ns,4 ns,6 ns,8 ns,10 ns",
                "0 | 3500 | 4 | 0,1 us,2 us,3 us",
                "0 | 2.5e9 | 5 | 0,0.5 s,1.0 s,1.5 s,2.0 s,2.5 s",
                "0 | 90e9 | 6 | 0,15 s,30 s,45 s,60 s,75 s,90 s",
                "0 | 1500e9 | 5 | 0,5:00 min,10:00 min,15:00 min,20:00 min,25:00 min",
                "0 | 20000e9 | 3 | 0,2:00:00,4:00:00",
                "0 | 9.2e18 | 4 | 0,50000 d,100000 d",
                "12.0001e9 | 12.0003e9 | 2 | 12.0001 s,12.0002 s,12.0003 s"
            })
    void shouldCountTimesInStepsOfPeople(double from, double to, int count, String expected) {
        assertThat(labels(Ticks.time(from, to, count))).containsExactly(expected.split(","));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0 | 3 | 3 | 0,1 B,2 B,3 B",
                "0 | 31457280 | 4 | 0,8 MiB,16 MiB,24 MiB",
                "0 | 1200000 | 5 | 0,0.25 MiB,0.5 MiB,0.75 MiB,1 MiB",
                "4294967296 | 4295491584 | 2 | 4096 MiB,4096.25 MiB,4096.5 MiB",
                "1099511627776 | 1099512037376 | 4 | 1 TiB,+128 KiB,+256 KiB,+384 KiB",
                "1099511693312 | 1099512037376 | 4 | 1048576.125 MiB,+128 KiB,+256 KiB",
                "17188257792 | 17189208064 | 4 | 16392 MiB,+256 KiB,+512 KiB,+768 KiB"
            })
    void shouldCountBytesInPowersOfTwo(double from, double to, int count, String expected) {
        assertThat(labels(Ticks.bytes(from, to, count, ""))).containsExactly(expected.split(","));
    }

    @Test
    void shouldHaveOneMarkForEachPowerOnLogarithmicAxes() {
        assertThat(labels(Ticks.logTime(5, 20_000, 10)))
                .containsExactly("10 ns", "100 ns", "1 us", "10 us");
        assertThat(labels(Ticks.logTime(1, SECOND, 4)))
                .containsExactly("1 ns", "1 us", "1 ms", "1 s");
        assertThat(labels(Ticks.logBytes(512, 4096, 10)))
                .containsExactly("512 B", "1 KiB", "2 KiB", "4 KiB");
        assertThat(labels(Ticks.logCounts(20_000, 10)))
                .containsExactly("1", "10", "100", "1 k", "10 k");
    }

    @Test
    void shouldNeverCallTwoMarksTheSameNorHaveTooMany() {
        for (long seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            double span = StrictMath.pow(10, random.nextDouble() * 17);
            double from = random.nextBoolean() ? 0 : span * random.nextDouble() * 500;
            int count = 2 + random.nextInt(12);
            for (List<Tick> ticks :
                    List.of(
                            Ticks.time(from, from + span, count),
                            Ticks.bytes(from, from + span, count, ""),
                            Ticks.counts(from, from + span, count))) {
                assertThat(labels(ticks)).as("seed %d", seed).doesNotHaveDuplicates();
                assertThat(ticks).as("seed %d", seed).hasSizeLessThanOrEqualTo(count + 1);
                assertThat(ticks)
                        .as("seed %d", seed)
                        .allMatch(
                                tick ->
                                        tick.value() >= from - span * 1e-5
                                                && tick.value() <= from + span * (1 + 1e-5));
            }
        }
    }
}
