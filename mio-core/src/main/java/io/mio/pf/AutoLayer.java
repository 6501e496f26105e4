package io.mio.pf;

import io.mio.config.LayerSpec;
import io.mio.config.PfOption;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.NoKernelCache;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The layer {@code pf/auto}: leaves the file to the kernel and gives it hints for what the program
 * will read. If the program's first requests are small and near each other, the layer takes pages
 * of an ordinary cache, which the program's own thread fills. Then every write is handed on at
 * once, and the kernel gets hints for what the pages will read. If the program reads at length a
 * file that does not fit memory, the layer takes pages that are read past the kernel's cache.
 *
 * <p>Pages come and go while the file is open, with the gate held alone. So every request of such
 * an open comes under the gate, see {@link #mayTakePages}.
 */
public final class AutoLayer implements Layer {
    /**
     * A file of at most this size gets no hints if it is only read: the kernel reads all of it with
     * the first requests anyway. Bytes.
     */
    private static final long SMALL_FILE_BYTES = 256 << 10;

    /**
     * Flags of opens whose bytes must go at once where the program sends them; they get no pages.
     */
    private static final int NO_PAGES = OpenFlags.APPEND | OpenFlags.DIRECT | OpenFlags.DSYNC;

    /** Makes the cache of an open. Called with the gate of the file held alone. */
    public interface Cache {
        /** Makes the cache over {@code below}; null if there is no memory for it. */
        PfLayer make(Layer below) throws IOException;

        /** The figures by which a file is read past the kernel's cache. */
        DirectSizes sizes();

        /**
         * Takes memory for pages past the kernel's cache, and opens the descriptors to read them
         * by.
         *
         * @param roomBytes memory that could keep pages of files
         * @return null, or in words why there can be no such pages
         */
        String openDirect(long roomBytes);

        /** Makes such pages, once; otherwise like {@link #make}. */
        PfLayer makeDirect(Layer below) throws IOException;

        /**
         * Requests go to the cache {@code made} from now on, as it is of use. Until then nobody
         * sees it.
         *
         * @param why in words
         */
        void used(PfLayer made, String why);

        /** The open's requests pass the cache by from now on, as it is of no use to them. */
        void giveUp();

        /** Counts the opens in this process that have such a cache. */
        default AtomicInteger paged() {
            return AutoPages.PAGED;
        }
    }

    private final String name;
    private final HintLayer kernel;
    private final PageChoice choice;
    private final AutoPages pages;
    private final AutoLog log;

    private AutoLayer(
            LayerSpec spec, HintLayer kernel, PageChoice choice, AutoPages pages, AutoLog log) {
        this.name = spec.typedName();
        this.kernel = kernel;
        this.choice = choice;
        this.pages = pages;
        this.log = log;
    }

    /**
     * Makes a layer over {@code next}, or returns {@code next} itself where there is nothing to
     * gain: direct I/O, a file in memory or on another machine (whose kernel does little on hints),
     * a file that is only written, a small file that is only read; and without the native helper.
     *
     * @param cache makes pages when they are wanted; null: there are never any
     */
    public static Layer over(Layer next, LayerSpec spec, OpenRequest request, Cache cache) {
        if (request.kernelCache() instanceof NoKernelCache
                || !mayGain(request.oflags(), request.sizeBytes())) {
            return next;
        }
        String name = spec.typedName();
        int streams = (int) spec.number(PfOption.STREAMS);
        AutoLog log = new AutoLog(spec, request);
        // No pages for streams, which have an order, nor for asynchronous requests, which have no
        // thread that may wait.
        boolean may =
                cache != null
                        && request.key() != null
                        && request.interruptible()
                        && request.executor() == null
                        && (request.oflags() & NO_PAGES) == 0;
        KernelSight sight = new KernelSight(request.kernelCache(), log);
        DirectLook direct = may ? DirectLook.of(request, sight, cache.sizes()) : null;
        HintLayer hints =
                new HintLayer(
                        name,
                        next,
                        streams,
                        request.kernelCache(),
                        sight,
                        request.sizeBytes(),
                        log,
                        direct);
        boolean smaller =
                OpenFlags.writes(request.oflags()) || (direct != null && direct.isBeyond());
        PageChoice choice = new PageChoice(may, smaller);
        Agreement agreement = new Agreement(request.kernelCache(), request.place());
        AutoPages pages = new AutoPages(hints, choice, direct, cache, agreement, log);
        return new AutoLayer(spec, hints, choice, pages, log);
    }

    /**
     * What to report where {@link #over} made no layer although there might be something to gain:
     * the reason. Null where there is nothing to gain.
     */
    public static AutoReport unserved(LayerSpec spec, OpenRequest request) {
        if (!(request.kernelCache() instanceof NoKernelCache none) || none.why() == null) {
            return null;
        }
        AutoLog log = new AutoLog(spec, request);
        log.unserved(none.why());
        return log;
    }

    /**
     * False where flags and size of the open already show that there is nothing to gain. Then the
     * file need not be looked at, nor the helper be loaded for it.
     */
    public static boolean mayGain(int oflags, long sizeBytes) {
        return OpenFlags.reads(oflags)
                && (oflags & OpenFlags.DIRECT) == 0
                && (OpenFlags.writes(oflags) || sizeBytes > SMALL_FILE_BYTES);
    }

    /** True if the open's requests have to come under the gate: it has pages, or may want some. */
    public boolean mayTakePages() {
        return pages.mayBe();
    }

    /** True while the open has pages. */
    public boolean hasPages() {
        return pages.now() != null;
    }

    /** True if below this layer there are only those layers that every open has. */
    public boolean isLast() {
        Layer below = kernel.next();
        return (below instanceof AttachedLayer ? below.next() : below).next() == null;
    }

    /** Returns what this layer tells of the open. */
    public AutoReport report() {
        return log;
    }

    /**
     * True if {@link #settle} is due. To be asked without the gate, which {@code settle} needs
     * alone.
     */
    public boolean wantsGate() {
        return pages.isDue();
    }

    /**
     * Takes the pages that this layer wants, if they can be had, and gives back those that are of
     * no use. The gate of the file is held alone, and the file is open.
     *
     * @throws ClosedChannelException if an interrupt of this thread has closed the file meanwhile
     */
    public void settle() throws ClosedChannelException {
        pages.settle();
    }

    /**
     * How many of the next reads may pass all layers by, because there is nothing to see in them.
     */
    public int rest() {
        return choice.state() == PageChoice.State.KERNEL && pages.areGone() ? kernel.rest() : 0;
    }

    private Layer target() {
        PfLayer has = pages.now();
        return has == null ? kernel : has;
    }

    /** The layer that serves the next read. */
    private Layer reading(long offset, long length) throws IOException {
        PfLayer has = pages.reading(length);
        if (has != null) {
            return has;
        }
        if (choice.isLooking()) {
            choice.seen(offset, length);
            if (choice.state() == PageChoice.State.PAGES) {
                choice.costs(kernel.callNanos(offset));
            }
            chosen();
        } else {
            kernel.settle();
        }
        return kernel;
    }

    /** The layer that serves the next write. */
    private Layer writing() {
        PfLayer has = pages.now();
        if (has != null) {
            return has;
        }
        if (choice.isLooking()) {
            choice.wrote();
            chosen();
        }
        return kernel;
    }

    /** Reports, once but for a race, that the program's requests are not for pages. */
    private void chosen() {
        if (choice.state() == PageChoice.State.KERNEL) {
            log.noPages(choice.reason());
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Layer next() {
        return target();
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        return reading(offset, dst.remaining()).read(dst, offset);
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        long length = 0;
        for (int i = from; i < from + count; i++) {
            length += dsts[i].remaining();
        }
        return reading(offset, length).read(dsts, from, count, offset);
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        pages.writes();
        try {
            return writing().write(src, offset);
        } finally {
            pages.wrote();
        }
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        pages.writes();
        try {
            return writing().write(srcs, from, count, offset);
        } finally {
            pages.wrote();
        }
    }

    @Override
    public void seek(long offset) {
        target().seek(offset);
    }

    /**
     * Works without the gate, so the pages may be closed meanwhile. Then they may have told the
     * last size that they knew.
     */
    @Override
    public long size() throws IOException {
        Layer asked = target();
        try {
            long size = asked.size();
            if (asked == target()) {
                return size;
            }
        } catch (ClosedChannelException e) {
            if (asked == target()) {
                throw e;
            }
        }
        return target().size();
    }

    @Override
    public void truncate(long size) throws IOException {
        pages.writes();
        try {
            target().truncate(size);
        } finally {
            pages.wrote();
        }
    }

    /**
     * Works without the gate, like {@link #size}: pages that are closed meanwhile had nothing to
     * write.
     */
    @Override
    public void flush(boolean metadata) throws IOException {
        Layer asked = target();
        try {
            asked.flush(metadata);
        } catch (ClosedChannelException e) {
            if (asked == target() || e instanceof ClosedByInterruptException) {
                throw e;
            }
            target().flush(metadata);
        }
    }

    @Override
    public <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException {
        return target().around(kind, offset, length, call);
    }

    @Override
    public void submit(IoRequest request) throws IOException {
        target().submit(request);
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        target().submitAll(requests);
    }

    @Override
    public boolean reserve(long offset, long bytes) throws IOException {
        return target().reserve(offset, bytes);
    }

    @Override
    public void await(IoRequest request, Waiting waiting) throws InterruptedException {
        target().await(request, waiting);
    }

    @Override
    public void close() throws IOException {
        IOException failure = null;
        try {
            pages.close();
        } catch (IOException e) {
            failure = e;
        }
        try {
            kernel.close();
        } catch (IOException e) {
            failure = failure == null ? e : failure;
        }
        if (failure != null) {
            throw failure;
        }
    }

    /** The stack from here down, as it is composed. The pages are part of this layer. */
    @Override
    public String toString() {
        return name + "|" + kernel;
    }
}
