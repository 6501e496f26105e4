package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that are read again stay, against scans and in loops that are too large. */
class AutoReplacementTest {
    @Test
    void shouldKeepWhatIsReadAgainAgainstAScan() throws IOException {
        ReplacementRun run = new ReplacementRun("auto", 20, 400);
        run.readScattered(300, 8).readScattered(300, 8).fetched();
        // One more is read ahead.
        assertThat(run.read(0, 99).fetched()).isEqualTo(101);

        assertThat(run.readScattered(300, 8).fetched()).isZero();
    }

    @Test
    void shouldKeepALoopThatFits() throws IOException {
        ReplacementRun run = new ReplacementRun("auto", 20, 16);
        assertThat(run.read(0, 15).fetched()).isEqualTo(16);

        assertThat(run.read(0, 15).read(0, 15).fetched()).isZero();
    }

    @Test
    void shouldKeepAGoodPartOfALoopOfTwiceTheCache() throws IOException {
        ReplacementRun run = new ReplacementRun("auto", 20, 40);
        run.read(0, 39).read(0, 39).read(0, 39).fetched();

        // At best 20 of 40 could stay.
        assertThat(run.read(0, 39).fetched()).isLessThanOrEqualTo(40 - 12);
        assertThat(run.read(0, 39).fetched()).isLessThanOrEqualTo(40 - 12);
    }

    @Test
    void shouldFollowTheProgramToAnotherWorkingSet() throws IOException {
        ReplacementRun run = new ReplacementRun("auto", 20, 400);
        for (int round = 0; round < 10; round++) {
            run.readScattered(0, 14);
        }
        run.fetched();
        for (int round = 0; round < 20; round++) {
            run.readScattered(200, 14);
        }
        run.fetched();

        assertThat(run.readScattered(200, 14).fetched()).isZero();
    }

    /** As many pages as natively: a working set larger than the cache, with leaps. */
    @Test
    void shouldFetchAsOftenAsTheNativeSide() throws IOException {
        ReplacementRun run = new ReplacementRun("auto", 10, 400);
        int random = 1;
        for (int i = 0; i < 5000; i++) {
            random = random * 1664525 + 1013904223;
            int page = (random >>> 16) % (i % 7 == 0 ? 400 : 30);
            run.read(page, page);
        }
        assertThat(run.fetched()).isEqualTo(3608);
    }

    @Test
    void shouldHaveOneCacheLessToFetchAfterTurningRound() throws IOException {
        ReplacementRun run = new ReplacementRun("auto", 20, 100);
        run.read(0, 99).fetched();
        for (int i = 99; i >= 0; i--) {
            run.read(i, i);
        }

        assertThat(run.fetched()).isEqualTo(80);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shouldWorkWithVeryFewFrames(int frames) throws IOException {
        ReplacementRun run = new ReplacementRun("auto", frames, 50);
        assertThat(run.readScattered(0, 7).fetched()).isEqualTo(7);

        assertThat(run.readScattered(24, 1).fetched()).isZero();
        run.read(0, 49).read(0, 49);
        assertThat(run.fetched()).isBetween(98L - 2L * frames, 100L);
    }
}
