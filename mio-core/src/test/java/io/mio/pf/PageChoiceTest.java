package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.GoldenCase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code twin/auto/choice.txt}, which the C side reads as well. */
class PageChoiceTest {
    private PageChoice choice = new PageChoice(true, false);

    static Stream<Named<GoldenCase>> cases() {
        return GoldenCase.readTwin("auto/choice.txt").stream()
                .map(golden -> Named.of(golden.title(), golden));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldChooseAsTheGoldenCaseSays(GoldenCase golden) {
        List<String> expected = new ArrayList<>();
        List<String> found = new ArrayList<>();
        String worth = null;
        for (GoldenCase.Line line : golden.lines()) {
            String value = line.value();
            switch (line.key()) {
                case "smaller" -> choice = new PageChoice(true, true);
                case "read" -> read(value.split("[ x]+"));
                case "write" -> {
                    for (int i = Integer.parseInt(value.substring(1)); i > 0; i--) {
                        choice.wrote();
                    }
                }
                case "call" -> choice.costs(Long.parseLong(value));
                case "scattered" -> scattered(values(value));
                case "turns" -> turns(values(value));
                case "worth" -> {
                    Map<String, Long> of = values(value);
                    boolean is = PageChoice.isWorth(of.get("requests"), of.get("reads"));
                    worth = is ? "yes" : "no";
                }
                case "why" -> worth = choice.reason();
                case "found" -> {
                    expected.add(value);
                    found.add(worth == null ? choice.toString() : worth);
                    worth = null;
                }
                default -> throw new IllegalArgumentException(line.key());
            }
        }
        assertThat(expected).as("the case has results").isNotEmpty();
        assertThat(found).isEqualTo(expected);
    }

    private static Map<String, Long> values(String text) {
        Map<String, Long> values = new HashMap<>();
        for (String part : text.split(" ")) {
            String[] named = part.split("=");
            values.put(named[0], Long.valueOf(named[1]));
        }
        return values;
    }

    private void read(String[] of) {
        long offset = Long.parseLong(of[0]);
        for (int i = Integer.parseInt(of[3]); i > 0; i--) {
            choice.seen(offset, Long.parseLong(of[1]));
            offset += Long.parseLong(of[2]);
        }
    }

    private void scattered(Map<String, Long> of) {
        long seed = 1;
        for (long i = of.get("count"); i > 0; i--) {
            seed = seed * 6364136223846793005L + 1442695040888963407L;
            long place = Long.remainderUnsigned(seed >>> 33, of.get("places"));
            choice.seen(place * of.get("bytes"), of.get("bytes"));
        }
    }

    private void turns(Map<String, Long> of) {
        long places = of.get("places");
        for (long i = 0; i < of.get("count"); i++) {
            long at = i % places * of.get("apart") + i / places * of.get("bytes");
            choice.seen(at, of.get("bytes"));
        }
    }

    @Test
    void shouldNotLookWhereNoPagesCanBe() {
        PageChoice never = new PageChoice(false, false);
        for (int i = 0; i < 64; i++) {
            never.seen(i * 100L, 100);
        }
        assertThat(never.state()).isEqualTo(PageChoice.State.KERNEL);
    }
}
