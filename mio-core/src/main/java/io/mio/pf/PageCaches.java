package io.mio.pf;

import io.mio.layer.FrameMemory;
import java.util.HashMap;
import java.util.Map;

/** The caches of this process: the shared ones by number (reference 3.3, {@code global}). */
final class PageCaches {
    private static final Map<Integer, PageCache> SHARED = new HashMap<>();

    private PageCaches() {}

    /**
     * A cache for a file, to be given back by {@link #leave}. A shared cache has the sizes of the
     * first file that asked for it.
     *
     * @throws OutOfMemoryError if there is no memory for its frames
     */
    static synchronized PageCache enter(PfOptions options, FrameMemory memory) {
        PageCache cache = SHARED.get(options.global());
        if (cache == null) {
            cache = new PageCache(options, memory);
            if (options.global() != PfOptions.PRIVATE) {
                SHARED.put(options.global(), cache);
            }
        }
        cache.opens++;
        return cache;
    }

    /**
     * A file no longer needs the cache.
     *
     * @param release whether a shared cache without files is given up
     * @return true if this was the last file and the cache is gone
     */
    static boolean leave(PageCache cache, boolean release) {
        synchronized (PageCaches.class) {
            cache.opens--;
            boolean isPrivate = cache.number() == PfOptions.PRIVATE;
            if (cache.opens > 0 || (!isPrivate && !release)) {
                return false;
            }
            SHARED.remove(cache.number(), cache);
        }
        CachedFiles.forgetRetained(cache);
        cache.release();
        return true;
    }
}
