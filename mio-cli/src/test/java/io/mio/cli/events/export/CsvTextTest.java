package io.mio.cli.events.export;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CsvTextTest {
    @Test
    void shouldBeginNoCellWhereSemicolonsSeparate() {
        assertThat(CsvExport.text("a;=1+1")).isEqualTo("a\\073=1+1");
        assertThat(CsvExport.text("a\\073")).isEqualTo("a\\134073");
    }
}
