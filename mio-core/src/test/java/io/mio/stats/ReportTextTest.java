package io.mio.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers as both doors print them. */
class ReportTextTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0.00",
        "4999999, 0.00",
        "5000000, 0.01",
        "14999999, 0.01",
        "125000000, 0.13",
        "1513954500000, 1513.95",
        "-30000000, -0.03",
        "-4999999, 0.00"
    })
    void shouldRoundSecondsHalfUp(long nanos, String text) {
        assertThat(new ReportText().seconds(nanos)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource({"0.125, 0.13", "0.004, 0.00", "27741.924, 27741.92", "1e15, 1000000000000000.00"})
    void shouldRoundRatesHalfUp(double rate, String text) {
        assertThat(new ReportText().rate(rate)).hasToString(text);
    }

    @Test
    void shouldLineColumnsUpAndNeverCutANumber() {
        assertThat(new ReportText().left("read", 6).right(7, 3).right(12345, 3))
                .hasToString("read    712345");
    }
}
