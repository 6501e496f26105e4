package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.KernelCache;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When a file counts as calm, and when it never will; the test sets the clock. */
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
    private final MemoryFile below =
            new MemoryFile(Runnable::run).holding(PfFixture.filled(4096, 1));
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

    /** The file may have been calm while nobody looked. */
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

    /** For small pages, the kernel is asked after a pause, and otherwise now and then. */
    @Test
    void shouldForgetPagesOnceOthersHaveWritten() throws IOException {
        PfLayer pages = calmPages();
        assertThat(agreement.before(pages, false)).isTrue();
        othersWrite();
        for (int at = 4; at < 100; at += 4) {
            times.nanos += 4_000;
            assertThat(agreement.before(pages, false)).as("%d µs", at).isTrue();
        }
        assertThat(PfFixture.read(pages, 0, 10)).isEqualTo(PfFixture.filled(10, 1));
        times.nanos += 4_000;
        assertThat(agreement.before(pages, false)).isFalse();
        assertThat(PfFixture.read(pages, 0, 10)).isEqualTo(PfFixture.filled(10, 2));
        assertThat(agreement.before(pages, false)).as("not looked at each time").isFalse();
        times.nanos += 10 * MILLISECOND;
        assertThat(agreement.before(pages, false)).isTrue();
        othersWrite();
        times.nanos += 5_000;
        assertThat(agreement.before(pages, false)).isFalse();
        assertThat(agreement.isOver()).isFalse();
        pages.close();
    }

    /** Reads past the kernel's page cache would miss what others write into it from then on. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldGiveUpPagesPastTheKernelOnceOthersHaveWritten(boolean reads) throws IOException {
        PfLayer pages = calmPages();
        assertThat(agreement.before(pages, true)).isTrue();
        agreement.writes(pages, true);
        assertThat(agreement.isOver()).isFalse();
        othersWrite();
        if (reads) {
            assertThat(agreement.before(pages, true)).isFalse();
        } else {
            agreement.writes(pages, true);
        }
        assertThat(agreement.isOver()).isTrue();
        assertThat(PfFixture.read(pages, 0, 10)).isEqualTo(PfFixture.filled(10, 2));
        pages.close();
    }

    /**
     * Others may write past the kernel's cache, too, unseen: once such writes have had the time to
     * end, the pages are forgotten again.
     */
    @Test
    void shouldForgetPagesPastTheKernelAfterAWriteOfTheProgram() throws IOException {
        PfLayer pages = calmPages();
        below.holding(PfFixture.filled(4096, 2));
        agreement.wrote(pages, true);
        assertThat(agreement.isOver()).isFalse();
        assertThat(PfFixture.read(pages, 0, 10)).isEqualTo(PfFixture.filled(10, 2));
        below.holding(PfFixture.filled(4096, 3));
        times.nanos += 49 * MILLISECOND;
        assertThat(agreement.before(pages, true)).isTrue();
        assertThat(PfFixture.read(pages, 0, 10)).isEqualTo(PfFixture.filled(10, 2));
        times.nanos += MILLISECOND;
        assertThat(agreement.before(pages, true)).isTrue();
        assertThat(PfFixture.read(pages, 0, 10)).isEqualTo(PfFixture.filled(10, 3));
        times.changed = KernelCache.UNKNOWN;
        agreement.wrote(pages, true);
        assertThat(agreement.isOver()).isTrue();
        pages.close();
    }

    private PfLayer calmPages() throws IOException {
        times.changed = 1;
        assertThat(isCalmIn(0)).isTrue();
        times.nanos += MILLISECOND;
        PfLayer pages = PfFixture.open("cache=64k/page=4k/private/through", below);
        assertThat(PfFixture.read(pages, 0, 10)).isEqualTo(PfFixture.filled(10, 1));
        return pages;
    }

    private void othersWrite() {
        times.changed++;
        below.holding(PfFixture.filled(4096, 2));
    }
}
