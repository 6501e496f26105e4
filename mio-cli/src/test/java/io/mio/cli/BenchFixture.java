package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * What the tests of {@code mio bench} have in common: files so small that the figures mean nothing.
 */
abstract class BenchFixture {
    static final List<String> ALL =
            List.of(
                    "write",
                    "rewrite",
                    "read",
                    "reread",
                    "random-read",
                    "random-write",
                    "backward",
                    "record-rewrite",
                    "strided",
                    "mixed");

    @TempDir Path dir;

    final StringWriter out = new StringWriter();
    final StringWriter err = new StringWriter();

    int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(
                Stream.concat(Stream.of("bench"), Stream.of(args)).toArray(String[]::new));
    }

    JsonNode measured(String... args) throws IOException {
        assertThat(run(args)).as(err.toString()).isZero();
        assertThat(err.toString().lines())
                .as("but of variables that are set here")
                .allMatch(line -> line.contains("workers do not get"));
        return new ObjectMapper().readTree(out.toString());
    }

    List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.toList();
        }
    }

    static void checkRows(JsonNode all, int threads, long bytes, long recordBytes) {
        int configurations = all.get("configurations").size();
        int runs = all.get("settings").get("runs").asInt();
        assertThat(all.get("rows")).hasSize(ALL.size() * configurations);
        for (int i = 0; i < all.get("rows").size(); i++) {
            JsonNode row = all.get("rows").get(i);
            assertThat(row.get("test").asText()).isEqualTo(ALL.get(i / configurations));
            assertThat(row.get("samples")).hasSize(runs);
            for (JsonNode sample : row.get("samples")) {
                assertThat(sample.get("bytes").asLong()).isEqualTo(threads * bytes);
                assertThat(sample.get("calls").asLong()).isEqualTo(threads * bytes / recordBytes);
                assertThat(sample.get("elapsed_ns").asLong()).isPositive();
                // The calls must be the same under every configuration and in every run.
                JsonNode first = all.get("rows").get(i - i % configurations).get("samples").get(0);
                assertThat(sample.get("digest")).isEqualTo(first.get("digest"));
            }
        }
    }

    static String[] with(String[] args, String... more) {
        return Stream.concat(Stream.of(args), Stream.of(more)).toArray(String[]::new);
    }

    /** Arguments for one run of a file of 1 MiB, cold unless {@code more} says otherwise. */
    String[] megabyte(String... more) {
        return with(
                new String[] {dir.toString(), "-s", "1m", "-r", "64k", "--runs", "1", "--json"},
                more);
    }

    String output(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        assertThat(run(args)).as(err.toString()).isZero();
        return out.toString();
    }
}
