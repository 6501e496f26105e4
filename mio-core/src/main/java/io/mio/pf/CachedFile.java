package io.mio.pf;

import io.mio.counters.CounterLayout;
import io.mio.events.PageOperation;
import io.mio.layer.FileKey;
import io.mio.layer.FrameMemory;
import io.mio.layer.Layer;
import io.mio.layer.Layer.IoCall;
import io.mio.layer.PageWatch;
import io.mio.layer.PlatformObjects;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One file of this process and its pages, shared by all its opens. Has pages while an open with a
 * cache has it open. Its size is the logical one: with what is written and not yet with the kernel.
 */
public final class CachedFile {
    private static final AtomicLong NUMBERS = new AtomicLong();

    private final FileKey key;
    private final FileGate gate = new FileGate();
    private final long number = NUMBERS.incrementAndGet();

    /** Name it was opened by when it got pages, for events. */
    volatile String path = "";

    /** Opens of any kind; changed by {@link CachedFiles} alone. */
    int opens;

    /** Is told of its pages while an open with a cache has it open, or null. */
    private volatile PageWatch watch;

    /** Opens with a cache; guarded by this object's monitor, as is the coming and going. */
    private int cachingOpens;

    /** Guards what space was set aside for: bytes from and to. */
    final Object reservation = new Object();

    private long reservedFrom;
    private long reservedTo;
    private volatile PageCache cache;

    /** Where its pages stay after the last open is done (option {@code retain}), or null. */
    private volatile PageCache retainedIn;

    private long retainedStamp;
    private int sectorBytes;
    private int pageBytes;
    private PfCounters counters = PfCounters.unseen();
    private final Beside beside = new Beside(this);

    // Guarded by the lock of the cache from here on; what is volatile may be read without.

    /** The opens that cache it. */
    private final Set<PfLayer> layers = new LinkedHashSet<>();

    StreamTable reads;
    StreamTable writes;

    /** What an earlier run read, or null. */
    PlanRun plan;

    private volatile long size;

    /** Goes up with every change of bytes or size. */
    private volatile long version;

    private volatile int dirtyPages;
    private int onTheirWay;
    private int pages;
    private boolean frozen;

    /** All requests go past the pages: the file is mapped for writing. */
    private volatile boolean past;

    /** Writes go down at once: it is mapped, a write failed, or space cannot be set aside. */
    private volatile boolean through;

    private volatile long errors;
    private Throwable lastError;

    CachedFile(FileKey key) {
        this.key = key;
    }

    /** What it is known by, or null. */
    public FileKey key() {
        return key;
    }

    /** The lock that requests of the program take, see {@link #isGated}. */
    public FileGate gate() {
        return gate;
    }

    /** True if requests take the gate: the file has pages. */
    public boolean isGated() {
        return isCached();
    }

    /** True while an open with a cache has it open: its bytes may differ from the kernel's. */
    public boolean isCached() {
        return cache != null;
    }

    /** Logical size, bytes; only while {@link #isCached}. */
    public long sizeBytes() {
        return size;
    }

    /**
     * Brings the file up to date: everything written so far is with the kernel when this returns.
     * To be called before anything that shows the file to others: attributes are read or set, it is
     * renamed, linked, copied.
     *
     * @throws IOException if a page cannot be written; the file keeps it
     */
    public void publish() throws IOException {
        WriteOut.all(this);
    }

    /**
     * Runs an open that cuts the file to nothing, alone: no page request is on its way meanwhile,
     * and if it succeeds all pages are forgotten.
     */
    public <T> T truncating(IoCall<T> open) throws IOException {
        long stamp = gate.alone();
        try {
            return cutting(0, open);
        } finally {
            gate.leave(stamp);
        }
    }

    /**
     * Cuts the file; the gate is held alone.
     *
     * @param below the layer whose file it is
     */
    void truncate(long newSize, Layer below) throws IOException {
        if (below.size() < newSize) {
            // A hole up to the new end exists in pages only, by what is dirty behind it.
            WriteOut.all(this);
        }
        cutting(
                newSize,
                () -> {
                    below.truncate(newSize);
                    return null;
                });
    }

    /** Runs a call that cuts the file to {@code newSize}; the gate is held alone. */
    private <T> T cutting(long newSize, IoCall<T> call) throws IOException {
        PageCache pages = cache;
        if (pages == null) {
            return call.call();
        }
        freeze(pages);
        try {
            T result = call.call();
            pages.lock.lock();
            try {
                Invalidation.cut(this, pages, newSize);
            } finally {
                pages.lock.unlock();
            }
            return result;
        } finally {
            thaw(pages);
        }
    }

    private void freeze(PageCache pages) {
        pages.lock.lock();
        try {
            while (frozen) {
                pages.changed.awaitUninterruptibly();
            }
            frozen = true;
            while (onTheirWay > 0) {
                pages.changed.awaitUninterruptibly();
            }
        } finally {
            pages.lock.unlock();
        }
    }

    private void thaw(PageCache pages) {
        pages.lock.lock();
        try {
            frozen = false;
            pages.changed.signalAll();
        } finally {
            pages.lock.unlock();
        }
    }

    // ---- coming and going of opens with a cache

    /**
     * An open with a cache begins.
     *
     * @param newSize the size the kernel tells
     * @param stamp of the last change, as {@link io.mio.layer.OpenRequest.Place#changeStamp} tells
     * @return true if it is the first one, and the file has just got pages
     */
    synchronized boolean begin(
            PfOptions options, int sector, long newSize, long stamp, FrameMemory memory) {
        if (cachingOpens++ > 0) {
            return false;
        }
        PageCache pages;
        try {
            pages = PageCaches.enter(options, memory);
        } catch (OutOfMemoryError e) {
            cachingOpens--;
            throw e;
        }
        counters = PfCounters.ofFile();
        int newSector = Math.min(sector, pages.pageBytes());
        takeBack(pages, stamp, newSize, newSector);
        sectorBytes = newSector;
        pageBytes = pages.pageBytes();
        reads = streams(options);
        writes = streams(options);
        reserved(0, 0);
        size = newSize;
        past = CachedFiles.isMapped(key);
        through = past || CachedFiles.isExiting();
        lastError = null;
        cache = pages;
        CachedFiles.cached(1);
        return true;
    }

    private StreamTable streams(PfOptions options) {
        return new StreamTable(
                options.streams(),
                pageBytes,
                options.strideInPages(),
                options.distance(),
                StreamTable.LATELY);
    }

    /**
     * An open with a cache is done; what is dirty was written, or cannot be.
     *
     * @param retainStamp stamp of the last change if the pages are to stay, else -1
     * @return null, or if this was the last one, the cache, which has no dirty page of the file
     */
    synchronized PageCache end(long retainStamp) {
        if (--cachingOpens > 0) {
            return null;
        }
        PageCache pages = cache;
        pages.lock.lock();
        try {
            while (onTheirWay > 0) {
                pages.changed.awaitUninterruptibly();
            }
            if (retainStamp >= 0 && dirtyPages == 0 && pages.number() != PfOptions.PRIVATE) {
                retainedIn = pages;
                retainedStamp = retainStamp;
            } else {
                Invalidation.dropAll(this, pages);
            }
            pages.counters.addProgram(counters);
            counters.detach();
            if (plan != null) {
                plan.end();
                plan = null;
            }
        } finally {
            pages.lock.unlock();
        }
        cache = null;
        watch = null;
        CachedFiles.cached(-1);
        return pages;
    }

    /**
     * Pages that stayed are good if nobody has changed the file since, it is the same cache, and
     * what they know of their sectors is told in the same sectors.
     */
    private void takeBack(PageCache pages, long stamp, long newSize, int sector) {
        PageCache old = retainedIn;
        if (old == null) {
            return;
        }
        boolean sameSectors = sector == sectorBytes;
        old.lock.lock();
        try {
            if (old == pages && stamp == retainedStamp && newSize == size && sameSectors) {
                for (Page page : old.pages(this, 0, Long.MAX_VALUE)) {
                    page.left = true;
                    counters.add(CounterLayout.RETAINED, 1);
                    pages.counters.add(CounterLayout.RETAINED, 1);
                }
            } else {
                Invalidation.dropAll(this, old);
            }
        } finally {
            old.lock.unlock();
        }
        retainedIn = null;
    }

    synchronized boolean isRetained() {
        return retainedIn != null;
    }

    /** Somebody changes the file while it has no open with a cache. */
    void forgetRetained() {
        PageCache old = retainedIn;
        if (old != null) {
            forgetRetained(old);
        }
    }

    /** The cache is given up, if it is where the pages stay. */
    synchronized void forgetRetained(PageCache given) {
        if (retainedIn == given) {
            given.lock.lock();
            try {
                Invalidation.dropAll(this, given);
            } finally {
                given.lock.unlock();
            }
            retainedIn = null;
        }
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
     * It has got its layers, and none with a cache.
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

    /** The platform opened it, and that open has no layers. */
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

    /** It ends, and its descriptors are closed when the gate is left, which is held alone. */
    public void ended(PlatformObjects opened) {
        beside.ended(opened);
    }

    PageCache cache() {
        return cache;
    }

    /** Numbers files in the order they were first opened. */
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

    PfCounters counters() {
        return counters;
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

    /** Bytes of some sectors of a page that lie before the end of the file. */
    int bytes(Page page, int fromSector, int toSector) {
        long to = Math.min((long) toSector * sectorBytes, Math.max(0, size - page.start));
        return (int) Math.max(0, to - (long) fromSector * sectorBytes);
    }

    /** Sectors of a page up to the end of the file. */
    int sectors(long pageStart) {
        long bytes = Math.min(pageBytes, Math.max(0, size - pageStart));
        return (int) ((bytes + sectorBytes - 1) / sectorBytes);
    }

    /** Asks what others made of the size, if nothing of it is in pages; without the lock. */
    long refresh(IoCall<Long> ask) throws IOException {
        PageCache pages = cache;
        long before = version;
        if (pages == null || dirtyPages > 0) {
            return size;
        }
        long now = ask.call();
        if (now != size) {
            pages.lock.lock();
            try {
                if (dirtyPages == 0 && version == before && !frozen) {
                    Invalidation.resized(this, pages, now);
                }
            } finally {
                pages.lock.unlock();
            }
        }
        return size;
    }

    boolean isReserved(long from, long to) {
        synchronized (reservation) {
            return from >= reservedFrom && to <= reservedTo;
        }
    }

    /** Space was set aside for these bytes. */
    void reserved(long from, long to) {
        synchronized (reservation) {
            boolean follows = from >= reservedFrom && from <= reservedTo && to > 0;
            reservedTo = follows ? Math.max(reservedTo, to) : to;
            reservedFrom = follows ? reservedFrom : from;
        }
    }

    /** The file was cut: what lay behind its new end is free again. */
    void reservedUpTo(long size) {
        synchronized (reservation) {
            reservedTo = Math.min(reservedTo, size);
        }
    }

    /** Pages it has in its cache. */
    int pages() {
        return pages;
    }

    void pageCame() {
        pages++;
        show();
    }

    void pageLeft() {
        pages--;
        show();
    }

    /** What others see of its pages. */
    void show() {
        counters.set(CounterLayout.RESIDENT, pages);
        counters.set(CounterLayout.DIRTY, dirtyPages);
        counters.set(CounterLayout.PF_SIZE, size);
    }

    /** The same, of its requests, and of what seldom changes without one. */
    private void showRequests() {
        counters.set(CounterLayout.IN_FLIGHT, onTheirWay);
        counters.set(CounterLayout.DISTANCE, reads.distanceMax());
        counters.set(CounterLayout.STREAMS, reads.recognised());
        counters.set(CounterLayout.GATE_WAITS, gate.waits());
        counters.set(CounterLayout.GATE_WAIT_NANOS, gate.waitNanos());
        show();
    }

    boolean isDirty() {
        return dirtyPages > 0;
    }

    /** Bytes of the pages that have something not yet with the kernel. */
    long dirtyBytes() {
        return (long) dirtyPages * pageBytes;
    }

    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock of the cache
    void dirtied(int pages) {
        dirtyPages += pages;
        version++;
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

    boolean isFrozen() {
        return frozen;
    }

    boolean isPast() {
        return past || beside.isPast();
    }

    boolean isThrough() {
        return through || beside.isThrough();
    }

    void goThrough() {
        through = true;
    }

    /** From now on nothing is kept: whoever has the mapping changes the file without telling. */
    void goPast() {
        through = true;
        past = true;
    }

    /** Who is told of its pages, or null. */
    PageWatch watch() {
        return watch;
    }

    /** Has somebody told, unless somebody is already. */
    synchronized void watch(PageWatch newWatch) {
        if (watch == null && cache != null) {
            watch = newWatch;
        }
    }

    /** A page read ahead gave way before it was used. */
    void unused(Page page) {
        page.tell(PageOperation.PREFETCH_UNUSED);
        counters.add(CounterLayout.UNUSED, 1);
        page.cache().counters.add(CounterLayout.UNUSED, 1);
        if (page.stream != null) {
            reads.unused(page.stream);
        }
    }

    // ---- errors of writes that the program does not wait for

    /** A page could not be written. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // under the lock of the cache
    void failed(Throwable error) {
        lastError = error;
        errors++;
        through = true;
    }

    /** Goes up with every failed write of a page. */
    long errors() {
        return errors;
    }

    /** What the program is told of the last one. */
    IOException failure(String what) {
        Throwable error = lastError;
        String reason = error == null || error.getMessage() == null ? "" : error.getMessage();
        return new IOException(what.isEmpty() ? reason : what + ": " + reason, error);
    }
}
