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
 * One open of a replay with {@code pf/auto}: the layer of a real one, over the kernel's cache as
 * far as it can be known. A read of bytes that the kernel was told of waits for them and is a copy;
 * any other takes what it took in the recording. With pages a call costs what one out of pages
 * does, and page reads cost theirs; but what the program waited for without MIO it waits for still,
 * unless the kernel was told.
 *
 * <p>Whether storage answers late is told by the times of the recording. Forward streams are left
 * to the kernel, as on disks where it reads far ahead: what hints gain there is found out by a
 * clock that would have to know what they change. Nor is a file read past the kernel's cache, since
 * nobody knows how much memory there will be.
 */
final class HintedOpen {
    /** A call that took no longer than this, beside twice the copying, has not waited. */
    private static final long WAITED_NANOS = 4_000;

    /** To put a page for bytes that come into the cache, beside the memory it takes. */
    private static final long KERNEL_PAGE_NANOS = 600;

    /** The kernel makes requests not larger than this of what it is told, bytes. */
    private static final long REQUEST_BYTES = 512 << 10;

    /** A kernel that reads so far ahead is left alone with forward streams, bytes. */
    private static final long REACH_BYTES = 8 << 20;

    private static final int SECTOR_BYTES = 4096;

    private final SimulatedFile file;
    private final Device device;
    private final Timeline timeline;
    private final Path recording;
    private final CachedFile cached;
    private final Layer layer;

    /** Null where there is nothing to gain. */
    private final AutoLayer auto;

    /** Once there are some. */
    private PfLayer pages;

    private long memoryBytes;

    /** Pages of the kernel that the program has got by hints: of them nothing is waited for. */
    private final PageSet informed = new PageSet();

    // Of the call that is played.
    private Event call;
    private long busyNanos;

    /** It goes into pages, even if it is the one with which they are given up. */
    private boolean paged;

    /**
     * @param recording the events file, which was just read
     * @param paged opens with pages of its process
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

    /** Returns how long it keeps the processor; waits pass in the timeline. */
    long read(Event read, ByteBuffer buffer) throws IOException {
        call = read;
        busyNanos = 0;
        if (read.offset() < 0 || !buffer.hasRemaining()) {
            return read.durationNanos();
        }
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

    /** The same. */
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

    /** The same. */
    long truncate(Event cut) throws IOException {
        call = cut;
        busyNanos = cut.durationNanos();
        if (cut.offset() >= 0) {
            layer.truncate(cut.offset());
        }
        return cut.durationNanos();
    }

    /** What its pages have of memory, or had when it gave them up. */
    long memoryBytes() {
        return memoryBytes;
    }

    private boolean isPaged() {
        return auto != null && auto.next() instanceof PfLayer;
    }

    /** What the call waited for in the recording and has to wait for still. */
    private long waitedNanos() {
        long nanos = call.durationNanos();
        if (call.delivered() <= 0
                || nanos < cachedNanos()
                || informed.has(KernelPages.number(call.offset()))) {
            return 0;
        }
        return nanos - device.kernelNanos(call.delivered());
    }

    /** What took no longer was in the kernel's cache. */
    private long cachedNanos() {
        return WAITED_NANOS + 2 * device.copyNanos(call.delivered());
    }

    /**
     * With the file; returns what its pages counted, or null if there were none, or other opens go
     * on to count.
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

    /** Makes pages when they are wanted. */
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

    /** The kernel below the layer. */
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
        /** What comes quickly was there, and what lies beside it probably too. */
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

        /** Of this machine: what it took where the recording was made is not known. */
        @Override
        public long callNanos(long offset) {
            return KernelCall.nanos(recording);
        }

        /** As it was in the recording. */
        @Override
        public long nanos() {
            return call.startNanos() + busyNanos;
        }
    }
}
