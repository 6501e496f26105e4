package io.mio.config;

import java.util.ArrayList;
import java.util.List;

/** The layers there are, from the program down (design section 2). */
public enum LayerKind {
    /** Front: the first layer of every stack. */
    MIO("mio", true, MioOption.values()),
    /** Counts and times every call. */
    TRACE("trace", true, TraceOption.values()),
    /** Page cache with readahead and write-behind. */
    PF("pf", true, PfOption.values()),
    /** Tries failed calls again. */
    RECOV("recov", true, RecovOption.values()),
    /**
     * The file itself: the last layer of every stack; {@code aix} and {@code posix} name it too.
     */
    OS("os", true, OsOption.values());

    private static final String[] OS_ALIASES = {"aix", "posix"};

    private final String id;
    private final boolean available;

    @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list of enum constants
    private final List<LayerOption> options;

    LayerKind(String id, boolean available, LayerOption... options) {
        this.id = id;
        this.available = available;
        this.options = List.of(options);
    }

    /** Name, for example {@code trace}. */
    public String id() {
        return id;
    }

    /** True if this version of MIO has the layer. */
    public boolean isAvailable() {
        return available;
    }

    /** Options in the order of the echo; the index is {@link LayerOption#ordinal}. */
    public List<LayerOption> options() {
        return options;
    }

    /** The layer of this name, or null. */
    public static LayerKind of(String name) {
        for (LayerKind kind : values()) {
            if (kind.id.equals(name)) {
                return kind;
            }
        }
        for (String alias : OS_ALIASES) {
            if (alias.equals(name)) {
                return OS;
            }
        }
        return null;
    }

    /** Every name a layer can be typed with. */
    static List<String> names() {
        List<String> names = new ArrayList<>();
        for (LayerKind kind : values()) {
            names.add(kind.id);
        }
        for (String alias : OS_ALIASES) {
            names.add(alias);
        }
        return names;
    }
}
