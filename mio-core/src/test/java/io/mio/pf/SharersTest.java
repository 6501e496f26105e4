package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.GoldenCase;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code twin/stride/sharers.txt}, which the C side reads as well. */
class SharersTest {
    static Stream<Named<GoldenCase>> sharers() {
        return GoldenCase.readTwin("stride/sharers.txt").stream()
                .map(golden -> Named.of(golden.title(), golden));
    }

    @ParameterizedTest
    @MethodSource("sharers")
    void shouldShareAmongTheFilesOfTheGoldenCase(GoldenCase golden) {
        Sharers sharers = new Sharers();
        List<String> expected = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        for (GoldenCase.Line line : golden.lines()) {
            String[] words = line.value().split(" ");
            switch (line.key()) {
                case "used" -> {
                    int streams = 0;
                    for (int i = 0; i < Integer.parseInt(words[2]); i++) {
                        streams = sharers.used(words[0], Integer.parseInt(words[1]));
                    }
                    expected.add(line.value());
                    seen.add(line.value().replaceFirst("=.*", "= " + streams));
                }
                case "many" -> {
                    for (int i = 0; i < Integer.parseInt(words[0]); i++) {
                        sharers.used(i, 1);
                    }
                }
                case "left" -> sharers.left(words[0]);
                default -> throw new AssertionError(line.key());
            }
        }
        assertThat(expected).as("the case has uses").isNotEmpty();
        assertThat(seen).as(golden.title()).isEqualTo(expected);
    }
}
