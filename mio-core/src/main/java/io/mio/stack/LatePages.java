package io.mio.stack;

import io.mio.config.LayerSpec;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.os.Backends;
import io.mio.os.FrameArena;
import io.mio.pf.AttachedLayer;
import io.mio.pf.AutoLayer;
import io.mio.pf.CachedFile;
import io.mio.pf.PfLayer;
import io.mio.stats.FileReport;
import io.mio.stats.IoTotals;
import io.mio.stats.StatsBlock;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The pages that {@code pf/auto} may take while a file is open, and their place in its report,
 * which is empty until then.
 */
final class LatePages implements AutoLayer.Cache {
    private final LayerSpec spec;
    private final CachedFile file;
    private final OpenRequest request;
    private final AttachedLayer attached;
    private final BiConsumer<PfLayer, String> made;
    private volatile PfLayer pages;

    /**
     * Of one open.
     *
     * @param spec as typed
     * @param attached what keeps the open in agreement with others while it has no pages
     * @param made told of the pages, and why they are there
     */
    LatePages(
            LayerSpec spec,
            CachedFile file,
            OpenRequest request,
            AttachedLayer attached,
            BiConsumer<PfLayer, String> made) {
        this.spec = spec;
        this.file = file;
        this.request = request;
        this.attached = attached;
        this.made = made;
    }

    @Override
    public PfLayer make(Layer below, String why) throws IOException {
        StackBuilder.reserveCounters();
        PfLayer cache;
        try {
            cache =
                    PfLayer.onTheWay(
                            spec, below, file, request, FrameArena.memory(), Backends::label);
        } catch (OutOfMemoryError e) {
            return null;
        }
        attached.beneath(true);
        pages = cache;
        made.accept(cache, "pages of " + cache.pageBytes() / 1024 + " KiB: " + why);
        return cache;
    }

    @Override
    public void giveUp() {
        attached.beneath(false);
    }

    /** The block of the file. */
    FileReport.Source file() {
        return new Late(cache -> cache.source().file());
    }

    /** The block of the cache. */
    FileReport.Source cache() {
        return new Late(cache -> cache.source().cache());
    }

    /** What the pages have to report, once there are some. */
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
