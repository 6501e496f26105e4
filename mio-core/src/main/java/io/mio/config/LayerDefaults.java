package io.mio.config;

import java.util.EnumMap;
import java.util.Map;

/** The values of each layer's options where a rule does not set them. */
final class LayerDefaults {
    private final Map<LayerKind, OptionValue[]> values = new EnumMap<>(LayerKind.class);

    /** The built-in defaults. */
    LayerDefaults() {
        for (LayerKind kind : LayerKind.values()) {
            OptionValue[] row = new OptionValue[kind.options().size()];
            for (LayerOption option : kind.options()) {
                row[option.ordinal()] = option.traits().defaults();
            }
            values.put(kind, row);
        }
    }

    /** Returns the options of a layer to begin with; the caller's own copy. */
    OptionValue[] copyOf(LayerKind kind) {
        return values.get(kind).clone();
    }

    /** Replaces the defaults of a layer. */
    void set(LayerKind kind, OptionValue[] row) {
        values.put(kind, row);
    }
}
