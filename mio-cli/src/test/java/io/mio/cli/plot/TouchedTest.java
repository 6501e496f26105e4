package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TouchedTest {
    private final Touched touched = new Touched();

    @Test
    void shouldBeNothingAtFirst() {
        touched.add(-1, 10);
        assertThat(touched.begin()).isEqualTo(-1);
        assertThat(touched.end()).isEqualTo(-1);
    }

    @Test
    void shouldCountWhatMovedNothingOnlyIfNothingElseIsThere() {
        touched.add(1L << 40, 0);
        assertThat(touched.begin()).isEqualTo(1L << 40);
        assertThat(touched.end()).isEqualTo(1L << 40);

        touched.add(4096, 100);
        touched.add(8192, 4096, 4096);
        assertThat(touched.begin()).isEqualTo(4096);
        assertThat(touched.end()).isEqualTo(8192);
    }
}
