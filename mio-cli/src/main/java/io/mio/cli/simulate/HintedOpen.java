package io.mio.cli.simulate;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.layer.Descriptors;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.layer.PlatformObjects;
import io.mio.os.KernelCall;
import io.mio.pf.AttachedLayer;
import io.mio.pf.AutoLayer;
import io.mio.pf.CachedFile;
import io.mio.pf.CachedFiles;
import io.mio.pf.DirectSizes;
import io.mio.pf.PfLayer;
import io.mio.pf.PfLayers;
import io.mio.stats.PfSnapshot;
import io.mio.stats.StatsBlock;
import io.mio.stats.TraceSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One open of a replay with {@code pf/auto}: the real layer, over the kernel's cache as far as that
 * can be known. A read of bytes for which the kernel got a hint waits for them and costs a copy;
 * any other read takes what it took in the recording. With pages, a call costs what a call served
 * from pages does, and each page read costs its time. But what the program waited for in the
 * recording it waits for here, too, unless the kernel got a hint.
 *
 * <p>The times of the recording tell whether storage answers late. Forward streams are left to the
 * kernel, as on disks where it reads far ahead: {@code pf/auto} measures the gain of hints there by
 * a clock, and the simulation does not know how hints would change those times. The file is never
 * read past the kernel's cache, because it is not known how much memory there will be.
 */
final class HintedOpen {
    /**
     * A call that takes less than so many calls of the kernel, and twice the copying, has not
     * waited: the kernel's cache served it.
     */
    private static final long CACHED_CALLS = 8;

    /**
     * Time to add a page to the kernel's cache for bytes that will arrive, without the time to
     * touch the page's memory; nanoseconds.
     */
    private static final long KERNEL_PAGE_NANOS = 600;

    /** Largest request that the kernel makes for a hint, bytes. */
    private static final long REQUEST_BYTES = 512 << 10;

    /** Readahead that the kernel tells of, bytes: so much that forward streams are left to it. */
    private static final long REACH_BYTES = 8 << 20;

    private static final int SECTOR_BYTES = 4096;

    private final long process;
    private final SimulatedFile file;
    private final Device device;
    private final Timeline timeline;
    private final Path recording;
    private final CachedFile cached;
    private final Layer layer;

    /** The {@code pf/auto} layer; null where it would have nothing to gain. */
    private final AutoLayer auto;

    /** The pages last used; null until there are some. */
    private PfLayer pages;

    private long memoryBytes;

    /**
     * Kernel pages that page reads got by hints: a call that begins in one has nothing to wait for.
     */
    private final PageSet informed = new PageSet();

    // The call that is played, and the time that it has taken here so far.
    private Event call;
    private long busyNanos;

    /** Whether the call is served from pages; stays true during the call that gives them up. */
    private boolean paged;

    /**
     * @param recording the events file, which was just read
     * @param paged counts the opens of its process that have pages
     */
    HintedOpen(
            EventFile recorded,
            SimulatedFile file,
            Rule rule,
            Device device,
            Timeline timeline,
            Path recording,
            AtomicInteger paged)
            throws IOException {
        this.process = recorded.process();
        this.file = file;
        this.device = device;
        this.timeline = timeline;
        this.recording = recording;
        if (file.kernel == null) {
            file.kernel = new KernelPages();
        }
        this.cached = CachedFiles.enter(file.key());
        begin(recorded);
        OpenRequest request = request(recorded);
        AttachedLayer attached = new AttachedLayer(cached, new Bottom(timeline, file));
        LatePages late = new LatePages(rule, request, attached, paged);
        this.layer = AutoLayer.over(attached, rule.cache(), request, late);
        this.auto = layer instanceof AutoLayer has ? has : null;
    }

    private void begin(EventFile recorded) throws IOException {
        int oflags = recorded.oflags();
        if ((oflags & OpenFlags.TRUNC) != 0 && OpenFlags.writes(oflags)) {
            cached.truncating(
                    () -> {
                        file.cut(0);
                        return null;
                    },
                    result -> true);
        }
        file.size = Math.max(file.size, recorded.sizeBytes());
    }

    private OpenRequest request(EventFile recorded) {
        return new OpenRequest(
                "",
                recorded.oflags(),
                recorded.mode(),
                recorded.sizeBytes(),
                0,
                0,
                file.place(SECTOR_BYTES),
                file.key(),
                null,
                true,
                false,
                false,
                false,
                PlatformObjects.NONE,
                Descriptors.NONE,
                new Kernel());
    }

    /**
     * Plays a read. Returns how long it takes, in nanoseconds, without the waits for bytes that
     * hints brought: those pass in the timeline.
     */
    long read(Event read, ByteBuffer buffer) throws IOException {
        call = read;
        busyNanos = 0;
        if (read.offset() < 0 || !buffer.hasRemaining()) {
            return read.durationNanos();
        }
        file.reaches(read.delivered() > 0 ? read.offset() + read.delivered() : 0);
        if (auto != null && auto.wantsGate()) {
            auto.settle();
        }
        paged = isPaged();
        layer.read(buffer, read.offset());
        if (paged) {
            busyNanos += device.callNanos(read.delivered()) + waitedNanos();
            memoryBytes = (long) pages.frames() * pages.pageBytes();
        }
        return busyNanos;
    }

    /** Plays a write; returns how long it takes, in nanoseconds. */
    long write(Event write, ByteBuffer buffer) throws IOException {
        call = write;
        busyNanos = write.durationNanos();
        paged = isPaged();
        if (write.append()) {
            layer.write(buffer, Layer.APPEND);
        } else if (write.offset() >= 0) {
            layer.write(buffer, write.offset());
        }
        return busyNanos;
    }

    /** Plays a change of the size; returns how long it takes, in nanoseconds. */
    long truncate(Event cut) throws IOException {
        call = cut;
        busyNanos = cut.durationNanos();
        if (cut.offset() >= 0) {
            layer.truncate(cut.offset());
        }
        return cut.durationNanos();
    }

    /** The process that it is of. */
    long process() {
        return process;
    }

    /** Memory of its pages, or of those it gave up, in bytes. */
    long memoryBytes() {
        return memoryBytes;
    }

    private boolean isPaged() {
        return auto != null && auto.next() instanceof PfLayer;
    }

    /** Time that the call waited for in the recording and has to wait for still, in nanoseconds. */
    private long waitedNanos() {
        long nanos = call.durationNanos();
        if (call.delivered() <= 0
                || nanos < cachedNanos()
                || informed.has(KernelPages.number(call.offset()))) {
            return 0;
        }
        return nanos - device.kernelNanos(call.delivered());
    }

    /** A call that took less than this was served from the kernel's cache; nanoseconds. */
    private long cachedNanos() {
        return CACHED_CALLS * device.kernelNanos() + 2 * device.copyNanos(call.delivered());
    }

    /**
     * Closes the open. Returns what the pages of the file counted, or null if there were none, or
     * if other opens go on to count.
     */
    PfSnapshot close() throws IOException {
        try {
            layer.close();
        } finally {
            CachedFiles.leave(cached);
        }
        StatsBlock block =
                pages == null ? null : pages.source().file().snapshot(TraceSnapshot.Event.CLOSE);
        return block instanceof PfSnapshot counted ? counted : null;
    }

    /** Makes pages when the layer wants them. */
    private final class LatePages implements AutoLayer.Cache {
        private final Rule rule;
        private final OpenRequest request;
        private final AttachedLayer attached;
        private final AtomicInteger paged;

        LatePages(Rule rule, OpenRequest request, AttachedLayer attached, AtomicInteger paged) {
            this.rule = rule;
            this.request = request;
            this.attached = attached;
            this.paged = paged;
        }

        @Override
        public PfLayer make(Layer below) throws IOException {
            PfLayer made =
                    PfLayers.onTheWay(
                            rule.cache(),
                            below,
                            cached,
                            request,
                            SharedFrame.MEMORY,
                            () -> "simulation");
            attached.beneath(true);
            return made;
        }

        @Override
        public void used(PfLayer made, String why) {
            pages = made;
        }

        @Override
        public DirectSizes sizes() {
            return DirectSizes.USUAL;
        }

        @Override
        public String openDirect(long roomBytes) {
            return "a simulation has no memory to go by";
        }

        @Override
        public PfLayer makeDirect(Layer below) {
            return null;
        }

        @Override
        public void giveUp() {
            attached.beneath(false);
        }

        @Override
        public AtomicInteger paged() {
            return paged;
        }
    }

    /** The kernel below the {@code pf/auto} layer. */
    private final class Bottom extends SimulatedLayer {
        Bottom(Timeline timeline, SimulatedFile file) {
            super(timeline, file);
        }

        @Override
        public int read(ByteBuffer dst, long offset) {
            if (paged) {
                return readPage(dst, offset);
            }
            long came = file.kernel.read(offset, Math.max(1, call.delivered()));
            if (came < 0) {
                busyNanos += call.durationNanos();
            } else {
                timeline.until(came);
                busyNanos += Math.min(call.durationNanos(), device.kernelNanos(call.delivered()));
            }
            return (int) call.delivered();
        }

        private int readPage(ByteBuffer dst, long offset) {
            long bytes = Math.min(dst.remaining(), file.size - offset);
            if (bytes <= 0) {
                return -1;
            }
            long came = file.kernel.read(offset, bytes);
            if (came >= 0) {
                timeline.until(came);
                int last = KernelPages.number(offset + bytes - 1);
                for (int page = KernelPages.number(offset); page <= last; page++) {
                    informed.add(page);
                }
            }
            busyNanos += device.kernelNanos(bytes);
            dst.position(dst.position() + (int) bytes);
            return (int) bytes;
        }

        @Override
        public int write(ByteBuffer src, long offset) {
            long at = offset == APPEND ? file.size : offset;
            int bytes = src.remaining();
            src.position(src.limit());
            file.wrote(at + bytes);
            return bytes;
        }

        @Override
        public void flush(boolean metadata) {}
    }

    private final class Kernel implements KernelCache {
        /**
         * A call that was quick found its bytes there; those beside them were probably there, too.
         */
        @Override
        public int has(long offset, long bytes) {
            return file.kernel.has(offset, bytes) || call.durationNanos() < cachedNanos() ? 1 : 0;
        }

        @Override
        public boolean readAhead(long offset, long bytes) {
            long end = Math.min(offset + bytes, file.size);
            long page = offset / KernelPages.PAGE_BYTES;
            while (page * KernelPages.PAGE_BYTES < end) {
                long from = page;
                while (page * KernelPages.PAGE_BYTES < end
                        && (page - from) * KernelPages.PAGE_BYTES < REQUEST_BYTES
                        && !file.kernel.has(page)) {
                    page++;
                }
                long pages = page - from;
                if (pages == 0) {
                    page++;
                    continue;
                }
                busyNanos +=
                        pages * KERNEL_PAGE_NANOS
                                + device.freshNanos(pages * KernelPages.PAGE_BYTES);
                long comes = timeline.begin(pages * KernelPages.PAGE_BYTES);
                for (long each = from; each < page; each++) {
                    file.kernel.comes(each, comes);
                }
            }
            return true;
        }

        @Override
        public long reachBytes() {
            return REACH_BYTES;
        }

        /** Measured on this machine: what it is where the recording was made is not known. */
        @Override
        public long callNanos(long offset) {
            return KernelCall.nanos(recording);
        }

        /** The time in the recording, plus what the call has taken here so far. */
        @Override
        public long nanos() {
            return call.startNanos() + busyNanos;
        }
    }
}
