package io.mio.stack;

import io.mio.config.ConfigKey;
import io.mio.config.DebugKeyword;
import io.mio.config.FileRule;
import io.mio.config.LayerKind;
import io.mio.config.LayerSpec;
import io.mio.config.MioConfig;
import io.mio.config.StackSpec;
import io.mio.counters.CounterFile;
import io.mio.jfr.Flight;
import io.mio.jfr.Watch;
import io.mio.jmx.BeanWatch;
import io.mio.layer.Layer;
import io.mio.layer.Layer.IoCall;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.os.Backends;
import io.mio.pf.CachedFile;
import io.mio.pf.CachedFiles;
import io.mio.pf.DirectSizes;
import io.mio.recov.RecovOpen;
import io.mio.stats.ProcessFacts;
import io.mio.stats.StatsHeader;
import io.mio.stats.StatsOutput;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Finds the rule for a file and composes its layers, bottom up. A file system asks it at every
 * open. Writes the debug lines of the open, as MIO_DEBUG wants them (reference 2.3, 4.2).
 */
public final class StackBuilder implements Stacks {
    static {
        Watch.add(new Flight.Look());
        Watch.add(new BeanWatch());
    }

    final StatsOutput output;
    final FileSystem platform;
    final OpenDebug debug;
    private final MioConfig config;

    /** Sizes of pages past the kernel's cache; tests set smaller ones. */
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
     * @throws io.mio.config.ConfigException if the configuration is wrong, or asks for something
     *     that this version does not have
     */
    public static StackBuilder load(Map<String, ?> options, FileSystem platform) {
        ProcessFacts.begin();
        MioConfig config = MioConfig.load(options);
        if (!config.enabled()) {
            return null;
        }
        config.checkAvailable();
        if (!config.rules().isEmpty()) {
            CounterFile.begin(platform, config.text(ConfigKey.LIVE));
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
            return new Composition(this, spec, request, os, file).front();
        } catch (IOException | RuntimeException | Error e) {
            file.ended(request.platform());
            CachedFiles.leave(file);
            throw e;
        }
    }

    @Override
    public void debug(StackSpec spec, String name, String line) {
        List<LayerSpec> layers = spec.layers();
        debug(layers.get(layers.size() - 1).typedName(), name, line);
    }

    void debug(String layer, String name, String line) {
        if (debug.isNaming()) {
            output.debug(OpenDebug.serving(layer, name, line), false);
        }
    }

    @Override
    public <T> T opening(StackSpec spec, String name, IoCall<T> open) throws IOException {
        IoCall<T> call = open;
        for (int i = spec.layers().size() - 1; i > 0; i--) {
            LayerSpec layer = spec.layers().get(i);
            if (layer.kind() == LayerKind.RECOV) {
                IoCall<T> inner = call;
                call = () -> RecovOpen.opening(Composition.recov(layer), name, output, inner);
            }
        }
        return call.call();
    }
}
