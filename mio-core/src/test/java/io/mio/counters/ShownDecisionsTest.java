package io.mio.counters;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** Expects what live_test.c expects of the C class. */
class ShownDecisionsTest {
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(CounterLayout.RECORD_BYTES);
    private final CounterRecord record = new CounterRecord(null, 2, bytes);

    @Test
    void shouldKeepTheLastDecisionsInThePlacesOfTheFirst() {
        for (int i = 0; i < 18; i++) {
            String what = "decision " + (char) ('a' + i);
            ShownDecisions.put(record, what, i == 17 ? "because of this" : "long ago");
        }

        assertThat(record.get(CounterLayout.DECISION_COUNT)).isEqualTo(18);
        for (int i = 0; i < 16; i++) {
            int at = CounterLayout.DECISION + i * CounterLayout.DECISION_BYTES;
            assertThat(record.get(at)).isEqualTo(i < 2 ? 17 + i : 1 + i);
            assertThat(record.get(at + CounterLayout.DECISION_NANOS)).isNotZero();
            assertThat(bytes.get(at + CounterLayout.DECISION_WHAT + 9))
                    .isEqualTo((byte) ('a' + (i < 2 ? 16 + i : i)));
        }
        int second = CounterLayout.DECISION + CounterLayout.DECISION_BYTES;
        assertThat(text(second + CounterLayout.DECISION_REASON, 16)).isEqualTo("because of this\0");
    }

    @Test
    void shouldCutAReasonThatIsTooLong() {
        ShownDecisions.put(record, "hints", "x".repeat(1000));
        ShownDecisions.put(record, "hints", "why");

        assertThat(text(CounterLayout.DECISION + CounterLayout.DECISION_REASON, 192))
                .isEqualTo("x".repeat(192));
        assertThat(record.get(CounterLayout.DECISION + CounterLayout.DECISION_BYTES)).isEqualTo(2);
    }

    private String text(int at, int length) {
        byte[] text = new byte[length];
        bytes.get(at, text);
        return new String(text, StandardCharsets.US_ASCII);
    }
}
