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
    /** Pages that are looked at when a dirty page has to give way. */
    private static final int LEAVING_MAX = 32;

    private WriteOut() {}

    /**
     * Registers the writes of a page. It is one request if everything between the first and the
     * last dirty sector is valid, and nobody writes what lies between past the page; else one for
     * each run. Registers none if the page is clean, being written, or being changed. Under the
     * lock of the cache. If this fails, the caller takes back what is in {@code requests}.
     *
     * @param requests gets the writes
     */
    private static void take(Page page, boolean asynchronous, List<PageIo> requests) {
        if (page.writer == null || page.writers > 0 || page.writeOnItsWay() != null) {
            return;
        }
        CachedFile file = page.file;
        int from = page.dirty.nextSetBit(0);
        boolean solid =
                from >= 0
                        && !page.writer.isExact()
                        && !file.isExact()
                        && page.valid.nextClearBit(from) >= page.dirty.length();
        int before = requests.size();
        while (from >= 0) {
            int to = solid ? page.dirty.length() : page.dirty.nextClearBit(from);
            int bytes = file.bytes(page, from, to);
            if (bytes > 0) {
                // Room in the list first: else a request could be registered that nobody knows of.
                requests.add(null);
                requests.set(
                        requests.size() - 1,
                        new PageIo(page, page.writer, true, asynchronous, from, to, bytes));
            }
            page.dirty.clear(from, to);
            from = page.dirty.nextSetBit(to);
        }
        if (asynchronous) {
            count(page, requests.size() - before);
        }
        page.cache().dirtyPages.cleaned(page);
    }

    /** Writes a page in the caller's thread. Gives the lock up meanwhile. */
    static void now(Page page) {
        write(page, false);
    }

    /** Starts to write a page. Gives the lock up meanwhile. */
    static void behind(Page page) {
        write(page, page.writer.isAsynchronous());
    }

    private static void write(Page page, boolean asynchronous) {
        List<PageIo> writes = new ArrayList<>(1);
        try {
            take(page, asynchronous, writes);
            startFrom(0, writes, page.cache());
        } catch (RuntimeException | Error e) {
            PageIo.takeBack(writes, e);
            throw e;
        }
    }

    /**
     * Writes a page that has to give way in the caller's thread, and at the same time writes behind
     * the pages that will have to give way soon. Otherwise each of these would be waited for alone.
     * Gives the lock up meanwhile.
     */
    static void leaving(Page page) {
        PageCache cache = page.cache();
        List<PageIo> writes = new ArrayList<>();
        try {
            Page next = cache.nextToLeave(page);
            for (int i = 1; i < LEAVING_MAX && next != null; i++) {
                if (next.writer != null
                        && next.writer.isAsynchronous()
                        && next.ios == null
                        && !next.failed
                        && !next.file.pages().isFrozen()
                        && !next.isPinned()) {
                    take(next, true, writes);
                    next.leaving = true;
                }
                next = cache.nextToLeave(next);
            }
            take(page, false, writes);
            startFrom(0, writes, cache);
        } catch (RuntimeException | Error e) {
            PageIo.takeBack(writes, e);
            throw e;
        }
    }

    private static void count(Page page, int writes) {
        page.cache().counters.add(CounterLayout.WRITE_BEHINDS, writes);
        page.file.counters().add(CounterLayout.WRITE_BEHINDS, writes);
    }

    /** Hands requests down. Without the lock. */
    static void start(List<PageIo> requests) {
        start(0, requests);
    }

    private static void start(int first, List<PageIo> requests) {
        for (int i = first; i < requests.size(); i++) {
            PageIo io = requests.get(i);
            if (io.asynchronous) {
                io.submit();
            } else {
                io.perform();
            }
        }
    }

    /**
     * Hands requests down from number {@code first} on. Gives the lock up. Returns how many
     * requests there are.
     */
    private static int startFrom(int first, List<PageIo> requests, PageCache cache) {
        if (first < requests.size()) {
            cache.lock.unlock();
            try {
                start(first, requests);
            } finally {
                cache.lock.lock();
            }
        }
        return requests.size();
    }

    /**
     * True if a page can neither be taken now nor left to a thread that writes it: it is being
     * changed, its file is being cut, or one part of it is on its way and another is dirty, as
     * after a failure.
     */
    private static boolean mustWait(Page page) {
        return page.writers > 0
                || page.file.pages().isFrozen()
                || (!page.dirty.isEmpty() && page.writeOnItsWay() != null);
    }

    @SuppressWarnings("WaitNotInLoop") // the caller looks again
    private static void awaitChange(Page page, PageCache cache) {
        if (page.writers > 0 || page.file.pages().isFrozen()) {
            cache.changed.awaitUninterruptibly();
        } else if (mustWait(page)) {
            cache.await(page.writeOnItsWay());
        }
    }

    /**
     * Writes all that is dirty in a file when this is called, and waits until it is with the next
     * layer. The last page is written in the caller's thread while the others are on their way.
     *
     * @throws IOException if a page could not be written; it stays dirty
     */
    static void all(CachedFile file) throws IOException {
        all(file, false);
    }

    /** The same without pages that could not be written before: they stay as they are. */
    static void rest(CachedFile file) throws IOException {
        all(file, true);
    }

    private static void all(CachedFile file, boolean leavesFailed) throws IOException {
        PageCache cache = file.cache();
        if (cache == null || !file.pages().isDirty()) {
            return;
        }
        List<PageIo> waited = new ArrayList<>();
        List<PageIo> writes = new ArrayList<>();
        int handedDown = 0;
        cache.lock.lock();
        try {
            List<Page> dirty = file.pages().dirty();
            for (Page page : dirty) {
                while (page.file == file && mustWait(page)) {
                    // A thread that cuts the file waits for all requests that are registered.
                    handedDown = startFrom(handedDown, writes, cache);
                    awaitChange(page, cache);
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
                if (page.failed && leavesFailed) {
                    continue;
                }
                boolean last = page == dirty.get(dirty.size() - 1);
                boolean asynchronous = !last && page.writer.isAsynchronous();
                take(page, asynchronous, writes);
            }
        } catch (RuntimeException | Error e) {
            PageIo.takeBack(writes, e);
            throw e;
        } finally {
            cache.lock.unlock();
        }
        start(handedDown, writes);
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
