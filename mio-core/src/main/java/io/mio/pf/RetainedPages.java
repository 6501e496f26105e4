package io.mio.pf;

import io.mio.counters.CounterLayout;

/**
 * The pages of a file that stay in a shared cache after its last open with a cache is closed
 * (option {@code retain}). With the monitor of the file, except {@link #in}.
 */
final class RetainedPages {
    private final CachedFile file;
    private volatile PageCache in;

    /** Stamp of the last change of the file before the pages stayed. */
    private long stamp;

    RetainedPages(CachedFile file) {
        this.file = file;
    }

    /** The cache in which the pages stay, or null. */
    PageCache in() {
        return in;
    }

    /** Has the pages stay. With the lock of the cache. */
    void stay(PageCache cache, long changeStamp) {
        in = cache;
        stamp = changeStamp;
        cache.retained.add(file);
    }

    /**
     * The file whose pages have stayed in the cache longest, if there are more such files than
     * frames.
     */
    static CachedFile tooMany(PageCache cache) {
        cache.lock.lock();
        try {
            boolean isFull = cache.retained.size() > cache.frameCount();
            return isFull ? cache.retained.iterator().next() : null;
        } finally {
            cache.lock.unlock();
        }
    }

    /**
     * The file gets pages in {@code cache} again. Pages that stayed are good if nobody has changed
     * the file since, it is the same cache, and the sectors, in which pages know what is valid,
     * have the same size.
     */
    void takeBack(PageCache cache, long changeStamp, long size, int sector) {
        PageCache old = in;
        if (old == null) {
            return;
        }
        boolean sameSectors = sector == file.sectorBytes();
        old.lock.lock();
        try {
            old.retained.remove(file);
            if (old == cache && changeStamp == stamp && size == file.sizeBytes() && sameSectors) {
                for (Page page : file.pages().in(0, Long.MAX_VALUE)) {
                    page.left = true;
                    file.counters().add(CounterLayout.RETAINED, 1);
                    cache.counters.add(CounterLayout.RETAINED, 1);
                }
            } else {
                Invalidation.dropAll(file, old);
            }
        } finally {
            old.lock.unlock();
        }
        in = null;
    }

    /** Forgets the pages if they stay in this cache. */
    void forget(PageCache given) {
        if (in == given) {
            given.lock.lock();
            try {
                given.retained.remove(file);
                Invalidation.dropAll(file, given);
            } finally {
                given.lock.unlock();
            }
            in = null;
        }
    }
}
