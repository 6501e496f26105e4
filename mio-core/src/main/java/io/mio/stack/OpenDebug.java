package io.mio.stack;

import io.mio.config.DebugKeyword;
import io.mio.config.DebugKeywords;
import io.mio.config.FileRule;
import io.mio.config.LayerKind;
import io.mio.config.LayerOption;
import io.mio.config.LayerSpec;
import io.mio.config.StackSpec;
import io.mio.stats.LineText;
import java.util.List;
import java.util.Locale;

/** The debug lines of an open, for the keywords that are on (reference 2.3 and 4.2). */
final class OpenDebug {
    private final boolean env;
    private final boolean open;
    private final boolean modules;
    private final boolean definitions;

    OpenDebug(DebugKeywords keywords) {
        env = keywords.isOn(DebugKeyword.ENV);
        open = keywords.isOn(DebugKeyword.OPEN);
        modules = keywords.isOn(DebugKeyword.MODULES);
        definitions = keywords.isOn(DebugKeyword.DEF);
    }

    /** True if matching of names is to be shown. */
    boolean isMatching() {
        return env;
    }

    /** True if an open that has layers is to be shown. */
    boolean isOpening() {
        return open || modules || definitions;
    }

    /** True if every open is to be shown. */
    boolean isNaming() {
        return open;
    }

    /** What the last layer says of an open. The wording is ours. */
    static String serving(String layer, String name, String line) {
        return layer + " open : " + LineText.of(name) + " : " + LineText.of(line) + "\n";
    }

    /** Shows which rule the name matched; the original's wording is not known. */
    String matching(String name, FileRule rule) {
        return rule == null
                ? "Matching " + LineText.of(name) + " : no rule\n"
                : "Matching "
                        + LineText.of(name)
                        + " : "
                        + rule.matching(name)
                        + " ["
                        + rule.stack().text()
                        + "]\n";
    }

    /** The lines of one open, word for word those of the original. */
    String opening(String name, StackSpec spec) {
        StringBuilder out = new StringBuilder(256);
        if (open) {
            out.append("Opening file ").append(LineText.of(name)).append('\n');
        }
        if (modules) {
            String text = spec.text();
            out.append("   modules[").append(text.length()).append("]=").append(text).append('\n');
            List<LayerSpec> layers = spec.layers();
            for (LayerSpec layer : layers) {
                if (layer.kind() != LayerKind.MIO) {
                    out.append("   ").append(layer.echo()).append('\n');
                }
            }
        }
        if (definitions) {
            definitions(out);
        }
        return out.toString();
    }

    /** Every option of every layer; the original's layout is not known. */
    private static void definitions(StringBuilder out) {
        for (LayerKind layer : LayerKind.values()) {
            out.append("   definitions of ").append(layer.id()).append('\n');
            for (LayerOption option : layer.options()) {
                out.append(
                        String.format(
                                Locale.ROOT,
                                "      %-18s %-10s %s%n",
                                option.id(),
                                option.kind().name().toLowerCase(Locale.ROOT),
                                option.defaultEcho()));
            }
        }
    }
}
