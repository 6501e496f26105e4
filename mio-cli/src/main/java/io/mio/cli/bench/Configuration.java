package io.mio.cli.bench;

import io.mio.config.ConfigException;
import io.mio.config.LayerSpec;
import io.mio.config.MioConfig;
import io.mio.config.PfOption;
import io.mio.config.StackSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What is below the worker in one of the rows that are compared.
 *
 * @param name the name in tables
 * @param rule empty: without MIO; {@code [ layers ]}: for the benchmark's files; else all of {@code
 *     MIO_FILES}
 */
public record Configuration(String name, String rule) {
    /**
     * Reads {@code NAME=RULE}.
     *
     * @throws IllegalArgumentException if there is no name, or a mistake in the rule
     */
    public static Configuration of(String text) {
        int at = text.indexOf('=');
        if (at <= 0) {
            throw new IllegalArgumentException(
                    "'"
                            + text
                            + "' is no configuration; write NAME=RULE, or NAME= for none of MIO");
        }
        Configuration read =
                new Configuration(text.substring(0, at), text.substring(at + 1).strip());
        read.check("--config " + read.name, 0);
        return read;
    }

    /**
     * Returns a configuration of one layer, as {@code --pf=OPTIONS} asks for it; its name is that
     * of the layer.
     *
     * @param options may be empty
     * @throws IllegalArgumentException if there is a mistake in the options
     */
    static Configuration of(String layer, String options) {
        String before = "[ " + layer + (options.isEmpty() ? "" : "/");
        Configuration read = new Configuration(layer, before + options + " ]");
        read.check("--" + layer, before.length());
        return read;
    }

    /**
     * Looks for mistakes in the rule.
     *
     * @param option the option that the user has typed in front of it
     * @param before characters of the rule that the user has not typed
     * @throws IllegalArgumentException with one line that says what is wrong
     */
    private void check(String option, int before) {
        if (isPlain()) {
            return;
        }
        String files = files(List.of(Path.of("bench.dat")));
        try {
            MioConfig.of(Map.of("files", files)).checkAvailable();
        } catch (ConfigException e) {
            throw new IllegalArgumentException(
                    option + ": " + mistake(e, files.length() - rule.length() + before), e);
        }
    }

    /** Returns one line, with the column in the rule as it was given, behind so many characters. */
    private static String mistake(ConfigException e, int before) {
        String line = e.getMessage().lines().findFirst().orElse("no rule");
        String place = e.origin() + ", column " + e.column() + ": ";
        return e.column() > before && line.startsWith(place)
                ? "column " + (e.column() - before) + ": " + line.substring(place.length())
                : line;
    }

    /**
     * Returns the layers of one of the benchmark's files, from the program down; none where MIO is
     * not below it.
     */
    List<LayerSpec> layers(Path file) {
        StackSpec stack =
                isPlain()
                        ? null
                        : MioConfig.of(Map.of("files", files(List.of(file))))
                                .match(file.toString());
        return stack == null ? List.of() : stack.layers();
    }

    /** Returns whether a layer of that file bypasses the kernel's page cache. */
    boolean isDirect(Path file) {
        return layers(file).stream()
                .anyMatch(layer -> layer.isCache() && layer.isOn(PfOption.DIRECT));
    }

    /** Returns whether the worker runs without MIO. */
    boolean isPlain() {
        return rule.isEmpty();
    }

    /** Returns the value of {@code MIO_FILES}. */
    String files(List<Path> files) {
        if (!rule.startsWith("[")) {
            return rule;
        }
        StringBuilder names = new StringBuilder();
        for (Path file : files) {
            String name = file.getFileName().toString();
            if (!name.matches("[A-Za-z0-9._-]+")) {
                // A rule for all files will do: the worker opens no other file that matters.
                return "* " + rule;
            }
            names.append(names.length() == 0 ? "" : ":").append(name);
        }
        return names + " " + rule;
    }

    /** Returns the rule in words. */
    String description() {
        return isPlain() ? "without MIO" : rule;
    }
}
