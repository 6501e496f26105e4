package io.mio.cli.simulate;

import io.mio.config.LayerKind;
import io.mio.config.LayerSpec;
import io.mio.config.OsOption;
import io.mio.config.PfOption;
import io.mio.config.StackSpec;
import io.mio.pf.PfLayers;

/**
 * One configuration that is simulated.
 *
 * @param text as typed; {@code none} is the program without a cache
 * @param cache the {@code pf} layer, or null
 * @param sectorBytes smallest part of a page
 */
public record Rule(String text, LayerSpec cache, int sectorBytes) {
    /** Text of the rule that leaves the program alone. */
    public static final String NONE = "none";

    private static final String HINTS = "pf/auto";
    private static final int SECTOR_BYTES = 4096;

    /** More than any length of a request that makes a difference under {@code pf/auto}. */
    private static final long HINTED_BYTES = 64 << 20;

    /**
     * Reads a list of layers, with or without brackets.
     *
     * @throws io.mio.config.ConfigException if the text is no list of layers
     * @throws IllegalArgumentException if the list has no cache, or an option that this version
     *     lacks
     */
    public static Rule parse(String text) {
        if (text.trim().equals(NONE)) {
            return new Rule(NONE, null, SECTOR_BYTES);
        }
        String typed = text.trim();
        if (typed.startsWith("[") && typed.endsWith("]")) {
            typed = typed.substring(1, typed.length() - 1).trim();
        }
        StackSpec stack = StackSpec.parse("--config", typed);
        LayerSpec last = stack.layers().get(stack.layers().size() - 1);
        long sector = last.number(OsOption.SECTOR_SIZE);
        LayerSpec cache = null;
        for (LayerSpec layer : stack.layers()) {
            if (layer.isCache() || layer.isAuto()) {
                cache = layer;
            }
        }
        if (cache == null) {
            throw new IllegalArgumentException(
                    "--config "
                            + typed
                            + ": has no cache, so that there is nothing to simulate; write for"
                            + " example pf/cache=100m/page=2m, or none for the program alone");
        }
        for (PfOption option : PfOption.values()) {
            if (cache.isTyped(option) && cache.isOn(option) && option.availableSince().isEmpty()) {
                throw new IllegalArgumentException(
                        "--config "
                                + typed
                                + ": this version has no option "
                                + option.id()
                                + "; leave it out");
            }
        }
        return new Rule(typed, cache, PfLayers.sectorBytes(sector));
    }

    public boolean isNone() {
        return cache == null;
    }

    /** The rule that leaves the program alone. */
    public static Rule nothing() {
        return new Rule(NONE, null, SECTOR_BYTES);
    }

    /** The rule {@code pf/auto}: the kernel gets hints, and small requests may get pages. */
    public static Rule hints() {
        return new Rule(HINTS, pf(HINTS), SECTOR_BYTES);
    }

    boolean isHints() {
        return !isNone() && cache.isOn(PfOption.AUTO);
    }

    /**
     * The cache layer with the option {@code release}: the cache gives its memory back at the end.
     */
    LayerSpec released() {
        return pf(cache.echo() + "/release");
    }

    /**
     * Most bytes of a request that its cache looks at, beside those that are there: longer requests
     * are treated alike.
     */
    long tellingBytes() {
        boolean isPart = cache.secondNumber(PfOption.PASSTHRU) > cache.number(PfOption.PASSTHRU);
        if (isPart) {
            // Whether a request ends in the part.
            return Long.MAX_VALUE;
        }
        return isHints() ? HINTED_BYTES : Math.max(0, cache.number(PfOption.DISCOVERED_DIRECT));
    }

    /** Number of pages that its cache has. */
    long pages() {
        return cache.number(PfOption.CACHE_SIZE) / Math.max(1, cache.number(PfOption.PAGE_SIZE));
    }

    private static LayerSpec pf(String text) {
        for (LayerSpec layer : StackSpec.parse("--config", text).layers()) {
            if (layer.kind() == LayerKind.PF) {
                return layer;
            }
        }
        throw new IllegalStateException(text);
    }

    /** True if pages of closed files stay for the next open. */
    boolean retains() {
        return !isNone() && cache.isOn(PfOption.RETAIN);
    }

    boolean keepsMemory() {
        return !isNone() && cache.isOn(PfOption.GLOBAL) && !cache.isOn(PfOption.RELEASE);
    }
}
