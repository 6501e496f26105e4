package io.mio.pf;

import io.mio.counters.CounterLayout;
import io.mio.events.PageOperation;
import io.mio.layer.FrameMemory;
import io.mio.layer.FrameRange;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;

/**
 * A set of frames and the pages in them, of one file or of many. It owns the lock that guards all
 * pages, and hands out frames; when none is free, the replacement names a victim. The lock is never
 * held over I/O.
 */
final class PageCache {
    private static final AtomicInteger MADE = new AtomicInteger();

    final ShortLock lock = new ShortLock();

    /** A request ended, a writer left a page, a page was unpinned, a file thawed, frames came. */
    final Condition changed = lock.newCondition();

    final PfCounters counters;
    private final int number;
    private final int id = MADE.incrementAndGet();
    private final int pageBytes;
    private final Frames frames;
    private final int framesMost;
    private final PageTable table;
    private final Replacement replacement;
    private long moves;

    /** Pages in frames. */
    private int resident;

    /** A thread takes memory for more frames. */
    private boolean grows;

    final DirtyPages dirtyPages = new DirtyPages(this);

    /** The streams of its files, which share the frames. */
    final Sharers sharers = new Sharers();

    /** Files without an open whose pages stay here, those closed longest ago first. */
    final Set<CachedFile> retained = new LinkedHashSet<>();

    /** A thread waits for a page to be unpinned, or did until a moment ago. */
    private volatile boolean waitedFor;

    /** Number of opens that use it; guarded by {@link PageCaches}. */
    int opens;

    /**
     * Makes a cache.
     *
     * @throws OutOfMemoryError if there is no memory for its frames, or for what is kept of them
     */
    PageCache(PfOptions options, FrameMemory memory) {
        int count = options.frames();
        this.number = options.global();
        this.pageBytes = options.pageBytes();
        this.framesMost = options.framesMost();
        this.frames = new Frames(this, memory);
        this.table = new PageTable(framesMost);
        this.replacement =
                options.lru()
                        ? new LruReplacement()
                        : new AutoReplacement(
                                count,
                                new AutoReplacement.Sizes(
                                        framesMost, pageBytes, options.loopBytes() / pageBytes));
        // Taken after what is large on the heap; given back by hand, as nothing else knows of it.
        FrameRange taken = frames.take(count);
        try {
            frames.add(taken);
            this.counters =
                    number == PfOptions.PRIVATE
                            ? PfCounters.unseen()
                            : PfCounters.ofCache(number, count, pageBytes);
        } catch (RuntimeException | Error e) {
            frames.giveBack(taken);
            throw e;
        }
    }

    /**
     * Takes more frames if pages come back that have given way. Without the lock, which is not held
     * while memory is taken.
     *
     * @param requests of the program since the last call
     * @param pageReads that these requests took
     * @return number of frames now; 0: no more than before
     */
    int grow(PageGrowth growth, long requests, long pageReads) {
        int more = 0;
        lock.lock();
        try {
            // Another open of the file may be about to make it grow.
            if (!grows) {
                // The pages that are here, and those that gave way.
                int most = Math.min(replacement.remembered() + resident, framesMost);
                int now = frames.count();
                more = growth.wanted(requests, pageReads, replacement.cameBack(), now, most) - now;
                grows = more > 0;
            }
        } finally {
            lock.unlock();
        }
        return more > 0 ? growBy(more, growth) : 0;
    }

    private int growBy(int more, PageGrowth growth) {
        FrameRange taken = null;
        try {
            taken = frames.take(more);
        } catch (OutOfMemoryError e) {
            growth.over();
        }
        lock.lock();
        try {
            grows = false;
            if (taken == null) {
                return 0;
            }
            frames.add(taken);
            replacement.grew(frames.count());
            changed.signalAll();
            return frames.count();
        } finally {
            lock.unlock();
        }
    }

    int number() {
        return number;
    }

    /** Number of this cache: each cache of the process has another one. */
    int id() {
        return id;
    }

    int pageBytes() {
        return pageBytes;
    }

    int frameCount() {
        return frames.count();
    }

    /** The page of the file, or null. */
    Page find(CachedFile file, long index) {
        return table.find(file, index);
    }

    /** A page was used, see {@link Replacement#touched}. */
    void touched(Page page, boolean byProgram) {
        moves++;
        replacement.touched(page, byProgram);
    }

    /** A page was used, or will be soon, by a plan, see {@link Replacement#planned}. */
    void planned(Page page, boolean soon) {
        moves++;
        replacement.planned(page, soon);
    }

    /** How often a page came in, or became the last one to give way. */
    long moves() {
        return moves;
    }

    /** Number of pages that do not give way to those that come in, see {@link Replacement#kept}. */
    int kept() {
        return replacement.kept();
    }

    /**
     * The page of the file, pinned: the one that is there, or a fresh one in a frame that was free
     * or whose page gave way. Gives the lock up where it has to wait.
     *
     * @throws IOException if no page can give way, because none can be written
     */
    Page obtain(CachedFile file, long index) throws IOException {
        while (true) {
            Page page = table.find(file, index);
            if (page != null) {
                page.pin();
                return page;
            }
            page = take(file, index);
            if (page != null) {
                return page;
            }
            if (table.find(file, index) == null) {
                makeRoom();
            }
        }
    }

    /**
     * A frame for a page that is not there, pinned. Null if no frame can be had without waiting, or
     * the page came meanwhile. A dirty page that must give way is written first, in the caller's
     * thread; the lock is given up meanwhile.
     */
    Page take(CachedFile file, long index) {
        while (table.find(file, index) == null) {
            Page page = frames.pollFree();
            if (page == null) {
                page = victim();
                if (page == null) {
                    return null;
                }
                if (page.writer != null) {
                    page.tell(PageOperation.DIRTY_EVICT);
                    counters.add(CounterLayout.DIRTY_EVICTIONS, 1);
                    page.file.counters().add(CounterLayout.DIRTY_EVICTIONS, 1);
                    page.pin();
                    try {
                        WriteOut.leaving(page);
                    } finally {
                        page.unpin();
                    }
                    continue;
                }
                if (!page.evict()) {
                    continue;
                }
                page.tell(PageOperation.EVICT);
                counters.add(CounterLayout.EVICTIONS, 1);
                page.file.counters().add(CounterLayout.EVICTIONS, 1);
                forget(page);
            }
            page.become(file, index);
            file.pages().came(page);
            resident++;
            counters.add(CounterLayout.RESIDENT, 1);
            table.add(page);
            moves++;
            replacement.added(page);
            return page;
        }
        return null;
    }

    /**
     * The page that gives way: nobody uses it, and nothing is on its way. Null if there is none, or
     * if one is being written so that it can give way.
     */
    private Page victim() {
        for (Page page = replacement.first(); page != null; page = replacement.after(page)) {
            if (page.leaving && page.ios != null) {
                return null;
            }
            if (!page.isPinned()
                    && page.ios == null
                    && !page.failed
                    && !(page.writer != null && page.file.pages().isFrozen())) {
                return page;
            }
        }
        return null;
    }

    /** The page that should give way after this one; null if there is none in the same list. */
    Page nextToLeave(Page page) {
        Page next = replacement.after(page);
        return next != null && next.list == page.list ? next : null;
    }

    /** Waits until a frame may be had; the caller tries again. */
    @SuppressWarnings("WaitNotInLoop")
    private void makeRoom() throws IOException {
        Page failed = null;
        boolean hope = false;
        for (Page page = replacement.first(); page != null; page = replacement.after(page)) {
            if (page.ios != null) {
                await(page.ios);
                return;
            }
            failed = page.failed ? page : failed;
            hope |= !page.failed || page.isPinned();
        }
        if (failed != null && !hope && !failed.file.pages().isFrozen()) {
            // What prevented the write may be over, and nobody else may try for a long time.
            failed.pin();
            try {
                WriteOut.now(failed);
            } finally {
                failed.unpin();
            }
            if (failed.failed) {
                throw failed.file.errors().failure("no page can be written to make room");
            }
            return;
        }
        waitedFor = true;
        // A page that was unpinned between the look and the mark wakes nobody.
        if (victim() == null && !frames.hasFree()) {
            changed.awaitUninterruptibly();
        }
    }

    /**
     * Gives a clean page of a file up as soon as nobody uses it. Gives the lock up meanwhile;
     * another thread may take the frame then.
     */
    void dropSurely(CachedFile file, Page page) {
        while (page.file == file && !drop(page)) {
            waitedFor = true;
            if (page.isPinned()) {
                changed.awaitUninterruptibly();
            }
        }
    }

    boolean isWaitedFor() {
        return waitedFor;
    }

    /** Wakes threads that wait for a change. */
    void wake() {
        lock.lock();
        try {
            waitedFor = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a request; gives the lock up meanwhile. */
    void await(PageIo io) {
        lock.unlock();
        try {
            io.await();
        } finally {
            lock.lock();
        }
    }

    /** The same for a request of the program; counters show others that it waits. */
    void await(PageIo io, CachedFile file) {
        file.counters().add(CounterLayout.WAITING, 1);
        counters.add(CounterLayout.WAITING, 1);
        await(io);
        file.counters().add(CounterLayout.WAITING, -1);
        counters.add(CounterLayout.WAITING, -1);
    }

    /** Takes an evicted page out of the tables. */
    private void forget(Page page) {
        collect(page);
        page.file.pages().left(page);
        resident--;
        counters.add(CounterLayout.RESIDENT, -1);
        table.remove(page);
        replacement.removed(page);
        if (page.ahead) {
            page.file.pages().unused(page);
        }
        page.file = null;
    }

    /** Notes the ends of asynchronous requests that nobody had to wait for. */
    void collect(Page page) {
        PageIo io = page.done;
        page.done = null;
        while (io != null) {
            PageIo next = io.next;
            io.next = null;
            io.collect();
            io = next;
        }
    }

    /** Gives a page up whose bytes are not wanted any more; false if somebody uses it. */
    boolean drop(Page page) {
        if (page.ios != null || page.writer != null || !page.evict()) {
            return false;
        }
        page.tell(PageOperation.DROPPED);
        forget(page);
        frames.free(page);
        changed.signalAll();
        return true;
    }

    /** Gives the memory back; no page is in it any more. */
    void release() {
        counters.detach();
        frames.release();
    }
}
