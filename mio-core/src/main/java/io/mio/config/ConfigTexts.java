package io.mio.config;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the sources say, collected from the weakest to the strongest. */
final class ConfigTexts {
    private final Map<ConfigKey, String> texts = new EnumMap<>(ConfigKey.class);
    private final Map<ConfigKey, String> origins = new EnumMap<>(ConfigKey.class);
    private final Map<ConfigKey, List<String>> overridden = new EnumMap<>(ConfigKey.class);
    private final List<ConfigFile> files = new ArrayList<>();

    /** Enters what a source says; it wins over those before. A null text says nothing. */
    void set(ConfigKey key, String text, String origin) {
        if (text == null) {
            return;
        }
        String before = origins.put(key, origin);
        texts.put(key, text);
        if (before != null) {
            List<String> beaten = overridden.get(key);
            if (beaten == null) {
                beaten = new ArrayList<>();
                overridden.put(key, beaten);
            }
            beaten.add(before);
        }
    }

    void looked(ConfigFile file) {
        files.add(file);
    }

    /** The text that wins, or null. */
    String text(ConfigKey key) {
        return texts.get(key);
    }

    /** Where the text that wins came from, or null. */
    String origin(ConfigKey key) {
        return origins.get(key);
    }

    /** Origins of the texts that did not win, the weakest first. */
    List<String> overridden(ConfigKey key) {
        List<String> beaten = overridden.get(key);
        return beaten == null ? List.of() : List.copyOf(beaten);
    }

    /** Files looked for, the weakest first. */
    List<ConfigFile> files() {
        return List.copyOf(files);
    }
}
