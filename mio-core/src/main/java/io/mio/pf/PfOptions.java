package io.mio.pf;

import io.mio.config.LayerSpec;
import io.mio.config.PfOption;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.stats.ByteUnit;

/**
 * The options of one pf layer as typed (reference 3.3, design section 6). Sizes are bytes.
 *
 * @param preread pages are read in before a write ({@code pffw})
 * @param release memory of a global cache is given back with its last file
 * @param global number of the shared cache, or {@link #PRIVATE}
 * @param asynchronous page requests are asynchronous
 * @param unit unit of the report
 * @param cacheBytes memory of the cache
 * @param cacheMostBytes what the cache may grow to; less than {@code cacheBytes}: it does not grow
 * @param pageBytes size of a page, a multiple of {@link #PAGE_STEP}
 * @param distance readahead distance
 * @param strideInPages forced step between the pages read; 1 is none
 * @param retain pages stay after close
 * @param lists page requests go down as lists ({@code listio})
 * @param scratch the file is not flushed at close, and is then removed
 * @param uncachedFrom first byte that is never cached
 * @param uncachedTo byte after the last that is never cached
 * @param behind writes stay in pages until these are full or left
 * @param loopBytes length of a loop that is to keep its part in the cache, however small that part
 *     is; 0: as usual. No option of a rule: {@code pf/auto} sets it
 * @param lru strict least-recently-used replacement
 * @param pastBytes requests of at least this size are not cached; 0: none
 * @param streams streams recognised at the same time
 */
record PfOptions(
        boolean preread,
        boolean release,
        int global,
        boolean asynchronous,
        ByteUnit unit,
        long cacheBytes,
        long cacheMostBytes,
        int pageBytes,
        Distance distance,
        int strideInPages,
        boolean retain,
        boolean lists,
        String tag,
        boolean scratch,
        long uncachedFrom,
        long uncachedTo,
        boolean behind,
        long loopBytes,
        boolean lru,
        long pastBytes,
        int streams) {
    /** Number of a cache that is not shared. */
    static final int PRIVATE = -1;

    /** Pages are multiples of this, bytes: what every file system takes for direct I/O. */
    static final int PAGE_STEP = 4096;

    /** The smallest sector that a file may have, bytes. */
    static final int SECTOR_BYTES_MIN = 512;

    private static final int PAGE_BYTES_MAX = 1 << 30;
    private static final long AUTO_CACHE_BYTES = 1 << 20;
    private static final long AUTO_CACHE_MOST_BYTES = 32 << 20;
    private static final int AUTO_PAGE_BYTES = 64 << 10;

    static PfOptions of(LayerSpec spec) {
        return of(spec, (int) spec.number(PfOption.GLOBAL));
    }

    /**
     * The same with another number of the cache, if it is a shared one.
     *
     * @param global any number, even one that no rule can have
     */
    static PfOptions of(LayerSpec spec, int global) {
        long page = roundUp(spec.number(PfOption.PAGE_SIZE), PAGE_STEP);
        return new PfOptions(
                spec.isOn(PfOption.PFFW),
                spec.isOn(PfOption.RELEASE),
                spec.isOn(PfOption.GLOBAL) ? global : PRIVATE,
                spec.isOn(PfOption.ASYNCHRONOUS),
                ByteUnit.of(spec.text(PfOption.UNIT)),
                spec.number(PfOption.CACHE_SIZE),
                0,
                (int) Math.min(page, PAGE_BYTES_MAX),
                Distance.of(spec.number(PfOption.PREFETCH), spec.secondNumber(PfOption.PREFETCH)),
                (int) spec.number(PfOption.STRIDE),
                spec.isOn(PfOption.RETAIN),
                spec.isOn(PfOption.LISTIO),
                spec.isOn(PfOption.TAG) ? spec.text(PfOption.TAG) : "",
                spec.isOn(PfOption.SCRATCH),
                spec.number(PfOption.PASSTHRU),
                spec.secondNumber(PfOption.PASSTHRU),
                spec.isOn(PfOption.BEHIND),
                0,
                "lru".equals(spec.text(PfOption.REPLACE)),
                spec.number(PfOption.DISCOVERED_DIRECT),
                (int) spec.number(PfOption.STREAMS));
    }

    /**
     * The options of the cache that {@code pf/auto} takes for an open that is in use: {@code
     * cache=1m/page=64k/pref=1/synchronous/through}, measured to be best for small requests. The
     * cache grows where pages are read again, see {@link PageGrowth}. The options that name the
     * report are those of the rule.
     */
    static PfOptions onTheWay(LayerSpec spec) {
        return automatic(
                spec,
                false,
                AUTO_CACHE_BYTES,
                AUTO_CACHE_MOST_BYTES,
                AUTO_PAGE_BYTES,
                Distance.of(1, 1),
                0);
    }

    /**
     * The options of the cache that {@code pf/auto} reads a file past the kernel's cache into:
     * {@code cache=.../page=.../asynchronous/through}, with an automatic distance. The file is far
     * larger than the pages, and may be read over and over.
     */
    static PfOptions pastKernel(LayerSpec spec, long cacheBytes, int pageBytes, long fileBytes) {
        return automatic(spec, true, cacheBytes, 0, pageBytes, Distance.of(0, 0), fileBytes);
    }

    private static PfOptions automatic(
            LayerSpec spec,
            boolean asynchronous,
            long cacheBytes,
            long cacheMostBytes,
            int pageBytes,
            Distance distance,
            long loopBytes) {
        PfOptions asked = of(spec);
        return new PfOptions(
                false,
                true,
                PRIVATE,
                asynchronous,
                asked.unit,
                cacheBytes,
                cacheMostBytes,
                pageBytes,
                distance,
                1,
                false,
                false,
                asked.tag,
                false,
                0,
                0,
                false,
                loopBytes,
                false,
                0,
                asked.streams);
    }

    /** True if this open keeps no write in pages. */
    boolean isThrough(OpenRequest request) {
        return !behind
                || request.blindPages()
                || (request.oflags() & (OpenFlags.APPEND | OpenFlags.DSYNC)) != 0;
    }

    /** True if some bytes of a page may go past it: then no sector is written that is not dirty. */
    boolean isExact() {
        return pastBytes > 0 || uncachedTo > uncachedFrom;
    }

    /** Number of frames of the cache; at least one. */
    int frames() {
        return frames(cacheBytes);
    }

    /** Number of frames that the cache may grow to. */
    int framesMost() {
        return frames(Math.max(cacheBytes, cacheMostBytes));
    }

    private int frames(long bytes) {
        return (int) Math.max(1, Math.min(Integer.MAX_VALUE / 4, bytes / pageBytes));
    }

    static long roundUp(long bytes, long step) {
        return (bytes + step - 1) / step * step;
    }
}
