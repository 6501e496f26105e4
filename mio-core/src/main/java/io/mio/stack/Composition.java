package io.mio.stack;

import io.mio.config.LayerKind;
import io.mio.config.LayerSpec;
import io.mio.config.MioOption;
import io.mio.config.OsOption;
import io.mio.config.PfOption;
import io.mio.config.RecovOption;
import io.mio.config.StackSpec;
import io.mio.config.TraceOption;
import io.mio.counters.CounterFile;
import io.mio.layer.DecisionWatch;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.os.Backends;
import io.mio.os.FrameArena;
import io.mio.os.OsLayer;
import io.mio.pf.AttachedLayer;
import io.mio.pf.AutoLayer;
import io.mio.pf.AutoReport;
import io.mio.pf.CachedFile;
import io.mio.pf.CachedFiles;
import io.mio.pf.PfLayer;
import io.mio.pf.PfLayers;
import io.mio.pf.PlanAnswer;
import io.mio.pf.PlanFile;
import io.mio.recov.RecovLayer;
import io.mio.recov.RecovOptions;
import io.mio.stats.ByteUnit;
import io.mio.stats.FileReport;
import io.mio.stats.OpenReports;
import io.mio.trace.TraceEvents;
import io.mio.trace.TraceLayer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Makes the layers of one open, bottom up. */
final class Composition {
    private final StackBuilder builder;
    private final StackSpec spec;
    private final OpenRequest request;
    private final Layer os;
    private final CachedFile file;
    private final FileReport report;
    private final List<LayerSpec> layers;

    /**
     * Prepares the layers of one open.
     *
     * @param builder knows where reports and debug lines go
     * @param spec the rule's layers
     * @param request as the program opened the file
     * @param os the last layer
     * @param file entered for this open
     */
    Composition(
            StackBuilder builder, StackSpec spec, OpenRequest request, Layer os, CachedFile file) {
        this.builder = builder;
        this.spec = spec;
        this.request = request;
        this.os = os;
        this.file = file;
        this.report = new FileReport(builder.output, request.name(), request.openedNanos());
        this.layers = composed(spec, request);
    }

    /**
     * Composes the layers. If that fails, those made so far are closed, and nothing is reported.
     *
     * @return the first layer
     */
    Layer front() throws IOException {
        Layer below = os;
        try {
            LayerSpec last = layers.get(layers.size() - 1);
            long sector = last.number(OsOption.SECTOR_SIZE);
            OpenRequest asked = sector > 0 ? request.withSector(sector) : request;
            OpenRequest seen = hasCache(layers) ? asked.belowCache() : asked;
            if (last.isOn(OsOption.DEBUG)) {
                below = new OsDebugLayer(os, seen, builder.output);
            }
            int place = hasCache(layers) || request.key() == null ? -1 : placeOfAttached(layers);
            AttachedLayer attached = null;
            if (place == layers.size() - 1) {
                attached = new AttachedLayer(file, below);
                below = attached;
            }
            AutoLayer auto = null;
            AutoReport told = null;
            // Decisions are recorded by the topmost trace that has events, and shown by the one
            // next to the program.
            DecisionWatch decisions = null;
            TraceLayer shown = null;
            PlanAnswer plan = null;
            for (int i = layers.size() - 2; i > 0; i--) {
                LayerSpec layer = layers.get(i);
                String above = i == 1 ? "program" : layers.get(i - 1).typedName();
                if (layer.isCache()) {
                    below = cache(layer, below, seen);
                    if (below instanceof PfLayer pages) {
                        watch(i, above, pages, seen);
                        plan = layer.isOn(PfOption.PLAN) ? follow(layer, pages, seen) : null;
                    }
                    // Above the lowest cache nothing is direct unless the program opened it so.
                    seen = asked;
                } else if (layer.isAuto()) {
                    LatePages late = late(i, above, seen, attached);
                    below = AutoLayer.over(below, layer, seen, late);
                    auto = below instanceof AutoLayer made ? made : null;
                    told = auto != null ? auto.report() : AutoLayer.unserved(layer, seen);
                    if (told != null) {
                        report.add(target(layer), layer.isOn(PfOption.INTER), told);
                    }
                } else {
                    below = compose(layer, below, i, above, seen);
                    if (below instanceof TraceLayer trace) {
                        decisions = trace.decisions() == null ? decisions : trace.decisions();
                        shown = i == 1 ? trace : null;
                    }
                    if (i == place) {
                        below = new AttachedLayer(file, below);
                    }
                }
            }
            if (shown != null) {
                decisions = DecisionWatch.both(decisions, shown.shownDecisions());
            }
            if (told != null) {
                tell(told, decisions, shown);
            }
            if (plan != null && decisions != null) {
                decisions.decided(plan.what(), plan.words());
            }
            if (builder.debug.isOpening()) {
                builder.output.debug(builder.debug.opening(request.name(), spec), true);
            }
            if (report.hasInter()) {
                InterSignal.install();
            }
            if (!hasCache(layers)) {
                file.attached(os::size);
            }
            report.layers(below.toString());
            boolean unserved = layers.size() < spec.layers().size();
            return new FrontLayer(layers.get(0), below, os, asked, file, unserved, report, auto);
        } catch (IOException | RuntimeException | Error e) {
            FileEnd.failed(below, file, request.platform(), report, e);
            throw e;
        }
    }

    private static void tell(AutoReport told, DecisionWatch decisions, TraceLayer shown) {
        if (shown != null) {
            told.show(shown.record());
        }
        if (decisions != null) {
            told.watch(decisions);
        }
    }

    /** The layers this file gets: without a cache if the last layer takes no page requests. */
    private static List<LayerSpec> composed(StackSpec spec, OpenRequest request) {
        if (request.cacheable() || !hasCache(spec.layers())) {
            return spec.layers();
        }
        List<LayerSpec> without = new ArrayList<>();
        for (LayerSpec layer : spec.layers()) {
            if (!layer.isCache()) {
                without.add(layer);
            }
        }
        return without;
    }

    /**
     * Index of the layer over which an open without a cache is kept in agreement with other opens.
     * That is the topmost {@code recov}, because {@code recov} would take a failed write-behind
     * that the attached layer reports for a failed write of its own. With {@code pf/auto} it is the
     * last layer, because the pages that it takes are read through the layers below it, {@code
     * recov} included.
     */
    private static int placeOfAttached(List<LayerSpec> layers) {
        int last = layers.size() - 1;
        int place = last;
        for (int i = last - 1; i > 0; i--) {
            if (layers.get(i).isAuto()) {
                return last;
            }
            place = layers.get(i).kind() == LayerKind.RECOV ? i : place;
        }
        return place;
    }

    private static boolean hasCache(List<LayerSpec> layers) {
        for (LayerSpec layer : layers) {
            if (layer.isCache()) {
                return true;
            }
        }
        return false;
    }

    private Layer compose(LayerSpec layer, Layer below, int place, String above, OpenRequest seen) {
        return switch (layer.kind()) {
            case TRACE -> trace(layer, below, place, above, seen);
            case RECOV ->
                    new RecovLayer(
                            below, recov(layer), seen.name(), builder.output, !isInOrder(below));
            case PF, MIO, OS ->
                    throw new IllegalStateException("layer " + layer.kind() + " passed the check");
        };
    }

    /**
     * Returns what {@code pf/auto} gets pages from if it wants some later; null where it never may
     * have any: with direct I/O, and with concurrent I/O, where writes would share the gate.
     */
    private LatePages late(int place, String above, OpenRequest seen, AttachedLayer attached) {
        LayerSpec front = layers.get(0);
        if (attached == null
                || seen.executor() != null
                || front.isOn(MioOption.DIRECT)
                || front.isOn(MioOption.CIO)) {
            return null;
        }
        LayerSpec layer = layers.get(place);
        LatePages.Told told =
                new LatePages.Told() {
                    @Override
                    public void line(String line) {
                        builder.debug(layer.typedName(), seen.name(), line);
                    }

                    @Override
                    public void pages(PfLayer cache) {
                        watch(place, above, cache, seen);
                    }
                };
        LatePages late = new LatePages(layer, file, seen, attached, os, builder.directSizes, told);
        boolean inter = layer.isOn(PfOption.INTER);
        report.add(target(layer), inter, late.file());
        report.add(target(layer), inter, late.cache());
        return late;
    }

    /** Makes a cache; without memory for its frames the file has none, and that is no error. */
    private Layer cache(LayerSpec layer, Layer below, OpenRequest seen) throws IOException {
        PfLayer cache;
        reserveCounters();
        try {
            cache = PfLayers.over(layer, below, file, seen, FrameArena.memory(), Backends::label);
        } catch (OutOfMemoryError e) {
            builder.debug(
                    layer.typedName(), seen.name(), "no memory for its cache: " + e.getMessage());
            return new AttachedLayer(file, below);
        }
        if (cache.beside() != null) {
            builder.debug(layer.typedName(), seen.name(), cache.beside());
        }
        ExitFlush.install();
        boolean inter = layer.isOn(PfOption.INTER);
        report.add(target(layer), inter, cache.source().file());
        report.add(target(layer), inter, cache.source().cache());
        return cache;
    }

    /** Returns where a pf layer reports, or null. */
    private static String target(LayerSpec layer) {
        return layer.isOn(PfOption.STATS) ? layer.text(PfOption.STATS) : null;
    }

    /** Has the file go by its plan; null if it goes by one already. */
    private PlanAnswer follow(LayerSpec layer, PfLayer cache, OpenRequest seen) {
        PlanFile plans = PlanFile.of(builder.platform, layer.text(PfOption.PLAN));
        PlanAnswer answer = cache.follow(plans, seen.name());
        if (answer != null) {
            builder.debug(layer.typedName(), seen.name(), answer.line());
        }
        return answer;
    }

    /** Has the counters of this open's layers placed where they can be seen while it is open. */
    static void reserveCounters() {
        if (CounterFile.reserve(Backends.label())) {
            OpenReports.afterExit(CounterFile::end);
        }
    }

    /** At the end of the JVM, hands everything that was written to the kernel. */
    private static final class ExitFlush {
        static {
            OpenReports.beforeExit(CachedFiles::exit);
        }

        private ExitFlush() {}

        /** Installs the task: the first call initialises the class. */
        static void install() {}
    }

    /** Has the topmost trace that has events record what happens to the file's pages. */
    private void watch(int place, String above, PfLayer cache, OpenRequest seen) {
        for (LayerSpec layer : layers) {
            if (layer.kind() == LayerKind.TRACE && layer.isOn(TraceOption.EVENTS)) {
                if (!cache.isWatched()) {
                    cache.watch(
                            TraceEvents.ofPages(
                                    builder.platform,
                                    layer,
                                    station(place, cache, above),
                                    seen,
                                    cache.pageBytes(),
                                    cache.frames(),
                                    cache.cacheId()));
                }
                return;
            }
        }
    }

    private static TraceEvents.Station station(int place, Layer layer, String above) {
        return new TraceEvents.Station(place, layer.name(), above, layer.next().name());
    }

    private Layer trace(LayerSpec layer, Layer below, int place, String above, OpenRequest seen) {
        ByteUnit unit = ByteUnit.of(layer.text(TraceOption.UNIT));
        reserveCounters();
        String name = layer.typedName();
        TraceEvents events =
                layer.isOn(TraceOption.EVENTS)
                        ? TraceEvents.of(
                                builder.platform,
                                layer,
                                new TraceEvents.Station(place, name, above, below.name()),
                                seen)
                        : null;
        TraceLayer trace = new TraceLayer(name, below, above, unit, seen, events);
        report.add(
                layer.isOn(TraceOption.STATS) ? layer.text(TraceOption.STATS) : null,
                layer.isOn(TraceOption.INTER),
                trace.source());
        return trace;
    }

    static RecovOptions recov(LayerSpec layer) {
        return new RecovOptions(
                layer.typedName(),
                layer.isOn(RecovOption.FULLWRITE),
                layer.text(RecovOption.COMMAND),
                layer.text(RecovOption.OPEN_COMMAND),
                layer.number(RecovOption.RETRY),
                layer.isOn(RecovOption.STATS) ? layer.text(RecovOption.STATS) : null);
    }

    private static boolean isInOrder(Layer layer) {
        Layer last = layer;
        while (last.next() != null) {
            last = last.next();
        }
        return last instanceof OsLayer os && os.isInOrder();
    }
}
