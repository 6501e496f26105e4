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
        int wanted = -1;
        int results = 0;
        for (GoldenCase.Line line : golden.lines()) {
            switch (line.key()) {
                case "look" -> wanted = look(growth, line.value());
                case "over" -> growth.over();
                case "found" -> {
                    assertThat(wanted).isEqualTo(Integer.parseInt(line.value()));
                    results++;
                }
                default -> throw new IllegalArgumentException(line.key());
            }
        }
        assertThat(results).as("the case has results").isPositive();
    }

    private static int look(PageGrowth growth, String text) {
        Map<String, Integer> of = new HashMap<>();
        for (String part : text.split(" ")) {
            String[] named = part.split("=");
            of.put(named[0], Integer.valueOf(named[1]));
        }
        growth.seen(of.get("requests"), of.get("reads"));
        return growth.wanted(of.get("back"), of.get("frames"), of.get("working"));
    }
}
