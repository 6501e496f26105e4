package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.GoldenCase;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code twin/auto/growth.txt}, which the C side reads as well. */
class PageGrowthTest {
    static Stream<Named<GoldenCase>> cases() {
        return GoldenCase.readTwin("auto/growth.txt").stream()
                .map(golden -> Named.of(golden.title(), golden));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldWantWhatTheGoldenCaseSays(GoldenCase golden) {
        PageGrowth growth = new PageGrowth();
        String answer = "";
        int results = 0;
        for (GoldenCase.Line line : golden.lines()) {
            switch (line.key()) {
                case "look" -> answer = look(growth, values(line.value()));
                case "grow" -> answer = grow(values(line.value()));
                case "over" -> growth.over();
                case "found" -> {
                    assertThat(answer).isEqualTo(line.value());
                    results++;
                }
                default -> throw new IllegalArgumentException(line.key());
            }
        }
        assertThat(results).as("the case has results").isPositive();
    }

    private static Map<String, Long> values(String text) {
        Map<String, Long> of = new HashMap<>();
        for (String part : text.split(" ")) {
            String[] named = part.split("=");
            of.put(named[0], Long.valueOf(named[1]));
        }
        return of;
    }

    private static String look(PageGrowth growth, Map<String, Long> of) {
        int wanted =
                growth.wanted(
                        of.get("requests"),
                        of.get("reads"),
                        of.get("back"),
                        of.get("frames").intValue(),
                        of.get("working").intValue());
        return String.valueOf(wanted);
    }

    private static String grow(Map<String, Long> of) {
        boolean may = PageGrowth.mayGrow(of.get("bytes"), of.get("grown"), of.get("room"));
        return may ? "yes" : "no";
    }
}
