package io.mio.cli.plot.term;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.cli.events.MadeEvents;
import io.mio.cli.plot.Goldens;
import io.mio.cli.plot.PlotOptions;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.RunReader;
import io.mio.cli.plot.RunSamples;
import io.mio.cli.plot.draw.PictureOptions;
import io.mio.cli.term.CliException;
import io.mio.cli.term.Terminal;
import io.mio.stats.TraceOperation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class TermWriterTest {
    private static final Terminal COLOURS = new Terminal(true, true, 80, true, true);
    private static final Terminal ASCII = new Terminal(true, true, 80, false, false);

    @TempDir Path dir;

    private static String look(Terminal terminal, List<RunPlot> runs, String... args)
            throws IOException {
        PictureOptions options = CommandLine.populateCommand(new PictureOptions(), args);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new TermWriter(options, terminal).write(runs, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldDrawTheGoldenEvents() throws IOException {
        Goldens.assertSame("term/golden.txt", look(Terminal.NONE, List.of(RunSamples.golden(dir))));
    }

    @Test
    void shouldDrawDotsInColoursAndLettersWithout() throws IOException {
        RunPlot run = RunSamples.wellKnown("before");
        Goldens.assertSame("term/colours.txt", look(COLOURS, List.of(run)));
        Goldens.assertSame("term/ascii.txt", look(ASCII, List.of(run)));
        Goldens.assertSame(
                "term/two.txt",
                look(
                        Terminal.NONE,
                        List.of(run, RunSamples.named("after")),
                        "--width=60",
                        "--height=18"));
    }

    @Test
    void shouldNotBeWiderOrHigherThanTheTerminal() throws IOException {
        List<String> lines = look(ASCII, List.of(RunSamples.wellKnown("run"))).lines().toList();
        assertThat(lines).hasSize(24);
        // Sentences may be longer, but the drawing may not.
        assertThat(lines.subList(2, 18)).allMatch(line -> line.length() <= 80);
    }

    @Test
    void shouldShowOffsetsThatAreFarWithAllDigitsAndTheirUnit() throws IOException {
        Path file = dir.resolve("far.mio");
        try (MadeEvents made = new MadeEvents(file)) {
            int data = made.file("/far", 1, 1, "program", "os", 1);
            for (int i = 0; i < 100; i++) {
                long offset = (1L << 40) + 65_536 + i * 4096L;
                made.add(MadeEvents.call(TraceOperation.READ, data, i * 1000L, 1000, offset, 4096));
            }
        }
        PlotOptions options = new PlotOptions(1000, 10, reader -> event -> true, "", count -> {});
        String text = look(Terminal.NONE, List.of(RunReader.read(file, "far", options)));

        List<String> axis =
                text.lines().filter(line -> line.matches(".*[\u2502\u2524].*")).toList();
        assertThat(axis).anyMatch(line -> line.startsWith("1048576.125 MiB \u2524"));
        assertThat(axis).anyMatch(line -> line.startsWith("       +128 KiB \u2524"));
        assertThat(axis).allMatch(line -> line.matches(".{16}[\u2502\u2524].*"));
    }

    @Test
    void shouldWriteNothingThatATerminalObeys() throws IOException {
        RunPlot run = RunSamples.named("\u001b[2Jname\r\u0007\u202e\u009b31m");
        String text = look(ASCII, List.of(run), "--title=\u001b]0;title\u0007");
        assertThat(text.chars()).noneMatch(c -> c < 0x20 && c != '\n' || c >= 0x7f);
        String utf = look(Terminal.NONE, List.of(run));
        assertThat(utf.chars()).noneMatch(c -> c < 0x20 && c != '\n' || c >= 0x7f && c < 0xa0);
        assertThat(utf).doesNotContain("\u202e");
    }

    @Test
    void shouldRefuseWidthsThatMakeNoSense() {
        for (String width : List.of("--width=10", "--width=5000")) {
            assertThatThrownBy(() -> look(ASCII, List.of(RunSamples.named("run")), width))
                    .isInstanceOf(CliException.class)
                    .hasMessageStartingWith("--width: 40 to 1000");
        }
    }
}
