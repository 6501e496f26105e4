package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** How far streams have come, as {@link DirectChoice} is told. */
class ReadHintsMovedTest {
    private static final int COUNT = 4096;

    private final ReadHints hints = new ReadHints(8, 0, Long.MAX_VALUE);
    private long moved;
    private long looks;

    private void read(long offset, long length) {
        if (!hints.isQuiet(offset, length)) {
            hints.seen(offset, length, 0);
            looks++;
            moved += hints.moved();
        }
    }

    @Test
    void shouldTellHowFarAForwardStreamHasCome() {
        for (int i = 0; i < COUNT; i++) {
            read(i * 8192L, 8192);
            assertThat(hints.at()).isLessThanOrEqualTo((i + 1) * 8192L);
        }
        // What was read before the stream was recognised, and since the last look, is missing.
        assertThat(moved).isBetween((COUNT - 100) * 8192L, COUNT * 8192L);
        assertThat(looks).isLessThan(COUNT / 4);
        assertThat(hints.at()).isGreaterThan((COUNT - 100) * 8192L);
    }

    @Test
    void shouldTellHowFarABackwardStreamHasCome() {
        for (int i = COUNT; i-- > 0; ) {
            read(i * 8192L, 8192);
        }
        // Once the kernel is told of everything up to the beginning, there is nothing to look at.
        long window = 8 << 20;
        assertThat(moved).isBetween(-COUNT * 8192L, 2 * window - COUNT * 8192L);
        assertThat(hints.at()).isLessThan(2 * window);
    }

    @Test
    void shouldTellOfLargeRequests() {
        for (int i = 0; i < 64; i++) {
            read(i * (1L << 20), 1 << 20);
        }
        assertThat(moved).isBetween(60L << 20, 64L << 20);
        assertThat(hints.at()).isEqualTo(64L << 20);
    }

    @Test
    void shouldTellOfStreamsThatTakeTurns() {
        long far = 1L << 40;
        for (int i = 0; i < COUNT; i++) {
            read(i * 65536L, 65536);
            assertThat(hints.moved()).isNotNegative();
            read(far - i * 65536L, 65536);
            assertThat(hints.moved()).isNotPositive();
        }
    }

    @Test
    void shouldTellNothingOfStepsAndOfNoOrder() {
        for (int i = 0; i < COUNT; i++) {
            read(i * (1L << 20), 4096);
        }
        assertThat(moved).isZero();
        long seed = 1;
        for (int i = 0; i < COUNT; i++) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            read((seed >>> 33) % (1 << 20) * 65536, 4096);
        }
        assertThat(moved).isZero();
    }

    @Test
    void shouldLookAgainWhereThreadsHaveCountedTooFar() {
        read(0, 100);
        hints.quiet().asleep = -1;
        read(1 << 30, 100);
        assertThat(looks).isEqualTo(2);
    }
}
