package io.mio.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.TwinProgram;
import io.mio.TwinProgram.Case;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Gives Java and C the same random settings, and compares what they make of them. */
class ConfigTwinTest {
    private static final int CASES = 10_000;

    /** Parts of settings; {@code ~} is a blank. A letter outside the basic plane counts as one. */
    private static final String[] PARTS =
            parts(
                    "trace pf os mio recov aix [ ] | / = { } : ~ * ** ? stats kbytes cache 10m x 0x"
                        + " no , auto replace lur pref 2:16 mode 0640 9999999999999999999 \u00e9"
                        + " \ud834\udd1e \u0130 \u212a \t \n"
                        + " plan retain =t str passthru {4k:1m} }} tag /a/b ex |pf/");

    private static final String[] STARTS =
            parts(
                    "~ *[trace *[pf/ *[pf/cache= a:b[os] \ud834\udd1e*[ {a~b}:**/*.dat~[~mio/"
                            + " *[os]~");

    private static final String[] PATTERNS = parts("* *.dat:b {a~b}:**/*.dat \u00e9 ?x:/** /*/?");

    private static final String[] STARTS_OF_LIST = parts("[ ~[~ [~mio/direct|");

    private static final String[] NUMBERS =
            parts("1 0 2 255 010 0x10k 64k 1M 5m 4096 8 1t 99 65536 0xFFg");

    private static final String[] TEXTS = parts("x /a%p.%x {a/b~c|{d}]} =t \u00e9\ud834\udd1e {}");

    private static final String[] WORDS =
            parts("OPEN ENV ABORT timestamp Modules ALL MATCH DEF MODULE X TIME");

    private static final String[] BACKENDS =
            parts("uring threads sync ~sync~ ~ thread ~urign x\u00e9 io_uring Threads uring~sync");

    private static final String[] NAMES =
            parts("a /a/b x.dat /a/b/x.dat ~ \u00e9 \ud834\udd1ex / a~b /\ud834\udd1e/*.dat b\t");

    private static final String[] OF_FILES =
            parts(
                    "a b files = : ~ \t \f \n"
                            + " \r"
                            + " \r\n"
                            + " \\ \\\\ # ! \\u0041 \\u00e9 \\ud834\\udd1e \\u12 \\n"
                            + " \\q \u00e9 \ud834\udd1e x\\\n"
                            + "~~y");

    @Test
    void shouldReadSettingsAsJavaDoes() {
        long seed = Long.getLong("mio.test.seed", 20260702L);
        Random random = new Random(seed);
        List<Case> cases = new ArrayList<>();
        List<List<String>> expected = new ArrayList<>();
        int right = 0;
        for (int i = 0; i < CASES; i++) {
            Map<String, String> environment = environment(random);
            List<String> names = List.of(one(random, NAMES), one(random, NAMES));
            Case each = new Case();
            for (ConfigKey key : ConfigKey.values()) {
                String value = environment.get(key.variable());
                if (value != null) {
                    each.put(key.id(), value);
                }
            }
            names.forEach(name -> each.put("name", name));
            cases.add(each);
            List<String> answer = answer(environment, names).lines();
            expected.add(answer);
            right += answer.get(0).startsWith("error") ? 0 : 1;
        }
        assertThat(right).as("settings without a mistake").isBetween(CASES / 20, CASES / 2);

        List<List<String>> actual = TwinProgram.ask("twin_tables", "config", cases);

        compare(cases, actual, expected, seed);
    }

    @Test
    void shouldReadFilesOfSettingsAsJavaDoes() throws IOException {
        long seed = Long.getLong("mio.test.seed", 17L);
        Random random = new Random(seed);
        List<Case> cases = new ArrayList<>();
        List<List<String>> expected = new ArrayList<>();
        for (int i = 0; i < CASES; i++) {
            String contents = text(random, OF_FILES, 14);
            cases.add(new Case().put("contents", contents));
            expected.add(lastOfEachKey(pairs(contents).lines()));
        }

        List<List<String>> actual = new ArrayList<>();
        for (List<String> answer : TwinProgram.ask("twin_tables", "properties", cases)) {
            actual.add(lastOfEachKey(answer));
        }

        compare(cases, actual, expected, seed);
    }

    private static String[] parts(String text) {
        String[] parts = text.split(" ");
        for (int i = 0; i < parts.length; i++) {
            parts[i] = parts[i].replace('~', ' ');
        }
        return parts;
    }

    private static void compare(
            List<Case> cases, List<List<String>> actual, List<List<String>> expected, long seed) {
        for (int i = 0; i < cases.size(); i++) {
            assertThat(actual.get(i))
                    .as("C's answer to case %d of seed %d:\n%s", i, seed, cases.get(i))
                    .isEqualTo(expected.get(i));
        }
    }

    private static Map<String, String> environment(Random random) {
        Map<String, String> environment = new HashMap<>();
        boolean likely = random.nextBoolean();
        environment.put(
                "MIO_FILES",
                likely ? likelyRules(random) : one(random, STARTS) + text(random, PARTS, 12));
        if (random.nextInt(6) == 0) {
            environment.put(
                    "MIO_DEFAULTS", likely ? likelyModules(random, ", ") : text(random, PARTS, 6));
        }
        if (random.nextInt(6) == 0) {
            environment.put(
                    "MIO_DEBUG", " ".repeat(random.nextInt(2)) + words(random, random.nextInt(4)));
        }
        if (random.nextInt(20) == 0) {
            environment.put("MIO_ENABLED", one(random, new String[] {"", "no", " 1", "true", "f"}));
        }
        if (random.nextInt(8) == 0) {
            environment.put("MIO_BACKEND", one(random, BACKENDS));
        }
        return environment;
    }

    /** Rules that are likely to be correct. */
    private static String likelyRules(Random random) {
        StringBuilder rules = new StringBuilder();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            rules.append(one(random, PATTERNS)).append(one(random, STARTS_OF_LIST));
            rules.append(likelyModules(random, " | ")).append(']');
        }
        return rules.toString();
    }

    private static String likelyModules(Random random, String between) {
        StringBuilder modules = new StringBuilder();
        int count = 1 + random.nextInt(2);
        for (int i = 0; i < count; i++) {
            LayerKind kind = LayerKind.values()[1 + random.nextInt(3)];
            modules.append(i == 0 ? "" : between).append(kind.id());
            int options = random.nextInt(4);
            for (int k = 0; k < options; k++) {
                LayerOption option = kind.options().get(random.nextInt(kind.options().size()));
                modules.append('/').append(likelyOption(random, option.traits()));
            }
        }
        return modules.toString();
    }

    private static String likelyOption(Random random, OptionTraits option) {
        String word = option.words().get(random.nextInt(option.words().size()));
        boolean needs = option.needsValue() && word.equals(option.id());
        boolean takes = option.takesValue() && word.equals(option.id());
        boolean cut = random.nextInt(4) == 0;
        String typed = cut ? word.substring(0, 1 + random.nextInt(word.length())) : word;
        if (!needs && !(takes && random.nextBoolean())) {
            return typed;
        }
        String value =
                switch (option.kind()) {
                    case SIZE, INTEGER -> one(random, NUMBERS);
                    case RANGE -> one(random, NUMBERS) + ":" + one(random, NUMBERS);
                    case CHOICE -> option.choices().get(random.nextInt(option.choices().size()));
                    case FLAG, STRING -> one(random, TEXTS);
                };
        return typed + "=" + (random.nextInt(4) == 0 ? "{ " + value + " }" : value);
    }

    private static String words(Random random, int count) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            words.add(one(random, WORDS));
        }
        return String.join(" ", words);
    }

    private static String one(Random random, String[] all) {
        return all[random.nextInt(all.length)];
    }

    private static String text(Random random, String[] parts, int most) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(most + 1);
        for (int i = 0; i < length; i++) {
            text.append(one(random, parts));
        }
        return text.toString();
    }

    /** The answer that twin_tables.c must print for these settings. */
    private static Case answer(Map<String, String> environment, List<String> names) {
        Case answer = new Case();
        MioConfig config;
        try {
            config =
                    MioConfig.load(
                            null, new ConfigSources(environment, new Properties(), "/nowhere"));
        } catch (ConfigException e) {
            return answer.put("error", e.getMessage());
        }
        answer.put("enabled", config.enabled() ? "1" : "0");
        answer.put("backend", config.backend());
        for (DebugKeyword keyword : DebugKeyword.values()) {
            if (config.debug().isOn(keyword)) {
                boolean shown = config.debug().shown().contains(keyword);
                answer.put(shown ? "shown" : "on", keyword.name());
            }
        }
        for (FileRule rule : config.rules()) {
            answer.put("names", rule.names());
            answer.put("text", rule.stack().text());
            rule.stack().layers().forEach(layer -> layer(answer, layer));
        }
        String missing = "";
        try {
            config.checkAvailable();
        } catch (ConfigException e) {
            missing = e.getMessage();
        }
        answer.put("available", missing);
        for (String name : names) {
            FileRule rule = config.rule(name);
            answer.put("pattern", rule == null ? "" : rule.matching(name).template());
            answer.put("stack", rule == null ? "" : rule.stack().text());
        }
        return answer;
    }

    private static void layer(Case answer, LayerSpec layer) {
        answer.put("echo", layer.echo());
        for (LayerOption option : layer.kind().options()) {
            String setting = layer.isSet(option) ? layer.isOn(option) ? "on" : "off" : "unset";
            answer.put(
                    "value",
                    String.format(
                            Locale.ROOT,
                            "%s %s %d %d %s",
                            setting,
                            layer.isTyped(option) ? "typed" : "preset",
                            layer.number(option),
                            layer.secondNumber(option),
                            layer.text(option)));
        }
    }

    /** The keys and values of a file. */
    private static Case pairs(String contents) throws IOException {
        Case answer = new Case();
        Properties read = new Properties();
        try {
            read.load(new StringReader(contents));
        } catch (IllegalArgumentException e) {
            return answer.put("error", e.getMessage());
        }
        for (String key : read.stringPropertyNames()) {
            answer.put("key", written(key)).put("value", written(read.getProperty(key)));
        }
        return answer;
    }

    /** The text as it is written: an unpaired surrogate becomes a question mark. */
    private static String written(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }

    /** The last value of each key, in a fixed order; C prints every line of a repeated key. */
    private static List<String> lastOfEachKey(List<String> answer) {
        Map<String, String> pairs = new TreeMap<>();
        for (int i = 0; i + 1 < answer.size(); i += 2) {
            pairs.put(answer.get(i), answer.get(i + 1));
        }
        List<String> lines = new ArrayList<>(answer.subList(0, answer.size() % 2));
        pairs.forEach(
                (key, value) -> {
                    lines.add(key);
                    lines.add(value);
                });
        return lines;
    }
}
