package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BeladyTest {
    private static final int SECTOR = 4096;
    private static final long ROOM = 1_000_000;

    private static References references(int[] pages, boolean[] writes) {
        References references = new References();
        for (int i = 0; i < pages.length; i++) {
            // The sectors do not touch, so that references do not become one entry.
            references.add(1, pages[i], i % 2 == 0 ? 0 : 4, i % 2 == 0 ? 1 : 5, writes[i], ROOM);
        }
        return references;
    }

    @Test
    void shouldFindTheExampleOfTheTextbooks() {
        int[] pages = {7, 0, 1, 2, 0, 3, 0, 4, 2, 3, 0, 3, 2, 1, 2, 0, 1, 7, 0, 1};

        Belady best = Belady.of(references(pages, new boolean[pages.length]), 3, SECTOR);

        assertThat(best.fetches()).isEqualTo(9);
        assertThat(best.reads()).isEqualTo(20);
        assertThat(best.hitShare()).isEqualTo(11 / 20.0);
    }

    @Test
    void shouldDoWithTheFewestFetchesThereAre() {
        Random random = new Random(1);
        for (int run = 0; run < 3000; run++) {
            int[] pages = new int[1 + random.nextInt(11)];
            boolean[] writes = new boolean[pages.length];
            for (int i = 0; i < pages.length; i++) {
                pages[i] = random.nextInt(5);
                writes[i] = random.nextInt(4) == 0;
            }
            int frames = 1 + random.nextInt(3);

            long fetches = Belady.of(references(pages, writes), frames, SECTOR).fetches();

            assertThat(fetches).isEqualTo(fewest(pages, writes, frames, 0, 0));
        }
    }

    /** Tries every page that could give way; returns the fewest fetches. */
    private static int fewest(int[] pages, boolean[] writes, int frames, int at, int there) {
        if (at == pages.length) {
            return 0;
        }
        int bit = 1 << pages[at];
        if ((there & bit) != 0) {
            return fewest(pages, writes, frames, at + 1, there);
        }
        int cost = writes[at] ? 0 : 1;
        if (Integer.bitCount(there) < frames) {
            return cost + fewest(pages, writes, frames, at + 1, there | bit);
        }
        int least = Integer.MAX_VALUE;
        for (int page = 0; page < 5; page++) {
            if ((there & 1 << page) != 0) {
                int without = there & ~(1 << page);
                least = Math.min(least, fewest(pages, writes, frames, at + 1, without | bit));
            }
        }
        return cost + least;
    }

    @Test
    void shouldCountTheSectorsThatWereWanted() {
        References references = new References();
        references.add(1, 0, 0, 2, false, ROOM);
        references.add(1, 0, 2, 3, false, ROOM);
        references.add(1, 0, 1, 3, false, ROOM);
        references.add(1, 1, 5, 6, true, ROOM);
        references.add(1, 1, 5, 7, false, ROOM);
        references.add(2, 1, 0, 1, false, ROOM);

        Belady best = Belady.of(references, 3, SECTOR);

        // Reads one behind another are one entry, and what was written is there.
        assertThat(references.count()).isEqualTo(4);
        assertThat(references.pages()).isEqualTo(3);
        assertThat(best).isEqualTo(new Belady(5, 2, 5 * SECTOR, SECTOR));
    }

    @Test
    void shouldGiveUpWhereThereIsTooMuch() {
        Optimum optimum = new Optimum(SECTOR, false, 10);
        optimum.opened(1, 4, 2 * SECTOR);
        for (int i = 0; i < 20; i += 2) {
            optimum.wants(1, 1, (long) i * 2 * SECTOR, 10, false);
        }
        optimum.wants(1, 1, 0, 10, false);
        optimum.closed(1);

        assertThat(optimum.best()).isNull();
        assertThat(optimum.memoryBytes()).isEqualTo(8L * SECTOR);
    }

    @Test
    void shouldTellFilesAndPagesApartHoweverManyThereAre() {
        References references = new References();
        for (int round = 0; round < 2; round++) {
            for (int file = 0; file < 10; file++) {
                for (int page = 0; page < 1000; page++) {
                    references.add(file, page * 1_000_003L, 0, 1, false, ROOM);
                }
            }
        }

        assertThat(references.pages()).isEqualTo(10_000);
        assertThat(Belady.of(references, 10_000, SECTOR).fetches()).isEqualTo(10_000);
    }
}
