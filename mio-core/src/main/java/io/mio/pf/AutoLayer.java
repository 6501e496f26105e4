package io.mio.pf;

import io.mio.config.LayerSpec;
import io.mio.config.PfOption;
import io.mio.counters.CounterRecord;
import io.mio.layer.DecisionWatch;
import io.mio.layer.IoRequest;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.stats.FileReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code pf/auto}: leaves the file to the kernel and tells it what the program will read. Where the
 * program's first requests are small and near each other it takes pages, of the ordinary cache, in
 * the program's thread, with every write handed on at once; the kernel is told of what is read into
 * them.
 *
 * <p>Pages come while the file is open, with the gate held alone: every request of such an open
 * comes under the gate, see {@link #mayTakePages}.
 */
public final class AutoLayer implements Layer {
    /**
     * What the kernel reads with the first requests anyway; a file not larger that is only read has
     * nothing to be told of. Bytes.
     */
    private static final long SMALL_FILE_BYTES = 256 << 10;

    /** Opens whose bytes go at once where the program sends them. */
    private static final int NO_PAGES = OpenFlags.APPEND | OpenFlags.DIRECT | OpenFlags.DSYNC;

    /** A read of so many bytes costs as much by the JDK's channel as out of pages. */
    private static final long SMALL_BYTES = 4096;

    /**
     * Fewer of them are not worth a page: 4 KB each are (1.6 times as fast), 8 KB each are not. A
     * native program has more of them to one page, as its calls cost less.
     */
    private static final int WORTH = 12;

    /** Opens of the process that have pages at a time: each may hold a megabyte. */
    private static final int OPENS_MAX = 16;

    /** Requests from one look to the next at whether pages are worth it. */
    private static final int JUDGED_REQUESTS = 4096;

    private static final AtomicInteger PAGED = new AtomicInteger();

    /** Makes the cache of an open. */
    public interface Cache {
        /**
         * The cache, over {@code below}. The gate of the file is held alone.
         *
         * @param why it is made, in words
         * @return null if the file gets none
         */
        PfLayer make(Layer below, String why) throws IOException;

        /** It is of no use to this open any more, which goes by it from now on. */
        void giveUp();
    }

    private final String name;
    private final HintLayer kernel;
    private final PageChoice choice;
    private final Cache cache;
    private final AutoLog log;

    /** Null while the kernel serves. */
    private volatile PfLayer pages;

    /** Pages that are of no use any more: closed with the file. */
    private PfLayer given;

    /** Requests since they were looked at; a race between threads does no harm. */
    private int judged;

    private long judgedReads;

    private AutoLayer(
            LayerSpec spec, HintLayer kernel, boolean mayTakePages, Cache cache, AutoLog log) {
        this.name = spec.typedName();
        this.kernel = kernel;
        this.choice = new PageChoice(mayTakePages, SMALL_BYTES);
        this.cache = cache;
        this.log = log;
    }

    /**
     * A layer over {@code next}, or {@code next} itself where there is nothing to gain: direct I/O,
     * a file in memory or on another machine (whose kernel does little on hints), one that is only
     * written, a small one that is only read; and without the native helper.
     *
     * @param cache makes pages when they are wanted; null: never
     */
    public static Layer over(Layer next, LayerSpec spec, OpenRequest request, Cache cache) {
        if (request.kernelCache() == KernelCache.NONE
                || !mayGain(request.oflags(), request.sizeBytes())) {
            return next;
        }
        String name = spec.typedName();
        int streams = (int) spec.number(PfOption.STREAMS);
        AutoLog log = new AutoLog(spec, request);
        HintLayer hints = new HintLayer(name, next, streams, request.kernelCache(), log);
        // Streams have an order, and asynchronous requests no thread that may wait.
        boolean may =
                cache != null
                        && request.key() != null
                        && request.interruptible()
                        && request.executor() == null
                        && (request.oflags() & NO_PAGES) == 0;
        return new AutoLayer(spec, hints, may, cache, log);
    }

    /**
     * False where flags and size of the open tell already that there is nothing to gain: then
     * nobody has to look at the file, nor to load the helper for it.
     */
    public static boolean mayGain(int oflags, long sizeBytes) {
        return OpenFlags.reads(oflags)
                && (oflags & OpenFlags.DIRECT) == 0
                && (OpenFlags.writes(oflags) || sizeBytes > SMALL_FILE_BYTES);
    }

    /** True if its requests have to come under the gate: it has pages, or may want some. */
    public boolean mayTakePages() {
        return choice.isLooking() || pages != null || given != null;
    }

    /** True if below it are none but those that every open has. */
    public boolean isLast() {
        Layer below = kernel.next();
        return (below instanceof AttachedLayer ? below.next() : below).next() == null;
    }

    /** What it has to report. */
    public FileReport.Source source() {
        return log;
    }

    /**
     * Has others see what it does in the record of the trace layer above, until both are released.
     */
    public void show(CounterRecord record) {
        log.show(record);
    }

    /** Before it is used: has its decisions told to somebody. */
    public void watch(DecisionWatch watch) {
        log.watch(watch);
    }

    /** True if it waits for {@link #takePages}, which has to be called without the gate. */
    public boolean wantsPages() {
        return choice.state() == PageChoice.State.PAGES && pages == null;
    }

    /** Takes pages, if they can be had. The gate of the file is held alone, the file is open. */
    public void takePages() {
        if (!wantsPages()) {
            return;
        }
        judgedReads = kernel.reads();
        PfLayer made = null;
        String why = "there is no memory or no descriptor for them";
        if (PAGED.incrementAndGet() <= OPENS_MAX) {
            try {
                made = cache.make(kernel, choice.reason());
            } catch (IOException | RuntimeException e) {
                // The kernel serves it as before.
            }
        } else {
            why = OPENS_MAX + " opens of the process have some";
        }
        if (made == null) {
            PAGED.decrementAndGet();
            refused(why);
        } else if (made.isPast()) {
            // Nothing may be kept.
            giveUp(made);
            refused("others write the file past MIO, or have it mapped");
        } else {
            pages = made;
            log.pages(choice.reason());
        }
    }

    private void refused(String why) {
        log.noPages(why + ", though " + choice.reason());
        choice.kernel();
    }

    private void giveUp(PfLayer made) {
        given = made;
        choice.kernel();
        cache.giveUp();
        pages = null;
    }

    /** How many of the reads to come may go by all layers: there is nothing to see in them. */
    public int rest() {
        return choice.state() == PageChoice.State.KERNEL && given == null ? kernel.rest() : 0;
    }

    private Layer target() {
        PfLayer has = pages;
        return has == null ? kernel : has;
    }

    /** Who is asked for the next read. */
    private Layer reading(long offset, long length) {
        PfLayer has = pages;
        if (has == null) {
            if (choice.isLooking()) {
                choice.seen(offset, length);
                chosen();
            }
            return kernel;
        }
        // Or so many page reads that the rest of the requests cannot make up for them.
        if (++judged >= JUDGED_REQUESTS
                || !PageChoice.isWorth(JUDGED_REQUESTS, kernel.reads() - judgedReads, WORTH)) {
            judge(has);
        }
        return has;
    }

    private Layer writing() {
        if (choice.isLooking()) {
            choice.wrote();
            chosen();
        }
        return target();
    }

    /** The program's requests are not for pages: once, but for a race. */
    private void chosen() {
        if (choice.state() == PageChoice.State.KERNEL) {
            log.noPages(choice.reason());
        }
    }

    /** The program may have gone on at random. The kernel has all that the pages have. */
    private void judge(PfLayer has) {
        long reads = kernel.reads();
        if (!PageChoice.isWorth(judged, reads - judgedReads, WORTH)) {
            giveUp(has);
            log.noPages(
                    "no longer near each other: "
                            + judged
                            + " requests took "
                            + (reads - judgedReads)
                            + " page reads");
        }
        judged = 0;
        judgedReads = reads;
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
        return writing().write(src, offset);
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        return writing().write(srcs, from, count, offset);
    }

    @Override
    public void seek(long offset) {
        target().seek(offset);
    }

    @Override
    public long size() throws IOException {
        return target().size();
    }

    @Override
    public void truncate(long size) throws IOException {
        target().truncate(size);
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        target().flush(metadata);
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
        PfLayer has = pages == null ? given : pages;
        if (has == null) {
            kernel.close();
            return;
        }
        PAGED.decrementAndGet();
        has.close();
    }

    /** The stack from here down, as it is composed: pages are part of this layer. */
    @Override
    public String toString() {
        return name + "|" + kernel;
    }
}
