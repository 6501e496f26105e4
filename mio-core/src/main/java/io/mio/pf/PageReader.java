package io.mio.pf;

import io.mio.counters.CounterLayout;
import io.mio.events.PageOperation;
import io.mio.jfr.Flight;
import io.mio.jfr.PageKind;
import io.mio.layer.PageWatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;

/** Serves the program's reads from pages. One for each open. */
final class PageReader {
    /** A page of at most this size is always read whole, bytes. */
    static final int SMALL_PAGE_BYTES = 16 << 10;

    /** Places in the file at which the program may read in turns. */
    private static final int PLACES = 8;

    /** The largest gap between requests of one stream, in requests. */
    private static final int GAP_REQUESTS = 4;

    /** A place where the program reads: the page, which is a guess, and the last read there. */
    private static final class Place {
        /** Never null: a branch for that would be taken with each new open, and compiled anew. */
        Page page;

        long offset = -1;
        long length;

        /** When the place was used last: a larger value is later. */
        long usedAt;

        Place(Page page) {
            this.page = page;
        }

        void read(long newOffset, long newLength) {
            offset = newOffset;
            length = newLength;
        }

        /** True if the program goes on from here, with gaps that a dense stream may have. */
        boolean isGoingOn(long newOffset, long newLength) {
            long gap = Math.max(newOffset - offset - length, offset - newOffset - newLength);
            return gap >= 0 && gap <= GAP_REQUESTS * newLength;
        }

        boolean isBeside(long newOffset, long newLength) {
            return newOffset == offset + length || newOffset + newLength == offset;
        }

        /** True if the page has this offset; false for one read ahead: that use has to be noted. */
        boolean has(long newOffset) {
            Page now = page;
            return !now.ahead
                    && newOffset >= now.start
                    && newOffset < now.start + now.frame.capacity();
        }
    }

    private final CachedFile file;
    private final PfLayer layer;
    private final Readahead readahead;

    // The places of this channel; races between its threads do no harm.
    private final Place[] places = new Place[PLACES];
    private Place recent;
    private long clock;

    PageReader(CachedFile file, PfLayer layer) {
        this.file = file;
        this.layer = layer;
        this.readahead = new Readahead(file, layer);
        Page none = Page.none(file.cache());
        for (int i = 0; i < PLACES; i++) {
            places[i] = new Place(none);
        }
        this.recent = places[0];
    }

    /**
     * Reads all of {@code length} bytes, which lie before the end of the file, from one of the
     * pages read last.
     */
    boolean readRecent(ByteBuffer dst, long offset, int length) {
        return serves(recent, dst, offset, length, null) || servesElsewhere(dst, offset, length);
    }

    private boolean servesElsewhere(ByteBuffer dst, long offset, int length) {
        // A plan has to see every visit of a page.
        if (file.plan != null) {
            return false;
        }
        Place from = recent;
        for (Place place : places) {
            if (place != from && place.has(offset) && serves(place, dst, offset, length, from)) {
                recent = place;
                place.usedAt = ++clock;
                return true;
            }
        }
        return false;
    }

    /** Reads from the page of a place; {@code from}: the one that the program leaves, or null. */
    private boolean serves(Place place, ByteBuffer dst, long offset, int length, Place from) {
        Page page = place.page;
        if (!page.pin()) {
            return false;
        }
        long in = offset - page.start;
        // One branch for both sides: each branch that is taken for the first time has all of this
        // compiled again.
        boolean isInside = (in | page.frame.capacity() - length - in) >= 0;
        // Unpins whatever the copy throws, as dst is the program's.
        try {
            boolean holds =
                    isInside && page.file == file && page.holds((int) in, (int) in + length);
            if (holds) {
                dst.put(dst.position(), page.frame, (int) in, length);
                dst.position(dst.position() + length);
                boolean again = from != null && !place.isGoingOn(offset, length);
                place.read(offset, length);
                page.tell(PageOperation.HIT, offset, length);
                if (from != null) {
                    touch(page, from.page, again);
                }
            }
            return holds;
        } finally {
            page.unpin();
        }
    }

    /**
     * Notes that the program came to the page, which is pinned, from another one; not if the lock
     * is taken.
     */
    private void touch(Page page, Page before, boolean again) {
        PageCache cache = page.cache();
        if (cache.lock.tryLock()) {
            try {
                if (before.file == file) {
                    before.left = before != page;
                }
                cache.touched(page, again);
                page.left = false;
            } finally {
                cache.lock.unlock();
            }
        }
    }

    /** The place where this read goes on, else the one that was used longest ago. */
    private Place placeOf(long offset, long length) {
        Place oldest = recent;
        for (Place place : places) {
            if (place.isBeside(offset, length) || place.has(offset)) {
                return place;
            }
            oldest = place.usedAt < oldest.usedAt ? place : oldest;
        }
        return oldest;
    }

    /**
     * Reads {@code length} bytes, which lay before the end of the file a moment ago.
     *
     * @return bytes; less only if the file was cut
     */
    int read(ByteBuffer dst, long offset, int length) throws IOException {
        int pageBytes = file.pageBytes();
        PageCache cache = file.cache();
        List<PageIo> ahead = new ArrayList<>();
        Stream stream;
        Place place;
        // The page that the stream was in already: to read on in it is not to read it again.
        long goesOn = -1;
        cache.lock.lock();
        try {
            Page before = recent.page;
            if (before.file == file) {
                before.left =
                        before.index < offset / pageBytes
                                || before.index > (offset + length - 1) / pageBytes;
            }
            place = placeOf(offset, length);
            stream = readahead.streamOf(offset, length, place.offset, place.length);
            if (stream != null && stream.proven) {
                goesOn = stream.isDense() ? stream.enteredAt() : -1;
                if (stream.enters()) {
                    file.reads.stepped(stream);
                }
            }
        } finally {
            cache.lock.unlock();
        }
        place.read(offset, length);
        place.usedAt = ++clock;
        recent = place;
        int done = 0;
        while (done < length) {
            long at = offset + done;
            long index = at / pageBytes;
            int from = (int) (at % pageBytes);
            int to = from + Math.min(pageBytes - from, length - done);
            Page page;
            try {
                page =
                        demand(
                                cache,
                                stream,
                                index,
                                from,
                                to,
                                done == 0 ? ahead : null,
                                index != goesOn,
                                offset,
                                length);
            } catch (IOException e) {
                // The program is told of a close at once, as by the platform.
                if (done > 0 && !(e instanceof ClosedChannelException)) {
                    return done;
                }
                throw e;
            }
            int bytes = (int) Math.max(0, Math.min(to - from, file.sizeBytes() - at));
            try {
                if (bytes > 0) {
                    dst.put(dst.position(), page.frame, from, bytes);
                    dst.position(dst.position() + bytes);
                }
            } finally {
                page.unpin();
            }
            place.page = page;
            if (bytes < to - from) {
                return done + bytes;
            }
            done += bytes;
        }
        return done;
    }

    /**
     * Returns the page with these bytes valid, pinned.
     *
     * @param ahead an empty list if there is to be a look ahead from here, else null
     * @param again the page is read again if the program has been elsewhere
     */
    private Page demand(
            PageCache cache,
            Stream stream,
            long index,
            int from,
            int to,
            List<PageIo> ahead,
            boolean again,
            long offset,
            long length)
            throws IOException {
        int sector = file.sectorBytes();
        int fromSector = from / sector;
        int toSector = (to + sector - 1) / sector;
        boolean looks = ahead != null;
        boolean missed = false;
        boolean narrow = false;
        Page page = null;
        PageIo read = null;
        cache.lock.lock();
        try {
            page = cache.obtain(file, index);
            while (true) {
                if (looks) {
                    looks = false;
                    readahead.ofRead(stream, offset, length, ahead);
                    if (!ahead.isEmpty()) {
                        readahead.start(cache, ahead);
                        continue;
                    }
                }
                int missing = page.valid.nextClearBit(fromSector);
                if (missing >= toSector || missing >= file.sectors(page.start)) {
                    break;
                }
                PageIo onItsWay = page.onItsWay(missing, missing + 1, false);
                if (onItsWay != null) {
                    waitFor(cache, page, onItsWay);
                    continue;
                }
                if (page.writers > 0) {
                    // What writers copy is not valid yet: a read would overwrite it.
                    cache.changed.awaitUninterruptibly();
                    continue;
                }
                missed = true;
                read = wanted(page, stream, missing, toSector, narrow);
                page.tell(
                        PageOperation.DEMAND_READ,
                        read.request().offset(),
                        read.request().requested());
                file.counters().add(CounterLayout.DEMAND_READS, 1);
                cache.counters.add(CounterLayout.DEMAND_READS, 1);
                narrow = !perform(cache, page, read, missing, toSector);
            }
            if (missed) {
                if (stream != null) {
                    stream.missed();
                }
                file.counters().add(CounterLayout.MISSES, 1);
                cache.counters.add(CounterLayout.MISSES, 1);
            }
            page.tell(
                    missed ? PageOperation.MISS : PageOperation.HIT, page.start + from, to - from);
            cache.collect(page);
            if (page.ahead) {
                page.tell(PageOperation.PREFETCH_USED);
            }
            page.ahead = false;
            used(cache, page, again);
            page.left = false;
            return page;
        } catch (IOException | RuntimeException | Error e) {
            if (ahead != null) {
                PageIo.takeBack(ahead, e);
            }
            if (read != null) {
                read.takeBack(e);
            }
            if (page != null) {
                page.unpin();
            }
            throw e;
        } finally {
            cache.lock.unlock();
        }
    }

    private void used(PageCache cache, Page page, boolean again) {
        PlanRun run = file.plan;
        if (run != null && run.plan().isOn()) {
            cache.planned(page, run.plan().isSoon(page.index, cache.frameCount()));
        } else {
            cache.touched(page, again);
        }
    }

    /**
     * Does a read in this thread. Where it brings less than expected, somebody cut the file.
     *
     * @return false if it failed with more than these sectors to read: these alone may be readable
     */
    private boolean perform(PageCache cache, Page page, PageIo read, int from, int to)
            throws IOException {
        int expected = file.bytes(page, read.fromSector, read.toSector);
        cache.lock.unlock();
        try {
            read.perform();
            if (read.failedAround(from, to)) {
                return false;
            }
            read.check();
            if (read.request().delivered() < expected && !read.isBroken()) {
                file.refresh(layer.next()::size);
            }
            return true;
        } finally {
            cache.lock.lock();
        }
    }

    /** Waits for a request. A read ahead that the program waits for was asked for too late. */
    private void waitFor(PageCache cache, Page page, PageIo io) {
        if (page.stream != null && io.asynchronous) {
            file.reads.late(page.stream, Readahead.most(cache, file, page.stream));
        }
        Object event = Flight.page();
        long began = System.nanoTime();
        cache.await(io, file);
        long nanos = System.nanoTime() - began;
        Flight.paged(event, PageKind.WAIT, file.path, page.index, io.request().requested());
        PageWatch watch = file.watch();
        if (watch != null) {
            long at = io.request().offset();
            int bytes = io.request().requested();
            watch.ended(PageOperation.WAIT, page.number(), at, bytes, 0, null, true, began);
        }
        file.counters().add(CounterLayout.WAITS, 1);
        file.counters().add(CounterLayout.WAIT_NANOS, nanos);
        cache.counters.add(CounterLayout.WAITS, 1);
        cache.counters.add(CounterLayout.WAIT_NANOS, nanos);
    }

    /** Sectors of the page that this visit of it wants, by the plan; 0 if that is not known. */
    private int planned(Page page) {
        PlanRun run = file.plan;
        long to = run == null ? 0 : run.plan().wantedTo(page.index) - page.start;
        return to <= 0 ? 0 : (int) ((to + file.sectorBytes() - 1) / file.sectorBytes());
    }

    /**
     * Registers the read of what is missing: of the whole page if that is worth while.
     *
     * @param narrow reads nothing else, as something else could not be read
     */
    private PageIo wanted(Page page, Stream stream, int missing, int toSector, boolean narrow) {
        int sector = file.sectorBytes();
        int end = file.sectors(page.start);
        int pageBytes = page.cache().pageBytes();
        boolean dense = stream != null && stream.isDense();
        boolean whole = !narrow && (dense || pageBytes <= SMALL_PAGE_BYTES);
        int first = whole ? page.valid.previousSetBit(missing) + 1 : missing;
        int gap = page.valid.nextSetBit(missing);
        int wantedTo = narrow ? toSector : Math.max(toSector, planned(page));
        int last = whole ? end : Math.min(wantedTo, end);
        last = gap < 0 ? last : Math.min(last, gap);
        for (PageIo io = page.ios; io != null; io = io.next) {
            if (!io.write && io.fromSector > missing) {
                last = Math.min(last, io.fromSector);
            } else if (!io.write) {
                first = Math.max(first, io.toSector);
            }
        }
        return new PageIo(page, layer, false, false, first, last, (last - first) * sector);
    }
}
