package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.GoldenCase;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The cases of {@code twin/retain/stamps.txt}, which the C side reads as well. */
class ChangeStampTest {
    static Stream<GoldenCase> cases() {
        return GoldenCase.readTwin("retain/stamps.txt").stream();
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldBeSureOfATimeThatNoLaterChangeCanHave(GoldenCase golden) {
        boolean sure =
                ChangeStamp.isSure(
                        golden.value("release"),
                        golden.value("type"),
                        Long.parseLong(golden.value("changed")),
                        Long.parseLong(golden.value("closed")));
        assertThat(sure ? "yes" : "no").isEqualTo(golden.value("sure"));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void shouldTakeAWriteForOverAfterAWhile(GoldenCase golden) {
        boolean over =
                ChangeStamp.isOver(
                        golden.value("type"),
                        Long.parseLong(golden.value("changed")),
                        Long.parseLong(golden.value("closed")));
        assertThat(over ? "yes" : "no").isEqualTo(golden.value("over"));
    }
}
