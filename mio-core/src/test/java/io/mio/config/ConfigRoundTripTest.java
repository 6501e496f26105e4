package io.mio.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Writes random rules as text, reads them, and compares with what was meant. */
class ConfigRoundTripTest {
    private static final int CASES = 5_000;

    private record Model(List<String> names, List<String> texts, List<List<String>> echoes) {}

    @Test
    void shouldReadBackWhatWasWritten() {
        long seed = Long.getLong("mio.test.seed", 20260101L);
        Random random = new Random(seed);
        for (int i = 0; i < CASES; i++) {
            Model model = new Model(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
            StringBuilder text = new StringBuilder();
            int rules = random.nextInt(4);
            for (int r = 0; r < rules; r++) {
                rule(random, text, model);
            }
            List<String> names = new ArrayList<>();
            List<String> texts = new ArrayList<>();
            List<List<String>> echoes = new ArrayList<>();
            for (FileRule rule : load(text.toString()).rules()) {
                names.add(rule.names());
                texts.add(rule.stack().text());
                List<String> echo = new ArrayList<>();
                rule.stack().layers().forEach(layer -> echo.add(layer.echo()));
                echoes.add(echo);
            }
            assertThat(new Model(names, texts, echoes))
                    .as("%s, seed %d", text, seed)
                    .isEqualTo(model);
        }
    }

    @Test
    void shouldNeverFailOtherThanWithAPlaceInTheText() {
        long seed = Long.getLong("mio.test.seed", 7L);
        Random random = new Random(seed);
        String[] parts = {
            "trace", "pf", "os", "[", "]", "|", "/", "=", "{", "}", ":", " ", "*", "stats",
            "kbytes", "cache", "10m", "x", "0x", "no", ","
        };
        int mistakes = 0;
        for (int i = 0; i < CASES * 4; i++) {
            StringBuilder text = new StringBuilder(random.nextBoolean() ? "*[trace" : "");
            int length = random.nextInt(12);
            for (int k = 0; k < length; k++) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            try {
                load(text.toString());
            } catch (ConfigException e) {
                mistakes++;
                assertThat(e.column())
                        .as("%s, seed %d", text, seed)
                        .isBetween(1, text.length() + 1);
            }
        }
        assertThat(mistakes).isGreaterThan(CASES);
    }

    private static void rule(Random random, StringBuilder text, Model model) {
        StringBuilder names = new StringBuilder();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            String name = random.nextInt(4) == 0 ? "{a [b]:{c}}" : "/d/**x?" + i;
            separate(random, text, names, i > 0 ? ":" : "", name);
        }
        blank(random, text);
        text.append('[');
        StringBuilder modules = new StringBuilder();
        List<String> echoes = new ArrayList<>();
        List<LayerKind> middle =
                new ArrayList<>(List.of(LayerKind.TRACE, LayerKind.PF, LayerKind.RECOV));
        boolean front = random.nextInt(3) == 0;
        boolean last = random.nextInt(3) == 0;
        if (front) {
            echoes.add(module(random, text, modules, LayerKind.MIO, "mio"));
        } else {
            echoes.add("mio/nomode");
        }
        int layers = (front || last ? 0 : 1) + random.nextInt(3);
        for (int i = 0; i < layers; i++) {
            LayerKind kind = middle.get(random.nextInt(middle.size()));
            if (kind == LayerKind.PF) {
                middle.remove(kind); // a rule has one cache at most
            }
            echoes.add(module(random, text, modules, kind, kind.id()));
        }
        if (last) {
            String name = List.of("os", "aix", "posix").get(random.nextInt(3));
            echoes.add(module(random, text, modules, LayerKind.OS, name));
        } else {
            echoes.add("os/nodebug/trunc/sector_size=0/einprogress=60");
        }
        text.append(']');
        model.names.add(names.toString());
        model.texts.add(modules.toString());
        model.echoes.add(echoes);
    }

    /** Writes one module of a rule and returns its echo. */
    private static String module(
            Random random, StringBuilder text, StringBuilder modules, LayerKind kind, String name) {
        separate(random, text, modules, modules.length() > 0 ? "|" : "", name);
        StringBuilder echo = new StringBuilder(name);
        List<String> typed = new ArrayList<>();
        for (LayerOption option : kind.options()) {
            boolean set = random.nextInt(3) == 0;
            String[] choice = set ? anyValue(random, option) : null;
            if (set) {
                typed.add(choice[0]);
            }
            String shown = set ? choice[1] : option.isExtension() ? "" : option.defaultEcho();
            echo.append(shown.isEmpty() ? "" : "/" + shown);
        }
        Collections.shuffle(typed, random);
        for (String option : typed) {
            separate(random, text, modules, "/", option);
        }
        blank(random, text);
        return echo.toString();
    }

    /** A text to type for the option, and its echo. */
    private static String[] anyValue(Random random, LayerOption option) {
        OptionTraits traits = option.traits();
        if (!traits.offWord().isEmpty() && random.nextBoolean()) {
            return new String[] {traits.offWord(), traits.offWord()};
        }
        String id = option.id();
        switch (option.kind()) {
            case FLAG -> {
                return new String[] {id, id};
            }
            case CHOICE -> {
                String word = traits.choices().get(random.nextInt(traits.choices().size()));
                String shown = traits.isKeyed() ? id + "=" + word : word;
                return new String[] {shown, shown};
            }
            case STRING -> {
                String value = random.nextBoolean() ? "{a/b c|{d}]}" : "{x}";
                return new String[] {id + "=" + value, id + "=" + value};
            }
            case RANGE -> {
                String value = id.equals("passthru") ? "{1k:0x800}" : "3:7";
                return new String[] {id + "=" + value, id + "=" + value};
            }
            default -> {
                // A page must fit into the smallest cache of the other cases.
                long number = id.equals("page_size") ? 4096 : Math.min(option.max(), 65536);
                String value =
                        id.equals("mode")
                                ? "0" + Long.toOctalString(number)
                                : "0x" + Long.toHexString(number);
                return new String[] {id + "=" + value, id + "=" + value};
            }
        }
    }

    private static void separate(
            Random random, StringBuilder text, StringBuilder plain, String sign, String part) {
        blank(random, text);
        text.append(sign);
        blank(random, text);
        text.append(part);
        plain.append(sign).append(part);
    }

    private static void blank(Random random, StringBuilder text) {
        text.append(List.of("", "", " ", "\t ", "\n").get(random.nextInt(5)));
    }

    private static MioConfig load(String files) {
        return MioConfig.load(
                null, new ConfigSources(Map.of("MIO_FILES", files), new Properties(), "/nowhere"));
    }
}
