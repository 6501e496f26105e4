package io.mio.pf;

import io.mio.layer.FrameMemory;
import io.mio.layer.FrameRange;
import java.util.ArrayList;
import java.util.List;

/**
 * The frames of a cache. The page object of a frame is made when the frame is first wanted, so
 * frames that are never used cost nothing. Guarded by the lock of the {@link PageCache}, except
 * {@link #count}.
 */
final class Frames {
    private final PageCache cache;
    private final FrameMemory memory;
    private final List<FrameRange> ranges = new ArrayList<>();
    private volatile int count;

    /** Number of frames whose page object is made: they are the first ones. */
    private int used;

    /** Pages that were given up, linked by {@link Page#chained}. */
    private Page free;

    Frames(PageCache cache, FrameMemory memory) {
        this.cache = cache;
        this.memory = memory;
    }

    /**
     * Takes memory for more frames, to be handed to {@link #add}, or given back. Without the lock.
     *
     * @throws OutOfMemoryError if there is not enough
     */
    FrameRange take(int more) {
        return memory.take(more, cache.pageBytes());
    }

    void add(FrameRange more) {
        ranges.add(more);
        int now = count + more.count();
        count = now;
    }

    void giveBack(FrameRange more) {
        memory.give(more);
    }

    int count() {
        return count;
    }

    boolean hasFree() {
        return free != null || used < count;
    }

    /** A page object that holds no page of a file, or null. */
    Page pollFree() {
        Page page = free;
        if (page == null) {
            return used < count ? fresh() : null;
        }
        free = page.chained;
        page.chained = null;
        return page;
    }

    private Page fresh() {
        int at = used;
        int range = 0;
        while (at >= ranges.get(range).count()) {
            at -= ranges.get(range).count();
            range++;
        }
        Page page = new Page(cache, used, ranges.get(range).frame(at));
        used++;
        return page;
    }

    /** Takes back a page object that was given up. */
    void free(Page page) {
        page.chained = free;
        free = page;
    }

    /** Gives all memory back; no page is in it any more. */
    void release() {
        ranges.forEach(memory::give);
    }
}
