package io.mio.cli.simulate;

import java.util.HashMap;
import java.util.Map;

/**
 * Gathers which pages each cache of a replay was asked for, and finds the best possible result once
 * a cache is gone.
 */
final class Optimum {
    /** Heap for each entry while the best possible is computed, bytes. */
    private static final int HELD_BYTES = 96;

    private static final class Cache {
        final References references;
        final int frames;
        final int pageBytes;
        int opens;

        Cache(int frames, int pageBytes) {
            this.references = new References();
            this.frames = frames;
            this.pageBytes = pageBytes;
        }
    }

    private final Map<Integer, Cache> caches = new HashMap<>();
    private final int sectorBytes;
    private final boolean keeps;
    private final long most;

    /** Entries of all caches that are there. */
    private long entries;

    private Belady sum = Belady.NONE;
    private boolean known = true;
    private long memoryBytes;
    private long memoryMost;

    /**
     * @param keeps whether caches stay when their last open is closed
     */
    Optimum(int sectorBytes, boolean keeps) {
        this(sectorBytes, keeps, Runtime.getRuntime().maxMemory() / HELD_BYTES);
    }

    Optimum(int sectorBytes, boolean keeps, long most) {
        this.sectorBytes = sectorBytes;
        this.keeps = keeps;
        this.most = most;
    }

    /**
     * An open begins to use a cache. Returns the memory of the cache if it is a new one, else 0.
     */
    long opened(int id, int frames, int pageBytes) {
        Cache cache = caches.get(id);
        long before = memoryBytes;
        if (cache == null) {
            cache = new Cache(frames, pageBytes);
            caches.put(id, cache);
            memoryBytes += (long) frames * pageBytes;
            memoryMost = Math.max(memoryMost, memoryBytes);
        }
        cache.opens++;
        return memoryBytes - before;
    }

    /**
     * The cache is asked for these bytes of a file.
     *
     * @param file a number for the file
     */
    void wants(int id, int file, long offset, long length, boolean write) {
        Cache cache = caches.get(id);
        int page = cache.pageBytes;
        long end = offset + length;
        for (long at = offset; at < end; at = (at / page + 1) * page) {
            long index = at / page;
            int from = (int) (at % page) / sectorBytes;
            int to = (int) (Math.min(end - index * page, page) + sectorBytes - 1) / sectorBytes;
            int before = cache.references.count();
            // All caches share one limit of entries.
            cache.references.add(file, index, from, to, write, most - entries);
            entries += cache.references.count() - before;
        }
    }

    /** An open is closed. Returns the memory of its cache if that is gone now, else 0. */
    long closed(int id) {
        Cache cache = caches.get(id);
        long before = memoryBytes;
        if (--cache.opens == 0 && !keeps) {
            finish(caches.remove(id));
        }
        return before - memoryBytes;
    }

    /** A cache that stayed after its last open was closed is gone now. */
    void gone(int id) {
        Cache cache = caches.remove(id);
        if (cache != null) {
            finish(cache);
        }
    }

    private void finish(Cache cache) {
        memoryBytes -= (long) cache.frames * cache.pageBytes;
        entries -= cache.references.count();
        if (cache.references.isOverflowed()) {
            known = false;
        } else {
            sum = sum.plus(Belady.of(cache.references, cache.frames, sectorBytes));
        }
    }

    /**
     * The best possible of all caches together; null if there were too many requests to compute it.
     */
    Belady best() {
        caches.values().forEach(this::finish);
        caches.clear();
        return known ? sum : null;
    }

    /** Most memory of all caches that were there at the same time, bytes. */
    long memoryBytes() {
        return memoryMost;
    }
}
