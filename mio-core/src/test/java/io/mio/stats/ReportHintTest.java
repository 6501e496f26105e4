package io.mio.stats;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The hint that is printed when the program has ended; the C side is stats_hint_test.c. */
class ReportHintTest {
    @Test
    void shouldNameTheReportAndTheCommandThatReadsIt() {
        TwinFile twin = TwinFile.read("stats/hint.txt");
        StringBuilder lines = new StringBuilder();
        for (String part : new String[] {"plain", "blanks", "control", "letters"}) {
            String path = twin.values(part).get("path").replace("\\033", "\033");
            lines.append(ReportHint.text(path)).append('\n');
        }

        assertThat(lines.toString()).isEqualTo(twin.part("report"));
    }

    @Test
    void shouldSayThatNoFileWasMade() {
        TwinFile twin = TwinFile.read("stats/hint.txt");
        StringBuilder lines = new StringBuilder();
        for (String part : new String[] {"plain", "blanks", "control", "letters"}) {
            String path = twin.values(part).get("path").replace("\\033", "\033");
            lines.append(ReportHint.noEvents(path)).append('\n');
        }

        assertThat(lines.toString()).isEqualTo(twin.part("events"));
    }

    @ParameterizedTest
    @CsvSource({
        "4711 jvm /a b, /a b",
        "4711 jvm /a jvm b, /a jvm b",
        "4711 native /a,",
        "471 jvm /a,",
        "47110 jvm /a,",
        "jvm,",
        ","
    })
    void shouldSayThatInTheProcessAndByTheDoorThatAreMeantOnly(String value, String expected) {
        assertThat(ReportHint.eventsFile(value, 4711)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"4711, true", "4712, false", "04711, false", "'', false", "x, false", ", false"})
    void shouldSpeakInTheProcessThatIsMeantOnly(String value, boolean expected) {
        assertThat(ReportHint.isFor(value, 4711)).isEqualTo(expected);
    }
}
