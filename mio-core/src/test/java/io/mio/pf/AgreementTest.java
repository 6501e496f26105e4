package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.KernelCache;
import org.junit.jupiter.api.Test;

/** When a file is calm, and when it never is; by a clock of the test's. */
class AgreementTest {
    private static final long MILLISECOND = 1_000_000;

    /** A kernel that tells nothing but times. */
    private static final class Times implements KernelCache {
        private long nanos = -7;
        private long changed = Long.MAX_VALUE;

        @Override
        public int has(long offset, long bytes) {
            return UNKNOWN;
        }

        @Override
        public boolean sees(long offset) {
            return false;
        }

        @Override
        public boolean nudge(long offset, long bytes) {
            return false;
        }

        @Override
        public boolean readAhead(long offset, long bytes) {
            return false;
        }

        @Override
        public long changedNanos() {
            return changed;
        }

        @Override
        public long reachBytes() {
            return 0;
        }

        @Override
        public long roomBytes() {
            return 0;
        }

        @Override
        public long nanos() {
            return nanos;
        }
    }

    private final Times times = new Times();
    private final Agreement agreement = new Agreement(times, PfFixture.place(512, -1));

    private boolean isCalmIn(long milliseconds) {
        times.nanos += milliseconds * MILLISECOND;
        return agreement.isCalm(null);
    }

    @Test
    void shouldBeCalmOnceTheLastChangeIsLongAgo() {
        assertThat(isCalmIn(0)).isFalse();
        times.changed = 1;
        assertThat(isCalmIn(9)).as("not looked at each time").isFalse();
        assertThat(isCalmIn(1)).isTrue();
    }

    @Test
    void shouldNotBeCalmAfterAWriteOfTheProgram() {
        times.changed = 1;
        agreement.wrote(null, false);
        assertThat(isCalmIn(49)).isFalse();
        assertThat(isCalmIn(1)).isTrue();
        agreement.wrote(null, false);
        assertThat(isCalmIn(0)).isFalse();
    }

    @Test
    void shouldLosePatienceWithAFileThatKeepsChanging() {
        for (int i = 0; i < 500; i++) {
            assertThat(isCalmIn(10)).isFalse();
            assertThat(agreement.isOver()).isFalse();
        }
        assertThat(isCalmIn(20)).isFalse();
        assertThat(agreement.isOver()).isTrue();
    }

    @Test
    void shouldLosePatienceWithAProgramThatReadsAndWritesInTurns() {
        times.changed = 1;
        for (int i = 0; i <= 65; i++) {
            assertThat(agreement.isOver()).isFalse();
            agreement.wrote(null, false);
            agreement.wrote(null, false);
            assertThat(isCalmIn(1)).isFalse();
        }
        assertThat(agreement.isOver()).isTrue();
    }

    @Test
    void shouldNotLosePatienceWithBurstsOfWrites() {
        times.changed = 1;
        for (int i = 0; i < 100; i++) {
            for (int j = 0; j < 100; j++) {
                agreement.wrote(null, false);
            }
            assertThat(isCalmIn(10)).isFalse();
            assertThat(isCalmIn(40)).isTrue();
        }
        assertThat(agreement.isOver()).isFalse();
    }

    /** It may have been calm meanwhile. */
    @Test
    void shouldKeepItWhereNobodyHasLookedForAWhile() {
        agreement.wrote(null, false);
        assertThat(isCalmIn(0)).isFalse();
        for (int i = 0; i < 5; i++) {
            times.nanos += 6000 * MILLISECOND;
            agreement.wrote(null, false);
            assertThat(isCalmIn(1)).isFalse();
            assertThat(isCalmIn(6000)).isFalse();
        }
        assertThat(agreement.isOver()).isFalse();
    }
}
