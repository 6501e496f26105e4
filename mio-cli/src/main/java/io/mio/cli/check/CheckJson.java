package io.mio.cli.check;

import io.mio.config.ConfigFile;
import io.mio.config.LayerSpec;
import io.mio.config.MioConfig;
import java.util.ArrayList;
import java.util.List;

/**
 * What {@code mio check} tells programs.
 *
 * @param ok false if there is a mistake; all but {@code mistake} is empty then
 * @param mistake the mistake, or null
 * @param enabled false if MIO is switched off
 * @param files the configuration files that were looked for
 */
public record CheckJson(
        boolean ok,
        Told mistake,
        boolean enabled,
        List<Setting> settings,
        List<ConfigFile> files,
        List<Rule> rules,
        List<Explanation> explanations,
        List<Warning> warnings) {

    /** The mistake without its lines for people. */
    public record Told(String origin, int column, String message) {}

    /**
     * A rule.
     *
     * @param rule number, from 1
     * @param names as typed
     * @param layers as typed
     * @param stack names of all layers from the program down
     */
    public record Rule(int rule, String names, String layers, List<String> stack) {}

    public static CheckJson of(Mistake mistake) {
        Told told = new Told(mistake.origin(), mistake.column(), mistake.message());
        return new CheckJson(
                false, told, true, List.of(), List.of(), List.of(), List.of(), List.of());
    }

    public static CheckJson of(
            MioConfig config, List<Explanation> explanations, List<Warning> warnings) {
        List<Rule> rules = new ArrayList<>();
        config.rules()
                .forEach(
                        rule ->
                                rules.add(
                                        new Rule(
                                                rules.size() + 1,
                                                rule.names(),
                                                rule.stack().text(),
                                                rule.stack().layers().stream()
                                                        .map(LayerSpec::typedName)
                                                        .toList())));
        return new CheckJson(
                true,
                null,
                config.enabled(),
                Setting.of(config),
                config.files(),
                rules,
                explanations,
                warnings);
    }
}
