package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.stats.PfSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** How far ahead a cache reads. */
class DistanceTest {
    private static final int PAGE = 4096;

    @Test
    void shouldKeepAFixedDistanceWhateverHappens() {
        Distance fixed = Distance.of(4, 4);

        assertThat(fixed.first()).isEqualTo(4);
        assertThat(fixed.stepped(4)).isEqualTo(4);
        assertThat(fixed.late(4, 100)).isEqualTo(4);
        assertThat(fixed.unused(4)).isEqualTo(4);
    }

    @Test
    void shouldDoubleFromTheSmallestToTheLargestWithEachStep() {
        Distance doubling = Distance.of(3, 20);

        assertThat(doubling.first()).isEqualTo(3);
        assertThat(doubling.stepped(3)).isEqualTo(6);
        assertThat(doubling.stepped(12)).isEqualTo(20);
        assertThat(doubling.stepped(20)).isEqualTo(20);
        assertThat(doubling.late(6, 100)).isEqualTo(6);
        assertThat(doubling.unused(6)).isEqualTo(6);
    }

    @Test
    void shouldGrowAnAutomaticDistanceWhenPagesAreLateAndShrinkItWhenTheyAreNotUsed() {
        Distance auto = Distance.of(0, 0);

        assertThat(auto.first()).isEqualTo(2);
        assertThat(auto.stepped(2)).isEqualTo(2);
        assertThat(auto.late(2, 100)).isEqualTo(4);
        assertThat(auto.unused(4)).isEqualTo(2);
    }

    @Test
    void shouldKeepAnAutomaticDistanceBetweenOneAndWhatTheCacheHasRoomFor() {
        Distance auto = Distance.of(0, 0);

        assertThat(auto.late(64, 100)).isEqualTo(100);
        assertThat(auto.late(4, 0)).isEqualTo(1);
        assertThat(auto.unused(1)).isEqualTo(1);
    }

    @Test
    void shouldTellTheLargestDistanceOfAFileInItsReport() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[64 * PAGE]);
        PfLayer layer = PfFixture.open("cache=128k/page=4k/private/pref=2:8", below);

        assertThat(PfFixture.counters(layer).distance()).isEqualTo(2);
        for (int i = 0; i < 10; i++) {
            layer.read(ByteBuffer.allocate(PAGE), (long) i * PAGE);
        }

        PfSnapshot counted = PfFixture.counters(layer);
        assertThat(counted.distance()).isEqualTo(8);
        // Ten pages and eight ahead; all but the first two were read before they were wanted.
        assertThat(counted.child().reads()).isEqualTo(18);
        assertThat(counted.startedPrefetches()).isEqualTo(16);
        layer.close();
    }
}
