package io.mio.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void shouldTakeTheRunInTheMiddle() {
        assertThat(Spread.of(7)).isEqualTo(new Spread(7, 7, 7));
        assertThat(Spread.of(9, 1, 2)).isEqualTo(new Spread(2, 1, 9));
        assertThat(Spread.of(9, 1, 2, 4)).isEqualTo(new Spread(3, 1, 9));
        assertThatThrownBy(Spread::of).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldLeaveTheFiguresInTheirOrder() {
        double[] figures = {3, 1, 2};
        Spread.of(figures);
        assertThat(figures).containsExactly(3, 1, 2);
    }

    @Test
    void shouldDivideMedians() {
        assertThat(Spread.of(30, 10, 20).ratioTo(Spread.of(5, 1, 9))).isEqualTo(4);
        assertThat(Spread.of(1).ratioTo(Spread.of(0))).isNaN();
    }

    @Test
    void shouldTellWhetherRunsCouldHaveComeOutTheOtherWayRound() {
        assertThat(Spread.of(1, 5).overlaps(Spread.of(6, 9))).isFalse();
        assertThat(Spread.of(6, 9).overlaps(Spread.of(1, 5))).isFalse();
        assertThat(Spread.of(1, 5).overlaps(Spread.of(5, 9))).isTrue();
        assertThat(Spread.of(1, 9).overlaps(Spread.of(4, 5))).isTrue();
        assertThat(Spread.of(4, 5).overlaps(Spread.of(1, 9))).isTrue();
    }

    @Test
    void shouldAddUpWorkersThatRanTogether() {
        Sample one = sample(100, 300, 2048, 2, 40);
        Sample other = sample(200, 1_000_000_100L, 4096, 4, 60);
        Sample both = Sample.of(java.util.List.of(one, other));
        assertThat(both.elapsedNanos()).isEqualTo(1_000_000_000);
        assertThat(both.bytes()).isEqualTo(6144);
        assertThat(both.kbPerSecond()).isEqualTo(6);
        assertThat(both.callsPerSecond()).isEqualTo(6);
        assertThat(both.cpuNanos()).isEqualTo(100);
        assertThat(both.machineNanos()).isEqualTo(60);
        assertThat(both.latency().count()).isEqualTo(2);
    }

    @Test
    void shouldAddUpPassesWithoutTheTimeBetweenThem() {
        Sample first = sample(100, 300, 2048, 2, 40);
        Sample second = sample(1_000, 1_000_000_800L, 4096, 4, 60);
        Sample both = first.then(second);
        assertThat(both.elapsedNanos()).isEqualTo(1_000_000_000);
        assertThat(both.bytes()).isEqualTo(6144);
        assertThat(both.callsPerSecond()).isEqualTo(6);
        assertThat(both.cpuNanos()).isEqualTo(100);
        assertThat(both.machineNanos()).isEqualTo(100);
        assertThat(both.latency().count()).isEqualTo(2);
        assertThat(first.latency().count()).isEqualTo(1);
    }

    @Test
    void shouldCountProcessorsPerGb() {
        Sample sample = sample(0, 10, 512L << 20, 1, 250_000_000);
        assertThat(sample.cpuSecondsPerGb()).isEqualTo(0.5);
        assertThat(sample(0, 10, 0, 0, 250).cpuSecondsPerGb()).isZero();
    }

    private static Sample sample(long begin, long end, long bytes, long calls, long cpu) {
        Histogram latency = new Histogram();
        latency.add(end - begin);
        return new Sample(begin, end, bytes, calls, cpu, cpu, 0, 0, 0, 0, 0, 0, latency);
    }
}
