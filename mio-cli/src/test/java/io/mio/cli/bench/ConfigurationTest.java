package io.mio.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class ConfigurationTest {
    /** Workers have none of the settings that are meant for other programs. */
    @Test
    void shouldTellOfWhatWorkersGetAlone() {
        System.setProperty("mio.defaults", "pf/direct");
        try {
            Configuration pages = Configuration.of("pf", "cache=8m");

            assertThat(pages.isDirect(Path.of("bench.dat"))).isFalse();
        } finally {
            System.clearProperty("mio.defaults");
        }
    }
}
