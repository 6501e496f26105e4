package io.mio.pf;

import io.mio.layer.FileKey;
import io.mio.layer.FrameMemory;
import io.mio.layer.Layer.IoCall;
import io.mio.layer.PageWatch;
import io.mio.layer.PlatformObjects;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * One file of this process and its pages, shared by all its opens. It has pages while an open with
 * a cache has it open. Its size is the logical one, with writes that are not yet with the kernel.
 */
public final class CachedFile {
    private static final AtomicLong NUMBERS = new AtomicLong();

    /** The most times in a row that the size is asked for, where others change it all the time. */
    private static final int ROUNDS = 8;

    private final FileKey key;
    private final FileGate gate = new FileGate();
    private final long number = NUMBERS.incrementAndGet();

    /** The name by which it was opened when it got pages, for events. */
    volatile String path = "";

    /** Opens of any kind; changed by {@link CachedFiles} alone. */
    int opens;

    /** Is told of the file's pages while an open with a cache has it open, or null. */
    private volatile PageWatch watch;

    /** Opens with a cache; guarded by this object's monitor, as are their beginning and end. */
    private int cachingOpens;

    private volatile PageCache cache;
    private final RetainedPages retained = new RetainedPages(this);
    private int sectorBytes;
    private int pageBytes;
    private PfCounters counters = PfCounters.unseen();
    private PlanCounts planCounts = new PlanCounts();
    private final Beside beside = new Beside(this);
    private final PageUse use = new PageUse(beside);
    private final Reservation reservation = new Reservation();

    // From here on guarded by the lock of the cache; volatile fields may be read without it.

    /** The opens with a cache. */
    private final Set<PfLayer> layers = new LinkedHashSet<>();

    StreamTable reads;
    StreamTable writes;

    /** The plan by the reads of an earlier run, and how far this run has come in it; or null. */
    PlanRun plan;

    private volatile long size;

    /** Goes up with every change of bytes or size. */
    private volatile long version;

    private final FilePages pages = new FilePages(this);
    private final WriteErrors errors = new WriteErrors();

    /** An open lets writes of other bytes go on beside its own ({@code mio/cio}). */
    private volatile boolean writesMeet;

    CachedFile(FileKey key) {
        this.key = key;
    }

    /** The key that the file is known by, or null. */
    public FileKey key() {
        return key;
    }

    /** The lock that requests of the program take, see {@link #isGated}. */
    public FileGate gate() {
        return gate;
    }

    /** True if requests have to take the gate: the file has pages. */
    public boolean isGated() {
        return isCached();
    }

    /** True while an open with a cache has it open: its bytes may differ from the kernel's. */
    public boolean isCached() {
        return cache != null;
    }

    /** Logical size, bytes; means something only while {@link #isCached}. */
    public long sizeBytes() {
        return size;
    }

    /**
     * Brings the kernel up to date: all that was written so far is with the kernel when this
     * returns. To be called before anything that shows the file to others: before its attributes
     * are read or set, and before it is renamed, linked or copied.
     *
     * @throws IOException if a page cannot be written; the file keeps it
     */
    public void publish() throws IOException {
        WriteOut.all(this);
    }

    /**
     * Runs, alone, an open that cuts the file to nothing. No page request is on its way meanwhile,
     * and if the open succeeds all pages are forgotten.
     *
     * @param isThis tells whether what was opened is this file; if not, all pages stay
     */
    public <T> T truncating(IoCall<T> open, Predicate<T> isThis) throws IOException {
        long stamp = gate.alone();
        try {
            return Bypassed.cutting(this, 0, open, isThis);
        } finally {
            gate.leave(stamp);
        }
    }

    /** An open has cut the file to nothing without the gate: there were no pages when it began. */
    void wasCut() {
        long stamp = gate.alone();
        try {
            Bypassed.wasCut(this);
        } finally {
            gate.leave(stamp);
        }
    }

    // ---- coming and going of opens with a cache

    /**
     * An open with a cache begins.
     *
     * @param newSize the size that the kernel tells
     * @param stamp of the last change, as {@link io.mio.layer.OpenRequest.Place#changeStamp} tells
     * @return true if it is the first such open, and the file has just got pages
     */
    synchronized boolean begin(
            PfOptions options, int sector, long newSize, long stamp, FrameMemory memory) {
        if (cachingOpens++ > 0) {
            return false;
        }
        PageCache entered = null;
        try {
            entered = PageCaches.enter(options, memory);
            beginIn(entered, options, sector, newSize, stamp);
        } catch (RuntimeException | Error e) {
            // For example for lack of memory.
            cachingOpens--;
            counters.detach();
            if (entered != null) {
                PageCaches.leave(entered, true);
            }
            throw e;
        }
        cache = entered;
        // Asked only now: whoever lets all files write through from here on finds the pages.
        if (CachedFiles.isThrough()) {
            use.goThrough();
        }
        CachedFiles.cached(1);
        return true;
    }

    private void beginIn(
            PageCache entered, PfOptions options, int sector, long newSize, long stamp) {
        counters = PfCounters.ofFile();
        planCounts = new PlanCounts();
        int newSector = Math.min(sector, entered.pageBytes());
        retained.takeBack(entered, stamp, newSize, newSector);
        sectorBytes = newSector;
        pageBytes = entered.pageBytes();
        reads = streams(options);
        writes = streams(options);
        reservation.begin(newSector);
        size = newSize;
        use.begin(key);
    }

    private StreamTable streams(PfOptions options) {
        return new StreamTable(
                options.streams(), pageBytes, options.strideInPages(), options.distance());
    }

    /**
     * An open with a cache ends; what is dirty was written, or cannot be.
     *
     * @param retainStamp stamp of the last change if the pages are to stay, else -1
     * @return null; or, if this was the last one, the cache, which has no dirty page of the file
     */
    synchronized PageCache end(long retainStamp) {
        if (--cachingOpens > 0) {
            return null;
        }
        PageCache old = cache;
        old.lock.lock();
        try {
            pages.awaitRequests(old);
            boolean mayStay = !pages.isDirty() && old.number() != PfOptions.PRIVATE;
            if (retainStamp >= 0 && mayStay && pages.count() > 0) {
                retained.stay(old, retainStamp);
            } else {
                Invalidation.dropAll(this, old);
            }
            old.sharers.left(reads);
            old.sharers.left(writes);
            old.counters.addProgram(counters);
            counters.detach();
            if (plan != null) {
                planCounts.end();
                plan.end();
                plan = null;
            }
        } finally {
            old.lock.unlock();
        }
        cache = null;
        watch = null;
        reservation.end();
        CachedFiles.cached(-1);
        return old;
    }

    /** True if only one open with a cache has the file open. The gate is held alone. */
    synchronized boolean isLast() {
        return cachingOpens == 1;
    }

    synchronized boolean isRetained() {
        return retained.in() != null;
    }

    /** Forgets pages that stayed: the file is changed while no open has a cache. */
    void forgetRetained() {
        PageCache old = retained.in();
        if (old != null) {
            forgetRetained(old);
        }
    }

    /** Forgets pages that stayed in {@code given}, as that cache is given up. */
    synchronized void forgetRetained(PageCache given) {
        retained.forget(given);
    }

    // ---- descriptors without layers

    Beside beside() {
        return beside;
    }

    /** An open with layers begins; {@code opened} is what the platform has opened for it. */
    public void layered(PlatformObjects opened) {
        beside.layered(opened);
    }

    /**
     * An open has got its layers, and none with a cache.
     *
     * @param size asks for the size that the kernel has
     */
    public void attached(IoCall<Long> size) {
        if (isCached()) {
            long stamp = gate.alone();
            try {
                if (isCached()) {
                    beside.joined(false, size);
                }
            } finally {
                gate.leave(stamp);
            }
        }
    }

    /** The platform opened the file, and that open has no layers. */
    void openedBeside() {
        long stamp = gate.alone();
        try {
            if (isCached()) {
                beside.came();
            }
        } finally {
            gate.leave(stamp);
        }
    }

    /** An open with layers ends; its descriptors close when the gate, held alone, is left. */
    public void ended(PlatformObjects opened) {
        beside.ended(opened);
        use.ended();
    }

    /** What the pages may be used for. */
    PageUse use() {
        return use;
    }

    PageCache cache() {
        return cache;
    }

    /** Number of the file; files are numbered in the order in which they were first opened. */
    long number() {
        return number;
    }

    int pageBytes() {
        return pageBytes;
    }

    int sectorBytes() {
        return sectorBytes;
    }

    Set<PfLayer> layers() {
        return layers;
    }

    /** The name of an open with a cache, for messages. */
    String name() {
        PageCache there = cache();
        if (there != null) {
            there.lock.lock();
            try {
                for (PfLayer layer : layers) {
                    return layer.path();
                }
            } finally {
                there.lock.unlock();
            }
        }
        return "a file";
    }

    PfCounters counters() {
        return counters;
    }

    /** How its reads go by a plan. */
    PlanCounts planCounts() {
        return planCounts;
    }

    /** The ranges that space was set aside for. */
    Reservation reservation() {
        return reservation;
    }

    /** Errors of writes that the program does not wait for. */
    WriteErrors errors() {
        return errors;
    }

    /** The file's pages: how many there are, what is dirty, and which requests are on their way. */
    FilePages pages() {
        return pages;
    }

    // ---- size and content

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock of the cache
    void sized(long newSize) {
        size = newSize;
        version++;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock of the cache
    void changed() {
        version++;
    }

    /** Bytes of some sectors of a page, as far as they lie before the end of the file. */
    int bytes(Page page, int fromSector, int toSector) {
        long to = Math.min((long) toSector * sectorBytes, Math.max(0, size - page.start));
        return (int) Math.max(0, to - (long) fromSector * sectorBytes);
    }

    /** Sectors of a page up to the end of the file. */
    int sectors(long pageStart) {
        long bytes = Math.min(pageBytes, Math.max(0, size - pageStart));
        return (int) ((bytes + sectorBytes - 1) / sectorBytes);
    }

    /** Asks for the size, which others may have changed, unless pages are dirty. Without lock. */
    long refresh(IoCall<Long> ask) throws IOException {
        PageCache current = cache;
        long before = version;
        if (current == null || pages.isDirty()) {
            return size;
        }
        long now = ask.call();
        if (now != size) {
            current.lock.lock();
            try {
                if (!pages.isDirty() && version == before && !pages.isFrozen()) {
                    Invalidation.resized(this, current, now);
                }
            } finally {
                current.lock.unlock();
            }
        }
        return size;
    }

    /** Like {@link #refresh} for a caller that knows of a change: no older answer may stay. */
    void refreshSurely(IoCall<Long> ask) throws IOException {
        long before;
        int rounds = ROUNDS;
        do {
            before = version;
            refresh(ask);
        } while (--rounds > 0 && version != before && cache != null && !pages.isDirty());
    }

    /** From now on a part of a page may be written past it while the page is written, too. */
    public void writesMeet() {
        writesMeet = true;
    }

    /** True if no clean sector may be written, because others may write it at the same time. */
    boolean isExact() {
        return writesMeet;
    }

    /** Is told of the file's pages, or null. */
    PageWatch watch() {
        return watch;
    }

    /** Has {@code newWatch} told of the pages, unless there is a watch already. */
    synchronized void watch(PageWatch newWatch) {
        if (watch == null && cache != null) {
            watch = newWatch;
        }
    }

    /** A page could not be written; from now on writes go to the kernel at once. */
    void failed(Throwable error) {
        errors.add(error);
        use.goThrough();
    }
}
