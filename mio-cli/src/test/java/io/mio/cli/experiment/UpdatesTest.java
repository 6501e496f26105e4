package io.mio.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.cli.bench.Spread;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Figures of the program that updates records, and those of slow storage. */
class UpdatesTest {
    private static final String RESULT =
            "result transactions=1000 updates=800 elapsed_ns=500000000 lock_ns=1000000000"
                    + " cpu_ns=7 machine_idle_ns=250000000 p50_ns=1 p99_ns=2 max_ns=3";

    @Test
    void shouldReadWhatTheProgramSays() throws IOException {
        Updates.Run run = Updates.parse(RESULT, "ticks 100 300 600");

        assertThat(run.perSecond()).isEqualTo(2000);
        // One second of the half seconds that each of four threads had.
        assertThat(run.lockPercent(4)).isEqualTo(50);
        assertThat(run.idlePercent(2)).isEqualTo(25);
        assertThat(run.ticks()).containsExactly(100L, 300L, 600L);
        assertThat(List.of(run.medianNanos(), run.p99Nanos(), run.mostNanos()))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldTakeNothingElse() {
        assertThatThrownBy(() -> Updates.parse("failed x: no", "ticks"))
                .isInstanceOf(IOException.class)
                .hasMessage("updater said failed x: no");
        assertThatThrownBy(() -> Updates.parse(RESULT, "ticks 1 x"))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Updates.parse(RESULT, "t")).isInstanceOf(IOException.class);
    }

    @Test
    void shouldAddUpTicksOfPartsOfTheTime() throws IOException {
        Updates.Run one = Updates.parse(RESULT, "ticks 10 20 30 40 50");
        Updates.Run other = Updates.parse(RESULT, "ticks 0 0 10 10 0");

        assertThat(CioExperiment.overTime(List.of(one, other), 2, 2))
                .containsExactly(Spread.of(150, 0), Spread.of(350, 100));
    }

    @Test
    void shouldAddUpWaitsOfFilesButNotThoseOfCachesAgain() throws IOException {
        String report =
                "{\"type\":\"pf\",\"of\":\"file\",\"counters\":{\"gate_wait_ns\":5}}\n"
                        + "{\"type\":\"pf\",\"of\":\"file\",\"counters\":{\"gate_wait_ns\":7}}\n"
                        + "{\"type\":\"pf\",\"of\":\"cache\",\"counters\":{\"gate_wait_ns\":12}}\n";

        assertThat(Updates.gateNanos(report)).isEqualTo(12);
        assertThatThrownBy(() -> Updates.gateNanos("")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> Updates.gateNanos("{\"of\":\"file\"}"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("without gate_wait_ns");
    }

    @Test
    void shouldReadCountsOfSlowStorage() throws IOException {
        SlowStorage.Counts counts =
                SlowStorage.Counts.of(
                        "slowfs: reads 3, bytes 300, largest 128; writes 0, bytes 0, largest 0;"
                                + " most in flight 2; direct opens 1");

        assertThat(counts).isEqualTo(new SlowStorage.Counts(3, 300, 2));
        assertThatThrownBy(() -> SlowStorage.Counts.of(null)).isInstanceOf(IOException.class);
    }
}
