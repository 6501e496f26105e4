package io.mio.cli.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.bench.BenchOptions.Door;
import io.mio.cli.bench.Machine;
import io.mio.cli.bench.Spread;
import io.mio.cli.plot.draw.LineChart;
import io.mio.cli.term.Terminal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A result in all its forms. */
class ResultTest {
    @TempDir Path dir;

    private static final class Example implements Experiment {
        @Override
        public String name() {
            return "example";
        }

        @Override
        public String question() {
            return "Is a | b <better>?";
        }

        @Override
        public String document() {
            return "none";
        }

        @Override
        public Estimate estimate(Settings settings) {
            return new Estimate(settings.bytes(1, 2, 3), 0, 0);
        }

        @Override
        public Result run(Context context) {
            Spread slow = Spread.of(1, 2, 3);
            Spread fast = Spread.of(8, 9, 10);
            ResultTable table =
                    new ResultTable(
                            "rates",
                            "Rates, \033[31mMiB/s",
                            "test",
                            "a",
                            "b",
                            "gain",
                            "doc",
                            "doc gain");
            table.row(
                    "read, \"cold\"",
                    Cell.figure(slow, Unit.MIB_PER_SECOND, 3),
                    Cell.figure(fast, Unit.MIB_PER_SECOND, 3),
                    Cell.gain(fast, slow, Better.MORE, 3),
                    Cell.given(5, Unit.MIB_PER_SECOND),
                    Cell.givenGain(5, 4, Better.MORE));
            table.row(
                    "write",
                    Cell.figure(slow, Unit.MIB_PER_SECOND, 3),
                    Cell.figure(slow, Unit.MIB_PER_SECOND, 3),
                    Cell.gain(slow, slow, Better.MORE, 3),
                    Cell.none(),
                    Cell.givenGain(1, 0, Better.MORE));
            return new Result()
                    .fact("File", "none")
                    .table(table)
                    .note("A note.")
                    .report("a", "text\n")
                    .chart(
                            new Chart(
                                    "bars",
                                    "Rates",
                                    List.of(
                                            new LineChart.Plot(
                                                    "read",
                                                    List.of("1k", "2k"),
                                                    List.of(
                                                            Charts.series(
                                                                    "a",
                                                                    java.util.Arrays.asList(
                                                                            slow, null))))),
                                    "record"));
        }
    }

    private Finished finished() throws Exception {
        Settings settings = new Settings(Scale.SMALL, 4096, 3, Door.NATIVE);
        return new Finished(
                new Example(),
                settings,
                Machine.of(dir),
                Instant.parse("2026-01-02T03:04:05Z"),
                1_500_000_000,
                new Example().run(null));
    }

    @Test
    void shouldShowTheCommandThatDoesItAgain() throws Exception {
        assertThat(finished().command())
                .isEqualTo("mio bench experiment example --size 4k --runs 3 --door native");
        Finished one =
                new Finished(
                        new Example(),
                        new Settings(Scale.FULL, 0, 0, Door.JVM),
                        Machine.of(dir),
                        Instant.EPOCH,
                        0,
                        new Result());
        assertThat(one.command()).isEqualTo("mio bench experiment example --scale full --door jvm");
    }

    @Test
    void shouldShowTablesToPeople() throws Exception {
        String text = String.join("\n", new ResultText(finished()).lines(Terminal.NONE));
        assertThat(text)
                .contains("2.00 (1.00..3.00)  9.00 (8.00..10.0)   4.50x  5.00     1.25x")
                .contains("~1.00x     -         -")
                .contains("A note.")
                .contains("When:        2026-01-02T03:04:00Z, took 1.50 s")
                .doesNotContain("\033[31m");
    }

    @Test
    void shouldWriteMarkdownThatNothingBreaks() throws Exception {
        String text = new ResultText(finished()).markdown();
        assertThat(text)
                .contains("| Question | Is a \\| b &lt;better>? |")
                .contains("|---|---:|---:|---:|---:|---:|\n")
                .contains("| write | 2.00 (1.00..3.00) | 2.00 (1.00..3.00) | \\~1.00x | - | - |")
                .contains("![Rates](example-bars.svg)")
                .contains("- A note.");
    }

    @Test
    void shouldWriteFiguresForPrograms() throws Exception {
        JsonNode all = new ObjectMapper().readTree(new ResultData(finished()).json());
        assertThat(all.get("type").asText()).isEqualTo("mio_experiment");
        JsonNode row = all.get("tables").get(0).get("rows").get(0);
        assertThat(row.get(1).get("kind").asText()).isEqualTo("measured");
        assertThat(row.get(1).get("median").asDouble()).isEqualTo(2);
        assertThat(row.get(1).get("least").asDouble()).isEqualTo(1);
        assertThat(row.get(1).get("most").asDouble()).isEqualTo(3);
        assertThat(row.get(3).get("times").asDouble()).isEqualTo(4.5);
        assertThat(row.get(3).get("may_be_chance").asBoolean()).isFalse();
        assertThat(row.get(4).get("figure").asDouble()).isEqualTo(5);
        JsonNode second = all.get("tables").get(0).get("rows").get(1);
        assertThat(second.get(3).get("may_be_chance").asBoolean()).isTrue();
        assertThat(second.get(5).get("times").isNull()).isTrue();
        assertThat(new ResultData(finished()).csv().lines())
                .hasSize(9)
                .contains(
                        "example,rates,\"read, \"\"cold\"\"\",a,measured,MiB/s,2.00000,1.00000,"
                                + "3.00000,3,")
                .contains("example,rates,write,gain,gain,,1.00000,,,,true");
    }

    @Test
    void shouldWriteAllFilesInPlaceOfTheLastOnes() throws Exception {
        Path out = dir.resolve("new").resolve("results");
        new ResultFiles(out).write(finished());
        List<String> names = new ResultFiles(out).write(finished());
        assertThat(names)
                .containsExactlyInAnyOrder(
                        "example-bars.svg",
                        "example-bars.png",
                        "example-a.stats",
                        "example.json",
                        "example.csv",
                        "example.md");
        try (var files = Files.list(out)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrderElementsOf(names);
        }
        assertThat(out.resolve("example-bars.svg")).content().contains("Rates").contains("1k");
    }

    @Test
    void shouldRefuseRowsThatDoNotFit() {
        ResultTable table = new ResultTable("t", "caption", "", "a");
        assertThatThrownBy(() -> table.row("x")).isInstanceOf(IllegalArgumentException.class);
    }
}
