package io.mio.pf;

import io.mio.counters.CounterLayout;
import io.mio.events.PageOperation;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;

/**
 * Reads before the program asks: the rest of a large request, and the window of the stream that it
 * belongs to. Requests are registered under the lock of the cache; the caller has them handed down.
 */
final class Readahead {
    /** The most pages of a plan on their way at the same time, with an automatic distance. */
    private static final int PLANNED_MAX = 64;

    private final CachedFile file;
    private final PfLayer layer;

    Readahead(CachedFile file, PfLayer layer) {
        this.file = file;
        this.layer = layer;
    }

    /**
     * The stream that a read belongs to: the plan's if the read goes by the plan, else what
     * detection finds.
     *
     * @param lastOffset the read that the same channel made before, -1 for none
     * @return null if it belongs to none
     */
    Stream streamOf(long offset, long length, long lastOffset, long lastLength) {
        PlanRun run = file.plan;
        if (run != null && run.plan().follow(offset, length)) {
            run.stream().at(offset, length, file.pageBytes());
            return run.stream();
        }
        return file.reads.seen(offset, length, lastOffset, lastLength);
    }

    /**
     * Looks ahead from a read.
     *
     * @param stream the stream that the read belongs to, or null
     * @param requests gets the page requests to hand down
     */
    void ofRead(Stream stream, long offset, long length, List<PageIo> requests) {
        PageCache cache = file.cache();
        int page = cache.pageBytes();
        long last = (offset + length - 1) / page;
        boolean dense = stream != null && stream.isDense();
        for (long index = offset / page + 1; index <= last; index++) {
            long end = dense ? Long.MAX_VALUE : offset + length;
            if (!read(cache, stream, index, index * page, end, requests)) {
                return;
            }
        }
        if (stream == null || !stream.proven) {
            return;
        }
        if (stream.kind == Stream.Kind.PLANNED) {
            planned(cache, file.plan, requests);
            return;
        }
        int room = room(cache, file.reads);
        if (dense) {
            dense(cache, stream, Math.min(stream.distance, room), requests);
        } else {
            sparse(cache, stream, Math.min(stream.distance, room), requests);
        }
    }

    /**
     * Hands requests down; gives the lock of the cache up meanwhile.
     *
     * @throws ClosedByInterruptException if an interrupt of this thread has closed the file, which
     *     is for the program to know
     */
    void start(PageCache cache, List<PageIo> requests) throws ClosedByInterruptException {
        cache.lock.unlock();
        try {
            if (layer.sendsLists()) {
                PageIo.submitAll(requests, layer.next());
            } else {
                WriteOut.start(requests);
            }
        } finally {
            cache.lock.lock();
        }
        for (PageIo io : requests) {
            if (!io.asynchronous && io.error() instanceof ClosedByInterruptException closed) {
                throw closed;
            }
        }
    }

    /**
     * Steps ahead that the cache has room for, with an equal share for each stream of all its
     * files. Counts {@code streams} among those that look ahead.
     */
    static int room(PageCache cache, StreamTable streams) {
        // Kept pages do not give way to pages read ahead: more of these would give way, unused.
        int frames = cache.frameCount() - cache.kept();
        int sharing = cache.sharers.used(streams, streams.active());
        // Each stream has a page where it is. One that is alone leaves it when it goes on.
        return Math.max(sharing == 1 ? 1 : 0, frames / sharing - 1);
    }

    /** Steps ahead that a stream may come to because the program waits. */
    static int most(PageCache cache, CachedFile file, Stream stream) {
        if (stream.kind == Stream.Kind.PLANNED) {
            return Math.min(PLANNED_MAX, plannedRoom(cache));
        }
        int room = room(cache, file.reads);
        return Math.max(Math.min(Distance.AUTO_FIRST, room), room / 2);
    }

    /**
     * Pages of a plan that may be read ahead: all frames but those of kept pages and one, since a
     * plan is no guess, and no other stream needs frames.
     */
    private static int plannedRoom(PageCache cache) {
        return Math.max(1, cache.frameCount() - cache.kept() - 1);
    }

    private void planned(PageCache cache, PlanRun run, List<PageIo> requests) {
        PagePlan plan = run.plan();
        boolean whole = cache.pageBytes() <= PageReader.SMALL_PAGE_BYTES;
        int steps = Math.min(run.stream().distance, plannedRoom(cache));
        for (int at = plan.ahead(steps); at != PagePlan.NONE; at = plan.ahead(steps)) {
            long index = plan.page(at);
            long from = whole ? index * cache.pageBytes() : plan.from(at);
            long to = whole ? Long.MAX_VALUE : plan.to(at);
            if (from < file.sizeBytes() && !read(cache, run.stream(), index, from, to, requests)) {
                return;
            }
            plan.taken();
        }
    }

    private static int first(PageCache cache, Stream stream, int steps, long stride) {
        return stream.beginsWith(
                steps, stride, (long) cache.frameCount() - cache.kept(), cache.moves());
    }

    private static long unit(Stream stream, long stride) {
        return stream.kind == Stream.Kind.FORWARD ? stride : -stride;
    }

    /**
     * True if the file has bytes of the page. Offsets behind the last page may be too large for a
     * long.
     */
    private boolean hasPage(long index) {
        long size = file.sizeBytes();
        long pages = size / file.pageBytes() + (size % file.pageBytes() > 0 ? 1 : 0);
        return index >= 0 && index < pages;
    }

    private void dense(PageCache cache, Stream stream, int steps, List<PageIo> requests) {
        long stride = file.reads.stride();
        // Others may move the stream on while a frame is made free.
        long place = stream.foremostPage();
        long unit = unit(stream, stride);
        for (int i = first(cache, stream, steps, stride); i <= steps; i++) {
            long index = place + i * unit;
            long start = index * cache.pageBytes();
            if (!hasPage(index) || !read(cache, stream, index, start, Long.MAX_VALUE, requests)) {
                return;
            }
            // The last page is looked at again: the file may grow.
            if (index < file.sizeBytes() / cache.pageBytes()) {
                stream.lookedAhead(index, cache.moves());
            }
        }
    }

    private void sparse(PageCache cache, Stream stream, int steps, List<PageIo> requests) {
        int page = cache.pageBytes();
        long offset = stream.offset;
        long length = stream.length;
        for (int i = 1; i <= steps; i++) {
            long from = offset + i * stream.step;
            long to = Math.min(from + length, file.sizeBytes());
            if (from < 0 || from >= to) {
                return;
            }
            for (long index = from / page; index <= (to - 1) / page; index++) {
                if (!read(cache, stream, index, Math.max(from, index * page), to, requests)) {
                    return;
                }
            }
        }
    }

    /**
     * Registers the reads that a page needs to have its bytes from {@code from} up to {@code to}.
     *
     * @return false if there is no frame for it
     */
    private boolean read(
            PageCache cache, Stream stream, long index, long from, long to, List<PageIo> requests) {
        Page page = cache.find(file, index);
        if (page == null) {
            page = cache.take(file, index);
            if (page == null) {
                return cache.find(file, index) != null;
            }
            page.ahead = true;
            page.stream = stream;
            if (stream != null && stream.kind == Stream.Kind.PLANNED) {
                cache.planned(page, true);
            }
        } else {
            cache.touched(page, false);
            if (page.writers > 0) {
                return true;
            }
            page.pin();
        }
        try {
            register(page, from, to, requests);
        } finally {
            page.unpin();
        }
        return true;
    }

    private void register(Page page, long from, long to, List<PageIo> requests) {
        PageCache cache = page.cache();
        int sector = file.sectorBytes();
        int at = (int) ((from - page.start) / sector);
        long bytes = Math.min(cache.pageBytes(), to - page.start);
        int end = (int) Math.min((bytes + sector - 1) / sector, file.sectors(page.start));
        for (at = page.valid.nextClearBit(at); at < end; at = page.valid.nextClearBit(at)) {
            int gap = page.valid.nextSetBit(at);
            int runEnd = gap < 0 ? end : Math.min(gap, end);
            PageIo onItsWay = page.onItsWay(at, runEnd, false);
            if (onItsWay != null) {
                if (onItsWay.fromSector <= at) {
                    at = onItsWay.toSector;
                    continue;
                }
                runEnd = onItsWay.fromSector;
            }
            // Room in the list first: else a request could be registered that nobody knows of.
            requests.add(null);
            requests.set(
                    requests.size() - 1,
                    new PageIo(
                                    page,
                                    layer,
                                    false,
                                    layer.isAsynchronous(),
                                    at,
                                    runEnd,
                                    (runEnd - at) * sector)
                            .ahead());
            page.tell(
                    PageOperation.PREFETCH_ISSUED,
                    page.start + (long) at * sector,
                    (runEnd - at) * (long) sector);
            file.counters().add(CounterLayout.READ_AHEADS, 1);
            cache.counters.add(CounterLayout.READ_AHEADS, 1);
            at = runEnd;
        }
    }

    /** Prepares frames ahead of a writing stream, without reading what will be overwritten. */
    void ofWrite(Stream stream) {
        PageCache cache = file.cache();
        if (stream == null || !stream.proven || !stream.isDense()) {
            return;
        }
        long stride = file.writes.stride();
        long place = stream.foremostPage();
        long unit = unit(stream, stride);
        int steps = Math.min(stream.distance, room(cache, file.writes));
        for (int i = first(cache, stream, steps, stride); i <= steps; i++) {
            long index = place + i * unit;
            if (index < 0) {
                return;
            }
            Page page = cache.find(file, index);
            if (page == null) {
                page = cache.take(file, index);
                if (page == null) {
                    return;
                }
                page.ahead = true;
                page.stream = stream;
                notPreread(page);
                page.unpin();
            } else {
                cache.touched(page, false);
            }
            stream.lookedAhead(index, cache.moves());
        }
    }

    /** Counts a page that is prepared for writing and not read. */
    void notPreread(Page page) {
        page.notPreread = true;
        page.tell(PageOperation.PREPARED);
        file.counters().add(CounterLayout.NOT_PREREAD, 1);
        page.cache().counters.add(CounterLayout.NOT_PREREAD, 1);
    }

    /** Reads pages ahead of a writing stream (option {@code pffw}). */
    void ofWriteWithRead(Stream stream, List<PageIo> requests) {
        if (stream != null && stream.proven && stream.isDense()) {
            PageCache cache = file.cache();
            dense(cache, stream, Math.min(stream.distance, room(cache, file.writes)), requests);
        }
    }
}
