package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.LayerSpec;
import io.mio.config.StackSpec;
import io.mio.layer.FileKey;
import io.mio.layer.FrameMemory;
import io.mio.layer.FrameRange;
import io.mio.layer.OpenRequest;
import io.mio.stats.PfSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The small pages of {@code pf/auto}, 16 at first, become more where pages are read again. The
 * figures are those of the native side, too ({@code pf_replace_test.c}).
 */
class GrowingPagesTest {
    private static final int PAGE = 64 << 10;
    private static final LayerSpec SPEC = StackSpec.parse("test", "pf/auto").layers().get(1);

    /** Gives frames {@code takes} times, and then fails. */
    private static final class Limited implements FrameMemory {
        private final List<FrameRange> out = new ArrayList<>();
        private final int takes;
        private int asked;

        Limited(int takes) {
            this.takes = takes;
        }

        @Override
        public FrameRange take(int count, int bytes) {
            if (++asked > takes) {
                throw new OutOfMemoryError("test");
            }
            FrameRange frames = PfFixture.MEMORY.take(count, bytes);
            out.add(frames);
            return frames;
        }

        @Override
        public void give(FrameRange frames) {
            assertThat(out.removeIf(each -> each == frames)).isTrue();
        }
    }

    private final Limited memory = new Limited(9);
    private final PageGrowth growth = new PageGrowth();
    private final FileKey key = PfFixture.newKey();
    private final ByteBuffer dst = ByteBuffer.allocate(PAGE);
    private byte[] content;
    private PfLayer layer;
    private long fetched;

    private void open(int pages, FrameMemory frames) throws IOException {
        content = new byte[pages * PAGE];
        new Random(3).nextBytes(content);
        OpenRequest request = PfFixture.request(key, 0);
        MemoryFile below = new MemoryFile(Runnable::run).holding(content);
        CachedFile file = CachedFiles.enter(key);
        layer = PfLayers.onTheWay(SPEC, below, file, request, frames, () -> "memory");
    }

    /** Reads all pages once; returns how many had to be fetched. */
    private long pass(int pages) throws IOException {
        for (int i = 0; i < pages; i++) {
            layer.read(dst.clear(), (long) i * PAGE);
            assertThat(dst.array()).startsWith(content[i * PAGE], content[i * PAGE + 1]);
        }
        long before = fetched;
        fetched = PfFixture.counters(layer).child().reads();
        return fetched - before;
    }

    /** Looks whether to grow, as the layer does after a number of small requests. */
    private void look() {
        layer.grow(growth, 4096, 300);
    }

    @Test
    void shouldKeepAllOfAFileThatIsReadAgainAndAgain() throws IOException {
        open(100, memory);
        for (int i = 0; i < 3; i++) {
            pass(100);
            look();
            assertThat(layer.frames()).isEqualTo(16);
        }
        pass(100);
        look();
        assertThat(layer.frames()).isEqualTo(100);

        assertThat(pass(100)).isEqualTo(84);
        assertThat(pass(100)).isZero();
        PfFixture.close(layer, key);
        assertThat(memory.out).isEmpty();
    }

    @Test
    void shouldKeepPartOfOneThatIsLargerThanMayBeKept() throws IOException {
        open(600, memory);
        for (int i = 0; i < 5; i++) {
            pass(600);
            look();
        }
        assertThat(layer.frames()).isEqualTo(512);
        pass(600);
        assertThat(pass(600)).isEqualTo(190);
        assertThat(pass(600)).isEqualTo(190);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldGrowInSmallStepsToo() throws IOException {
        open(600, new Limited(100));
        // By half at least each time, to 512 at most.
        while (layer.frames() * 3 / 2 <= 512) {
            int more = layer.frames() * 3 / 2;
            for (int i = 0; i < 8; i++) {
                pass(more);
            }
            look();
            // It may find a page or two more in use.
            assertThat(layer.frames()).isGreaterThanOrEqualTo(more);
        }
        PfFixture.close(layer, key);
    }

    /** Another open of the file looks, too, while frames are taken for this one. */
    private final class Beside implements FrameMemory {
        private final PageGrowth its = new PageGrowth();
        private boolean looks;

        @Override
        public FrameRange take(int count, int bytes) {
            if (looks) {
                looks = false;
                assertThat(layer.grow(its, 4096, 300)).isZero();
            }
            return memory.take(count, bytes);
        }

        @Override
        public void give(FrameRange frames) {
            memory.give(frames);
        }
    }

    @Test
    void shouldGrowOnceWhereTwoOpensWantIt() throws IOException {
        Beside beside = new Beside();
        open(600, beside);
        for (int i = 0; i < 4; i++) {
            pass(400);
        }
        beside.looks = true;
        look();
        assertThat(layer.frames()).isBetween(400, 402);
        assertThat(beside.looks).isFalse();
        PfFixture.close(layer, key);
        assertThat(memory.out).isEmpty();
    }

    @Test
    void shouldStaySmallWhereNothingIsReadAgain() throws IOException {
        open(500, memory);

        assertThat(pass(500)).isEqualTo(500);
        look();
        assertThat(layer.frames()).isEqualTo(16);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldGoOnAsItIsWhereThereIsNoMemory() throws IOException {
        Limited little = new Limited(1);
        open(100, little);

        for (int i = 0; i < 10; i++) {
            pass(100);
        }
        look();
        assertThat(layer.frames()).isEqualTo(16);
        assertThat(pass(100)).isPositive();
        look();
        assertThat(little.asked).as("it does not ask again").isEqualTo(2);
        PfFixture.close(layer, key);
        assertThat(little.out).isEmpty();
    }

    @Test
    void shouldReportTheFramesThatItHasInTheEnd() throws IOException {
        open(100, memory);
        for (int i = 0; i < 4; i++) {
            pass(100);
        }
        look();
        PfSource source = layer.source();

        PfFixture.close(layer, key);

        PfSnapshot report = (PfSnapshot) source.file().snapshot(Event.CLOSE);
        assertThat(report.pages()).isEqualTo(100);
    }
}
