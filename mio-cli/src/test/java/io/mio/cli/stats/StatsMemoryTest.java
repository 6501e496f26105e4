package io.mio.cli.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.stats.Reports.Open;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More input, names, processes and open files than fit into memory. */
class StatsMemoryTest {
    private static final int BLOCKS = 60_000;

    @TempDir Path dir;

    @Test
    void shouldReadMoreThanFitsIntoMemory() throws Exception {
        // Every process, file and open is a different one; a third are never closed.
        Path errors = dir.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin/java").toString(),
                        "-Xmx48m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "io.mio.cli.Main",
                        "stats",
                        "-",
                        "--by",
                        "process",
                        "--top",
                        "1",
                        "--no-notes",
                        "--format",
                        "json");
        builder.redirectError(errors.toFile());
        Process process = builder.start();
        Thread writer = new Thread(() -> write(process.getOutputStream()));
        writer.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        writer.join();
        assertThat(Files.readString(errors)).isEmpty();
        assertThat(process.waitFor()).isZero();
        assertThat(out)
                .contains("\"headers\" : " + BLOCKS)
                .contains("\"reads\" : " + 10L * BLOCKS)
                .contains("\"processes\" : " + BLOCKS);
    }

    private static void write(OutputStream to) {
        try (OutputStream out = new BufferedOutputStream(to, 1 << 16)) {
            String padding = "x".repeat(200);
            for (int i = 0; i < BLOCKS; i++) {
                Open open = Open.of("dir/" + padding + i);
                String text =
                        Reports.jsonHeader(i, "p" + i)
                                + Reports.json(i, i % 3 == 0 ? open.event("exit") : open);
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            // The reader has gone: its status and its messages show why.
        }
    }
}
