package io.mio.config;

import io.mio.stats.MioVersion;
import java.util.List;
import java.util.Map;

/**
 * The whole configuration: read once, when a file system is made, and never changed. Safe for use
 * by several threads.
 */
public final class MioConfig {
    private final ConfigTexts texts;
    private final boolean enabled;
    private final DebugKeywords debug;
    private final String backend;
    private final List<FileRule> rules;

    private MioConfig(ConfigTexts texts) {
        this.texts = texts;
        this.enabled = readEnabled();
        if (!enabled) {
            // Whoever switches MIO off, perhaps because of a mistake here, wants no further errors.
            this.debug = DebugKeywords.parse("", "");
            this.backend = "";
            this.rules = List.of();
            return;
        }
        this.debug = DebugKeywords.parse(origin(ConfigKey.DEBUG), text(ConfigKey.DEBUG));
        this.backend = BackendName.parse(origin(ConfigKey.BACKEND), text(ConfigKey.BACKEND));
        if (text(ConfigKey.DEFAULTS).isEmpty() && text(ConfigKey.FILES).isEmpty()) {
            // The option tables cost time at start; without rules nobody needs them.
            this.rules = List.of();
            return;
        }
        LayerDefaults defaults = new LayerDefaults();
        new ConfigParser(origin(ConfigKey.DEFAULTS), text(ConfigKey.DEFAULTS), defaults).defaults();
        this.rules =
                new ConfigParser(origin(ConfigKey.FILES), text(ConfigKey.FILES), defaults).rules();
    }

    /**
     * Reads all sources; {@code options} win (design section 3).
     *
     * @param options keys files, stats, debug, defaults, enabled, live, backend; may be null
     * @throws ConfigException if there is a mistake in any of them
     */
    public static MioConfig load(Map<String, ?> options) {
        return load(options, ConfigSources.ofProcess());
    }

    /**
     * As {@link #load(Map)}, with other environment variables than those of this process: the
     * configuration of a program that is started with them.
     *
     * @param options as for {@link #load(Map)}
     * @param environment all variables, whether MIO's or not
     * @throws ConfigException if there is a mistake in any of them
     */
    public static MioConfig load(Map<String, ?> options, Map<String, String> environment) {
        return load(options, new ConfigSources(environment, System.getProperties(), ""));
    }

    /**
     * As {@link #load(Map)}, for the options alone: no file, variable or property is looked at.
     *
     * @param options as for {@link #load(Map)}, not null
     * @throws ConfigException if there is a mistake in them
     */
    public static MioConfig of(Map<String, ?> options) {
        ConfigTexts texts = new ConfigTexts();
        ConfigSources.options(options, texts);
        return new MioConfig(texts);
    }

    static MioConfig load(Map<String, ?> options, ConfigSources sources) {
        ConfigTexts texts = new ConfigTexts();
        sources.collect(options, texts);
        return new MioConfig(texts);
    }

    /** The layers for a file of this name, as the program gave it, or null: no rule, no layers. */
    public StackSpec match(String name) {
        FileRule rule = rule(name);
        return rule == null ? null : rule.stack();
    }

    /** The first rule that matches the name, as the program gave it, or null. */
    public FileRule rule(String name) {
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i).matching(name) != null) {
                return rules.get(i);
            }
        }
        return null;
    }

    /** All rules, in order; none where MIO is switched off. */
    public List<FileRule> rules() {
        return rules;
    }

    /** False if MIO is switched off: then no rule matches anything. */
    public boolean enabled() {
        return enabled;
    }

    /** The debug keywords that are on; none where MIO is switched off. */
    public DebugKeywords debug() {
        return debug;
    }

    /**
     * The way of doing page requests that {@code backend} names: {@code uring}, {@code threads},
     * {@code sync}, or "" for the best there is, as where MIO is switched off.
     */
    public String backend() {
        return backend;
    }

    /** The setting as the user wrote it; "" if nobody set it. */
    public String text(ConfigKey key) {
        String text = texts.text(key);
        return text == null ? "" : text;
    }

    /**
     * Where the setting came from: {@code MIO_FILES}, {@code system property mio.files}, {@code
     * file /etc/mio/mio.conf key files} or {@code option files}; the variable's name if nobody set
     * it.
     */
    public String origin(ConfigKey key) {
        String origin = texts.origin(key);
        return origin == null ? key.variable() : origin;
    }

    /** True if a source sets it, even to an empty text. */
    public boolean isSet(ConfigKey key) {
        return texts.origin(key) != null;
    }

    /** Origins, as of {@link #origin}, that set it as well and did not win, the weakest first. */
    public List<String> overridden(ConfigKey key) {
        return texts.overridden(key);
    }

    /** The files that were looked for, the weakest first; none where MIO is switched off. */
    public List<ConfigFile> files() {
        return texts.files();
    }

    /**
     * Checks that this version of MIO has every layer and every option the rules ask for.
     *
     * @throws ConfigException at the first one that it does not have
     */
    public void checkAvailable() {
        for (int i = 0; i < rules.size(); i++) {
            for (LayerSpec layer : rules.get(i).stack().layers()) {
                checkAvailable(layer);
            }
        }
    }

    private static void checkAvailable(LayerSpec layer) {
        if (!layer.kind().isAvailable()) {
            throw layer.place()
                    .error(
                            "layer "
                                    + layer.kind().id()
                                    + missing()
                                    + "; layers it has: "
                                    + availableLayers());
        }
        for (LayerOption option : layer.kind().options()) {
            boolean asked = layer.isTyped(option) && layer.isOn(option);
            if (asked && option.availableSince().isEmpty()) {
                throw layer.place(option)
                        .error(
                                "option "
                                        + option.id()
                                        + " of layer "
                                        + layer.kind().id()
                                        + missing()
                                        + "; leave it out");
            }
        }
    }

    private static String missing() {
        return " is not in this version of MIO (" + MioVersion.NUMBER + ")";
    }

    private static String availableLayers() {
        StringBuilder list = new StringBuilder();
        for (LayerKind kind : LayerKind.values()) {
            if (kind.isAvailable()) {
                list.append(list.length() == 0 ? "" : ", ").append(kind.id());
            }
        }
        return list.toString();
    }

    /** True if this value of {@code enabled} switches MIO off. */
    static boolean isOff(String enabled) {
        return switch (enabled.trim()) {
            case "false", "0", "no" -> true;
            default -> false;
        };
    }

    private boolean readEnabled() {
        String text = text(ConfigKey.ENABLED).trim();
        if (isOff(text)) {
            return false;
        }
        return switch (text) {
            case "", "true", "1", "yes" -> true;
            default ->
                    throw new ConfigException(
                            origin(ConfigKey.ENABLED),
                            1,
                            text(ConfigKey.ENABLED),
                            "'"
                                    + text
                                    + "' is neither true nor false; write true, 1, yes or false, 0,"
                                    + " no");
        };
    }
}
