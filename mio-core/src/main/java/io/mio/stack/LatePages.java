package io.mio.stack;

import io.mio.config.LayerSpec;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.os.Backends;
import io.mio.os.OsLayer;
import io.mio.pf.AttachedLayer;
import io.mio.pf.AutoLayer;
import io.mio.pf.CachedFile;
import io.mio.pf.DirectSizes;
import io.mio.pf.PfLayer;
import io.mio.pf.PfLayers;
import io.mio.stats.FileReport;
import io.mio.stats.IoTotals;
import io.mio.stats.StatsBlock;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.util.function.Function;

/**
 * The pages that {@code pf/auto} may take while a file is open, and their blocks in its report,
 * which are missing until then.
 */
final class LatePages implements AutoLayer.Cache {
    private final LayerSpec spec;
    private final CachedFile file;
    private final OpenRequest request;
    private final AttachedLayer attached;
    private final Layer os;
    private final DirectSizes sizes;
    private final Told told;
    private volatile PfLayer pages;

    // Set by openDirect, used by makeDirect.
    private OsLayer direct;
    private DirectMemory memory;

    /** Whether the pages go past the kernel's cache. */
    private boolean isDirect;

    /** Receives what becomes of the pages. */
    interface Told {
        /** Takes a line for whoever wants to see opens. */
        void line(String line);

        /** Called when the pages are in use. */
        void pages(PfLayer cache);
    }

    /**
     * Prepares the pages of one open.
     *
     * @param spec as typed
     * @param attached keeps the open in agreement with others while it has no pages
     * @param os the last layer
     */
    LatePages(
            LayerSpec spec,
            CachedFile file,
            OpenRequest request,
            AttachedLayer attached,
            Layer os,
            DirectSizes sizes,
            Told told) {
        this.spec = spec;
        this.file = file;
        this.request = request;
        this.attached = attached;
        this.os = os;
        this.sizes = sizes;
        this.told = told;
    }

    @Override
    public PfLayer make(Layer below) throws IOException {
        Composition.reserveCounters();
        PfLayer cache;
        try {
            cache =
                    PfLayers.onTheWay(
                            spec,
                            below,
                            file,
                            request,
                            new GrowingMemory(request.kernelCache()),
                            Backends::label);
        } catch (OutOfMemoryError e) {
            return null;
        }
        cache.tellFor(attached);
        attached.beneath(true);
        return cache;
    }

    @Override
    public void used(PfLayer made, String why) {
        pages = made;
        String how = isDirect ? " past the kernel's cache: " : ": ";
        told.line("pages of " + made.pageBytes() / 1024 + " KiB" + how + why);
        told.pages(made);
    }

    @Override
    public DirectSizes sizes() {
        return sizes;
    }

    @Override
    public String openDirect(long roomBytes) {
        if (roomBytes < 0) {
            return "it is not known how much memory is left for them";
        }
        memory = DirectMemory.take(sizes, roomBytes);
        if (memory == null) {
            return DirectMemory.usedBytes() > 0
                    ? "other opens of the process have the memory for them"
                    : "too little memory is left for them";
        }
        direct =
                os instanceof OsLayer last
                        ? last.reopenDirect(request.name(), request.oflags(), told::line)
                        : null;
        if (direct != null) {
            attached.keep(direct);
        }
        if (direct == null || !direct.isDirect()) {
            memory.giveBackUnused();
            return direct == null
                    ? "there is no memory or no descriptor for them"
                    : "the file system takes no direct I/O";
        }
        return null;
    }

    @Override
    public PfLayer makeDirect(Layer below) throws IOException {
        Composition.reserveCounters();
        OpenRequest seen = request.withFlags(request.oflags() | OpenFlags.DIRECT);
        PfLayer cache;
        try {
            cache =
                    PfLayers.pastKernel(
                            spec,
                            below,
                            file,
                            seen,
                            memory,
                            Backends::label,
                            memory.bytes(),
                            sizes.page());
        } catch (OutOfMemoryError e) {
            return null;
        } finally {
            memory.giveBackUnused();
        }
        cache.tellFor(attached);
        attached.beneath(direct);
        isDirect = true;
        return cache;
    }

    @Override
    public void giveUp() {
        isDirect = false;
        attached.beneath(false);
        // Nobody has seen pages that were never used.
        if (pages != null) {
            told.line("no pages any more");
        }
    }

    /** Source of the file's block in the report. */
    FileReport.Source file() {
        return new Late(cache -> cache.source().file());
    }

    /** Source of the cache's block in the report. */
    FileReport.Source cache() {
        return new Late(cache -> cache.source().cache());
    }

    /** A part of what the pages report, once there are some. */
    private final class Late implements FileReport.Source {
        private final Function<PfLayer, FileReport.Source> part;

        Late(Function<PfLayer, FileReport.Source> part) {
            this.part = part;
        }

        @Override
        public StatsBlock snapshot(Event event) {
            PfLayer cache = pages;
            return cache == null ? null : part.apply(cache).snapshot(event);
        }

        @Override
        public boolean addProgram(IoTotals totals) {
            PfLayer cache = pages;
            return cache != null && part.apply(cache).addProgram(totals);
        }

        @Override
        public void addPages(IoTotals totals) {
            PfLayer cache = pages;
            if (cache != null) {
                part.apply(cache).addPages(totals);
            }
        }

        @Override
        public void release() {
            PfLayer cache = pages;
            if (cache != null) {
                part.apply(cache).release();
            }
        }
    }
}
