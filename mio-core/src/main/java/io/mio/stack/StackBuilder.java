package io.mio.stack;

import io.mio.config.ConfigKey;
import io.mio.config.DebugKeyword;
import io.mio.config.FileRule;
import io.mio.config.LayerKind;
import io.mio.config.LayerSpec;
import io.mio.config.MioConfig;
import io.mio.config.MioOption;
import io.mio.config.OsOption;
import io.mio.config.PfOption;
import io.mio.config.RecovOption;
import io.mio.config.StackSpec;
import io.mio.config.TraceOption;
import io.mio.counters.CounterFile;
import io.mio.jfr.Flight;
import io.mio.jfr.Watch;
import io.mio.jmx.BeanWatch;
import io.mio.layer.DecisionWatch;
import io.mio.layer.Layer;
import io.mio.layer.Layer.IoCall;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.os.Backends;
import io.mio.os.FrameArena;
import io.mio.os.OsLayer;
import io.mio.pf.AttachedLayer;
import io.mio.pf.AutoLayer;
import io.mio.pf.CachedFile;
import io.mio.pf.CachedFiles;
import io.mio.pf.DirectSizes;
import io.mio.pf.PfLayer;
import io.mio.pf.PfLayers;
import io.mio.pf.PlanFile;
import io.mio.recov.RecovLayer;
import io.mio.recov.RecovOpen;
import io.mio.recov.RecovOptions;
import io.mio.stats.ByteUnit;
import io.mio.stats.FileReport;
import io.mio.stats.OpenReports;
import io.mio.stats.ProcessFacts;
import io.mio.stats.StatsHeader;
import io.mio.stats.StatsOutput;
import io.mio.trace.TraceEvents;
import io.mio.trace.TraceLayer;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Finds the rule for a file and composes its layers, bottom up: what a file system asks at every
 * open. Writes the debug lines of the open, as MIO_DEBUG wants them (reference 2.3, 4.2).
 */
public final class StackBuilder implements Stacks {
    static {
        Watch.add(new Flight.Look());
        Watch.add(new BeanWatch());
    }

    private final MioConfig config;
    private final StatsOutput output;
    private final FileSystem platform;
    private final OpenDebug debug;

    /** Tests have smaller ones. */
    DirectSizes directSizes = DirectSizes.USUAL;

    private StackBuilder(MioConfig config, StatsOutput output, FileSystem platform) {
        this.platform = platform;
        this.config = config;
        this.output = output;
        this.debug = new OpenDebug(config.debug());
    }

    /**
     * Reads the configuration for a file system.
     *
     * @param options settings given by code, which win over all others
     * @param platform file system of the machine itself, where reports are written
     * @return null if MIO is switched off
     * @throws io.mio.config.ConfigException if the configuration is wrong, or asks for what this
     *     version has not got
     */
    public static StackBuilder load(Map<String, ?> options, FileSystem platform) {
        ProcessFacts.begin();
        MioConfig config = MioConfig.load(options);
        if (!config.enabled()) {
            return null;
        }
        config.checkAvailable();
        CounterFile.begin(platform, config.text(ConfigKey.LIVE));
        if (!config.rules().isEmpty()) {
            Backends.restrict(config.backend());
        }
        StatsOutput output =
                new StatsOutput(
                        platform,
                        config.text(ConfigKey.STATS),
                        config.debug().isOn(DebugKeyword.TIMESTAMP),
                        () -> header(config));
        return new StackBuilder(config, output, platform);
    }

    private static StatsHeader header(MioConfig config) {
        List<String> keywords = new ArrayList<>();
        for (DebugKeyword keyword : config.debug().shown()) {
            keywords.add(keyword.name());
        }
        return StatsHeader.now(
                Backends.label(),
                config.text(ConfigKey.STATS),
                config.text(ConfigKey.DEBUG),
                config.text(ConfigKey.FILES),
                config.text(ConfigKey.DEFAULTS),
                keywords);
    }

    @Override
    public StackSpec match(String name) {
        FileRule rule = config.rule(name);
        if (debug.isMatching()) {
            output.debug(debug.matching(name, rule), false);
        }
        return rule == null || rule.stack().isPlain() ? null : rule.stack();
    }

    @Override
    public boolean leavesSmall(StackSpec spec) {
        return spec.isAutoAlone() && !debug.isOpening();
    }

    @Override
    public Layer open(StackSpec spec, OpenRequest request, Layer os) throws IOException {
        if ((request.oflags() & OpenFlags.EXCL) != 0) {
            CachedFiles.isNew(request.key());
        }
        CachedFile file = CachedFiles.enter(request.key());
        try {
            file.layered(request.platform());
            return open(spec, request, os, file);
        } catch (IOException | RuntimeException | Error e) {
            file.ended(request.platform());
            CachedFiles.leave(file);
            throw e;
        }
    }

    private Layer open(StackSpec spec, OpenRequest request, Layer os, CachedFile file)
            throws IOException {
        FileReport report = new FileReport(output, request.name(), request.openedNanos());
        Layer below = os;
        try {
            List<LayerSpec> layers = composed(spec, request);
            LayerSpec last = layers.get(layers.size() - 1);
            long sector = last.number(OsOption.SECTOR_SIZE);
            OpenRequest asked = sector > 0 ? request.withSector(sector) : request;
            OpenRequest seen = hasCache(layers) ? asked.belowCache() : asked;
            if (last.isOn(OsOption.DEBUG)) {
                below = new OsDebugLayer(os, seen, output);
            }
            int place = hasCache(layers) || request.key() == null ? -1 : placeOfAttached(layers);
            AttachedLayer attached = null;
            if (place == layers.size() - 1) {
                attached = new AttachedLayer(file, below);
                below = attached;
            }
            AutoLayer auto = null;
            // The topmost trace that has events.
            DecisionWatch decisions = null;
            for (int i = layers.size() - 2; i > 0; i--) {
                LayerSpec layer = layers.get(i);
                String above = i == 1 ? "program" : layers.get(i - 1).typedName();
                if (layer.isCache()) {
                    below = cache(layer, below, seen, file, report);
                    if (below instanceof PfLayer pages) {
                        watch(layers, i, above, pages, seen);
                    }
                    // From the lowest cache up nothing is direct but what the program opened so.
                    seen = asked;
                } else if (layer.isAuto()) {
                    LatePages late = late(layers, i, above, seen, file, attached, os, report);
                    below = AutoLayer.over(below, layer, seen, late);
                    auto = below instanceof AutoLayer made ? made : null;
                    if (auto != null) {
                        report.add(target(layer), layer.isOn(PfOption.INTER), auto.source());
                    }
                } else {
                    below = compose(layer, below, i, above, seen, report);
                    if (below instanceof TraceLayer trace) {
                        decisions = trace.decisions() == null ? decisions : trace.decisions();
                        if (i == 1 && auto != null) {
                            auto.show(trace.record());
                        }
                    }
                    if (i == place) {
                        below = new AttachedLayer(file, below);
                    }
                }
            }
            if (auto != null && decisions != null) {
                auto.watch(decisions);
            }
            if (debug.isOpening()) {
                output.debug(debug.opening(request.name(), spec), true);
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

    /** The layers this file gets: no cache where the last layer takes no page requests. */
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
     * Over which layer an open without a cache is kept in agreement with others: over {@code
     * recov}, which would take what this has to tell of a failed write behind for a failed write of
     * its own. Not under {@code pf/auto}: the pages that it takes are read by what is below, {@code
     * recov} with it.
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

    @Override
    public void debug(StackSpec spec, String name, String line) {
        List<LayerSpec> layers = spec.layers();
        debug(layers.get(layers.size() - 1).typedName(), name, line);
    }

    private void debug(String layer, String name, String line) {
        if (debug.isNaming()) {
            output.debug(OpenDebug.serving(layer, name, line), false);
        }
    }

    private Layer compose(
            LayerSpec layer,
            Layer below,
            int place,
            String above,
            OpenRequest request,
            FileReport report) {
        return switch (layer.kind()) {
            case TRACE -> trace(layer, below, place, above, request, report);
            case RECOV ->
                    new RecovLayer(below, recov(layer), request.name(), output, !isInOrder(below));
            case PF, MIO, OS ->
                    throw new IllegalStateException("layer " + layer.kind() + " passed the check");
        };
    }

    /**
     * What {@code pf/auto} gets pages from if it wants some later; null where it never may: not
     * with direct I/O, nor with concurrent I/O, as writes would share the gate then.
     */
    private LatePages late(
            List<LayerSpec> layers,
            int place,
            String above,
            OpenRequest request,
            CachedFile file,
            AttachedLayer attached,
            Layer os,
            FileReport report) {
        LayerSpec front = layers.get(0);
        if (attached == null
                || request.executor() != null
                || front.isOn(MioOption.DIRECT)
                || front.isOn(MioOption.CIO)) {
            return null;
        }
        LayerSpec layer = layers.get(place);
        LatePages.Told told =
                new LatePages.Told() {
                    @Override
                    public void line(String line) {
                        debug(layer.typedName(), request.name(), line);
                    }

                    @Override
                    public void pages(PfLayer cache) {
                        watch(layers, place, above, cache, request);
                    }
                };
        LatePages late = new LatePages(layer, file, request, attached, os, directSizes, told);
        boolean inter = layer.isOn(PfOption.INTER);
        report.add(target(layer), inter, late.file());
        report.add(target(layer), inter, late.cache());
        return late;
    }

    /** Without memory for its frames the file has no cache; the program goes on. */
    private Layer cache(
            LayerSpec layer, Layer below, OpenRequest request, CachedFile file, FileReport report)
            throws IOException {
        PfLayer cache;
        reserveCounters();
        try {
            cache =
                    PfLayers.over(
                            layer, below, file, request, FrameArena.memory(), Backends::label);
        } catch (OutOfMemoryError e) {
            debug(layer.typedName(), request.name(), "no memory for its cache: " + e.getMessage());
            return new AttachedLayer(file, below);
        }
        if (cache.beside() != null) {
            debug(layer.typedName(), request.name(), cache.beside());
        }
        if (layer.isOn(PfOption.PLAN)) {
            follow(layer, cache, request.name());
        }
        ExitFlush.install();
        boolean inter = layer.isOn(PfOption.INTER);
        report.add(target(layer), inter, cache.source().file());
        report.add(target(layer), inter, cache.source().cache());
        return cache;
    }

    /** Where a pf layer reports. */
    private static String target(LayerSpec layer) {
        return layer.isOn(PfOption.STATS) ? layer.text(PfOption.STATS) : null;
    }

    private void follow(LayerSpec layer, PfLayer cache, String name) {
        String line = cache.follow(PlanFile.of(platform, layer.text(PfOption.PLAN)), name);
        if (line != null) {
            debug(layer.typedName(), name, line);
        }
    }

    /** Counters that layers of this open have can be seen while it is open. */
    static void reserveCounters() {
        if (CounterFile.reserve(Backends.label())) {
            OpenReports.afterExit(CounterFile::end);
        }
    }

    /** What was written is with the kernel when the JVM ends. */
    private static final class ExitFlush {
        static {
            OpenReports.beforeExit(CachedFiles::exit);
        }

        private ExitFlush() {}

        /** The first call does it. */
        static void install() {}
    }

    /** Has what happens to the file's pages recorded by the topmost trace that has events. */
    private void watch(
            List<LayerSpec> layers, int place, String above, PfLayer cache, OpenRequest request) {
        for (LayerSpec layer : layers) {
            if (layer.kind() == LayerKind.TRACE && layer.isOn(TraceOption.EVENTS)) {
                if (!cache.isWatched()) {
                    cache.watch(
                            TraceEvents.ofPages(
                                    platform,
                                    layer,
                                    station(place, cache, above),
                                    request,
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

    private Layer trace(
            LayerSpec layer,
            Layer below,
            int place,
            String above,
            OpenRequest request,
            FileReport report) {
        ByteUnit unit = ByteUnit.of(layer.text(TraceOption.UNIT));
        reserveCounters();
        String name = layer.typedName();
        TraceEvents events =
                layer.isOn(TraceOption.EVENTS)
                        ? TraceEvents.of(
                                platform,
                                layer,
                                new TraceEvents.Station(place, name, above, below.name()),
                                request)
                        : null;
        TraceLayer trace = new TraceLayer(name, below, above, unit, request, events);
        report.add(
                layer.isOn(TraceOption.STATS) ? layer.text(TraceOption.STATS) : null,
                layer.isOn(TraceOption.INTER),
                trace.source());
        return trace;
    }

    private static RecovOptions recov(LayerSpec layer) {
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

    @Override
    public <T> T opening(StackSpec spec, String name, IoCall<T> open) throws IOException {
        IoCall<T> call = open;
        for (int i = spec.layers().size() - 1; i > 0; i--) {
            LayerSpec layer = spec.layers().get(i);
            if (layer.kind() == LayerKind.RECOV) {
                IoCall<T> inner = call;
                call = () -> RecovOpen.opening(recov(layer), name, output, inner);
            }
        }
        return call.call();
    }
}
