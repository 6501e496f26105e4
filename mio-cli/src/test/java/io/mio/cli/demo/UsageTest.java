package io.mio.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class UsageTest {
    @Test
    void shouldReadTheLineItPrints() {
        Usage usage = new Usage(1_500_000_000L, 2_250_000_000L, 3, 4, 5);
        assertThat(Usage.ofLine(usage.toLine())).isEqualTo(usage);
        assertThat(Usage.ofLine("elapsed 1 ns")).isNull();
        assertThat(usage.elapsedSeconds()).isEqualTo(1.5);
        assertThat(usage.cpuSeconds()).isEqualTo(2.25);
    }

    @Test
    void shouldCountFromTheBeginningGiven() {
        Usage before = new Usage(0, 10, 20, 30, 40);
        assertThat(new Usage(7, 11, 22, 33, 44).since(before)).isEqualTo(new Usage(7, 1, 2, 3, 4));
    }

    @Test
    void shouldFindANumberByItsWholeName() {
        String io = "rchar: 1\nsyscr: 23\ncancelled_read_bytes: 4\nread_bytes: 56\n";
        assertThat(Usage.number(io, "syscr")).isEqualTo(23);
        assertThat(Usage.number(io, "read_bytes")).isEqualTo(56);
        assertThat(Usage.number(io, "syscw")).isZero();
        assertThat(Usage.number("", "syscr")).isZero();
    }
}
