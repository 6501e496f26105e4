package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.demo.NativeProgram;
import io.mio.cli.plot.PlotOptions;
import io.mio.cli.plot.RunPlot;
import io.mio.cli.plot.RunReader;
import io.mio.cli.plot.Stage;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs all of {@code mio demo}: a JVM with MIO as its default provider, and its report. */
class DemoRunTest {
    @TempDir Path dir;
    @TempDir Path pictures;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int demo(String... more) {
        return demoTo(page(), more);
    }

    private int demoTo(Path picture, String... more) {
        return run(
                Stream.concat(Stream.of("--plot", picture.toString()), Stream.of(more))
                        .toArray(String[]::new));
    }

    private int run(String... more) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        Stream<String> args =
                Stream.concat(
                        Stream.of("demo", "--size", "4m", "--dir", dir.toString()),
                        Stream.of(more));
        return commandLine.execute(args.toArray(String[]::new));
    }

    private Path page() {
        return pictures.resolve("demo.html");
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.toList();
        }
    }

    @Test
    void shouldCountEveryCallOfTheProgramInBothRuns() throws IOException {
        assertThat(demo("--report")).isZero();
        assertThat(err.toString()).isEmpty();
        List<ClassicReport.Block> blocks =
                ClassicReport.parse(out.toString()).blocks().stream()
                        .filter(block -> "program".equals(block.above()))
                        .toList();
        assertThat(blocks).hasSize(2);
        for (ClassicReport.Block block : blocks) {
            // 4 MiB are 40 records of 100 KiB.
            assertThat(block.file()).isEqualTo("demo.dat");
            assertThat(block.total()).isEqualTo(3 * 4000);
            assertThat(block.rows().get("write").count()).isEqualTo(40);
            assertThat(block.rows().get("read").count()).isEqualTo(80);
            assertThat(block.rows().get("seek").count()).isEqualTo(43);
            assertThat(block.rows().get("size").count()).isEqualTo(40);
        }
        assertThat(out.toString())
                .containsOnlyOnce("\nPage cache:  ")
                .contains("average seek delta=" + (102400 - 3L * 40 * 102400) / 43);
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldEndWithATableAndLeaveTheReportsOutUnlessAsked() throws IOException {
        assertThat(demo()).isZero();
        assertThat(out.toString())
                .contains("every byte was right, in both runs")
                .containsPattern("\nelapsed +[0-9.]+ s +[0-9.]+ s +[0-9.]+x\n")
                .containsPattern("\nbackward +[0-9.]+ MiB/s +[0-9.]+ MiB/s +[0-9.]+x\n")
                .containsPattern("\nrequests to the system +120 +2 +60.00x\n")
                // 4000 KiB are two pages, which stay in the cache.
                .contains("\nCounters:    as expected: 2 page writes, 1 of them behind; 0 page")
                .doesNotContain("Trace close", "original's");
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldShowTheSameForAProgramThatIsNotJava() throws IOException {
        assumeThat(NativeProgram.isBuilt()).as("program and preload library in C").isTrue();
        assertThat(demo("--native", "--report")).isZero();
        assertThat(err.toString()).isEmpty();
        List<ClassicReport.Block> blocks =
                ClassicReport.parse(out.toString()).blocks().stream()
                        .filter(block -> "program".equals(block.above()))
                        .toList();
        assertThat(blocks).hasSize(2);
        for (ClassicReport.Block block : blocks) {
            assertThat(block.file()).isEqualTo("demo.dat");
            assertThat(block.rows().get("write").count()).isEqualTo(40);
            assertThat(block.rows().get("read").count()).isEqualTo(80);
            assertThat(block.rows().get("seek").count()).isEqualTo(43);
            assertThat(block.rows().get("size").count()).isEqualTo(40);
        }
        assertThat(out.toString())
                .contains("Program=alot_buf")
                .contains("average seek delta=" + (102400 - 3L * 40 * 102400) / 43)
                .contains("every byte was right, in both runs")
                .containsPattern("\nrequests to the system +120 +2 +60.00x\n")
                .contains("\nCounters:    as expected: 2 page writes, 1 of them behind; 0 page");
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldSayWhereTheNativeProgramCanBeHad() throws IOException {
        assumeThat(NativeProgram.isBuilt()).as("a jar without them").isFalse();
        assertThat(demo("--native")).isEqualTo(1);
        assertThat(err.toString()).contains("mio demo: --native: ", "C compiler");
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldPrintTheFiguresAsJson() throws IOException {
        assertThat(demo("--json", "--record", "4k")).isZero();
        JsonNode figures = new ObjectMapper().readTree(out.toString());
        assertThat(figures.get("records").asLong()).isEqualTo(1024);
        assertThat(figures.get("page_cache").get("method").asText()).isNotEqualTo("cgroup");
        assertThat(figures.get("gains").get("elapsed").asDouble()).isPositive();
        assertThat(figures.get("runs")).hasSize(2);
        for (JsonNode run : figures.get("runs")) {
            assertThat(run.get("passes")).hasSize(3);
            assertThat(run.get("elapsed_seconds").asDouble()).isPositive();
            List<JsonNode> program = new ArrayList<>();
            for (JsonNode block : run.get("trace")) {
                if ("program".equals(block.get("above").asText())) {
                    program.add(block);
                }
            }
            assertThat(program).hasSize(1);
            assertThat(program.get(0).get("rows").get("read").get("count").asLong())
                    .isEqualTo(2048);
        }
        assertThat(figures.get("runs").get(0).get("requests").asLong()).isEqualTo(3 * 1024);
        assertThat(figures.get("counters").get("differences")).isEmpty();
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldKeepFileAndReportsWhenAsked() throws IOException {
        assertThat(demo("--keep")).isZero();
        Path kept = left().get(0);
        assertThat(err.toString()).contains("kept in " + kept);
        assertThat(kept.resolve("demo.dat")).hasSize(40 * 102400);
        assertThat(kept.resolve("demo-trace.stats")).content().contains("Trace close");
        assertThat(kept.resolve("demo-pf.stats")).content().contains("Trace close");
        assertThat(programReads(kept.resolve("demo-trace.events"))).isEqualTo(80);
        assertThat(programReads(kept.resolve("demo-pf.events"))).isEqualTo(80);
    }

    private static long programReads(Path events) throws IOException {
        RunPlot run = RunReader.read(events, "", PlotOptions.usual());
        assertThat(run.files()).hasSize(1);
        return run.files().get(0).totals().get(Stage.PROGRAM).reads();
    }

    @Test
    void shouldEndByNamingThePictureOfBothRuns() throws IOException {
        assertThat(demo()).isZero();
        assertThat(out.toString()).endsWith("The picture of both runs: " + page() + "\n");
        assertThat(page()).content().contains("mio demo: before and after", "demo.dat");
        assertThat(Files.getPosixFilePermissions(page()))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(left()).isEmpty();
    }

    /** The file can be opened for writing, which is all that is checked before the program runs. */
    @Test
    void shouldShowTheTableAlthoughThePictureCannotBeWritten() throws Exception {
        Path full = pictures.resolve("full.html");
        Process device = new ProcessBuilder("mknod", full.toString(), "c", "1", "7").start();
        assumeTrue(device.waitFor() == 0, "only root makes a device without space");

        assertThat(demoTo(full)).isEqualTo(1);
        assertThat(err.toString())
                .contains("mio demo: no picture: ", "full.html", "No space left on device");
        assertThat(out.toString())
                .contains("\nelapsed ")
                .doesNotContain("The picture of both runs");
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldNameThePictureInTheJson() throws IOException {
        assertThat(demo("--json")).isZero();
        JsonNode figures = new ObjectMapper().readTree(out.toString());
        assertThat(figures.get("plot").asText()).isEqualTo(page().toString());
        assertThat(page()).exists();
    }

    @Test
    void shouldDrawNothingIfAsked() throws IOException {
        assertThat(run("--no-plot")).isZero();
        assertThat(out.toString()).doesNotContain("The picture of both runs");
        assertThat(pictures).isEmptyDirectory();
    }
}
