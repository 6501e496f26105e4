package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code twin/auto/direct.txt}, which the C side reads as well. */
class DirectChoiceTest {
    private static final DirectSizes SIZES = DirectSizes.USUAL;

    private final DirectChoice choice = new DirectChoice(SIZES);

    static Stream<Named<List<String>>> cases() throws IOException {
        List<Named<List<String>>> cases = new ArrayList<>();
        try (InputStream in = DirectChoiceTest.class.getResourceAsStream("/twin/auto/direct.txt")) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                if (line.startsWith("case ")) {
                    cases.add(Named.of(line.substring(5), new ArrayList<>()));
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    cases.get(cases.size() - 1).getPayload().add(line);
                }
            }
        }
        return cases.stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldChooseAsTheGoldenCaseSays(List<String> lines) {
        List<String> found = new ArrayList<>();
        for (String line : lines) {
            String asked = line.substring(0, line.indexOf(" -> "));
            found.add(asked + " -> " + found(asked.split(" ")));
        }
        assertThat(lines).as("the case has results").isNotEmpty();
        assertThat(found).isEqualTo(lines);
    }

    private Object found(String... words) {
        long[] of = new long[words.length];
        for (int i = 1; i < words.length; i++) {
            of[i] = Long.parseLong(words[i]);
        }
        return switch (words[0]) {
            case "seen" -> choice.seen(of[1], of[2]);
            case "answer" -> {
                choice.answer(of[1], of[2], (int) of[3]);
                yield choice;
            }
            case "beyond" -> SIZES.isBeyond(of[1], of[2]);
            case "cache" -> SIZES.cacheBytes(of[1], of[2]);
            case "worth" -> DirectChoice.isWorth(of[1], of[2]);
            case "keep" -> DirectChoice.mayKeep(of[1], of[2], of[3]);
            case "fits" -> DirectSizes.fits(of[1], of[2]);
            case "decides" -> choice.mayDecide();
            case "reason" -> choice.reason();
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private void chosen() {
        for (int i = 0; i < SIZES.needed(); i++) {
            choice.seen(SIZES.step(), i * SIZES.step());
            choice.answer(6L << 30, 0, 0);
        }
        assertThat(choice.state()).isEqualTo(DirectChoice.State.DIRECT);
    }

    @Test
    void shouldStayWithTheKernelOnceItIsOver() {
        chosen();
        choice.over();
        assertThat(choice.seen(SIZES.step(), 0)).isEqualTo(DirectChoice.NONE);
        choice.answer(6L << 30, 0, 0);
        assertThat(choice.state()).isEqualTo(DirectChoice.State.OVER);
    }

    @Test
    void shouldSettleOnlyWhileItIsLooking() {
        chosen();
        choice.settle();
        assertThat(choice.state()).isEqualTo(DirectChoice.State.DIRECT);
        DirectChoice other = new DirectChoice(SIZES);
        other.settle();
        assertThat(other.state()).isEqualTo(DirectChoice.State.OVER);
    }
}
