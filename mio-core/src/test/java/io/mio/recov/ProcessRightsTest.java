package io.mio.recov;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** Recognises set-uid processes by what the kernel says of them. */
class ProcessRightsTest {
    private static final String PLAIN =
            "Name:\tjava\nUid:\t1000\t1000\t1000\t1000\nGid:\t100\t100\t100\t100\n";

    private static byte[] auxv(long... words) {
        ByteBuffer bytes = ByteBuffer.allocate(words.length * 8).order(ByteOrder.nativeOrder());
        for (long word : words) {
            bytes.putLong(word);
        }
        return bytes.array();
    }

    @Test
    void shouldKnowAProcessThatRunsAsItsUser() {
        assertThat(ProcessRights.areRaised(PLAIN, auxv(6, 4096, 23, 0, 0, 0))).isFalse();
        assertThat(ProcessRights.areRaised()).as("this one").isFalse();
    }

    @Test
    void shouldKnowOneThatDoesNot() {
        byte[] plain = auxv(6, 4096, 23, 0, 0, 0);
        String user = PLAIN.replace("Uid:\t1000\t1000", "Uid:\t1000\t0");
        String group = PLAIN.replace("Gid:\t100\t100", "Gid:\t100\t5");

        assertThat(ProcessRights.areRaised(user, plain)).isTrue();
        assertThat(ProcessRights.areRaised(group, plain)).isTrue();
        assertThat(ProcessRights.areRaised(PLAIN, auxv(6, 4096, 23, 1, 0, 0))).isTrue();
    }

    @Test
    void shouldTakeWhatItCannotReadForRaised() {
        assertThat(ProcessRights.areRaised("", auxv(23, 0))).isTrue();
        assertThat(ProcessRights.areRaised(PLAIN, new byte[0])).isTrue();
    }
}
