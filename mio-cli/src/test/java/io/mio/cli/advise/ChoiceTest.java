package io.mio.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ChoiceTest {
    private static final long RUN = 1_000_000_000;
    private static final Tried HINTS = new Tried("pf/auto", 520_000_000, 0);
    private static final Tried SMALL = new Tried("pf/cache=16m", 505_000_000, 16 << 20);
    private static final Tried LARGE = new Tried("pf/cache=64m", 500_000_000, 64 << 20);

    @Test
    void shouldTakeWhatNeedsLessWhereItGainsNearlyAsMuch() {
        assertThat(Choice.of(RUN, List.of(LARGE, SMALL))).isEqualTo(SMALL);
        assertThat(Choice.of(RUN, List.of(LARGE, SMALL, HINTS))).isEqualTo(HINTS);
    }

    @Test
    void shouldTakeTheFastestWhereTheOthersGainMuchLess() {
        Tried slow = new Tried("pf/auto", 700_000_000, 0);

        assertThat(Choice.of(RUN, List.of(slow, LARGE))).isEqualTo(LARGE);
    }

    @Test
    void shouldNotGiveUpATenthOfTheTimeThatIsLeft() {
        // Both gain more than nine tenths; yet one run takes twice as long as the other.
        Tried slow = new Tried("pf/auto", 60_000_000, 0);
        Tried fast = new Tried("pf/cache=64m", 30_000_000, 64 << 20);

        assertThat(Choice.of(RUN, List.of(slow, fast))).isEqualTo(fast);
    }

    @Test
    void shouldKeepAllCachesTogetherWithinTheMemory() {
        Tried other = new Tried("pf/cache=32m", 900_000_000, 32 << 20);

        // The file that gains more has the first choice.
        assertThat(Choice.within(RUN, List.of(List.of(other), List.of(SMALL)), 40 << 20))
                .containsExactly(null, SMALL);
        assertThat(Choice.within(RUN, List.of(List.of(other), List.of(SMALL)), 48 << 20))
                .containsExactly(other, SMALL);
        // Each file has a cache of its own, as it was tried.
        assertThat(Choice.within(RUN, List.of(List.of(SMALL), List.of(SMALL)), 16 << 20))
                .containsExactly(SMALL, null);
        assertThat(Choice.within(RUN, List.of(List.of(SMALL), List.of(SMALL)), 32 << 20))
                .containsExactly(SMALL, SMALL);
        assertThat(Choice.within(RUN, List.of(List.of(HINTS), List.of(LARGE)), 0))
                .containsExactly(HINTS, null);
    }

    @Test
    void shouldCountThePagesOfEachGroupUnderHints() {
        Tried pages = new Tried("pf/auto", 600_000_000, 2 << 20);

        assertThat(
                        Choice.within(
                                RUN,
                                List.of(List.of(pages), List.of(pages), List.of(HINTS)),
                                3 << 20))
                .containsExactly(pages, null, HINTS);
    }

    @Test
    void shouldLeaveFilesAloneWhereTheGainIsWithinTheNoise() {
        assertThat(Choice.of(RUN, List.of())).isNull();
        assertThat(Choice.of(RUN, List.of(new Tried("pf/auto", 975_000_000, 0)))).isNull();
        assertThat(Choice.of(RUN, List.of(new Tried("pf/cache=16m", 2 * RUN, 16 << 20)))).isNull();
        assertThat(Choice.of(0, List.of(new Tried("pf/auto", 0, 0)))).isNull();
    }
}
