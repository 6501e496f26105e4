package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.events.Event;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Levels of detail with hardly enough room for one mark of each kind. */
class MarkStoreRoomTest {
    @Test
    void shouldKeepFailuresApartAsLongAsTheyAreFew() {
        MarkRun run = new MarkRun();
        Random random = new Random(5);
        for (int i = 0; i < 5000; i++) {
            run.read(random.nextInt(1 << 20), 512, 1000, 0);
            if (i % 500 == 0) {
                run.add(What.FAILED, run.nowNanos, run.nowNanos, -1, 0);
                run.add(What.FAILED, run.nowNanos, run.nowNanos + 1, -1, 0);
            }
        }
        List<Mark> marks = run.marks(160);
        assertThat(marks)
                .containsAll(run.events.stream().filter(mark -> mark.errno() == 5).toList());
    }

    @Test
    void shouldJoinFailuresIfThereIsNothingElse() {
        MarkRun run = new MarkRun();
        for (int i = 0; i < 100_000; i++) {
            run.add(What.FAILED, i * 10L, i * 10L + 5, i % 7 == 0 ? -1 : i % 1000, 0);
        }
        Level level = run.store(100).level();
        assertThat(level.marks().size()).isLessThanOrEqualTo(100);
        run.assertTotals(level, "failures");
    }

    @Test
    void shouldGiveEverySeriesAMarkEvenIfThereIsNoRoom() {
        MarkRun run = new MarkRun();
        for (int i = 0; i < 10_000; i++) {
            int index = run.series.index(i % 3, Stage.values()[i % 4], What.values()[i % 16]);
            run.add(index, i, i + 1, i % 977, 1);
        }
        Level level = run.store(10).level();
        run.assertTotals(level, "many series");
        run.assertExplained(level, "many series");
    }

    /** The steps are as large as they can become before the first failure comes. */
    @Test
    void shouldJoinFailuresThatComeWhenStepsGrowNoMore() {
        MarkRun run = new MarkRun();
        Random random = new Random(6);
        for (int i = 0; i < 2000; i++) {
            int index = run.series.index(i % 3, Stage.values()[i % 4], What.values()[i % 16]);
            run.add(index, i * 10L, i * 10L + 5, random.nextInt(1 << 20), 1);
        }
        for (int i = 0; i < 50_000; i++) {
            run.add(What.FAILED, 20_000 + i * 10L, 20_005 + i * 10L, 4096, 0);
        }
        MarkStore store = run.store(30);
        assertThat(store.doublings()).isEqualTo(Scale.DOUBLINGS);
        Level level = store.level();
        assertThat(level.marks().size()).isLessThan(200);
        run.assertTotals(level, "failures");
    }

    @Test
    void shouldDrawTheLargestOffsetsAndTimesWithoutMoreRoom() {
        MarkRun run = new MarkRun();
        Random random = new Random(7);
        for (int i = 0; i < 2000; i++) {
            int index = run.series.index(i % 3, Stage.values()[i % 4], What.values()[i % 16]);
            run.add(index, i * 10L, i * 10L + 5, random.nextInt(1 << 20), 1);
        }
        run.add(What.READ, -Event.MOST, Event.MOST, Event.MOST, Event.MOST);
        for (int i = 0; i < 50_000; i++) {
            long start = random.nextLong(-Event.MOST, Event.MOST);
            run.add(What.READ, start, start + 5, random.nextLong(Event.MOST), 512);
        }
        MarkStore store = run.store(30);
        assertThat(store.doublings()).isEqualTo(Scale.DOUBLINGS);
        Level level = store.level();
        assertThat(level.marks().size()).isLessThan(400);
        assertThat(level.timeStepNanos()).isPositive();
        assertThat(level.offsetStepBytes()).isPositive();
    }
}
