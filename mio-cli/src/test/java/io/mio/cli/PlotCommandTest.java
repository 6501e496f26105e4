package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.plot.RunSamples;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class PlotCommandTest {
    @TempDir Path dir;
    private final StringWriter err = new StringWriter();
    private Path events;

    @BeforeEach
    void makeEvents() throws IOException {
        events = RunSamples.goldenFile(dir);
    }

    private int plot(String... args) {
        CommandLine line = Main.commandLine();
        line.setErr(new PrintWriter(err));
        line.setOut(new PrintWriter(new StringWriter()));
        String[] all = Stream.concat(Stream.of("plot"), Stream.of(args)).toArray(String[]::new);
        return line.execute(all);
    }

    private int plotTo(Path output, String... more) {
        return plot(
                Stream.concat(
                                Stream.of(events.toString(), "-o", output.toString()),
                                Stream.of(more))
                        .toArray(String[]::new));
    }

    private List<String> names() throws IOException {
        try (Stream<Path> all = Files.list(dir)) {
            return all.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldMakeThePictureThatTheNameAsksForAndNothingElse() throws IOException {
        assertThat(plotTo(dir.resolve("x.svg"))).isZero();
        assertThat(plotTo(dir.resolve("x.PNG"))).isZero();
        assertThat(Files.readString(dir.resolve("x.svg"))).startsWith("<?xml").endsWith("</svg>\n");
        assertThat(Files.readAllBytes(dir.resolve("x.PNG"))).startsWith(0x89, 'P', 'N', 'G');
        assertThat(names()).containsExactly("golden.events", "x.PNG", "x.svg");
        assertThat(
                        PosixFilePermissions.toString(
                                Files.getPosixFilePermissions(dir.resolve("x.svg"))))
                .isEqualTo("rw-------");
    }

    @Test
    void shouldRefuseNamesItCannotPlace() {
        assertThat(plotTo(dir.resolve("x.pdf"))).isEqualTo(2);
        assertThat(err.toString()).contains("ends in .html, .svg or .png", "x.pdf");
        assertThat(plotTo(dir.resolve("no/x.svg"))).isEqualTo(1);
        assertThat(err.toString())
                .contains("no/x.svg: cannot be written: no such file or directory");
        assertThat(plotTo(dir.resolve("x.svg"), "--term")).isEqualTo(2);
    }

    @Test
    void shouldNotReplaceAnInputNorBlameAnOptionThatNobodyGave() throws IOException {
        // The page of this file would get the same name, in the working directory.
        Path page = Files.copy(events, Path.of("plot-command-test.html"));
        try {
            assertThat(plot(page.toString())).isEqualTo(2);
            assertThat(err.toString())
                    .contains(
                            "plot-command-test.html: the page would replace this events file; name"
                                    + " the output with -o")
                    .doesNotContain("--output");
            assertThat(page).hasSameBinaryContentAs(events);
        } finally {
            Files.delete(page);
        }
    }

    @Test
    void shouldLeaveWhatWasThereIfItFails() throws IOException {
        Path file = dir.resolve("x.svg");
        Files.writeString(file, "old");
        assertThat(plotTo(file, "--width=50")).isEqualTo(2);
        assertThat(err.toString()).contains("--width: at least");
        assertThat(Files.readString(file)).isEqualTo("old");
        assertThat(names()).containsExactly("golden.events", "x.svg");
        assertThat(plotTo(file)).isZero();
        assertThat(Files.readString(file)).startsWith("<?xml");
    }

    @Test
    void shouldNotFollowSymbolicLinks() throws IOException {
        Path victim = dir.resolve("victim");
        Files.writeString(victim, "precious");
        Path link = dir.resolve("x.svg");
        Files.createSymbolicLink(link, victim);
        assertThat(plotTo(link)).isEqualTo(1);
        assertThat(err.toString()).contains("symbolic link");
        assertThat(Files.readString(victim)).isEqualTo("precious");
        assertThat(Files.exists(link, LinkOption.NOFOLLOW_LINKS)).isTrue();
    }

    @Test
    void shouldSayThatTheDiskIsFull() throws IOException {
        Path full = dir.resolve("full.svg");
        try {
            Process mknod = new ProcessBuilder("mknod", full.toString(), "c", "1", "7").start();
            Assumptions.assumeTrue(mknod.waitFor() == 0, "devices cannot be made here");
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        Assumptions.assumeTrue(Files.isWritable(full), "devices cannot be used here");
        assertThat(plotTo(full)).isEqualTo(1);
        assertThat(err.toString()).contains("full.svg: ", "No space left on device");
    }

    @Test
    void shouldNameInputsThatAreMissingOrNoEvents() throws IOException {
        Path text = dir.resolve("text");
        Files.writeString(text, "no events");
        assertThat(plot(text.toString(), "--term")).isEqualTo(1);
        assertThat(err.toString()).contains("is no events file");
        assertThat(plot(dir.resolve("missing").toString(), "--term")).isEqualTo(1);
        assertThat(err.toString()).contains("missing: no such file");
        assertThat(plot(dir.toString(), "--term")).isEqualTo(1);
    }
}
