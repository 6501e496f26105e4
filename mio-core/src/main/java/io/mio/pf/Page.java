package io.mio.pf;

import io.mio.events.PageOperation;
import io.mio.jfr.Flight;
import io.mio.jfr.PageKind;
import io.mio.layer.PageWatch;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One frame of memory and the page of a file that it holds.
 *
 * <p>Fields are guarded by the lock of the {@link PageCache}, except {@link #pins} and what a pin
 * keeps still: a pinned page stays the page that it is.
 */
final class Page {
    private static final int EVICTED = -1;
    private static final ByteBuffer NO_BYTES = ByteBuffer.allocateDirect(0);

    private final PageCache cache;

    /** Number of the frame, 0-based. */
    private final int number;

    /** All bytes of the frame; used with absolute places only. */
    final ByteBuffer frame;

    /**
     * Number of users that need the page to stay; {@link #EVICTED} while the frame holds no page.
     */
    private final AtomicInteger pins = new AtomicInteger(EVICTED);

    /**
     * Threads copying into the page. Meanwhile no write request takes the page, as its bytes would
     * change on their way. No read is registered either, as it could bring old bytes over the new
     * ones, whose sectors are valid only after the copy.
     */
    int writers;

    /** The file whose page it is; null while the frame holds no page. */
    CachedFile file;

    long index;

    /** Offset of the page's first byte in the file. */
    long start;

    /** Sectors whose bytes in the frame are right. */
    final SectorBits valid;

    /** Sectors that are not yet with the kernel; a subset of the valid ones. */
    final SectorBits dirty;

    /**
     * The valid stretch that begins with the first valid sector: start and end in bytes, packed.
     */
    private volatile long stretch;

    /**
     * Requests on their way, linked by {@link PageIo#next}. Reads are of sectors that are not
     * valid, and no sector is in two of them.
     */
    PageIo ios;

    /** Asynchronous requests that are done and whose end nobody has waited for yet. */
    PageIo done;

    /** The open through which dirty sectors are written; null if none is dirty or on its way. */
    PfLayer writer;

    /** The page was read or prepared ahead, and has not been used yet. */
    boolean ahead;

    /** The stream that the page was read ahead for, or null. */
    Stream stream;

    /** After the last request on this page the program made one elsewhere. */
    boolean left;

    /** The page was written because it is among those that give way next. */
    boolean leaving;

    /** The page could not be written; it stays until that works. */
    boolean failed;

    /** The page was prepared for writing without having been read. */
    boolean notPreread;

    /**
     * The next page in the hash chain of {@link PageTable}, or of the free ones in {@link Frames}.
     */
    Page chained;

    /** Neighbours in each {@link PageList} that holds the page, by kind of list. */
    final Page[] before = new Page[PageList.KINDS];

    final Page[] after = new Page[PageList.KINDS];

    /** The list of the replacement that holds the page. */
    PageList list;

    /** By a plan the page is not wanted soon: it gives way before all others. */
    boolean away;

    /** When the page was touched last, in pages added since the cache was made. */
    long touchedAt;

    /** A stand-in where there is no page: it has no bytes and belongs to no file. */
    static Page none(PageCache cache) {
        Page page = new Page(cache, -1, NO_BYTES);
        page.pins.set(0);
        return page;
    }

    Page(PageCache cache, int number, ByteBuffer frame) {
        this.cache = cache;
        this.number = number;
        this.frame = frame;
        int sectorsMost = frame.capacity() / PfOptions.SECTOR_BYTES_MIN;
        this.valid = new SectorBits(sectorsMost);
        this.dirty = new SectorBits(sectorsMost);
    }

    PageCache cache() {
        return cache;
    }

    /**
     * Tells the file's watch and the flight recorder that something happened to the page, which
     * still is its file's page.
     */
    void tell(PageOperation operation) {
        tell(operation, start, file.pageBytes());
        Object event = Flight.page();
        if (event != null) {
            PageKind kind =
                    switch (operation) {
                        case EVICT -> PageKind.EVICT;
                        case PREFETCH_UNUSED -> PageKind.PREFETCH_UNUSED;
                        default -> null;
                    };
            if (kind != null) {
                long bytes = (long) valid.cardinality() * file.sectorBytes();
                Flight.paged(event, kind, file.path, index, bytes);
            }
        }
    }

    /**
     * Tells the file's watch of a part of the page; {@code offset} and {@code bytes} are in the
     * file.
     */
    void tell(PageOperation operation, long offset, long bytes) {
        PageWatch watch = file.watch();
        if (watch != null) {
            watch.happened(operation, number, offset, bytes);
        }
    }

    /** The number of its frame, 0-based. */
    int number() {
        return number;
    }

    /** Pins the page, so that it is not evicted; false if it has been evicted. */
    boolean pin() {
        int count = pins.get();
        while (count >= 0) {
            if (pins.compareAndSet(count, count + 1)) {
                return true;
            }
            count = pins.get();
        }
        return false;
    }

    void unpin() {
        if (pins.decrementAndGet() == 0 && cache.isWaitedFor()) {
            cache.wake();
        }
    }

    boolean isPinned() {
        return pins.get() > 0;
    }

    /** Takes the page away from everybody; false if somebody has it pinned. */
    boolean evict() {
        return pins.compareAndSet(0, EVICTED);
    }

    /** Makes the frame hold a page of a file: pinned once, nothing valid. */
    void become(CachedFile newFile, long newIndex) {
        file = newFile;
        index = newIndex;
        start = newIndex * newFile.pageBytes();
        valid.clear();
        dirty.clear();
        stretch = 0;
        ahead = false;
        stream = null;
        left = false;
        leaving = false;
        failed = false;
        notPreread = false;
        away = false;
        pins.set(1);
    }

    /**
     * True if these bytes of the page are right; without the lock, for a caller that has it pinned.
     */
    boolean holds(int from, int to) {
        long now = stretch;
        // One branch for both sides, as in PageReader.
        return (from - (int) (now >>> 32) | (int) now - to) >= 0;
    }

    /** To be called after every change of {@link #valid}. */
    void validChanged(int sectorBytes) {
        int first = valid.nextSetBit(0);
        if (first < 0) {
            stretch = 0;
        } else {
            long from = (long) first * sectorBytes;
            long to = (long) valid.nextClearBit(first) * sectorBytes;
            stretch = from << 32 | to;
        }
    }

    /**
     * Of the requests on their way that touch these sectors, the one that begins first in the page,
     * or null; {@code writes} limits it to writes.
     */
    PageIo onItsWay(int fromSector, int toSector, boolean writes) {
        PageIo first = null;
        for (PageIo io = ios; io != null; io = io.next) {
            boolean touches = io.fromSector < toSector && fromSector < io.toSector;
            if (touches
                    && (io.write || !writes)
                    && (first == null || io.fromSector < first.fromSector)) {
                first = io;
            }
        }
        return first;
    }

    /** A write on its way of any of the page's sectors, or null. */
    PageIo writeOnItsWay() {
        return onItsWay(0, Integer.MAX_VALUE, true);
    }

    void add(PageIo io) {
        io.next = ios;
        ios = io;
    }

    void remove(PageIo gone) {
        if (ios == gone) {
            ios = gone.next;
        } else {
            PageIo io = ios;
            while (io.next != gone) {
                io = io.next;
            }
            io.next = gone.next;
        }
        gone.next = null;
    }
}
