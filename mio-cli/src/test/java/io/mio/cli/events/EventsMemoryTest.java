package io.mio.cli.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.events.EventFile;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A million events of many files, in less memory than the events file has bytes. */
class EventsMemoryTest {
    private static final int EVENTS = 1_000_000;
    private static final int FILES = 20_000;

    @TempDir static Path dir;
    private static Path file;

    @BeforeAll
    static void write() throws IOException {
        file = dir.resolve("million.events");
        List<EventFile> files = new ArrayList<>();
        for (int i = 1; i <= FILES; i++) {
            files.add(EventSamples.file(i, 100, 1, "/scratch/file-" + i, "program", "os"));
        }
        Definitions definitions =
                new Definitions(
                        EventSamples.header("p", "h"),
                        List.of(EventSamples.process(100, "p")),
                        files);
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            EventFileWriter writer = new EventFileWriter(channel, definitions);
            for (int i = 0; i < EVENTS; i++) {
                writer.event(
                        EventSamples.call(
                                TraceOperation.READ, 1 + i % FILES, 100L * i, 150, i * 10L, 10));
            }
            writer.close();
        }
        assertThat(Files.size(file)).isGreaterThan(64L * EVENTS);
    }

    @ParameterizedTest
    @CsvSource({
        "--export text, 1000003, 48m",
        "--export csv, 1000001, 48m",
        "--export jsonl, 1000002, 48m",
        "--summary --top 5, 12, 64m",
        "--export csv --anonymize, 1000001, 64m",
    })
    void shouldShowMoreThanFitsIntoMemory(String args, int lines, String heap) throws Exception {
        Path errors = dir.resolve("err");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-Xmx" + heap,
                                "-XX:+UseSerialGC",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "io.mio.cli.Main",
                                "events",
                                file.toString()));
        command.addAll(List.of(args.split(" ")));
        Path out = dir.resolve("out");
        Process process =
                new ProcessBuilder(command)
                        .redirectError(errors.toFile())
                        .redirectOutput(out.toFile())
                        .start();
        assertThat(process.waitFor()).as(Files.readString(errors)).isZero();
        assertThat(Files.readString(errors)).isEmpty();
        try (java.util.stream.Stream<String> all = Files.lines(out, StandardCharsets.UTF_8)) {
            assertThat(all.count()).isEqualTo(lines);
        }
        Files.delete(out);
    }
}
