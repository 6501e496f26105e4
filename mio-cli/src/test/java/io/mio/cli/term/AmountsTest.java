package io.mio.cli.term;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AmountsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0 B",
        "1023, 1023 B",
        "1024, 1.00 KiB",
        "1536, 1.50 KiB",
        "10230, 9.99 KiB",
        "10240, 10.0 KiB",
        "102400, 100 KiB",
        "1048063, 1023 KiB",
        "1048064, 1.00 MiB",
        "14336000000, 13.4 GiB",
        "9223372036854775807, 8.00 EiB",
        "-1536, -1.50 KiB",
        "-9223372036854775808, -8.00 EiB"
    })
    void shouldShowBytes(long bytes, String text) {
        assertThat(Amounts.bytes(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0 ns",
        "999, 999 ns",
        "1000, 1.00 us",
        "999499, 999 us",
        "999500, 1.00 ms",
        "1500000000, 1.50 s",
        "99940000000, 99.9 s",
        "99950000000, 1:40 min",
        "3599499999999, 59:59 min",
        "3600000000000, 1:00:00",
        "-1, -"
    })
    void shouldShowTimes(long nanos, String text) {
        assertThat(Amounts.time(nanos)).isEqualTo(text);
    }

    @Test
    void shouldShowWhatIsNoNumberAsNone() {
        assertThat(Amounts.rate(Double.NaN)).isEqualTo("-");
        assertThat(Amounts.rate(1.0 / 0)).isEqualTo("-");
        assertThat(Amounts.rate(1536)).isEqualTo("1.50 KiB/s");
        assertThat(Amounts.rate(0.4)).isEqualTo("0 B/s");
        assertThat(Amounts.ratio(0.0 / 0)).isEqualTo("-");
        assertThat(Amounts.ratio(1.785)).isEqualTo("1.79x");
        assertThat(Amounts.ratio(12345)).isEqualTo("12345x");
        assertThat(Amounts.percent(Double.NaN)).isEqualTo("-");
        assertThat(Amounts.percent(0.973)).isEqualTo("97.3 %");
        assertThat(Amounts.percent(1)).isEqualTo("100 %");
        assertThat(Amounts.percent(0)).isEqualTo("0 %");
        assertThat(Amounts.count(1234567)).isEqualTo("1 234 567");
    }
}
