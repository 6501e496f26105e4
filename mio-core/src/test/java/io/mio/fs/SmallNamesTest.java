package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** For how long a name is known to be of a small file; the test sets the clock. */
class SmallNamesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final long TICK = 1 << 20;

    private long now = 77 * SECOND;
    private final SmallNames names = new SmallNames(() -> now);

    @Test
    void shouldKnowOnlyWhatWasAdded() {
        assertThat(names.has("/a")).isFalse();
        names.remove("/a");
        names.add("/a");
        assertThat(names.has("/a")).isTrue();
        assertThat(names.has("/b")).isFalse();
    }

    @Test
    void shouldForgetANameOneSecondAfterItWasAdded() {
        names.add("/a");
        now += SECOND - 2 * TICK;
        assertThat(names.has("/a")).isTrue();
        now += 2 * TICK;
        assertThat(names.has("/a")).isFalse();
        names.add("/a");
        assertThat(names.has("/a")).isTrue();
    }

    @Test
    void shouldCountFromTheLastTimeItWasAdded() {
        names.add("/a");
        now += SECOND / 2;
        names.add("/a");
        now += SECOND / 2 + TICK;
        assertThat(names.has("/a")).isTrue();
    }

    @Test
    void shouldForgetWhatIsRemovedAndNoOther() {
        names.add("/a");
        names.add("/b");
        names.remove("/a");
        names.remove("/c");
        assertThat(names.has("/a")).isFalse();
        assertThat(names.has("/b")).isTrue();
    }

    @Test
    void shouldKnowNoneWhereTheClockBeginsOrTurns() {
        for (long at : new long[] {0, -1, Long.MIN_VALUE, (1L << 52) - 1, 1L << 51}) {
            SmallNames fresh = new SmallNames(() -> now);
            now = at;
            fresh.add("/a");
            assertThat(fresh.has("")).as("at %d", at).isFalse();
            assertThat(fresh.has("/a")).as("at %d", at).isTrue();
            now = at + SECOND;
            assertThat(fresh.has("/a")).as("a second after %d", at).isFalse();
        }
    }

    @Test
    void shouldKnowAsManyNamesAsItHasRoomForAndNoOthers() {
        int known = 0;
        for (int i = 0; i < 4000; i++) {
            names.add("/dir/" + i);
        }
        for (int i = 0; i < 4000; i++) {
            known += names.has("/dir/" + i) ? 1 : 0;
            assertThat(names.has("/other/" + i)).isFalse();
        }
        assertThat(known).isGreaterThan(2000);
    }
}
