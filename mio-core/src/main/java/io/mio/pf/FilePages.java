package io.mio.pf;

import io.mio.counters.CounterLayout;
import io.mio.events.PageOperation;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The pages that a file has in its cache, how many of them are dirty, and its page requests that
 * are on their way. The counters of the file show these figures to others. Under the lock of the
 * cache, except where another rule is given.
 */
final class FilePages {
    private final CachedFile file;

    /** All pages, in the order in which they came. */
    private final PageList list = new PageList(PageList.FILE);

    /** Dirty pages, in the order in which they became dirty. */
    private final PageList dirtyList = new PageList(PageList.FILE_DIRTY);

    private volatile int dirty;
    private int onTheirWay;
    private boolean frozen;

    FilePages(CachedFile file) {
        this.file = file;
    }

    /** Number of pages in the cache. */
    int count() {
        return list.size();
    }

    /**
     * The pages from the one at {@code from} up to, without, {@code to}. They may be given up while
     * the result is read.
     */
    Iterable<Page> in(long from, long to) {
        ArrayDeque<Page> found = new ArrayDeque<>();
        for (Page page = list.first(); page != null; page = list.after(page)) {
            if (from - page.start < file.pageBytes() && page.start < to) {
                found.add(page);
            }
        }
        return found;
    }

    /** Bytes of the pages that were read ahead, or are being read ahead, and were not used yet. */
    long aheadBytes() {
        long ahead = 0;
        for (Page page = list.first(); page != null; page = list.after(page)) {
            ahead += page.ahead ? file.pageBytes() : 0;
        }
        return ahead;
    }

    void came(Page page) {
        list.addLast(page);
        show();
    }

    void left(Page page) {
        list.remove(page);
        show();
    }

    /** Counts a page that was read ahead and gave way before it was used. */
    void unused(Page page) {
        page.tell(PageOperation.PREFETCH_UNUSED);
        file.counters().add(CounterLayout.UNUSED, 1);
        page.cache().counters.add(CounterLayout.UNUSED, 1);
        if (page.stream != null) {
            file.reads.unused(page.stream);
        }
    }

    /** True if a page has something that is not yet with the kernel. Without the lock. */
    boolean isDirty() {
        return dirty > 0;
    }

    /** The dirty pages, oldest first. They may become clean while the result is read. */
    List<Page> dirty() {
        List<Page> found = new ArrayList<>(dirtyList.size());
        for (Page page = dirtyList.first(); page != null; page = dirtyList.after(page)) {
            found.add(page);
        }
        return found;
    }

    /** Bytes of the dirty pages. Without the lock. */
    long dirtyBytes() {
        return (long) dirty * file.pageBytes();
    }

    /** A page became dirty, see {@link DirtyPages}. */
    void dirtied(Page page) {
        dirtyList.addLast(page);
        dirtyChanged();
    }

    /** A page became clean. */
    void cleaned(Page page) {
        dirtyList.remove(page);
        dirtyChanged();
    }

    private void dirtyChanged() {
        dirty = dirtyList.size();
        file.changed();
        show();
    }

    void began(PageIo io) {
        onTheirWay++;
        showRequests();
        io.layer.onTheirWay++;
    }

    void ended(PageIo io) {
        onTheirWay--;
        showRequests();
        io.layer.onTheirWay--;
    }

    /** Waits until no page request is on its way. */
    void awaitRequests(PageCache cache) {
        while (onTheirWay > 0) {
            cache.changed.awaitUninterruptibly();
        }
    }

    /** True while the file is being cut: no dirty page is written meanwhile. */
    boolean isFrozen() {
        return frozen;
    }

    /** Begins a cut: no page request is on its way from here to {@link #thaw}. Without the lock. */
    void freeze(PageCache cache) {
        cache.lock.lock();
        try {
            while (frozen) {
                cache.changed.awaitUninterruptibly();
            }
            frozen = true;
            awaitRequests(cache);
        } finally {
            cache.lock.unlock();
        }
    }

    /** Ends a cut. Without the lock. */
    void thaw(PageCache cache) {
        cache.lock.lock();
        try {
            frozen = false;
            cache.changed.signalAll();
        } finally {
            cache.lock.unlock();
        }
    }

    /** Shows figures of the pages in the counters. */
    void show() {
        PfCounters counters = file.counters();
        counters.set(CounterLayout.RESIDENT, list.size());
        counters.set(CounterLayout.DIRTY, dirty);
        counters.set(CounterLayout.PF_SIZE, file.sizeBytes());
    }

    /** Shows figures of the requests, and those that seldom change without one. */
    private void showRequests() {
        PfCounters counters = file.counters();
        counters.set(CounterLayout.IN_FLIGHT, onTheirWay);
        counters.set(CounterLayout.DISTANCE, file.reads.distanceMax());
        counters.set(CounterLayout.STREAMS, file.reads.recognised());
        counters.set(CounterLayout.GATE_WAITS, file.gate().waits());
        counters.set(CounterLayout.GATE_WAIT_NANOS, file.gate().waitNanos());
        show();
    }
}
