package io.mio.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares the matcher with the simplest matcher that can be written. */
class NamePatternTest {
    private static final int CASES = 200_000;

    @Test
    void shouldAgreeWithTryingEverything() {
        long seed = Long.getLong("mio.test.seed", 20050526L);
        Random random = new Random(seed);
        int matches = 0;
        for (int i = 0; i < CASES; i++) {
            String template = text(random, "ab/**?", 7);
            String name = text(random, "aab/", 9);
            if (template.isEmpty()) {
                continue;
            }
            boolean whole = template.indexOf('/') >= 0;
            String seen = whole ? name : name.substring(name.lastIndexOf('/') + 1);
            boolean expected = tryEverything(template, seen);
            assertThat(new NamePattern(template).matches(name))
                    .as("'%s' against '%s', seed %d", template, name, seed)
                    .isEqualTo(expected);
            matches += expected ? 1 : 0;
        }
        assertThat(matches).as("matches among the cases").isGreaterThan(CASES / 20);
    }

    @Test
    void shouldNotTakeForeverOverManyStars() {
        String template = "/" + "**a*".repeat(12) + "b";
        String name = "/" + "a".repeat(300);

        assertThat(new NamePattern(template).matches(name)).isFalse();
        assertThat(new NamePattern(template).matches(name + "b")).isTrue();
    }

    private static boolean tryEverything(String template, String name) {
        if (template.isEmpty()) {
            return name.isEmpty();
        }
        if (template.startsWith("*")) {
            boolean deep = template.startsWith("**");
            String rest = template.replaceFirst("^\\*+", "");
            for (int i = 0; i <= name.length(); i++) {
                if (tryEverything(rest, name.substring(i))) {
                    return true;
                }
                if (!deep && i < name.length() && name.charAt(i) == '/') {
                    return false;
                }
            }
            return false;
        }
        if (name.isEmpty()) {
            return false;
        }
        char wanted = template.charAt(0);
        char given = name.charAt(0);
        boolean fits = wanted == '?' ? given != '/' : wanted == given;
        return fits && tryEverything(template.substring(1), name.substring(1));
    }

    private static String text(Random random, String letters, int lengthMax) {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(lengthMax + 1);
        for (int i = 0; i < length; i++) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }
}
