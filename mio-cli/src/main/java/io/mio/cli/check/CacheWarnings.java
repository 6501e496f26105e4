package io.mio.cli.check;

import io.mio.cli.term.Amounts;
import io.mio.config.FileRule;
import io.mio.config.LayerSpec;
import io.mio.config.MioConfig;
import io.mio.config.PfOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Finds what is doubtful about the caches of all rules together. */
final class CacheWarnings {
    /** Share of the memory that caches may take without a warning. */
    private static final double SHARE_MAX = 0.8;

    private record Shared(int rule, long cacheBytes, long pageBytes) {}

    private final Map<Long, Shared> shared = new HashMap<>();
    private final List<Warning> found = new ArrayList<>();
    private long bytes;
    private boolean hasPrivate;

    private CacheWarnings() {}

    static List<Warning> of(MioConfig config, MachineMemory memory) {
        CacheWarnings warnings = new CacheWarnings();
        int number = 0;
        for (FileRule rule : config.rules()) {
            number++;
            for (LayerSpec layer : rule.stack().layers()) {
                if (layer.isCache()) {
                    warnings.add(number, layer);
                }
            }
        }
        warnings.compare(memory);
        return warnings.found;
    }

    private void add(int rule, LayerSpec pf) {
        long cacheBytes = Warnings.pages(pf) * Warnings.pageBytes(pf);
        if (!pf.isOn(PfOption.GLOBAL)) {
            hasPrivate = true;
            bytes = sum(bytes, cacheBytes);
            return;
        }
        long cache = pf.number(PfOption.GLOBAL);
        Shared here = new Shared(rule, cacheBytes, Warnings.pageBytes(pf));
        Shared first = shared.putIfAbsent(cache, here);
        if (first == null) {
            bytes = sum(bytes, cacheBytes);
        } else if (first.cacheBytes != cacheBytes || first.pageBytes != here.pageBytes) {
            found.add(
                    new Warning(
                            "shared_cache_sizes_differ",
                            rule,
                            "shares cache "
                                    + cache
                                    + " with rule "
                                    + first.rule
                                    + " and gives it other sizes ("
                                    + sizes(here)
                                    + ", not "
                                    + sizes(first)
                                    + "): the file opened first decides; give the same sizes, or"
                                    + " another number, global="
                                    + (cache + 1) % 256));
        }
    }

    private static String sizes(Shared cache) {
        return Amounts.bytes(cache.cacheBytes) + " in pages of " + Amounts.bytes(cache.pageBytes);
    }

    private void compare(MachineMemory memory) {
        if (bytes > memory.bytes() * SHARE_MAX) {
            found.add(
                    new Warning(
                            "caches_larger_than_memory",
                            0,
                            "the caches of all rules together may take "
                                    + (hasPrivate ? "at least " : "")
                                    + Amounts.bytes(bytes)
                                    + ", and "
                                    + memory.what()
                                    + " is "
                                    + Amounts.bytes(memory.bytes())
                                    + "; give smaller ones"));
        }
    }

    private static long sum(long a, long b) {
        return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
    }
}
