package io.mio.config;

import java.util.ArrayList;
import java.util.List;

/**
 * The grammar of MIO_FILES, of a module list alone, and of MIO_DEFAULTS (reference 2.1 and 2.2).
 *
 * <pre>
 * files    := { names "[" modules "]" }
 * names    := name { ":" name }                  name     := plain | "{" anything "}"
 * modules  := module { "|" module }              module   := ( layer | "auto" ) { "/" option }
 * option   := word [ "=" value ]                 value    := plain | "{" anything "}"
 * defaults := [ module { "," module } ]
 * </pre>
 *
 * Blanks may stand between any two of these. Braces quote where a name or a value begins with one;
 * pairs inside are part of it. An option typed twice has its last value. {@code auto} is short for
 * {@code trace | pf/auto}.
 */
final class ConfigParser {
    private static final String RULE_STOPS = "/|]=";
    private static final String DEFAULTS_STOPS = "/,=";

    private static final String AUTO = "auto";
    private static final String AUTO_TEXT = "trace|pf/auto";

    private final ConfigText in;
    private final LayerDefaults defaults;

    ConfigParser(String origin, String text, LayerDefaults defaults) {
        this.in = new ConfigText(origin, text);
        this.defaults = defaults;
    }

    /** Reads the whole text as MIO_FILES. */
    List<FileRule> rules() {
        List<FileRule> rules = new ArrayList<>();
        in.skipBlanks();
        while (!in.atEnd()) {
            rules.add(rule());
            in.skipBlanks();
        }
        return List.copyOf(rules);
    }

    /** Reads the whole text as a module list without brackets. */
    StackSpec modules() {
        StringBuilder text = new StringBuilder();
        List<LayerSpec> layers = layers(text);
        if (!in.atEnd()) {
            throw in.error(
                    in.position(), "expected '/' and an option, '|' and a layer, or the end");
        }
        return stack(text, layers, in.place(0));
    }

    /** Reads the whole text as MIO_DEFAULTS, into the defaults given. */
    void defaults() {
        in.skipBlanks();
        if (in.atEnd()) {
            return;
        }
        do {
            LayerSpec layer = layer(new StringBuilder(), DEFAULTS_STOPS, null);
            defaults.set(layer.kind(), layer.copyOfValues());
        } while (in.take(','));
        if (!in.atEnd()) {
            throw in.error(in.position(), "expected '/' and an option, or ',' and a layer");
        }
    }

    private FileRule rule() {
        StringBuilder names = new StringBuilder();
        List<NamePattern> patterns = new ArrayList<>();
        do {
            in.skipBlanks();
            patterns.add(pattern(names));
            in.skipBlanks();
        } while (nextName(names));
        int open = in.position();
        if (!in.take('[')) {
            throw in.error(
                    open,
                    in.atEnd()
                            ? "the layers are missing; write NAME [ LAYER | LAYER ]"
                            : "expected ':' and a name, or '['; put a name with blanks in braces");
        }
        StringBuilder text = new StringBuilder();
        in.skipBlanks();
        if (in.peek() == ']') {
            throw in.error(
                    in.position(), "the module list is empty; write [ os ] for no layers at all");
        }
        List<LayerSpec> layers = in.atEnd() ? List.of() : layers(text);
        if (!in.take(']')) {
            throw in.atEnd()
                    ? in.error(open, "'[' has no ']'; add one")
                    : in.error(
                            in.position(), "expected '/' and an option, '|' and a layer, or ']'");
        }
        return new FileRule(names.toString(), patterns, stack(text, layers, in.place(open)));
    }

    private boolean nextName(StringBuilder names) {
        if (in.take(':')) {
            names.append(':');
            return true;
        }
        return false;
    }

    private NamePattern pattern(StringBuilder names) {
        int start = in.position();
        if (in.peek() == '{') {
            String quoted = in.braced();
            if (quoted.isEmpty()) {
                throw in.error(start, "the name is empty; '*' means every name");
            }
            names.append('{').append(quoted).append('}');
            return new NamePattern(quoted);
        }
        String plain = in.word(":[]");
        if (in.peek() == ']') {
            throw in.error(in.position(), "']' has no '['; put a name with brackets in braces");
        }
        if (plain.isEmpty()) {
            throw in.error(
                    start,
                    names.length() == 0
                            ? "the name list is empty; '*' means every name"
                            : "the name is empty; drop a ':' or write a name");
        }
        names.append(plain);
        return new NamePattern(plain);
    }

    private List<LayerSpec> layers(StringBuilder text) {
        List<LayerSpec> layers = new ArrayList<>();
        while (true) {
            layers.add(layer(text, RULE_STOPS, layers));
            if (!in.take('|')) {
                return layers;
            }
            text.append('|');
        }
    }

    /**
     * Reads the next layer.
     *
     * @param above gets the layer that the short form puts above; null where the short form is not
     *     allowed
     */
    private LayerSpec layer(StringBuilder text, String stops, List<LayerSpec> above) {
        in.skipBlanks();
        int start = in.position();
        String typed = in.word(stops);
        boolean auto = above != null && typed.equals(AUTO);
        String name = auto ? LayerKind.PF.id() : typed;
        LayerKind kind = LayerKind.of(name);
        if (kind == null) {
            List<String> known = LayerKind.names();
            if (above != null) {
                known.add(AUTO);
            }
            throw in.error(
                    start,
                    (name.isEmpty()
                                    ? "the name of a layer is missing"
                                    : "there is no layer '"
                                            + name
                                            + "'"
                                            + Nearest.hint(name, known))
                            + " (layers: "
                            + String.join(", ", known)
                            + ")");
        }
        OptionValue[] values = defaults.copyOf(kind);
        if (auto) {
            above.add(implied(LayerKind.TRACE, in.place(start)));
            text.append(AUTO_TEXT);
            values[PfOption.AUTO.ordinal()] = OptionValue.on().at(in.place(start));
        } else {
            text.append(name);
        }
        in.skipBlanks();
        while (in.take('/')) {
            option(kind, values, text.append('/'), stops);
            in.skipBlanks();
        }
        return new LayerSpec(kind, name, in.place(start), values);
    }

    private void option(LayerKind kind, OptionValue[] values, StringBuilder text, String stops) {
        in.skipBlanks();
        int start = in.position();
        String typed = in.word(stops);
        if (typed.isEmpty()) {
            throw in.error(start, "an option of " + kind.id() + " is missing behind '/'");
        }
        OptionName name = OptionName.find(kind, typed, in.place(start));
        OptionTraits option = name.option().traits();
        text.append(typed);
        in.skipBlanks();
        int equals = in.position();
        OptionValue value;
        if (in.take('=')) {
            if (name.isOff() || !option.takesValue()) {
                throw in.error(equals, name.word() + " takes no value; drop the '=' and the value");
            }
            value = value(option, text.append('='), stops);
        } else if (name.isOff()) {
            value = OptionValue.off();
        } else if (option.needsValue()) {
            throw in.error(
                    start, name.word() + " needs a value: write " + OptionReader.form(option));
        } else if (option.bareValue() != null) {
            value = OptionReader.read(option, option.bareValue());
        } else {
            value =
                    option.kind() == OptionKind.FLAG
                            ? OptionValue.on()
                            : OptionValue.text(name.word());
        }
        values[name.option().ordinal()] = value.at(in.place(start));
    }

    private OptionValue value(OptionTraits option, StringBuilder text, String stops) {
        in.skipBlanks();
        int start = in.position();
        if (in.peek() == '{') {
            String quoted = in.braced();
            text.append('{').append(quoted).append('}');
            boolean words = option.kind() == OptionKind.STRING;
            return OptionReader.read(option, words ? quoted : quoted.trim(), in.place(start + 1));
        }
        // An equals sign ends a word, not a value: tag=a=b.
        String plain = in.word(stops.substring(0, stops.length() - 1));
        if (plain.isEmpty()) {
            throw in.error(
                    start,
                    "the value of "
                            + option.id()
                            + " is missing: write "
                            + OptionReader.form(option)
                            + (option.kind() == OptionKind.STRING && in.peek() == '/'
                                    ? "; with a '/' in it, in braces: " + option.id() + "={/...}"
                                    : ""));
        }
        text.append(plain);
        return OptionReader.read(option, plain, in.place(start));
    }

    private StackSpec stack(StringBuilder text, List<LayerSpec> typed, TextPlace open) {
        List<LayerSpec> layers = new ArrayList<>(typed);
        if (layers.get(0).kind() != LayerKind.MIO) {
            layers.add(0, implied(LayerKind.MIO, open));
        }
        if (layers.get(layers.size() - 1).kind() != LayerKind.OS) {
            layers.add(implied(LayerKind.OS, open));
        }
        for (int i = 0; i < layers.size(); i++) {
            LayerSpec layer = layers.get(i);
            if (layer.kind() == LayerKind.MIO && i > 0) {
                throw layer.place().error("mio can only be the first layer; move it to the front");
            }
            if (layer.kind() == LayerKind.OS && i < layers.size() - 1) {
                throw layer.place()
                        .error(
                                layer.typedName()
                                        + " can only be the last layer; move it to the end");
            }
            if (layer.kind() == LayerKind.PF) {
                checkSinglePf(layers, i);
                checkPages(layer);
            }
        }
        return new StackSpec(text.toString(), List.copyOf(layers));
    }

    private LayerSpec implied(LayerKind kind, TextPlace open) {
        return new LayerSpec(kind, kind.id(), open, defaults.copyOf(kind));
    }

    /** All pf layers of a file would share its pages, and the upper one would wait for itself. */
    private static void checkSinglePf(List<LayerSpec> layers, int index) {
        for (int i = 0; i < index; i++) {
            if (layers.get(i).kind() == LayerKind.PF) {
                throw layers.get(index)
                        .place()
                        .error("pf can be there only once in a rule; take one of them out");
            }
        }
    }

    private static void checkPages(LayerSpec pf) {
        if (pf.number(PfOption.CACHE_SIZE) < pf.number(PfOption.PAGE_SIZE)) {
            throw pf.place()
                    .error(
                            "cache_size="
                                    + pf.text(PfOption.CACHE_SIZE)
                                    + " does not hold one page of page_size="
                                    + pf.text(PfOption.PAGE_SIZE)
                                    + "; give a larger cache_size or a smaller page_size");
        }
    }
}
