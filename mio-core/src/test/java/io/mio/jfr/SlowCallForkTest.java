package io.mio.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slow calls of a program whose storage is slow on purpose. */
class SlowCallForkTest {
    @TempDir private Path directory;

    @Test
    void shouldRecordCallsThatTakeAsLongAsTheThresholdAndNoOthers() throws Exception {
        ForkedJvm program = new ForkedJvm(directory, List.of(), SlowProgram.class);
        List<String> slow = new ArrayList<>();
        List<String> possible = new ArrayList<>();
        for (String line = program.line(); line != null; line = program.line()) {
            String call = line.substring(line.indexOf(' ') + 1);
            possible.add(call);
            if (line.startsWith("slow ")) {
                slow.add(call);
            }
        }
        assertThat(program.end()).isZero();
        assertThat(slow).hasSize(5);

        List<RecordedEvent> events = RecordingFile.readAllEvents(directory.resolve("out.jfr"));
        events.removeIf(event -> !event.getEventType().getName().equals("mio.SlowCall"));
        assertThat(events)
                .extracting(SlowCallForkTest::words)
                .doesNotHaveDuplicates()
                .containsAll(slow)
                .isSubsetOf(possible);
        assertThat(events)
                .allSatisfy(
                        event -> {
                            assertThat(event.getString("path")).isEqualTo("slow.dat");
                            assertThat(event.getDuration())
                                    .isGreaterThanOrEqualTo(SlowProgram.THRESHOLD);
                        });
        assertThat(events)
                .filteredOn(event -> event.getString("operation").equals("read"))
                .allSatisfy(
                        event ->
                                assertThat(event.getStackTrace().getFrames())
                                        .anyMatch(
                                                frame ->
                                                        frame.getMethod()
                                                                .getType()
                                                                .getName()
                                                                .equals(
                                                                        SlowProgram.class
                                                                                .getName())));
    }

    private static String words(RecordedEvent event) {
        return event.getString("operation")
                + " "
                + event.getLong("offset")
                + " "
                + event.getLong("requested")
                + " "
                + event.getLong("bytes");
    }
}
