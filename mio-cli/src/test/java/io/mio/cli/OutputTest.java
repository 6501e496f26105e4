package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputTest {
    @TempDir Path dir;

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

    /** No language need be installed: a library in front of the C library stands in for one. */
    @Test
    void shouldEndQuietlyInEveryLanguage() throws Exception {
        Path source =
                Files.writeString(
                        dir.resolve("words.c"),
                        """
                        #include <stdio.h>

                        int __xpg_strerror_r(int number, char *text, size_t bytes)
                        {
                            snprintf(text, bytes, "Fehler %d", number);
                            return 0;
                        }

                        char *strerror_r(int number, char *text, size_t bytes)
                        {
                            __xpg_strerror_r(number, text, bytes);
                            return text;
                        }
                        """);
        Path library = dir.resolve("words.so");
        assumeTrue(
                call("cc -shared -fPIC -fno-builtin -o '" + library + "' '" + source + "'") == 0,
                "there is a C compiler");
        String mio =
                "LD_PRELOAD='"
                        + library
                        + "' '"
                        + Path.of(System.getProperty("java.home"), "bin/java")
                        + "' -XX:TieredStopAtLevel=1 -cp '"
                        + System.getProperty("java.class.path")
                        + "' io.mio.cli.Main --help";
        Path said = dir.resolve("said");

        assertThat(call("{ " + mio + "; echo $? >status; } 2>said | :")).isZero();
        assertThat(said).isEmptyFile();
        assertThat(dir.resolve("status")).hasContent("1\n");
        assertThat(call("{ " + mio + "; } 2>said >/dev/full")).isEqualTo(1);
        assertThat(said).content().startsWith("mio: standard output: Fehler 28; ");
    }

    private int call(String command) throws Exception {
        return new ProcessBuilder("sh", "-c", command)
                .directory(dir.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @Test
    void shouldLeaveAloneWhatWentWell() {
        assertThat(status(null, 0)).isZero();
        assertThat(status(null, 3)).isEqualTo(3);
        assertThat(err.size()).isZero();
    }
}
