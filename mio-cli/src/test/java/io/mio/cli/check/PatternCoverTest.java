package io.mio.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.MioConfig;
import io.mio.config.NamePattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PatternCoverTest {
    @ParameterizedTest
    @CsvSource({
        "*, *.dat",
        "**, /a/*.dat",
        "*.dat, x.dat",
        "*.dat, /a/b/x.dat",
        "*.dat, *.scr.dat",
        "/a/**, /a/b/*.dat",
        "**/x, /a/b/x",
        "?*, ???",
        "a**b, a*b",
        "*.f?, *.f0",
        "*.a:*.b, x.b",
        "/*/**:*x, /a/b/x"
    })
    void shouldFindThatATemplateIsCovered(String wide, String narrow) {
        assertThat(PatternCover.covers(patterns(wide), patterns(narrow).get(0))).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "*.dat, *",
        "/a/*, /a/b/x",
        "/a/*, x",
        "a**b, /a/b",
        "*.f0:*.f1, *.f?",
        "x, X",
        "**/x, x",
        "*/x, /a/b/x"
    })
    void shouldFindThatANameIsLeft(String wide, String narrow) {
        assertThat(PatternCover.covers(patterns(wide), patterns(narrow).get(0))).isFalse();
    }

    @Test
    void shouldAgreeWithMatchingOverAllShortNames() {
        long seed = 42;
        Random random = new Random(seed);
        List<String> names = names(6);
        int covered = 0;
        for (int i = 0; i < 1500; i++) {
            List<NamePattern> wide = patterns(template(random) + ":" + template(random));
            NamePattern narrow = patterns(template(random)).get(0);
            boolean left =
                    names.stream()
                            .anyMatch(
                                    name ->
                                            narrow.matches(name)
                                                    && wide.stream()
                                                            .noneMatch(w -> w.matches(name)));
            assertThat(PatternCover.covers(wide, narrow))
                    .as("%s over %s, seed %d, round %d", wide, narrow, seed, i)
                    .isEqualTo(!left);
            covered += left ? 0 : 1;
        }
        assertThat(covered).isBetween(100, 1400);
    }

    @Test
    void shouldLeaveTheQuestionOpenWhereItIsTooHard() {
        String wide = "*a" + "?".repeat(40);
        assertThat(PatternCover.covers(patterns(wide), patterns("*").get(0))).isFalse();
    }

    private static String template(Random random) {
        StringBuilder template = new StringBuilder();
        int length = 1 + random.nextInt(3);
        for (int i = 0; i < length; i++) {
            template.append("ab?**/".charAt(random.nextInt(6)));
        }
        return template.toString();
    }

    /** All names of at most {@code lengthMax} characters, out of four. */
    private static List<String> names(int lengthMax) {
        List<String> names = new ArrayList<>(List.of(""));
        for (int from = 0, length = 0; length < lengthMax; length++) {
            int to = names.size();
            for (; from < to; from++) {
                for (String c : List.of("a", "b", "c", "/")) {
                    names.add(names.get(from) + c);
                }
            }
        }
        return names;
    }

    private static List<NamePattern> patterns(String names) {
        String rule = names.replaceAll("([^:]+)", "{$1}") + " [ os ]";
        return MioConfig.of(Map.of("files", rule)).rules().get(0).patterns();
    }
}
