package io.mio.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Compares {@code docs/Configuration.md} with the tables in the code. With {@code
 * -Dmio.docs.write=true} the test writes the tables of the page anew.
 */
class ConfigurationPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("basedir", "."), "..", "docs", "Configuration.md");
    private static final Pattern GENERATED =
            Pattern.compile(
                    "(<!-- (settings|options:\\w+) -->\n).*?(<!-- end -->)", Pattern.DOTALL);

    @Test
    void shouldShowEverySettingAndOptionAsTheyAre() throws IOException {
        String page = Files.readString(PAGE);
        Matcher tables = GENERATED.matcher(page);
        StringBuilder current = new StringBuilder();
        int count = 0;
        while (tables.find()) {
            String rows = tables.group(1) + table(tables.group(2)) + tables.group(3);
            tables.appendReplacement(current, Matcher.quoteReplacement(rows));
            count++;
        }
        tables.appendTail(current);
        if (Boolean.getBoolean("mio.docs.write")) {
            Files.writeString(PAGE, current);
        }

        assertThat(count).isEqualTo(1 + LayerKind.values().length);
        assertThat(Files.readString(PAGE))
                .as("docs/Configuration.md; -Dmio.docs.write=true writes its tables anew")
                .isEqualTo(current.toString());
    }

    @Test
    void shouldNameEveryDebugKeyword() throws IOException {
        String page = Files.readString(PAGE);
        for (DebugKeyword keyword : DebugKeyword.values()) {
            assertThat(page).contains("| `" + keyword + "` |");
        }
    }

    @Test
    void shouldMarkTheLayersThatAreToCome() throws IOException {
        String page = Files.readString(PAGE);
        for (LayerKind kind : LayerKind.values()) {
            String mark = kind.isAvailable() ? "" : "not yet ";
            assertThat(page)
                    .containsPattern("\\| `" + kind.id() + "` \\| [^|]+ \\| " + mark + "\\|\n");
        }
    }

    @Test
    void shouldShowExamplesThatAreRead() throws IOException {
        Matcher examples =
                Pattern.compile("MIO_(FILES|DEFAULTS|DEBUG)=['\"]([^'\"]*)['\"]")
                        .matcher(Files.readString(PAGE));
        List<String> read = new ArrayList<>();
        while (examples.find()) {
            String variable = "MIO_" + examples.group(1);
            Map<String, String> environment = Map.of(variable, examples.group(2));
            MioConfig.load(null, new ConfigSources(environment, new Properties(), "/nowhere"));
            read.add(examples.group());
        }
        assertThat(read).hasSizeGreaterThan(5);
    }

    @Test
    void shouldShowMessagesAsTheyAre() throws IOException {
        Map<String, String> environment =
                Map.of("MIO_FILES", "* [ trace/stats | pf/cahce_size=10m ]");
        String message = "";
        try {
            MioConfig.load(null, new ConfigSources(environment, new Properties(), "/nowhere"));
        } catch (ConfigException e) {
            message = e.getMessage();
        }
        assertThat(message).isNotEmpty();
        assertThat(Files.readString(PAGE)).contains(message);
    }

    private static String table(String name) {
        StringBuilder table = new StringBuilder();
        if (name.equals("settings")) {
            table.append("| key | environment | system property |\n|---|---|---|\n");
            for (ConfigKey key : ConfigKey.values()) {
                table.append("| `").append(key.id()).append("` | `").append(key.variable());
                table.append("` | `").append(key.property()).append("` |\n");
            }
            return table.toString();
        }
        LayerKind kind = LayerKind.of(name.substring("options:".length()));
        table.append("| option | default | meaning | |\n|---|---|---|---|\n");
        for (LayerOption option : kind.options()) {
            String preset = option.defaultEcho();
            table.append("| ").append(forms(option.traits()));
            table.append(" | ").append(preset.isEmpty() ? "" : "`" + preset + "`");
            table.append(" | ").append(option.description()).append(limits(option));
            table.append(" | ").append(marks(kind, option)).append(" |\n");
        }
        return table.toString();
    }

    private static String forms(OptionTraits option) {
        List<String> forms = new ArrayList<>();
        if (option.kind() == OptionKind.CHOICE) {
            for (String choice : option.choices()) {
                forms.add(option.isKeyed() ? option.id() + "=" + choice : choice);
            }
        } else if (option.isAutoAllowed()) {
            forms.addAll(List.of(option.id() + "=PAGES", option.id() + "=MIN:MAX"));
            forms.add(option.id() + "=auto");
        } else if (option.takesValue()) {
            forms.add(OptionReader.form(option));
        }
        for (String word : option.words()) {
            boolean bare = !word.equals(option.id()) || !option.needsValue();
            if (bare && option.kind() != OptionKind.CHOICE) {
                forms.add(word);
            }
        }
        return "`" + String.join("` `", forms) + "`";
    }

    private static String limits(LayerOption option) {
        if (!option.traits().takesValue()
                || option.kind() == OptionKind.STRING
                || option.kind() == OptionKind.CHOICE
                || option.max() == Long.MAX_VALUE) {
            return "";
        }
        String unit = option.unit().isEmpty() ? "" : " " + option.unit();
        return " From "
                + OptionReader.limit(option.traits(), option.min())
                + " to "
                + OptionReader.limit(option.traits(), option.max())
                + unit
                + ".";
    }

    private static String marks(LayerKind kind, LayerOption option) {
        List<String> marks = new ArrayList<>();
        if (option.isExtension()) {
            marks.add("extension");
        }
        if (kind.isAvailable() && option.availableSince().isEmpty()) {
            marks.add("not yet");
        }
        return String.join(", ", marks);
    }
}
