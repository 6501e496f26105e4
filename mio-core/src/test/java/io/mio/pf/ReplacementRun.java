package io.mio.pf;

import io.mio.stats.PfSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads pages of a file through a cache of so many frames, and tells what had to be fetched. */
final class ReplacementRun {
    static final int PAGE = 16 << 10;

    private final PfLayer layer;
    private final ByteBuffer dst = ByteBuffer.allocate(PAGE);
    private long fetched;

    ReplacementRun(String replace, int frames, int filePages) throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[filePages * PAGE]);
        String cache = "cache=" + frames * PAGE + "/page=16k/private/pref=1/replace=" + replace;
        this.layer = PfFixture.open(cache, below);
    }

    /** Reads some pages, first to last. */
    ReplacementRun read(int first, int last) throws IOException {
        for (int i = first; i <= last; i++) {
            layer.read(dst.clear(), (long) i * PAGE);
        }
        return this;
    }

    /**
     * Reads pages that make no stream: {@code count} of them, of which no two are neighbours and no
     * three equally far from each other.
     */
    ReplacementRun readScattered(int first, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            layer.read(dst.clear(), (first + 2 * scattered(i)) * PAGE);
        }
        return this;
    }

    /** Numbers of which no three are equally far from each other. */
    static long scattered(int i) {
        return Long.parseLong(Integer.toString(i, 2), 3);
    }

    /** Pages fetched since this was asked last. */
    long fetched() {
        PfSnapshot counted = PfFixture.counters(layer);
        long before = fetched;
        fetched = counted.child().reads();
        return fetched - before;
    }
}
