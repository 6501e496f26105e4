package io.mio.pf;

import io.mio.counters.CounterLayout;
import io.mio.events.PageOperation;
import io.mio.jfr.Flight;
import io.mio.jfr.PageKind;
import io.mio.jfr.Watch;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.PageWatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.List;

/**
 * One page request: some sectors of one page on their way from or to the next layer. It is
 * registered with its page, under the lock of the cache, before it is handed down, and taken out
 * when it is complete. A synchronous request is done, and completed, by one thread.
 */
final class PageIo implements IoRequest.Completion {
    private static final ByteBuffer ZEROS = ByteBuffer.allocateDirect(64 << 10).asReadOnlyBuffer();
    private static final Layer.Waiting NOTHING = () -> {};

    final Page page;
    final PfLayer layer;
    final boolean write;
    final boolean asynchronous;

    /** The sectors, from and to (without). */
    final int fromSector;

    final int toSector;

    private final IoRequest request;

    /** When it was registered, if the file is watched; else 0. */
    private final long began;

    /** The event for the flight recorder when the request is complete; null if nobody records. */
    private final Object event = Flight.page();

    private boolean ahead;

    /** What it brings is out of date: the sectors were changed or cut meanwhile. */
    boolean stale;

    /** An error ended a read that had brought some sectors before: these are good. */
    private boolean broken;

    /** It was handed down, so that it will be complete, or was taken back. */
    private boolean settled;

    private boolean takenBack;

    /** Somebody waited for it; counted once. */
    private boolean awaited;

    /** The next request on its page. */
    PageIo next;

    /**
     * Registers a request of {@code bytes} from the first sector on, under the lock of the cache.
     * What may fail, as for lack of memory, comes before that.
     */
    PageIo(
            Page page,
            PfLayer layer,
            boolean write,
            boolean asynchronous,
            int fromSector,
            int toSector,
            int bytes) {
        int from = fromSector * page.file.sectorBytes();
        this.page = page;
        this.layer = layer;
        this.write = write;
        this.asynchronous = asynchronous;
        this.fromSector = fromSector;
        this.toSector = toSector;
        // Part of a page may lie behind the largest offset.
        int to = from + (int) Math.min(bytes, Long.MAX_VALUE - page.start - from);
        ByteBuffer buffer = page.frame.duplicate().limit(to).position(from);
        this.request =
                write
                        ? IoRequest.write(buffer, page.start + from, this)
                        : IoRequest.read(buffer, page.start + from, this);
        this.began = page.file.watch() == null ? 0 : System.nanoTime();
        if (write && asynchronous) {
            page.tell(PageOperation.WRITE_BEHIND, page.start + from, bytes);
        }
        page.add(this);
        page.file.pages().began(this);
    }

    /** Marks it as a read ahead of the program. */
    PageIo ahead() {
        ahead = true;
        return this;
    }

    IoRequest request() {
        return request;
    }

    /** Why it failed, or null; a write of which only a part was done has failed. */
    Throwable error() {
        if (request.error() == null && write && request.delivered() < request.requested()) {
            return new IOException(
                    request.delivered() + " of " + request.requested() + " bytes written");
        }
        return request.error();
    }

    /** Throws the reason why it failed, if it did, as the layer below threw it. */
    void check() throws IOException {
        Throwable error = error();
        if (error instanceof RuntimeException e) {
            throw e;
        }
        if (error instanceof Error e) {
            throw e;
        }
        if (error != null) {
            throw error instanceof IOException e ? e : new IOException(error);
        }
    }

    /**
     * Takes the request back if it was not handed down and will not be, because something went
     * wrong before: otherwise all that wait for its page would wait for ever. Under the lock of the
     * cache.
     */
    void takeBack(Throwable why) {
        if (settled) {
            return;
        }
        settled = true;
        takenBack = true;
        page.remove(this);
        if (write) {
            if (!stale) {
                page.dirty.set(fromSector, toSector);
            }
            page.cache().dirtyPages.cleaned(page);
        }
        page.file.pages().ended(this);
        page.cache().changed.signalAll();
        request.complete(0, why);
    }

    /** Takes back the requests that were not handed down. Under the lock of the cache. */
    static void takeBack(List<PageIo> requests, Throwable why) {
        for (int i = 0; i < requests.size(); i++) {
            PageIo io = requests.get(i);
            // Null is the last one, if it could not be made.
            if (io != null) {
                io.takeBack(why);
            }
        }
    }

    /** Does the request in the caller's thread. */
    void perform() {
        settled = true;
        Layer below = layer.next();
        int bytes = 0;
        Throwable error = null;
        try {
            below.seek(request.offset());
            bytes = write ? writeAll(below) : readAll(below);
        } catch (IOException | RuntimeException | Error e) {
            error = e;
        }
        request.complete(bytes, error);
        Watch.tick(System.nanoTime());
    }

    /** Goes on after a short write: the next call tells what kept that one from writing all. */
    private int writeAll(Layer below) throws IOException {
        int bytes = 0;
        while (bytes < request.requested()) {
            int more = below.write(request.buffer(), request.offset() + bytes);
            if (more <= 0) {
                throw new IOException(bytes + " of " + request.requested() + " bytes written");
            }
            bytes += more;
        }
        return bytes;
    }

    /**
     * Goes on after a short read that is not the end of the file. What came before an error is
     * kept, in whole sectors. Returns -1 at the end.
     */
    private int readAll(Layer below) throws IOException {
        ByteBuffer buffer = request.buffer();
        int start = buffer.position();
        int expected = page.file.bytes(page, fromSector, toSector);
        int bytes = 0;
        int more = 0;
        do {
            try {
                more = below.read(buffer, request.offset() + bytes);
                bytes += Math.max(0, more);
            } catch (ClosedChannelException e) {
                throw e;
            } catch (IOException e) {
                // Some layers bring a part before they fail.
                bytes = buffer.position() - start;
                if (bytes < page.file.sectorBytes()) {
                    throw e;
                }
                broken = true;
            }
        } while (!broken && more > 0 && bytes < expected);
        return bytes == 0 ? -1 : bytes;
    }

    /**
     * True if it failed and has more than these sectors: perhaps these can be read. False if the
     * file was closed, by an interrupt too, which is for the program to know.
     */
    boolean failedAround(int from, int to) {
        Throwable error = error();
        return error instanceof IOException
                && !(error instanceof ClosedChannelException)
                && (fromSector < from || toSector > to);
    }

    /** True if an error ended a read that had brought at least one sector. */
    boolean isBroken() {
        return broken;
    }

    /** Hands the request down. */
    void submit() {
        settled = true;
        Layer below = layer.next();
        try {
            below.seek(request.offset());
            below.submit(request);
        } catch (IOException | RuntimeException | Error e) {
            // Errors too, as where no thread can be had: nothing else would ever complete it.
            request.complete(0, e);
        }
        Watch.tick(System.nanoTime());
    }

    /** Hands requests down as one list. */
    static void submitAll(List<PageIo> list, Layer below) {
        List<IoRequest> requests = new ArrayList<>(list.size());
        for (PageIo io : list) {
            below.seek(io.request.offset());
            requests.add(io.request);
        }
        for (int i = 0; i < list.size(); i++) {
            list.get(i).settled = true;
        }
        below.submitAll(requests);
        Watch.tick(System.nanoTime());
    }

    /** Waits until the request is complete; an interrupt is kept for later. */
    void await() {
        if (asynchronous && !request.isDone()) {
            awaited = true;
            try {
                layer.next().await(request, request::awaitThroughInterrupts);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        request.awaitThroughInterrupts();
    }

    /** Notes a wait that took no time, as nobody had to wait for the request. */
    void collect() {
        if (!awaited) {
            awaited = true;
            try {
                layer.next().await(request, NOTHING);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void completed(IoRequest done) {
        if (takenBack) {
            return;
        }
        PageCache cache = page.cache();
        if (!write && done.error() == null) {
            // Nobody looks at these sectors before they are valid.
            int sector = page.file.sectorBytes();
            int from = fromSector * sector + Math.max(0, done.delivered());
            zero(page.frame, from, Math.min(toSector * sector, cache.pageBytes()));
        }
        try {
            tell();
        } finally {
            cache.lock.lock();
            try {
                ended(cache, done);
            } finally {
                cache.lock.unlock();
            }
        }
    }

    private void ended(PageCache cache, IoRequest done) {
        page.remove(this);
        if (write) {
            written(cache);
        } else if (done.error() == null) {
            int bytes = Math.max(0, done.delivered());
            boolean partial = fromSector > 0 || toSector < page.file.sectors(page.start);
            page.file.counters().pageRead(bytes, partial);
            cache.counters.pageRead(bytes, partial);
            if (!stale) {
                page.valid.set(fromSector, broughtTo(bytes));
                page.validChanged(page.file.sectorBytes());
            }
        }
        if (asynchronous) {
            next = page.done;
            page.done = this;
        }
        page.file.pages().ended(this);
        cache.changed.signalAll();
    }

    /**
     * The end of the sectors that a read brought. A short read has met the end of the file, or
     * something went wrong. A thread that waited knows which. Of a read ahead only what it brought
     * is taken; the rest is read when it is asked for.
     */
    private int broughtTo(int bytes) {
        boolean isShort =
                (asynchronous || broken) && bytes < page.file.bytes(page, fromSector, toSector);
        return isShort ? fromSector + bytes / page.file.sectorBytes() : toSector;
    }

    /** Tells the watch and the flight recorder, while the page is sure to be the file's. */
    private void tell() {
        PageWatch watch = page.file.watch();
        if (watch != null) {
            watch.ended(
                    write ? PageOperation.WRITTEN : PageOperation.ARRIVED,
                    page.number(),
                    request.offset(),
                    request.requested(),
                    request.delivered(),
                    error(),
                    asynchronous,
                    began == 0 ? System.nanoTime() : began);
        }
        if (event != null) {
            Flight.paged(
                    event, kind(), page.file.path, page.index, Math.max(0, request.delivered()));
        }
    }

    private PageKind kind() {
        if (write) {
            return asynchronous ? PageKind.WRITE_BEHIND : PageKind.WRITE;
        }
        return ahead ? PageKind.PREFETCH : PageKind.DEMAND_READ;
    }

    private void written(PageCache cache) {
        if (request.error() == null && request.delivered() == request.requested()) {
            page.file.counters().pageWritten(request.delivered());
            cache.counters.pageWritten(request.delivered());
        } else {
            page.file.failed(error());
            cache.counters.add(CounterLayout.WRITE_ERRORS, 1);
            page.file.counters().add(CounterLayout.WRITE_ERRORS, 1);
            if (!stale) {
                page.dirty.set(fromSector, toSector);
                page.failed = true;
            }
        }
        cache.dirtyPages.cleaned(page);
    }

    /** Fills a part of a frame with zeros. */
    static void zero(ByteBuffer frame, int from, int to) {
        for (int at = from; at < to; at += ZEROS.capacity()) {
            frame.put(at, ZEROS, 0, Math.min(ZEROS.capacity(), to - at));
        }
    }
}
