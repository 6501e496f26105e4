package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The original's replacement: the page used longest ago gives way. */
class LruReplacementTest {
    @Test
    void shouldKeepALoopThatFits() throws IOException {
        ReplacementRun run = new ReplacementRun("lru", 20, 16);
        assertThat(run.read(0, 15).fetched()).isEqualTo(16);

        assertThat(run.read(0, 15).read(0, 15).fetched()).isZero();
    }

    @Test
    void shouldKeepNothingOfALoopOfTwiceTheCache() throws IOException {
        ReplacementRun run = new ReplacementRun("lru", 20, 40);
        run.read(0, 39).fetched();

        assertThat(run.read(0, 39).fetched()).isEqualTo(40);
    }

    @Test
    void shouldHaveOneCacheLessToFetchAfterTurningRound() throws IOException {
        ReplacementRun run = new ReplacementRun("lru", 20, 100);
        run.read(0, 99).fetched();
        for (int i = 99; i >= 0; i--) {
            run.read(i, i);
        }

        assertThat(run.fetched()).isEqualTo(80);
    }

    @Test
    void shouldLoseWhatIsReadAgainToAScan() throws IOException {
        ReplacementRun run = new ReplacementRun("lru", 20, 400);
        run.readScattered(300, 8).readScattered(300, 8).fetched();
        run.read(0, 99).fetched();

        assertThat(run.readScattered(300, 8).fetched()).isEqualTo(8);
    }

    @Test
    void shouldWorkWithOneFrame() throws IOException {
        ReplacementRun run = new ReplacementRun("lru", 1, 10);

        assertThat(run.readScattered(0, 3).fetched()).isEqualTo(3);
        assertThat(run.readScattered(6, 1).fetched()).isZero();
        assertThat(run.readScattered(0, 1).fetched()).isEqualTo(1);
    }
}
