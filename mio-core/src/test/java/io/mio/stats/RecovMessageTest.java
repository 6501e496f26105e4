package io.mio.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** The lines of a recov layer (reference 4.6). */
class RecovMessageTest {
    private static RecovMessage message(Map<String, String> values) {
        return new RecovMessage(
                values.get("file").replace("\\012", "\n"),
                values.get("call"),
                values.get("error"),
                Integer.parseInt(values.get("errno")),
                values.get("command"),
                Integer.parseInt(values.get("attempt")),
                Long.parseLong(values.get("retry")),
                Long.parseLong(values.get("result")));
    }

    @Test
    void shouldPrintAttemptsAndFailuresEachOnItsLine() {
        TwinFile twin = TwinFile.read("stats/recov.txt");
        String lines =
                message(twin.values("attempt")).classic()
                        + message(twin.values("failure")).classic();

        assertThat(lines).isEqualTo(twin.part("report"));
    }
}
