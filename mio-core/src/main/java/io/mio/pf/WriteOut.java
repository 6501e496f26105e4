package io.mio.pf;

import io.mio.counters.CounterLayout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Brings dirty sectors to the next layer: behind the program's back, at once, or all of a file.
 * While a write is on its way nobody changes the page, so that checksums and mirrors below see one
 * and the same content.
 */
final class WriteOut {
    /** Pages looked at when one has to give way that is dirty. */
    private static final int LEAVING_MAX = 32;

    private WriteOut() {}

    /**
     * Registers the writes of a page: one request if everything between the first and the last
     * dirty sector is valid, and nobody writes what lies between past the page, else one for each
     * run. Under the lock of the cache; empty if the page is clean, being written, or being
     * changed.
     */
    private static List<PageIo> take(Page page, boolean asynchronous) {
        List<PageIo> taken = new ArrayList<>(1);
        if (page.writer == null || page.writers > 0 || page.writeOnItsWay() != null) {
            return taken;
        }
        CachedFile file = page.file;
        int from = page.dirty.nextSetBit(0);
        boolean solid =
                from >= 0
                        && !page.writer.isExact()
                        && page.valid.nextClearBit(from) >= page.dirty.length();
        while (from >= 0) {
            int to = solid ? page.dirty.length() : page.dirty.nextClearBit(from);
            page.dirty.clear(from, to);
            int bytes = file.bytes(page, from, to);
            if (bytes > 0) {
                taken.add(new PageIo(page, page.writer, true, asynchronous, from, to, bytes));
            }
            from = page.dirty.nextSetBit(to);
        }
        page.cache().dirtyPages.cleaned(page);
        return taken;
    }

    /** Writes a page in the caller's thread; gives the lock up meanwhile. */
    static void now(Page page) {
        PageCache cache = page.cache();
        List<PageIo> writes = take(page, false);
        cache.lock.unlock();
        try {
            for (PageIo write : writes) {
                write.perform();
            }
        } finally {
            cache.lock.lock();
        }
    }

    /**
     * Writes a page that has to give way in the caller's thread, and those that will have to soon
     * beside it, behind: the other way round each would be waited for alone. Gives the lock up
     * meanwhile.
     */
    static void leaving(Page page) {
        PageCache cache = page.cache();
        List<PageIo> behind = new ArrayList<>();
        Page next = cache.nextToLeave(page);
        for (int i = 1; i < LEAVING_MAX && next != null; i++) {
            if (next.writer != null
                    && next.writer.isAsynchronous()
                    && next.ios == null
                    && !next.failed
                    && !next.file.pages().isFrozen()
                    && !next.isPinned()) {
                List<PageIo> taken = take(next, true);
                next.leaving = true;
                count(cache, next.file, taken, true);
                behind.addAll(taken);
            }
            next = cache.nextToLeave(next);
        }
        behind.addAll(take(page, false));
        cache.lock.unlock();
        try {
            start(behind);
        } finally {
            cache.lock.lock();
        }
    }

    /** Starts to write a page; gives the lock up meanwhile. */
    static void behind(Page page) {
        PageCache cache = page.cache();
        boolean asynchronous = page.writer.isAsynchronous();
        List<PageIo> writes = take(page, asynchronous);
        count(cache, page.file, writes, asynchronous);
        cache.lock.unlock();
        try {
            start(writes);
        } finally {
            cache.lock.lock();
        }
    }

    private static void count(
            PageCache cache, CachedFile file, List<PageIo> writes, boolean asynchronous) {
        if (asynchronous) {
            cache.counters.add(CounterLayout.WRITE_BEHINDS, writes.size());
            file.counters().add(CounterLayout.WRITE_BEHINDS, writes.size());
        }
    }

    /** Hands requests down; without the lock. */
    static void start(List<PageIo> requests) {
        for (PageIo io : requests) {
            if (io.asynchronous) {
                io.submit();
            } else {
                io.perform();
            }
        }
    }

    /**
     * Hands down those from number {@code first}; gives the lock up. Returns how many there are.
     */
    private static int startFrom(int first, List<PageIo> requests, PageCache cache) {
        if (first < requests.size()) {
            cache.lock.unlock();
            try {
                start(requests.subList(first, requests.size()));
            } finally {
                cache.lock.lock();
            }
        }
        return requests.size();
    }

    /**
     * Writes all that is dirty in a file when this is called, and waits until it is with the next
     * layer. The last page is written in the caller's thread while the others are on their way.
     *
     * @throws IOException if a page could not be written; it stays dirty
     */
    static void all(CachedFile file) throws IOException {
        PageCache cache = file.cache();
        if (cache == null || !file.pages().isDirty()) {
            return;
        }
        List<PageIo> waited = new ArrayList<>();
        List<PageIo> writes = new ArrayList<>();
        int handedDown = 0;
        cache.lock.lock();
        try {
            List<Page> dirty = new ArrayList<>();
            cache.dirtyPages.of(file).forEach(dirty::add);
            for (Page page : dirty) {
                while (page.file == file && (page.writers > 0 || file.pages().isFrozen())) {
                    // Who cuts the file waits for what is registered.
                    handedDown = startFrom(handedDown, writes, cache);
                    if (page.writers > 0 || file.pages().isFrozen()) {
                        cache.changed.awaitUninterruptibly();
                    }
                }
                if (page.file != file || page.writer == null) {
                    continue;
                }
                if (page.writeOnItsWay() != null) {
                    for (PageIo io = page.ios; io != null; io = io.next) {
                        if (io.write) {
                            waited.add(io);
                        }
                    }
                    continue;
                }
                boolean last = page == dirty.get(dirty.size() - 1);
                boolean asynchronous = !last && page.writer.isAsynchronous();
                List<PageIo> taken = take(page, asynchronous);
                count(cache, file, taken, asynchronous);
                writes.addAll(taken);
            }
        } finally {
            cache.lock.unlock();
        }
        start(writes.subList(handedDown, writes.size()));
        Throwable error = null;
        waited.addAll(writes);
        for (PageIo io : waited) {
            io.await();
            error = error == null ? io.error() : error;
        }
        if (error != null) {
            throw file.errors().failure("");
        }
    }
}
