package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.LayerSpec;
import io.mio.config.StackSpec;
import io.mio.layer.FileKey;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.stats.AutoSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;

/** {@code pf/auto} over a file that does not fit memory, with page requests held back. */
abstract class DirectPagesFixture {
    static final int PAGE = 4096;
    static final int SIZE = 256 * PAGE;
    static final int REQUEST = 3 * PAGE;
    static final String NOT_SMALL =
            "no-pages: only 0 of 64 requests were small and near each other";

    /** With these figures, the first look at a stream that goes on decides. */
    static final DirectSizes SIZES =
            new DirectSizes(
                    1, 0, 1, 1, 1, PAGE, 16 * PAGE, 16 * PAGE, 1 << 20, 64 * PAGE, 2, 4 * PAGE);

    static final String REASON =
            "the file (1 MiB) is more than twice the memory that could keep it (0 MiB), and 0 MiB"
                    + " of it in a row were not there";

    /** Holds single requests until they are let go; all others run at once. */
    static final class Held implements Executor {
        final Deque<Runnable> waiting = new ArrayDeque<>();
        int toHold;

        @Override
        public void execute(Runnable request) {
            synchronized (this) {
                if (toHold > 0) {
                    toHold--;
                    waiting.add(request);
                    return;
                }
            }
            request.run();
        }

        /** Holds the next request. */
        synchronized void hold() {
            toHold = 1;
        }

        synchronized int count() {
            return waiting.size();
        }

        void letGo() {
            for (Runnable each = next(); each != null; each = next()) {
                each.run();
            }
        }

        private synchronized Runnable next() {
            return waiting.poll();
        }
    }

    /** A kernel's page cache that has nothing of the file, unless a test says so. */
    static final class Cold implements KernelCache {
        int there;
        long room = 40 * PAGE;
        int told;
        int rooms;
        boolean unseen;
        long changed;
        long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long changedNanos() {
            return changed;
        }

        @Override
        public int has(long offset, long bytes) {
            return there;
        }

        @Override
        public boolean sees(long offset) {
            return !unseen;
        }

        @Override
        public boolean nudge(long offset, long bytes) {
            return !unseen;
        }

        @Override
        public boolean readAhead(long offset, long bytes) {
            told++;
            return true;
        }

        @Override
        public long reachBytes() {
            return 0;
        }

        @Override
        public long roomBytes() {
            rooms++;
            return room;
        }
    }

    /** Makes pages over the memory file. */
    final class Made implements AutoLayer.Cache {
        String whyNot;
        PfLayer pages;
        int givenUp;
        long asked;
        DirectSizes sizes = SIZES;

        @Override
        public PfLayer make(Layer below) {
            return null;
        }

        @Override
        public DirectSizes sizes() {
            return sizes;
        }

        @Override
        public String openDirect(long roomBytes) {
            asked = roomBytes;
            return whyNot;
        }

        @Override
        public PfLayer makeDirect(Layer below) throws IOException {
            pages =
                    PfLayers.pastKernel(
                            SPEC,
                            below,
                            CachedFiles.enter(key),
                            request(OpenFlags.RDWR),
                            PfFixture.MEMORY,
                            () -> "memory",
                            SIZES.cacheMost(),
                            PAGE);
            return pages;
        }

        @Override
        public void used(PfLayer made, String why) {}

        @Override
        public void giveUp() {
            givenUp++;
        }
    }

    static final LayerSpec SPEC = StackSpec.parse("test", "pf/auto").layers().get(1);

    final Held held = new Held();
    final MemoryFile file = new MemoryFile(held);
    final Cold kernel = new Cold();
    final Made made = new Made();
    final FileKey key = PfFixture.newKey();
    byte[] content;
    AutoLayer layer;

    @BeforeEach
    void fill() {
        content = new byte[SIZE];
        new Random(5).nextBytes(content);
        file.holding(content);
        layer = open(OpenFlags.RDWR);
    }

    AutoLayer open(int oflags) {
        return (AutoLayer) AutoLayer.over(file, SPEC, request(oflags), made);
    }

    OpenRequest request(int oflags) {
        OpenRequest.Place place =
                new OpenRequest.Place() {
                    @Override
                    public String type() {
                        return "memory";
                    }

                    @Override
                    public long sectorBytes() {
                        return 512;
                    }
                };
        return PfFixture.request(oflags, SIZE, place, key, kernel);
    }

    void check(long offset, int bytes) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(bytes);
        if (layer.wantsGate()) {
            layer.settle();
        }
        assertThat(layer.read(read, offset)).isEqualTo(bytes);
        assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(content, (int) offset, bytes));
    }

    /** Reads on until the layer wants its pages; returns the offset where it stopped. */
    long readOn() throws IOException {
        long at = 0;
        while (!layer.wantsGate()) {
            check(at, REQUEST);
            at += REQUEST;
        }
        return at;
    }

    long paged() throws IOException {
        long at = readOn();
        layer.settle();
        assertThat(made.pages).isNotNull();
        return at;
    }

    List<String> decisions() {
        AutoSnapshot report = (AutoSnapshot) layer.report().snapshot(Event.INTER);
        return report.decisions().stream()
                .filter(one -> one.what().contains("pages"))
                .map(one -> one.what() + ": " + one.reason())
                .toList();
    }

    /** Reads single bytes here and there; a page is read for each of them. */
    void scatter() throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 500 && made.givenUp == 0; i++) {
            check(SIZE / 2 + random.nextInt(SIZE / 2), 1);
        }
        assertThat(made.givenUp).isEqualTo(1);
    }
}
