package io.mio.pf;

import io.mio.counters.CounterLayout;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.layer.PageWatch;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.function.Supplier;

/**
 * The cache layer of one open. Reads come out of pages, writes go into pages, and pages come from
 * and go to the next layer in large requests, ahead of the program and behind its back (design
 * section 6). The pages belong to the {@link CachedFile}, which all opens of the file share.
 *
 * <p>The layer waits for page requests only, which end; an interrupt is kept for the door.
 */
public final class PfLayer extends ForwardingLayer {
    /**
     * Requests behind this offset are the kernel's to answer: a page there might end beyond the
     * largest offset.
     */
    private static final long FARTHEST = Long.MAX_VALUE - (1L << 33);

    private final CachedFile file;
    private final PfOptions options;
    private final OpenRequest request;
    private final PageReader reader;
    private final PageWriter writer;
    private final Uncached uncached;
    private final boolean throughAlways;
    private final WriteErrors errors;

    /**
     * Its own, or that of the {@link AttachedLayer} below, which outlives it and tells the rest.
     */
    private ErrorsTold told;

    private boolean leavesTelling;

    /** Makes the reports; where a file has several opens, the last one reports for its pages. */
    private final PfSource source;

    /** Page requests through this open that are on their way; under the lock of the cache. */
    int onTheirWay;

    private volatile boolean closed;

    /** For a file that has pages; called by {@link PfLayers}. */
    PfLayer(
            String name,
            PfOptions options,
            Layer next,
            CachedFile file,
            OpenRequest request,
            Supplier<String> backend) {
        super(name, next);
        this.file = file;
        this.options = options;
        this.request = request;
        this.throughAlways = options.isThrough(request);
        this.uncached = new Uncached(options, file.sectorBytes());
        this.reader = new PageReader(file, this);
        this.writer = new PageWriter(file, this, options.preread());
        this.errors = file.errors();
        this.told = new ErrorsTold(errors);
        this.source = new PfSource(file, options, request, next, backend);
    }

    /** Shares with {@code below}, of the same open, what was told of failed writes. Before use. */
    public void tellFor(AttachedLayer below) {
        told = below.told();
        leavesTelling = true;
    }

    /** Whether somebody watches the file's pages. */
    public boolean isWatched() {
        return file.watch() != null;
    }

    /** Has {@code watch} told as long as the file has a cache, unless there is a watch already. */
    public void watch(PageWatch watch) {
        file.watch(watch);
    }

    /**
     * Has the file read ahead by what an earlier run read, unless it goes by a plan already.
     *
     * @param name of the file as the earlier run gave it
     * @return what came of it, or null if it goes by a plan already
     */
    public PlanAnswer follow(PlanFile plans, String name) {
        return PlanRun.begin(file, plans, name);
    }

    /** Size of a page of its cache. */
    public int pageBytes() {
        return file.pageBytes();
    }

    /** True if nothing may be kept in the pages, so that every request goes past them. */
    public boolean isPast() {
        return file.use().isPast();
    }

    /** Number of frames of its cache. */
    public int frames() {
        return file.cache().frameCount();
    }

    /** Has its cache grow if that is due, see {@link PageCache#grow}. */
    int grow(PageGrowth growth, long requests, long pageReads) {
        PageCache cache = file.cache();
        int now = cache.grow(growth, requests, pageReads);
        if (now > 0) {
            source.has(now);
            cache.lock.lock();
            try {
                file.counters().set(CounterLayout.FRAMES, now);
            } finally {
                cache.lock.unlock();
            }
        }
        return now;
    }

    /** Bytes of pages that were read ahead, or are being read ahead, and were not used yet. */
    long aheadBytes() {
        PageCache cache = file.cache();
        if (cache == null) {
            return 0;
        }
        cache.lock.lock();
        try {
            return file.pages().aheadBytes();
        } finally {
            cache.lock.unlock();
        }
    }

    /** Number of its cache: each cache of the process has another one. */
    public int cacheId() {
        return file.cache().id();
    }

    /** What makes the reports; it holds counters, not the layer. */
    public PfSource source() {
        return source;
    }

    /**
     * What the file does without because of descriptors that no layer is over, in a line for
     * whoever wants to see opens, or null.
     */
    public String beside() {
        return file.beside().words();
    }

    boolean isWritable() {
        return OpenFlags.writes(request.oflags());
    }

    boolean isAsynchronous() {
        return options.asynchronous();
    }

    /** See {@link PfOptions#isExact}. */
    boolean isExact() {
        return options.isExact();
    }

    /** The name that it was opened by, for messages. */
    String path() {
        return request.name();
    }

    /** True if its page requests go down as lists. */
    boolean sendsLists() {
        return options.lists() && options.asynchronous();
    }

    // ---- reads

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        int wanted = dst.remaining();
        if (wanted == 0) {
            return 0;
        }
        if (offset <= file.sizeBytes() - wanted && reader.readRecent(dst, offset, wanted)) {
            source.read(wanted);
            return wanted;
        }
        checkOpen();
        if (file.use().isPast() || uncached.holds(offset, wanted) || offset > FARTHEST) {
            int bytes = PastCache.readCounted(file, next(), dst, offset);
            source.read(Math.max(0, bytes));
            return bytes;
        }
        long size = file.sizeBytes();
        if (wanted > size - offset) {
            size = file.refresh(next()::size);
            if (offset >= size) {
                source.read(0);
                return -1;
            }
        }
        int length = (int) Math.min(wanted, size - offset);
        int bytes =
                uncached.touches(offset, length)
                        ? readParts(dst, offset, length)
                        : reader.read(dst, offset, length);
        source.read(bytes);
        return bytes == 0 ? -1 : bytes;
    }

    /** Bytes read before a failure are the program's; its next read meets the failure again. */
    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        long total = 0;
        try {
            for (int i = from; i < from + count; i++) {
                if (dsts[i].hasRemaining()) {
                    int bytes = read(dsts[i], offset + total);
                    if (bytes < 0 && total == 0) {
                        return bytes;
                    }
                    total += Math.max(bytes, 0);
                    if (dsts[i].hasRemaining()) {
                        break;
                    }
                }
            }
        } catch (IOException e) {
            if (total == 0) {
                throw e;
            }
        }
        return total;
    }

    private int readParts(ByteBuffer dst, long offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            long at = offset + done;
            int part = (int) (uncached.stretchEnd(at, offset + length) - at);
            int limit = dst.limit();
            dst.limit(dst.position() + part);
            int bytes;
            try {
                bytes =
                        uncached.holds(at, part)
                                ? PastCache.readCounted(file, next(), dst, at)
                                : reader.read(dst, at, part);
            } catch (IOException e) {
                if (done == 0) {
                    throw e;
                }
                return done;
            } finally {
                dst.limit(limit);
            }
            done += Math.max(0, bytes);
            if (bytes < part) {
                break;
            }
        }
        return done;
    }

    // ---- writes

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        checkOpen();
        tellErrors();
        try {
            return writeOne(src, offset);
        } catch (IOException e) {
            throw told.by(e);
        }
    }

    /** Returns the bytes taken before an error; the next write tells the program the reason. */
    private int writeOne(ByteBuffer src, long offset) throws IOException {
        if (!src.hasRemaining()) {
            return 0;
        }
        int done = 0;
        try {
            if (goesThrough(offset)) {
                done = PastCache.writeCounted(file, next(), src, offset);
            } else {
                while (src.hasRemaining()) {
                    int bytes = writePart(src, offset + done);
                    done += bytes;
                    if (bytes == 0) {
                        break;
                    }
                }
            }
        } catch (IOException e) {
            if (done == 0) {
                throw e;
            }
        }
        source.wrote(done);
        return done;
    }

    private boolean goesThrough(long offset) {
        return offset == APPEND || throughAlways || file.use().isThrough();
    }

    private int writePart(ByteBuffer src, long offset) throws IOException {
        int limit = src.limit();
        int part = (int) (uncached.stretchEnd(offset, offset + src.remaining()) - offset);
        src.limit(src.position() + part);
        try {
            boolean past =
                    uncached.holds(offset, part) || file.use().isThrough() || offset > FARTHEST;
            int bytes = past ? 0 : writer.write(src, offset);
            return bytes > 0 ? bytes : PastCache.writeCounted(file, next(), src, offset);
        } finally {
            src.limit(limit);
        }
    }

    /** Bytes that go down at once do so in one piece, as an append must. */
    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        checkOpen();
        tellErrors();
        long total = 0;
        try {
            if (goesThrough(offset)) {
                total = PastCache.writeCounted(file, next(), srcs, from, count, offset);
                source.wrote(total);
                return total;
            }
            for (int i = from; i < from + count; i++) {
                total += writeOne(srcs[i], offset + total);
                if (srcs[i].hasRemaining()) {
                    break;
                }
            }
        } catch (IOException e) {
            // As within one buffer: bytes taken count, and the next write meets the error.
            if (total == 0) {
                throw told.by(e);
            }
        }
        return total;
    }

    /** Tells of a failed write behind at the program's next call, once to each open. */
    private void tellErrors() throws IOException {
        told.tell(request.name());
    }

    // ---- the rest

    /** Does nothing: page requests tell their own positions. */
    @Override
    public void seek(long offset) {}

    @Override
    public long size() throws IOException {
        checkOpen();
        return file.refresh(next()::size);
    }

    /** Forgets clean pages, as others may have changed the file and its size. Within the gate. */
    void forget() throws IOException {
        Bypassed.forget(file);
        size();
    }

    /** Writes all pages of the file that are dirty, by whatever open. */
    void writeOut() throws IOException {
        WriteOut.all(file);
    }

    @Override
    public void truncate(long size) throws IOException {
        checkOpen();
        tellErrors();
        try {
            Bypassed.truncate(file, size, next());
        } catch (IOException e) {
            throw told.by(e);
        }
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        checkOpen();
        writeAll();
        tellErrors();
        next().flush(metadata);
    }

    private void writeAll() throws IOException {
        try {
            WriteOut.all(file);
        } catch (IOException e) {
            told.all();
            throw errors.failure("a write of " + request.name() + " failed");
        }
    }

    @Override
    public <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException {
        return Bypassed.around(file, next(), kind, offset, length, call);
    }

    /** Runs the request here, as the front has brought it to a thread that may wait. */
    @Override
    public void submit(IoRequest asked) {
        asked.perform(this);
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        requests.forEach(this::submit);
    }

    @Override
    public void await(IoRequest asked, Waiting waiting) throws InterruptedException {
        waiting.run();
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    private void writeAndTell() throws IOException {
        if (leavesTelling) {
            try {
                WriteOut.all(file);
            } catch (IOException e) {
                // The open goes on: the layer below tells.
                return;
            }
            return;
        }
        // Other opens of the file read what was written.
        if (!options.scratch() || !file.isLast()) {
            writeAll();
        }
        tellErrors();
    }

    /** Called alone: no request of the file is running. */
    @Override
    public void close() throws IOException {
        closed = true;
        IOException failure = null;
        try {
            writeAndTell();
        } catch (IOException e) {
            failure = e;
        }
        Bypassed.leaves(file, this);
        long stamp = options.retain() || options.scratch() ? request.place().changeStamp() : -1;
        boolean isNamed = stamp != -1;
        boolean stays = options.retain() && failure == null && isNamed;
        source.has(frames());
        boolean isSure = stays && ChangeStamp.isSure(request.place().type(), stamp);
        PageCache cache = file.end(isSure ? stamp : -1);
        source.closed(cache != null);
        if (cache != null) {
            CachedFiles.limitRetained(cache);
        }
        if (cache != null && PageCaches.leave(cache, options.release())) {
            source.released(cache);
        }
        try {
            next().close();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
        if (options.scratch() && cache != null && isNamed) {
            new File(request.name()).delete();
        }
        if (failure != null) {
            throw failure;
        }
    }
}
