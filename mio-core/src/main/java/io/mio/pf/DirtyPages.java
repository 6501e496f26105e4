package io.mio.pf;

import io.mio.counters.CounterLayout;

/**
 * The dirty pages of a cache: which ones, in which order, and how many there may be. Under the lock
 * of the cache. Twin of {@code pf_cache_dirty.c}.
 */
final class DirtyPages {
    private final PageCache cache;

    /** Pages with dirty sectors or a write on its way, oldest first. */
    private final PageList pages = new PageList(PageList.DIRTY);

    DirtyPages(PageCache cache) {
        this.cache = cache;
    }

    /** Sectors of a page became dirty, to be written through the open {@code writer}. */
    void dirtied(Page page, PfLayer writer) {
        if (page.writer == null) {
            pages.addLast(page);
            page.file.pages().dirtied(page);
            cache.counters.add(CounterLayout.DIRTY, 1);
        }
        page.writer = writer;
    }

    /** Takes a page out if it is clean by now. */
    void cleaned(Page page) {
        if (page.writer != null && page.dirty.isEmpty() && page.writeOnItsWay() == null) {
            page.writer = null;
            page.failed = false;
            pages.remove(page);
            page.file.pages().cleaned(page);
            cache.counters.add(CounterLayout.DIRTY, -1);
        }
    }

    /** True if half of the pages of the cache are dirty, or being written. */
    boolean isFull() {
        return pages.size() >= Math.max(1, cache.frameCount() / 2);
    }

    /**
     * Takes a step towards room for one more dirty page: writes the oldest one, asynchronously; or
     * waits for a page that is being written, is being changed, or is of a file that is being cut.
     * Gives the lock up where it has to wait.
     *
     * @return false if nothing can be done, because all dirty pages failed to be written
     */
    @SuppressWarnings("WaitNotInLoop") // the caller looks again
    boolean limit() {
        PageIo onItsWay = null;
        boolean busy = false;
        for (Page page = pages.first(); page != null; page = pages.after(page)) {
            PageIo write = page.writeOnItsWay();
            if (write != null) {
                onItsWay = onItsWay == null ? write : onItsWay;
            } else if (page.writers > 0 || page.file.pages().isFrozen()) {
                busy = true;
            } else if (!page.failed) {
                WriteOut.behind(page);
                return true;
            }
        }
        if (onItsWay != null) {
            cache.await(onItsWay);
        } else if (busy) {
            cache.changed.awaitUninterruptibly();
        }
        return onItsWay != null || busy;
    }
}
