package io.mio.cli.check;

import com.fasterxml.jackson.annotation.JsonValue;
import io.mio.config.ConfigKey;
import io.mio.config.FileRule;
import io.mio.config.LayerKind;
import io.mio.config.LayerOption;
import io.mio.config.LayerSpec;
import io.mio.config.MioConfig;
import io.mio.config.NamePattern;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What a file of one name gets.
 *
 * @param path the name as given
 * @param rule number of the rule that matches, from 1; 0 if none does
 * @param names the rule's list of names; "" if there is none
 * @param pattern the name in this list that fits; "" if there is none
 * @param passed the rules before it, which do not fit
 * @param rulesLeft number of rules after it, which are not looked at
 * @param plain whether the program gets the file itself, without MIO: no rule matches, or one like
 *     {@code [ os ]} does
 * @param layers from the program down; empty if no rule matches
 * @param absolute the same name from the root, if the rules treat it in another way; else ""
 * @param absoluteRule number of the rule for that, 0 for none
 */
public record Explanation(
        String path,
        int rule,
        String names,
        String pattern,
        List<Passed> passed,
        int rulesLeft,
        boolean plain,
        List<Layer> layers,
        String absolute,
        int absoluteRule) {

    /** A rule that does not fit, with its list of names. */
    public record Passed(int rule, String names) {}

    /**
     * A layer of the stack.
     *
     * @param layer name of the layer
     * @param typedAs the name as the rule writes it
     * @param meaning what the layer does
     */
    public record Layer(String layer, String typedAs, String meaning, List<Setting> options) {}

    /**
     * An option of a layer.
     *
     * @param option name of the option
     * @param value as it is typed, for example {@code cache_size=100m}; "" if it is left alone
     * @param on whether it is on: a flag, a number or text that is there
     * @param from who set it
     * @param column where in the text of the rules or defaults, from 1; 0 where it is built in
     * @param meaning what the option does
     */
    public record Setting(
            String option, String value, boolean on, From from, int column, String meaning) {}

    /** Who set an option. */
    public enum From {
        /** The rule set it. */
        RULE("rule"),
        /** The setting {@code defaults} set it. */
        DEFAULTS("defaults"),
        /** Nobody set it: the value is built in. */
        BUILT_IN("built-in");

        private final String label;

        From(String label) {
            this.label = label;
        }

        /** Returns the word for people and for JSON. */
        @JsonValue
        public String label() {
            return label;
        }
    }

    /** Returns what a name gets, taken as the program gives it. */
    public static Explanation of(MioConfig config, String path) {
        List<FileRule> rules = config.rules();
        int at = indexOf(config, path);
        int passedCount = at < 0 ? rules.size() : at;
        List<Passed> passed = new ArrayList<>();
        for (int i = 0; i < passedCount; i++) {
            passed.add(new Passed(i + 1, rules.get(i).names()));
        }
        String absolute = absolute(path);
        int absoluteAt = indexOf(config, absolute);
        boolean same = absoluteAt == at;
        FileRule rule = at < 0 ? null : rules.get(at);
        NamePattern pattern = rule == null ? null : rule.matching(path);
        return new Explanation(
                path,
                at + 1,
                rule == null ? "" : rule.names(),
                pattern == null ? "" : pattern.template(),
                passed,
                rules.size() - passedCount - (at < 0 ? 0 : 1),
                rule == null || rule.stack().isPlain(),
                rule == null ? List.of() : layers(config, rule),
                same ? "" : absolute,
                same ? 0 : absoluteAt + 1);
    }

    private static int indexOf(MioConfig config, String path) {
        FileRule rule = config.rule(path);
        return rule == null ? -1 : config.rules().indexOf(rule);
    }

    private static String absolute(String path) {
        try {
            return Path.of(path).toAbsolutePath().normalize().toString();
        } catch (InvalidPathException e) {
            // The locale has no bytes for these characters: the name stays as it is.
            return path;
        }
    }

    private static List<Layer> layers(MioConfig config, FileRule rule) {
        List<Layer> layers = new ArrayList<>();
        for (LayerSpec layer : rule.stack().layers()) {
            List<Setting> options = new ArrayList<>();
            for (LayerOption option : layer.kind().options()) {
                options.add(
                        new Setting(
                                option.id(),
                                layer.echo(option),
                                layer.isOn(option),
                                from(config, layer, option),
                                layer.column(option),
                                option.description()));
            }
            layers.add(new Layer(layer.kind().id(), layer.typedName(), meaning(layer), options));
        }
        return layers;
    }

    private static From from(MioConfig config, LayerSpec layer, LayerOption option) {
        if (!layer.isTyped(option)) {
            return From.BUILT_IN;
        }
        boolean byDefaults = layer.origin(option).equals(config.origin(ConfigKey.DEFAULTS));
        return byDefaults ? From.DEFAULTS : From.RULE;
    }

    private static String meaning(LayerSpec layer) {
        return layer.isAuto()
                ? "the kernel's cache, told what will be read"
                : meaning(layer.kind());
    }

    /** Returns what a layer does, as in the table of layers in docs/Configuration.md. */
    static String meaning(LayerKind kind) {
        return switch (kind) {
            case MIO -> "front: how files are opened";
            case TRACE -> "counts and times every call";
            case PF -> "page cache with readahead and write-behind";
            case RECOV -> "tries failed calls again";
            case OS -> "the file itself";
        };
    }
}
