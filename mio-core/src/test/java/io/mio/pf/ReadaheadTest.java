package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.OpenFlags;
import io.mio.stats.PfSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Readahead that meets other requests for the same page on their way, and long windows. */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReadaheadTest {
    private static final int PAGE = 512 << 10;
    private static final int STEP = 80 << 10;

    /** Holds asynchronous requests until somebody waits for them. */
    private static final class Held extends ForwardingLayer {
        private final Set<IoRequest> held = new LinkedHashSet<>();
        private final List<String> asked = new ArrayList<>();

        Held(MemoryFile below) {
            super("os", below);
        }

        @Override
        public void submit(IoRequest request) {
            held.add(request);
            asked.add(request.offset() + "+" + request.requested());
        }

        @Override
        public void await(IoRequest request, Waiting waiting) throws InterruptedException {
            if (held.remove(request)) {
                ((MemoryFile) next()).submit(request);
            }
            waiting.run();
        }

        List<String> asked() {
            List<String> seen = List.copyOf(asked);
            asked.clear();
            return seen;
        }
    }

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static byte[] read(PfLayer layer, long offset, int length) throws IOException {
        ByteBuffer dst = ByteBuffer.allocate(length);
        assertThat(layer.read(dst, offset)).isEqualTo(length);
        return dst.array();
    }

    private static Held held() {
        return new Held(new MemoryFile(Runnable::run).holding(filled(4 * PAGE, 1)));
    }

    /** A strided reader in the second page: the reads of its next two places are on their way. */
    private static PfLayer open(String options, Held held) throws IOException {
        PfLayer layer = PfFixture.open(options, held, PfFixture.newKey(), OpenFlags.RDWR, 512);
        for (int i = 0; i < 3; i++) {
            read(layer, PAGE + (long) i * STEP, 512);
        }
        assertThat(held.asked()).containsExactly("770048+512", "851968+512");
        assertThat(held.held).hasSize(2);
        return layer;
    }

    @Test
    void shouldNotReadWhatIsOnItsWay() throws IOException {
        Held held = held();
        PfLayer layer = open("cache=2m/page=512k/private/pref=2", held);
        assertThat(read(layer, PAGE - 512, PAGE + 512)).isEqualTo(filled(PAGE + 512, 1));
        assertThat(held.asked())
                .containsExactly(
                        "524800+81408",
                        "606720+81408",
                        "688640+81408",
                        "770560+81408",
                        "852480+196096");
        layer.close();
    }

    @Test
    void shouldReadWhatWasWrittenThroughWhileReadsWereOnTheirWay() throws IOException {
        PfLayer layer = open("cache=2m/page=512k/private/pref=2/through", held());
        assertThat(read(layer, PAGE - 512, PAGE + 512)).isEqualTo(filled(PAGE + 512, 1));
        layer.write(ByteBuffer.wrap(filled(512, 2)), PAGE + 3 * STEP);
        assertThat(read(layer, PAGE + 3 * STEP, 512)).isEqualTo(filled(512, 2));
        layer.close();
    }

    /**
     * The pages of a long window are used seldom. Still, none of them gives way before it is used,
     * and after a change of direction the pages in the cache are not read again.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "pref=200/replace=lru",
                "pref=290/replace=lru",
                "pref=1000/replace=lru",
                "pref=200/replace=auto",
                "pref=1000/replace=auto",
                "pref=2:150/replace=lru"
            })
    void shouldKeepALongWindowUntilItIsUsed(String options) throws IOException {
        int frames = 300;
        int pages = 2000;
        int page = 4096;
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(pages * page, 1));
        PfLayer layer =
                PfFixture.open(
                        "cache=1200k/page=4k/private/" + options,
                        below,
                        PfFixture.newKey(),
                        OpenFlags.RDWR,
                        512);
        for (int i = 0; i < pages; i++) {
            read(layer, (long) i * page, page);
        }
        assertThat(PfFixture.counters(layer).child().reads()).isEqualTo(pages);
        for (int i = pages - 1; i >= 0; i--) {
            read(layer, (long) i * page, page);
        }
        assertThat(PfFixture.counters(layer).unusedPrefetches()).isZero();
        assertThat(PfFixture.counters(layer).child().reads()).isEqualTo(2 * pages - frames);
    }

    /**
     * Files that share a cache are read in turns: each reads ahead as far as its share allows, and
     * a page that was read ahead stays until it is used.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "cache=128k/pref=1:32/replace=lru",
                "cache=128k/pref=1:32/replace=auto",
                "cache=48k/pref=8/replace=lru",
                "cache=48k/pref=8/replace=auto"
            })
    void shouldShareTheCacheAmongFilesThatAreReadInTurns(String options) throws IOException {
        int files = 4;
        int pages = 200;
        int page = 4096;
        List<PfLayer> layers = new ArrayList<>();
        for (int file = 0; file < files; file++) {
            layers.add(
                    PfFixture.open(
                            options + "/page=4k/global=77",
                            new MemoryFile(Runnable::run).holding(filled(pages * page, 1)),
                            PfFixture.newKey(),
                            OpenFlags.RDWR,
                            512));
        }
        for (int i = 0; i < pages; i++) {
            for (PfLayer layer : layers) {
                assertThat(read(layer, (long) i * page, page)).isEqualTo(filled(page, 1));
            }
        }
        long reads = 0;
        long unused = 0;
        for (PfLayer layer : layers) {
            PfSnapshot counters = PfFixture.counters(layer);
            assertThat(counters.startedPrefetches()).isGreaterThan(pages / 2);
            reads += counters.child().reads();
            unused += counters.unusedPrefetches();
        }
        // No more than two small caches full: in the first steps the files did not know of each
        // other.
        assertThat(unused).isLessThanOrEqualTo(24);
        assertThat(reads).isLessThanOrEqualTo((long) files * pages + unused);
        for (PfLayer layer : layers) {
            layer.close();
        }
    }
}
