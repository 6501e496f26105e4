package io.mio.pf;

import io.mio.stats.PfSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Reads pages of a file through a cache, and tells how many pages had to be fetched. */
final class ReplacementRun {
    static final int PAGE = 16 << 10;

    private final PfLayer layer;
    private final int pageBytes;
    private final ByteBuffer dst;
    private long fetched;

    ReplacementRun(String replace, int frames, int filePages) throws IOException {
        this(
                PfFixture.open(
                        "cache=" + frames * PAGE + "/page=16k/private/pref=1/replace=" + replace,
                        new MemoryFile(Runnable::run).holding(new byte[filePages * PAGE])),
                PAGE);
    }

    /** Reads through the cache of a layer. */
    ReplacementRun(PfLayer layer, int pageBytes) {
        this.layer = layer;
        this.pageBytes = pageBytes;
        this.dst = ByteBuffer.allocate(pageBytes);
    }

    /** Reads the pages from {@code first} to {@code last}. */
    ReplacementRun read(int first, int last) throws IOException {
        for (int i = first; i <= last; i++) {
            layer.read(dst.clear(), (long) i * pageBytes);
        }
        return this;
    }

    /**
     * Reads {@code count} pages that make no stream: no two are neighbours and no three are evenly
     * spaced.
     */
    ReplacementRun readScattered(int first, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            layer.read(dst.clear(), (first + 2 * scattered(i)) * pageBytes);
        }
        return this;
    }

    /** Numbers of which no three are evenly spaced. */
    static long scattered(int i) {
        return Long.parseLong(Integer.toString(i, 2), 3);
    }

    /** The number of pages fetched since it was asked for last. */
    long fetched() {
        PfSnapshot counted = PfFixture.counters(layer);
        long before = fetched;
        fetched = counted.child().reads();
        return fetched - before;
    }
}
