package io.mio.cli.simulate;

import io.mio.events.Event;
import io.mio.events.EventFile;
import io.mio.layer.Descriptors;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.layer.PlatformObjects;
import io.mio.pf.AutoLayer;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * One open of a replay with {@code pf/auto}: the layer of a real one, over the kernel's cache as
 * far as it can be known. A read of bytes that the kernel was told of waits for them and is a copy;
 * any other takes what it took in the recording. Forward streams are left to the kernel, as on
 * disks where it reads far ahead: what hints gain there is found out by clocks, and there is none
 * here.
 */
final class HintedOpen {
    /** A call of the kernel for bytes that are in its cache. */
    private static final long KERNEL_CALL_NANOS = 350;

    /** To put a page for bytes that come into the cache, beside the memory it takes. */
    private static final long KERNEL_PAGE_NANOS = 600;

    /** The kernel makes requests not larger than this of what it is told, bytes. */
    private static final long REQUEST_BYTES = 512 << 10;

    /** A kernel that reads so far ahead is left alone with forward streams, bytes. */
    private static final long REACH_BYTES = 8 << 20;

    private final SimulatedFile file;
    private final Device device;
    private final Timeline timeline;
    private final Layer layer;

    /** Of the call that is played. */
    private Event call;

    private long busyNanos;

    HintedOpen(
            EventFile recorded, SimulatedFile file, Rule rule, Device device, Timeline timeline) {
        this.file = file;
        this.device = device;
        this.timeline = timeline;
        if (file.kernel == null) {
            file.kernel = new KernelPages();
        }
        file.size = Math.max(file.size, recorded.sizeBytes());
        // Without the pages that it may take for small requests.
        this.layer =
                AutoLayer.over(new Bottom(timeline, file), rule.cache(), request(recorded), null);
    }

    private OpenRequest request(EventFile recorded) {
        return new OpenRequest(
                "",
                recorded.oflags(),
                recorded.mode(),
                recorded.sizeBytes(),
                0,
                0,
                null,
                file.key(),
                null,
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
        if (read.offset() >= 0 && buffer.hasRemaining()) {
            layer.read(buffer, read.offset());
        }
        return busyNanos;
    }

    /** The kernel below the layer. */
    private final class Bottom extends SimulatedLayer {
        Bottom(Timeline timeline, SimulatedFile file) {
            super(timeline, file);
        }

        @Override
        public int read(ByteBuffer dst, long offset) {
            long came = file.kernel.read(offset, Math.max(1, call.delivered()));
            if (came < 0) {
                busyNanos += call.durationNanos();
            } else {
                timeline.until(came);
                busyNanos +=
                        Math.min(
                                call.durationNanos(),
                                KERNEL_CALL_NANOS + device.callNanos(call.delivered()));
            }
            return (int) call.delivered();
        }
    }

    private final class Kernel implements KernelCache {
        /** What comes quickly was there, and what lies beside it probably too. */
        @Override
        public int has(long offset, long bytes) {
            long cached = 10 * KERNEL_CALL_NANOS + 2 * device.callNanos(call.delivered());
            return file.kernel.has(offset, bytes) || call.durationNanos() < cached ? 1 : 0;
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
    }
}
