package io.mio.pf;

import io.mio.counters.CounterLayout;
import io.mio.events.PageOperation;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts the program's writes into pages. One for each open. A write of whole sectors needs nothing
 * from the file. One that ends inside a sector needs that sector, and then the whole page is read,
 * as the next such write is likely to be near (reference 3.3, {@code nopffw}).
 */
final class PageWriter {
    /**
     * Space set aside ahead of a stream where pages are smaller than this, bytes: each request for
     * space holds the file up.
     */
    private static final long RESERVED_BYTES = 1 << 20;

    private final CachedFile file;
    private final PfLayer layer;
    private final Readahead readahead;
    private final boolean preread;

    /** The last write of this channel, and the page that it ended in. */
    private long lastOffset = -1;

    private long lastLength;
    private long lastIndex = -1;

    PageWriter(CachedFile file, PfLayer layer, boolean preread) {
        this.file = file;
        this.layer = layer;
        this.readahead = new Readahead(file, layer);
        this.preread = preread;
    }

    /**
     * Writes all that {@code src} has.
     *
     * @return bytes; less if the rest must go down at once, because space cannot be set aside, or
     *     half of the cache is pages that cannot be written
     * @throws IOException if a page cannot be had, or a sector cannot be read
     */
    int write(ByteBuffer src, long offset) throws IOException {
        PageCache cache = file.cache();
        int pageBytes = cache.pageBytes();
        int length = src.remaining();
        Stream stream;
        List<PageIo> ahead = new ArrayList<>();
        cache.lock.lock();
        try {
            stream = file.writes.seen(offset, length, lastOffset, lastLength);
            if (stream != null && stream.proven && stream.enters()) {
                file.writes.stepped(stream);
            }
            leave(cache, stream, offset / pageBytes);
        } finally {
            cache.lock.unlock();
        }
        lastOffset = offset;
        lastLength = length;
        int done = 0;
        while (done < length) {
            long at = offset + done;
            int from = (int) (at % pageBytes);
            int to = from + Math.min(pageBytes - from, length - done);
            try {
                if (!reserved(stream, at, to - from)
                        || !piece(
                                cache,
                                stream,
                                src,
                                at / pageBytes,
                                from,
                                to,
                                done == 0 ? ahead : null)) {
                    return done;
                }
            } catch (IOException e) {
                if (done > 0) {
                    return done;
                }
                throw e;
            }
            done += to - from;
        }
        lastIndex = (offset + length - 1) / pageBytes;
        return done;
    }

    /** Writes behind the page that a stream has left. */
    private void leave(PageCache cache, Stream stream, long index) {
        if (lastIndex >= 0 && lastIndex != index && stream != null) {
            Page left = cache.find(file, lastIndex);
            if (left != null && left.writer == layer && !left.failed) {
                WriteOut.behind(left);
            }
        }
    }

    /**
     * Has space set aside, so that the bytes can be written later. Space is set aside ahead of a
     * stream as well: at most a page or {@link #RESERVED_BYTES}, whichever is more, at most an
     * eighth of the file, and no more than the stream has behind it already. Returns false if the
     * bytes are to go down at once.
     */
    private boolean reserved(Stream stream, long from, int length) throws IOException {
        int sector = file.sectorBytes();
        long start = from - from % sector;
        long end = PfOptions.roundUp(from + length, sector);
        synchronized (file.reservation()) {
            return file.reservation().has(start, end)
                    || (file.reservation().isWorth(end) && reserve(stream, start, end));
        }
    }

    private boolean reserve(Stream stream, long start, long end) throws IOException {
        int sector = file.sectorBytes();
        long ahead = end;
        if (stream != null && stream.kind == Stream.Kind.FORWARD) {
            long most = Math.max(file.pageBytes(), RESERVED_BYTES);
            long share = Math.min(most, end / 8 / sector * sector);
            ahead = end + Math.min(share, end - start + file.reservation().before(start));
        }
        try {
            if (!layer.next().reserve(start, ahead - start)) {
                file.use().goThrough();
                return false;
            }
        } catch (IOException e) {
            ahead = end;
            try {
                if (!layer.next().reserve(start, end - start)) {
                    return false;
                }
            } catch (IOException full) {
                // The write itself will tell, in the file system's words.
                return false;
            }
        }
        file.reservation().add(start, ahead);
        return true;
    }

    /** Puts bytes into a page; false if no page may become dirty. */
    private boolean piece(
            PageCache cache,
            Stream stream,
            ByteBuffer src,
            long index,
            int from,
            int to,
            List<PageIo> ahead)
            throws IOException {
        int sector = file.sectorBytes();
        int fromSector = from / sector;
        int toSector = (to + sector - 1) / sector;
        Page page;
        cache.lock.lock();
        try {
            page = ready(cache, stream, index, from, to, ahead);
            if (page == null) {
                return false;
            }
            page.writers++;
        } finally {
            cache.lock.unlock();
        }
        boolean copied = false;
        try {
            page.frame.put(from, src, src.position(), to - from);
            src.position(src.position() + to - from);
            copied = true;
        } finally {
            cache.lock.lock();
            try {
                page.writers--;
                if (!copied) {
                    forget(page, fromSector, toSector);
                } else {
                    page.valid.set(fromSector, toSector);
                    page.dirty.set(fromSector, toSector);
                    page.validChanged(sector);
                    page.failed = false;
                    cache.dirtyPages.dirtied(page, layer);
                    if (page.start + to > file.sizeBytes()) {
                        file.sized(page.start + to);
                    }
                }
                cache.touched(page, true);
                page.left = false;
                page.unpin();
                cache.changed.signalAll();
                if (isFull(page, to)) {
                    WriteOut.behind(page);
                }
            } finally {
                cache.lock.unlock();
            }
        }
        return true;
    }

    /**
     * Forgets sectors that nobody will write, to be read again: the program's memory went away
     * during the copy.
     */
    private void forget(Page page, int fromSector, int toSector) {
        for (int at = fromSector; at < toSector; at++) {
            if (!page.dirty.get(at)) {
                page.valid.clear(at);
            }
        }
        page.validChanged(file.sectorBytes());
    }

    /**
     * True if every sector was written and none is being filled: small requests fill them one by
     * one.
     */
    private boolean isFull(Page page, int to) {
        int sector = file.sectorBytes();
        return to % sector == 0 && page.dirty.nextClearBit(0) * (long) sector >= file.pageBytes();
    }

    /**
     * The page, pinned, with no write on its way, nor a read of these sectors, and with whole
     * sectors where that matters; null if no page may become dirty.
     */
    private Page ready(
            PageCache cache, Stream stream, long index, int from, int to, List<PageIo> ahead)
            throws IOException {
        int sector = file.sectorBytes();
        int fromSector = from / sector;
        int toSector = (to + sector - 1) / sector;
        boolean looks = ahead != null;
        boolean narrow = false;
        Page page = cache.obtain(file, index);
        try {
            if (page.valid.isEmpty() && page.ios == null && !page.notPreread && !preread) {
                readahead.notPreread(page);
            }
            while (true) {
                if (looks) {
                    looks = false;
                    lookAhead(cache, stream, ahead);
                    continue;
                }
                PageIo onItsWay = page.writeOnItsWay();
                if (onItsWay == null) {
                    onItsWay = page.onItsWay(fromSector, toSector, false);
                }
                if (onItsWay != null) {
                    cache.await(onItsWay, file);
                    continue;
                }
                if (page.writer == null && cache.dirtyPages.isFull()) {
                    if (!cache.dirtyPages.limit()) {
                        page.unpin();
                        return null;
                    }
                    continue;
                }
                int edge = edge(page, from, to, fromSector, toSector);
                if (edge < 0) {
                    cache.collect(page);
                    if (page.ahead) {
                        page.tell(PageOperation.PREFETCH_USED);
                    }
                    page.ahead = false;
                    return page;
                }
                if (page.writers > 0) {
                    // What writers copy is not valid yet: a read would overwrite it.
                    cache.changed.awaitUninterruptibly();
                    continue;
                }
                narrow = !complete(cache, page, edge, narrow);
            }
        } catch (IOException | RuntimeException | Error e) {
            if (ahead != null) {
                PageIo.takeBack(ahead, e);
            }
            page.unpin();
            throw e;
        }
    }

    private void lookAhead(PageCache cache, Stream stream, List<PageIo> ahead) throws IOException {
        if (preread) {
            readahead.ofWriteWithRead(stream, ahead);
        } else {
            readahead.ofWrite(stream);
        }
        if (!ahead.isEmpty()) {
            readahead.start(cache, ahead);
        }
    }

    /**
     * The sector that the write covers in part and whose rest is not there, or -1. What lies behind
     * the end of the file is zeros.
     */
    private int edge(Page page, int from, int to, int fromSector, int toSector) {
        int sector = file.sectorBytes();
        boolean cutsFirst = from % sector != 0;
        boolean cutsLast = to % sector != 0 && page.start + to < file.sizeBytes();
        if (cutsFirst && needs(page, fromSector)) {
            return fromSector;
        }
        if (cutsLast && needs(page, toSector - 1)) {
            return toSector - 1;
        }
        if (to % sector != 0 && !page.valid.get(toSector - 1)) {
            PageIo.zero(page.frame, to, toSector * sector);
        }
        return -1;
    }

    private boolean needs(Page page, int at) {
        if (page.valid.get(at)) {
            return false;
        }
        int sector = file.sectorBytes();
        if (page.start + (long) at * sector < file.sizeBytes()) {
            return true;
        }
        PageIo.zero(page.frame, at * sector, (at + 1) * sector);
        page.valid.set(at);
        page.validChanged(sector);
        return false;
    }

    /**
     * Reads the page around what is valid, at once.
     *
     * @param narrow reads the sector alone, as others could not be read
     * @return false if it failed with more than the sector to read: that alone may be readable
     */
    private boolean complete(PageCache cache, Page page, int edge, boolean narrow)
            throws IOException {
        PfCounters counters = file.counters();
        if (page.notPreread) {
            page.notPreread = false;
            counters.add(CounterLayout.READ_AFTER_ALL, 1);
            cache.counters.add(CounterLayout.READ_AFTER_ALL, 1);
        }
        if (!page.dirty.isEmpty()) {
            counters.add(CounterLayout.FORCED_SYNCS, 1);
            cache.counters.add(CounterLayout.FORCED_SYNCS, 1);
        }
        counters.add(CounterLayout.DEMAND_READS, 1);
        cache.counters.add(CounterLayout.DEMAND_READS, 1);
        int first = narrow ? edge : page.valid.previousSetBit(edge) + 1;
        int gap = page.valid.nextSetBit(edge);
        int end = narrow ? edge + 1 : file.sectors(page.start);
        int last = gap < 0 ? end : Math.min(gap, end);
        for (PageIo io = page.ios; io != null; io = io.next) {
            if (io.fromSector > edge) {
                last = Math.min(last, io.fromSector);
            } else {
                first = Math.max(first, io.toSector);
            }
        }
        int sector = file.sectorBytes();
        PageIo read = new PageIo(page, layer, false, false, first, last, (last - first) * sector);
        try {
            page.tell(
                    PageOperation.DEMAND_READ, read.request().offset(), read.request().requested());
        } catch (RuntimeException | Error e) {
            read.takeBack(e);
            throw e;
        }
        cache.lock.unlock();
        try {
            read.perform();
        } finally {
            cache.lock.lock();
        }
        if (read.failedAround(edge, edge + 1)) {
            return false;
        }
        read.check();
        return true;
    }
}
