package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class OutputTest {
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int status(String failure, int status) {
        OutputStream out =
                new OutputStream() {
                    @Override
                    public void write(int value) throws IOException {
                        if (failure != null) {
                            throw new IOException(failure);
                        }
                    }
                };
        Output output = new Output(out, StandardCharsets.UTF_8);
        output.stream().println("a report");
        return output.statusOf(status, new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    @Test
    void shouldSayThatTheOutputIsNotComplete() {
        assertThat(status("No space left on device", 0)).isEqualTo(1);
        assertThat(err.toString(StandardCharsets.UTF_8))
                .isEqualTo(
                        "mio: standard output: No space left on device; what was printed is not"
                                + " complete\n");
    }

    @Test
    void shouldKeepTheStatusOfWhatFailedAnyhow() {
        assertThat(status("No space left on device", 2)).isEqualTo(2);
    }

    @Test
    void shouldEndQuietlyWhenNobodyReadsAnyMore() {
        assertThat(status("Broken pipe", 0)).isEqualTo(1);
        assertThat(err.size()).isZero();
    }

    @Test
    void shouldLeaveAloneWhatWentWell() {
        assertThat(status(null, 0)).isZero();
        assertThat(status(null, 3)).isEqualTo(3);
        assertThat(err.size()).isZero();
    }
}
