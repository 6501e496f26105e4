package io.mio.cli.events.export;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which row a slice is put on. */
class RowsTest {
    @Test
    void shouldNestOnOneRow() {
        Rows rows = new Rows(4, true, Long.MIN_VALUE);
        assertThat(rows.take(0, 100)).isZero();
        assertThat(rows.take(0, 50)).isZero();
        assertThat(rows.take(50, 100)).isZero();
        assertThat(rows.take(60, 60)).isZero();
        assertThat(rows.take(100, 200)).isZero();
    }

    @Test
    void shouldPutWhatOverlapsOnAnotherRow() {
        Rows rows = new Rows(3, true, Long.MIN_VALUE);
        assertThat(rows.take(0, 100)).isZero();
        assertThat(rows.take(50, 150)).isEqualTo(1);
        assertThat(rows.take(60, 160)).isEqualTo(2);
        assertThat(rows.take(70, 170)).isEqualTo(Rows.NONE);
        assertThat(rows.take(100, 130)).isZero();
    }

    /** The call lasted so long that those beneath it have been drawn already. */
    @Test
    void shouldPutWhatComesLateOnAnotherRow() {
        Rows rows = new Rows(2, true, Long.MIN_VALUE);
        assertThat(rows.take(10, 20)).isZero();
        assertThat(rows.take(30, 40)).isZero();
        assertThat(rows.take(0, 50)).isEqualTo(1);
        assertThat(rows.take(50, 60)).isZero();
    }

    @Test
    void shouldPutRequestsOneAfterTheOther() {
        Rows rows = new Rows(2, false, Long.MIN_VALUE);
        assertThat(rows.take(0, 100)).isZero();
        assertThat(rows.take(10, 20)).isEqualTo(1);
        assertThat(rows.take(15, 30)).isEqualTo(Rows.NONE);
        assertThat(rows.take(20, 110)).isEqualTo(1);
        assertThat(rows.take(100, 110)).isZero();
        assertThat(rows.lastEnd()).isEqualTo(110);
    }

    @Test
    void shouldTakeNothingBelowTheFloor() {
        Rows rows = new Rows(2, true, 50);
        assertThat(rows.take(49, 60)).isEqualTo(Rows.NONE);
        assertThat(rows.take(50, 60)).isZero();
    }

    /** Slices come in any order; of two in a row, one holds the other, or they are apart. */
    @Test
    void shouldNeverLetSlicesCross() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            boolean nests = random.nextBoolean();
            Rows rows = new Rows(5, nests, Long.MIN_VALUE);
            Map<Integer, List<long[]>> taken = new HashMap<>();
            for (int i = 0; i < 60; i++) {
                long start = random.nextInt(100);
                long end = start + 1 + random.nextInt(30);
                int row = rows.take(start, end);
                if (row == Rows.NONE) {
                    continue;
                }
                List<long[]> others = taken.computeIfAbsent(row, none -> new ArrayList<>());
                for (long[] other : others) {
                    boolean apart = other[1] <= start || end <= other[0];
                    boolean within = nests && other[0] <= start && end <= other[1];
                    assertThat(apart || within)
                            .as("seed %d, round %d, row %d, %d to %d", seed, round, row, start, end)
                            .isTrue();
                }
                others.add(new long[] {start, end});
            }
        }
    }
}
