package io.mio.pf;

import io.mio.config.LayerSpec;
import io.mio.layer.FrameMemory;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import java.io.IOException;
import java.util.function.Supplier;

/** How an open of a file gets a cache. Twin of {@code pf_open_close.c}. */
public final class PfLayers {
    private PfLayers() {}

    /**
     * Makes a cache above {@code next}.
     *
     * @param file what all opens of the file share; its gate is the door's to take
     * @param request the open as the layers below see it
     * @param memory where frames come from
     * @param backend tells how page requests are done, for the report
     * @throws IOException if the size of the file cannot be found out
     * @throws OutOfMemoryError if there is no memory for the cache
     */
    public static PfLayer over(
            LayerSpec spec,
            Layer next,
            CachedFile file,
            OpenRequest request,
            FrameMemory memory,
            Supplier<String> backend)
            throws IOException {
        return over(PfOptions.of(spec), spec, next, file, request, memory, backend);
    }

    /**
     * The same, in a cache of another number than that of the rule. It is for a simulation of
     * several processes, in which caches of the same number are different ones.
     *
     * @param global number of the cache if it is a shared one, even one that no rule can have
     */
    public static PfLayer over(
            LayerSpec spec,
            int global,
            Layer next,
            CachedFile file,
            OpenRequest request,
            FrameMemory memory,
            Supplier<String> backend)
            throws IOException {
        return over(PfOptions.of(spec, global), spec, next, file, request, memory, backend);
    }

    private static PfLayer over(
            PfOptions options,
            LayerSpec spec,
            Layer next,
            CachedFile file,
            OpenRequest request,
            FrameMemory memory,
            Supplier<String> backend)
            throws IOException {
        long stamp = file.gate().alone();
        try {
            begin(options, next, file, request, memory);
        } finally {
            file.gate().leave(stamp);
        }
        try {
            return enter(spec, options, next, file, request, backend);
        } catch (RuntimeException | Error e) {
            stamp = file.gate().alone();
            try {
                giveUp(file);
            } finally {
                file.gate().leave(stamp);
            }
            throw e;
        }
    }

    /**
     * Makes the cache that {@code pf/auto} takes for an open that is in use; it works in the
     * program's thread. The gate of the file is held alone.
     *
     * @throws IOException if the size of the file cannot be found out
     * @throws OutOfMemoryError if there is no memory for the cache
     */
    public static PfLayer onTheWay(
            LayerSpec spec,
            Layer next,
            CachedFile file,
            OpenRequest request,
            FrameMemory memory,
            Supplier<String> backend)
            throws IOException {
        PfOptions options = PfOptions.onTheWay(spec);
        begin(options, next, file, request, memory);
        return enterOrGiveUp(spec, options, next, file, request, backend);
    }

    /**
     * Makes the cache that {@code pf/auto} reads a file past the kernel's cache into; otherwise
     * like {@link #onTheWay}.
     *
     * @param cacheBytes memory of all pages together
     * @param pageBytes of each page
     */
    public static PfLayer pastKernel(
            LayerSpec spec,
            Layer next,
            CachedFile file,
            OpenRequest request,
            FrameMemory memory,
            Supplier<String> backend,
            long cacheBytes,
            int pageBytes)
            throws IOException {
        PfOptions options = PfOptions.pastKernel(spec, cacheBytes, pageBytes, next.size());
        begin(options, next, file, request, memory);
        return enterOrGiveUp(spec, options, next, file, request, backend);
    }

    private static PfLayer enterOrGiveUp(
            LayerSpec spec,
            PfOptions options,
            Layer next,
            CachedFile file,
            OpenRequest request,
            Supplier<String> backend) {
        try {
            return enter(spec, options, next, file, request, backend);
        } catch (RuntimeException | Error e) {
            giveUp(file);
            throw e;
        }
    }

    /**
     * Takes back what {@link #begin} did, as no layer could be made, for example for lack of
     * memory. Alone.
     */
    private static void giveUp(CachedFile file) {
        PageCache cache = file.end(-1);
        if (cache != null) {
            PageCaches.leave(cache, true);
        }
    }

    /**
     * Begins the use of a cache. Alone: opens without a cache could make the file longer between
     * its steps.
     */
    private static void begin(
            PfOptions options, Layer next, CachedFile file, OpenRequest request, FrameMemory memory)
            throws IOException {
        long size = next.size();
        long changed = request.place().changeStamp();
        boolean first =
                file.begin(
                        options, sectorBytes(request.place().sectorBytes()), size, changed, memory);
        boolean keeps = keepsWrites(options, request);
        try {
            if (first) {
                file.path = request.name();
                file.beside().began(request.descriptors(), keeps);
                if (file.beside().mayBeWritten()) {
                    // A sector that became dirty would be written over such a write, with bytes
                    // from before.
                    file.use().besideWriters();
                }
            } else {
                file.beside().joined(keeps, next::size);
            }
        } catch (RuntimeException | Error e) {
            giveUp(file);
            throw e;
        }
    }

    /** Makes the layer; from here on others see it. */
    private static PfLayer enter(
            LayerSpec spec,
            PfOptions options,
            Layer next,
            CachedFile file,
            OpenRequest request,
            Supplier<String> backend) {
        PfLayer layer = new PfLayer(spec.typedName(), options, next, file, request, backend);
        PageCache cache = file.cache();
        cache.lock.lock();
        try {
            file.layers().add(layer);
            file.counters().describe(layer.source(), cache, file.sectorBytes());
            file.pages().show();
        } catch (RuntimeException | Error e) {
            file.layers().remove(layer);
            throw e;
        } finally {
            cache.lock.unlock();
        }
        if (keepsWrites(options, request)) {
            askAgain(file, next);
        }
        return layer;
    }

    private static boolean keepsWrites(PfOptions options, OpenRequest request) {
        return OpenFlags.writes(request.oflags()) && !options.isThrough(request);
    }

    /**
     * Asks for the size once more. An open that did not know that the file gets pages may have cut
     * it, and once something is dirty nobody asks any more.
     */
    private static void askAgain(CachedFile file, Layer next) {
        try {
            file.refresh(next::size);
        } catch (IOException e) {
            // It was asked for a moment ago.
            return;
        }
    }

    /**
     * The sectors of a cache, in bytes.
     *
     * @param told what the file system tells, or a rule; without effect if a cache cannot have it
     */
    public static int sectorBytes(long told) {
        boolean usable =
                told >= PfOptions.SECTOR_BYTES_MIN
                        && told <= PfOptions.PAGE_STEP
                        && Long.bitCount(told) == 1;
        return usable ? (int) told : PfOptions.PAGE_STEP;
    }
}
