package io.mio.cli.events.export;

import static io.mio.cli.events.export.Events.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.events.EventSamples;
import io.mio.cli.events.MadeEvents;
import io.mio.events.Event;
import io.mio.stats.TraceOperation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The iolog, and what fio makes of it. */
class FioIologExportTest {
    @TempDir private Path directory;

    private final List<String> leftOut = new ArrayList<>();

    private String log(Path events) throws IOException {
        FioIologExport[] made = new FioIologExport[1];
        String log =
                Events.text(
                        Events.export(
                                events,
                                (reader, out) -> made[0] = new FioIologExport(reader, out)));
        leftOut.addAll(made[0].leftOut());
        return log;
    }

    private Path events(Event... events) throws IOException {
        Path file = directory.resolve("x.events");
        try (MadeEvents out = new MadeEvents(file)) {
            out.define(Events.file(1, 1, "/data/x", "program", "os", 1));
            out.define(Events.file(2, 1, "/data/x", "program", "os", 1));
            out.define(Events.file(3, 3, "/data/only below", "pf", "os", 1));
            for (Event event : events) {
                out.add(event);
            }
        }
        return file;
    }

    @Test
    void shouldWriteTheGoldenEvents() throws IOException {
        Path events = Files.write(directory.resolve("golden.events"), EventSamples.golden());
        Golden.compare("golden.iolog", log(events));
        assertThat(leftOut)
                .containsExactly(
                        "left out: 1 calls that failed",
                        "left out: 1 reads and writes of no bytes",
                        "left out: 2 calls for which fio has no action (fstat, fcntl, mmap,"
                                + " trunc)");
    }

    @Test
    void shouldWriteTheStory() throws IOException {
        Golden.compare("story.iolog", log(Story.file(directory)));
    }

    /** fio ends when the log opens a file that is open. */
    @Test
    void shouldOpenAFileOnceForAllOpensOfIt() throws IOException {
        Path events =
                events(
                        call(TraceOperation.OPEN, 1, 0, 10),
                        call(TraceOperation.OPEN, 2, 1000, 10),
                        call(TraceOperation.CLOSE, 1, 2000, 10),
                        call(TraceOperation.READ, 2, 3000, 10),
                        call(TraceOperation.CLOSE, 2, 4000, 10),
                        call(TraceOperation.CLOSE, 2, 5000, 10),
                        call(TraceOperation.READ, 2, 6000, 10),
                        call(TraceOperation.OPEN, 1, 7000, 10));
        assertThat(log(events))
                .isEqualTo(
                        """
                        fio version 3 iolog
                        1 mio-0001.x add # 1048576 /data/x
                        1 mio-0001.x open
                        4 mio-0001.x read 0 4096
                        5 mio-0001.x close
                        7 mio-0001.x open
                        7 mio-0001.x read 0 4096
                        """);
    }

    @Test
    void shouldWriteRequestsInTheOrderOfTheirStarts() throws IOException {
        Path events =
                events(
                        call(TraceOperation.READ, 1, 2000, 1000, 1, 10, 1),
                        call(TraceOperation.READ, 1, 3000, 1000, 2, 10, 2),
                        call(TraceOperation.WRITE, 3, 3500, 1000, 3, 10, 2),
                        call(TraceOperation.READ, 1, 0, 90_000, 4, 10, 3));
        assertThat(log(events).lines().filter(line -> line.matches(".*(read|write).*")))
                .containsExactly(
                        "1 mio-0001.x read 4 10",
                        "3 mio-0001.x read 1 10",
                        "4 mio-0001.x read 2 10",
                        "4 mio-0002.only_below write 3 10");
    }

    @Test
    void shouldLeaveOutWhatNoCallCanMove() throws IOException {
        Path events =
                events(
                        call(TraceOperation.READ, 1, 0, 10, -1, 10, 1),
                        call(TraceOperation.READ, 1, 10, 10, 0, 0x7ffff001L, 1),
                        call(TraceOperation.READ, 1, 30, 10, 0, 0x7ffff000L, 1));
        assertThat(log(events)).endsWith("1 mio-0001.x read 0 2147479552\n");
        assertThat(leftOut)
                .containsExactly(
                        "left out: 1 requests whose offset is not known",
                        "left out: 1 requests of more bytes than a call can move");
    }

    @Test
    void shouldReplayAnotherLayerIfAsked() throws IOException {
        String log =
                Events.text(
                        Events.export(
                                Story.file(directory),
                                (reader, out) -> new FioIologExport(reader, out, id -> id == 2)));
        assertThat(log.lines().filter(line -> line.contains("read")))
                .containsExactly(
                        "2 mio-0001.a_file read 0 4096", "2 mio-0001.a_file read 4096 4096");
    }

    /** No name leads out of the directory, and each is a single word. */
    @Test
    void shouldGiveFilesHarmlessNames() throws IOException {
        List<String> names =
                List.of(
                        "/etc/passwd",
                        "../../x",
                        "..",
                        "/",
                        "",
                        "a b\tc",
                        "x\n1 /etc/passwd add",
                        Story.HOSTILE,
                        "/d/" + "very".repeat(200),
                        "%s%n$(reboot)`x`;");
        Path file = directory.resolve("x.events");
        try (MadeEvents out = new MadeEvents(file)) {
            for (int i = 0; i < names.size(); i++) {
                out.define(Events.file(i + 1, 1, names.get(i), "program", "os", 1));
            }
            for (int i = 0; i < names.size(); i++) {
                out.add(call(TraceOperation.WRITE, i + 1, i, 1, 0, 10, 1));
            }
        }
        List<String> lines = log(file).lines().toList();
        assertThat(lines).hasSize(1 + 3 * names.size());
        for (String line : lines.subList(1, lines.size())) {
            assertThat(line)
                    .matches(
                            "1 mio-\\d{4}\\.[A-Za-z0-9._-]{0,60}"
                                    + " (add # 1048576 \\P{Cntrl}*|open|write 0 10)");
            assertThat(line.length()).isLessThan(1000);
        }
        assertThat(lines).contains("1 mio-0001.passwd add # 1048576 /etc/passwd");
    }

    // ---- fio

    private JsonNode replay(String log, String... more) throws Exception {
        Path work = Files.createDirectories(directory.resolve("replay"));
        Files.writeString(work.resolve("x.iolog"), log);
        for (String line : log.lines().filter(one -> one.contains(" add # ")).toList()) {
            String[] words = line.split(" ");
            Files.write(work.resolve(words[1]), new byte[Integer.parseInt(words[4])]);
        }
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "fio",
                                "--name=replay",
                                "--read_iolog=x.iolog",
                                "--replay_no_stall=1",
                                "--output-format=json",
                                "--output=x.json"));
        command.addAll(List.of(more));
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .directory(work.toFile())
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException e) {
            assumeTrue(false, "no fio: " + e.getMessage());
            throw e;
        }
        process.getOutputStream().close();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        // fio reports lines that it does not accept, and goes on.
        assertThat(said).isEmpty();
        return new ObjectMapper().readTree(work.resolve("x.json").toFile()).get("jobs").get(0);
    }

    @Test
    void shouldBeReplayedByFio() throws Exception {
        JsonNode job = replay(log(Story.file(directory)));
        assertThat(job.get("error").asInt()).isZero();
        assertThat(job.get("read").get("total_ios").asInt()).isEqualTo(8);
        assertThat(job.get("read").get("io_bytes").asInt()).isEqualTo(8 * 4096);
        assertThat(job.get("write").get("total_ios").asInt()).isEqualTo(1);
        assertThat(job.get("write").get("io_bytes").asInt()).isEqualTo(100);
        assertThat(job.get("sync").get("total_ios").asInt()).isEqualTo(1);
    }

    @Test
    void shouldBeReplayedWithoutWritesIfTheUserSaysSo() throws Exception {
        JsonNode job = replay(log(Story.file(directory)), "--readonly");
        assertThat(job.get("read").get("total_ios").asInt()).isEqualTo(8);
        assertThat(job.get("write").get("total_ios").asInt()).isZero();
    }

    @Test
    void shouldBeReplayedOnOneFileOfTheUser() throws Exception {
        Path target = Files.write(directory.resolve("target"), new byte[1 << 20]);
        JsonNode job = replay(log(Story.file(directory)), "--replay_redirect=" + target);
        assertThat(job.get("read").get("io_bytes").asInt()).isEqualTo(8 * 4096);
        assertThat(job.get("write").get("io_bytes").asInt()).isEqualTo(100);
    }
}
