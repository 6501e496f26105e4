package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.StackSpec;
import io.mio.layer.FileKey;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages that are read again stay, through scans and in loops that are larger than the cache. */
class AutoReplacementTest {
    @Test
    void shouldKeepWhatIsReadAgainAgainstAScan() throws IOException {
        ReplacementRun run = new ReplacementRun("auto", 20, 400);
        run.readScattered(300, 8).readScattered(300, 8).fetched();
        // One more page is read ahead.
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

        // At best 20 of the 40 pages could stay.
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

    /** The same reads as in C: a working set larger than the cache, with random jumps. */
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

    private static int remembered(int frames, int most, int pageBytes, int loopPages) {
        return new AutoReplacement.Sizes(most, pageBytes, loopPages).remembered(frames);
    }

    @Test
    void shouldRememberAsManyPagesAsTheNativeSide() {
        int mib = 1 << 20;
        assertThat(remembered(20, 20, 16 << 10, 0)).isEqualTo(160);
        assertThat(remembered(32, 512, 64 << 10, 0)).isEqualTo(1024);
        assertThat(remembered(512, 512, 64 << 10, 0)).isEqualTo(4096);
        assertThat(remembered(8192, 8192, 4096, 0)).isEqualTo(32_768);
        // It remembers at least as many pages as there are frames.
        assertThat(remembered(65_536, 65_536, 4096, 0)).isEqualTo(65_536);
        assertThat(remembered(65_536, 65_536, 16 << 10, 0)).isEqualTo(131_072);
        // There is an upper limit.
        assertThat(remembered(65_536, 65_536, 64 << 10, 0)).isEqualTo(131_072);
        assertThat(remembered(65_536, 65_536, mib, 0)).isEqualTo(131_072);
        assertThat(remembered(1 << 29, 1 << 29, mib, 0)).isEqualTo(131_072);
        // It remembers as many pages as the file has, up to a share of the cache.
        assertThat(remembered(256, 256, mib, 8192)).isEqualTo(8192);
        assertThat(remembered(256, 256, mib, 40_000)).isEqualTo(32_768);
        assertThat(remembered(16, 16, mib, 40_000)).isEqualTo(2048);
        assertThat(remembered(16, 16, mib, 100)).isEqualTo(128);
    }

    @Test
    void shouldKeepPartOfAFileThatIsFarLargerThanTheCache() throws IOException {
        int page = 128 << 10;
        MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[100 * page]);
        FileKey key = PfFixture.newKey();
        PfLayer layer =
                PfLayers.pastKernel(
                        StackSpec.parse("test", "pf/auto").layers().get(1),
                        below,
                        CachedFiles.enter(key),
                        PfFixture.request(key, 0),
                        PfFixture.MEMORY,
                        () -> "memory",
                        8L * page,
                        page);
        ReplacementRun run = new ReplacementRun(layer, page);
        run.read(0, 99).read(0, 99).read(0, 99).fetched();
        assertThat(run.read(0, 99).fetched()).isLessThanOrEqualTo(96);
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
