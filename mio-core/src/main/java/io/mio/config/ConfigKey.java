package io.mio.config;

import java.util.ArrayList;
import java.util.List;

/** The settings, each of which has the same name in every source. */
public enum ConfigKey {
    /** Rules: which layers for which files. */
    FILES("files", "MIO_FILES"),
    /** Where reports go. */
    STATS("stats", "MIO_STATS"),
    /** Debug keywords. */
    DEBUG("debug", "MIO_DEBUG"),
    /** Defaults of layers. */
    DEFAULTS("defaults", "MIO_DEFAULTS"),
    /** {@code false} switches all of MIO off. */
    ENABLED("enabled", "MIO_ENABLED"),
    /** Directory of the live counter file, or {@code off}. */
    LIVE("live", "MIO_LIVE"),
    /** The best way of doing page requests that may be used. */
    BACKEND("backend", "MIO_BACKEND");

    private final String id;
    private final String variable;

    ConfigKey(String id, String variable) {
        this.id = id;
        this.variable = variable;
    }

    /** Key in files and option maps, for example {@code files}. */
    public String id() {
        return id;
    }

    /** Environment variable, for example {@code MIO_FILES}. */
    public String variable() {
        return variable;
    }

    /** System property, for example {@code mio.files}. */
    public String property() {
        return "mio.".concat(id);
    }

    /** The key of this id, or null. */
    static ConfigKey of(String id) {
        for (ConfigKey key : values()) {
            if (key.id.equals(id)) {
                return key;
            }
        }
        return null;
    }

    static List<String> ids() {
        List<String> ids = new ArrayList<>();
        for (ConfigKey key : values()) {
            ids.add(key.id);
        }
        return ids;
    }
}
