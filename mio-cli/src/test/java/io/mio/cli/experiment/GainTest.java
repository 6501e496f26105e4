package io.mio.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.bench.Spread;
import org.junit.jupiter.api.Test;

class GainTest {
    @Test
    void shouldBeAboveOneWhereItIsBetter() {
        Spread slow = Spread.of(8, 10, 12);
        Spread fast = Spread.of(20, 24, 28);
        assertThat(Gain.of(fast, slow, Better.MORE, 3)).isEqualTo(new Gain(2.4, false));
        assertThat(Gain.of(slow, fast, Better.LESS, 3)).isEqualTo(new Gain(2.4, false));
        assertThat(Gain.of(slow, fast, Better.MORE, 3).times()).isEqualTo(10.0 / 24);
    }

    @Test
    void shouldMarkWhatMayBeChance() {
        Spread one = Spread.of(1, 2, 3);
        // Ends that touch could have come out the other way round.
        assertThat(Gain.of(Spread.of(3, 4, 5), one, Better.MORE, 3).mayBeChance()).isTrue();
        assertThat(Gain.of(Spread.of(3.1, 4, 5), one, Better.MORE, 3).mayBeChance()).isFalse();
        assertThat(Gain.of(Spread.of(0.5, 0.9), one, Better.MORE, 2).mayBeChance()).isFalse();
        // With one run, nothing can be said.
        assertThat(Gain.of(Spread.of(100), Spread.of(1), Better.MORE, 1).mayBeChance()).isTrue();
    }

    @Test
    void shouldHaveNoGainWithoutABase() {
        assertThat(Gain.of(Spread.of(1), Spread.of(0), Better.MORE, 3).times()).isNaN();
        assertThat(Gain.of(Spread.of(0), Spread.of(1), Better.LESS, 3).times()).isNaN();
        assertThat(Cell.gain(Spread.of(1), Spread.of(0), Better.MORE, 3).shown()).isEqualTo("-");
    }

    @Test
    void shouldCompareTheFiguresOfTheDocument() {
        assertThat(Cell.givenGain(940.94, 1685.91, Better.LESS).shown()).isEqualTo("1.79x");
        assertThat(Cell.givenGain(54359.71, 27741.92, Better.MORE).shown()).isEqualTo("1.96x");
        assertThat(Cell.givenGain(288.88, 238.16, Better.LESS).shown()).isEqualTo("0.82x");
    }

    @Test
    void shouldShowMediansWithTheirSpread() {
        assertThat(Cell.figure(Spread.of(1, 2, 4), Unit.SECONDS, 3).shown())
                .isEqualTo("2.00 (1.00..4.00)");
        assertThat(Cell.figure(Spread.of(1, 2), Unit.COUNT, 2).shown()).isEqualTo("2 (1..2)");
        assertThat(Cell.figure(12.345, Unit.SECONDS).shown()).isEqualTo("12.3");
        assertThat(Cell.figure(1234.5, Unit.KB_PER_SECOND).shown()).isEqualTo("1235");
        assertThat(Cell.figure(0, Unit.SECONDS).shown()).isEqualTo("0");
        assertThat(Cell.gain(Spread.of(3), Spread.of(2), Better.MORE, 1).shown())
                .isEqualTo("~1.50x");
    }
}
