package io.mio.cli.check;

import io.mio.cli.term.SafeText;
import io.mio.cli.term.Style;
import io.mio.cli.term.Table;
import io.mio.cli.term.Terminal;
import io.mio.config.ConfigFile;
import io.mio.config.FileRule;
import io.mio.config.LayerSpec;
import io.mio.config.MioConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What {@code mio check} tells people, in lines without line ends. */
public final class CheckText {
    /** Most columns of the text, so that it can be read. */
    private static final int COLUMNS_MAX = 110;

    private static final int MEANING_COLUMNS_MIN = 30;

    private final Terminal terminal;
    private final int columns;
    private final List<String> lines = new ArrayList<>();

    public CheckText(Terminal terminal) {
        this.terminal = terminal;
        this.columns = Math.min(COLUMNS_MAX, terminal.columns());
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }

    /** Adds the settings, the files they may come from, and the rules. */
    public void configuration(MioConfig config) {
        Table settings = new Table().left("setting").left("from").name("value");
        for (Setting setting : Setting.of(config)) {
            settings.row(setting.key(), setting.origin(), oneLine(setting.value()));
            for (String beaten : setting.overridden()) {
                settings.row(Style.FAINT, "", beaten, "(overridden)");
            }
        }
        lines.addAll(settings.lines(terminal));
        files(config);
        lines.add("");
        if (!config.enabled()) {
            lines.add("MIO is switched off: no file gets layers, and no mistake is looked for.");
            return;
        }
        if (config.rules().isEmpty()) {
            lines.add("There are no rules: no file gets layers.");
            return;
        }
        Table rules = new Table().right("rule").name("names").name("layers");
        int number = 0;
        for (FileRule rule : config.rules()) {
            number++;
            String layers =
                    rule.stack().isPlain()
                            ? "none: the file itself"
                            : rule.stack().layers().stream()
                                    .map(LayerSpec::typedName)
                                    .collect(Collectors.joining(" | "));
            rules.row(Integer.toString(number), rule.names(), layers);
        }
        lines.addAll(rules.lines(terminal));
    }

    private void files(MioConfig config) {
        if (config.files().isEmpty()) {
            return;
        }
        lines.add("");
        lines.add("Files looked for:");
        for (ConfigFile file : config.files()) {
            String state = file.read() ? "read" : file.present() ? "cannot be read" : "not there";
            lines.add("  " + SafeText.of(file.name()) + ": " + state);
        }
    }

    /** Adds what a name gets, layer by layer. */
    public void explanation(Explanation it) {
        lines.add("");
        heading(it.path());
        for (Explanation.Passed passed : it.passed()) {
            wrapped("  rule " + passed.rule() + "  ", SafeText.of(passed.names()) + ": no");
        }
        if (it.rule() == 0) {
            lines.add("  No rule matches: no layers, as if MIO were not there.");
        } else {
            wrapped(
                    "  rule " + it.rule() + "  ",
                    SafeText.of(it.names()) + ": '" + SafeText.of(it.pattern()) + "' matches");
            if (it.rulesLeft() > 0) {
                lines.add(
                        "  "
                                + (it.rulesLeft() == 1 ? "1 rule" : it.rulesLeft() + " rules")
                                + " behind it not looked at: the first one that matches wins");
            }
            if (it.plain()) {
                lines.add("  It changes nothing: no layers, as if MIO were not there.");
            }
        }
        if (!it.absolute().isEmpty()) {
            wrapped(
                    "  note: ",
                    "a program that opens it as "
                            + SafeText.of(it.absolute())
                            + (it.absoluteRule() == 0
                                    ? " is not matched by any rule"
                                    : " gets rule " + it.absoluteRule()));
        }
        if (!it.plain()) {
            it.layers().forEach(this::layer);
        }
    }

    private void layer(Explanation.Layer layer) {
        lines.add("");
        boolean alias = !layer.typedAs().equals(layer.layer());
        heading(
                "  "
                        + layer.typedAs()
                        + (alias ? " (" + layer.layer() + ")" : "")
                        + ": "
                        + layer.meaning());
        int width = 0;
        for (Explanation.Setting option : layer.options()) {
            width = Math.max(width, SafeText.columns(SafeText.of(value(option))));
        }
        // A long file name must not push the words off the screen.
        width = Math.min(width, Math.max(12, columns - MEANING_COLUMNS_MIN - 16));
        for (Explanation.Setting option : layer.options()) {
            String value = SafeText.shorten(SafeText.of(value(option)), width);
            String from = option.from().label();
            String start =
                    "    "
                            + value
                            + " ".repeat(width - SafeText.columns(value) + 2)
                            + from
                            + " ".repeat(10 - from.length());
            // The words tell what the option does when it is on.
            boolean off = !option.on() && option.value().startsWith("no");
            wrapped(start, (off ? "(off) " : "") + option.meaning().replace('`', '\''));
        }
    }

    private static String value(Explanation.Setting option) {
        return option.value().isEmpty() ? option.option() + ": -" : option.value();
    }

    /** Adds what was probably not meant. */
    public void warnings(List<Warning> warnings) {
        if (warnings.isEmpty()) {
            return;
        }
        lines.add("");
        for (Warning warning : warnings) {
            String about = warning.rule() > 0 ? "rule " + warning.rule() + " " : "";
            // A sentence about a rule goes on behind the rule's number.
            boolean sentence =
                    warning.rule() > 0
                            && !warning.text().startsWith("can ")
                            && !warning.text().startsWith("shares ");
            String text = about.stripTrailing() + (sentence ? ": " : about.isEmpty() ? "" : " ");
            int from = lines.size();
            wrapped("warning: ", text + SafeText.of(warning.text()));
            for (int i = from; i < lines.size(); i++) {
                lines.set(i, terminal.styled(Style.WARNING, lines.get(i)));
            }
        }
    }

    private void heading(String text) {
        lines.add(terminal.styled(Style.HEADING, SafeText.of(text)));
    }

    private static String oneLine(String value) {
        return value.isEmpty() ? null : value.strip().replaceAll("\\s*[\r\n]\\s*", " ");
    }

    /** Adds text that is broken at blanks; further lines begin below the first one's text. */
    private void wrapped(String start, String text) {
        int indent = SafeText.columns(start);
        int room = Math.max(MEANING_COLUMNS_MIN, columns - indent);
        StringBuilder line = new StringBuilder(start);
        int used = 0;
        for (String word : text.split(" ")) {
            int width = SafeText.columns(word);
            if (used > 0 && used + 1 + width > room) {
                lines.add(line.toString());
                line = new StringBuilder(" ".repeat(indent));
                used = 0;
            }
            line.append(used > 0 ? " " : "").append(word);
            used += width + (used > 0 ? 1 : 0);
        }
        lines.add(line.toString().stripTrailing());
    }
}
