package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuleTest {
    @ParameterizedTest
    @CsvSource({"512, 512", "4096, 4096", "8192, 4096", "3000, 4096", "256, 4096", "1m, 4096"})
    void shouldHaveTheSectorsThatTheCacheTakes(String typed, int bytes) {
        Rule rule = Rule.parse("pf/cache=1m/page=64k | os/sector_size=" + typed);

        assertThat(rule.sectorBytes()).isEqualTo(bytes);
    }
}
