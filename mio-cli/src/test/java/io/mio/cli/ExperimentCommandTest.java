package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.demo.NativeFiles;
import io.mio.cli.demo.PageCache;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Runs {@code mio bench experiment}, with files so small that the figures mean nothing. */
class ExperimentCommandTest {
    @TempDir Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(
                Stream.concat(Stream.of("bench", "experiment"), Stream.of(args))
                        .toArray(String[]::new));
    }

    /** Runs an experiment at tiny scale, and checks what all experiments have in common. */
    private JsonNode measured(String name, String... more) throws IOException {
        assumeThat(PageCache.isInMemory(dir)).as("temporary directory in memory").isFalse();
        Path place = Files.createDirectory(dir.resolve("place"));
        Path results = dir.resolve("results");
        Stream<String> common =
                Stream.of(
                        name,
                        "--scale",
                        "small",
                        "--json",
                        "--dir",
                        place.toString(),
                        "-o",
                        results.toString());
        int status = run(Stream.concat(common, Stream.of(more)).toArray(String[]::new));
        assertThat(status).as(err.toString()).isZero();
        assertThat(place).as("nothing is left behind").isEmptyDirectory();
        JsonNode all = new ObjectMapper().readTree(out.toString());
        assertThat(all.get("experiment").asText()).isEqualTo(name);
        assertThat(all.get("tables")).isNotEmpty();
        for (JsonNode table : all.get("tables")) {
            assertThat(table.get("rows")).as(table.toString()).isNotEmpty();
        }
        assertThat(new ObjectMapper().readTree(results.resolve(name + ".json").toFile()))
                .isEqualTo(all);
        assertThat(results.resolve(name + ".md")).content().contains("# Experiment `" + name);
        assertThat(results.resolve(name + ".csv")).content().contains(name + ",");
        return all;
    }

    /** The cell with these names of row and column. */
    private static JsonNode cell(JsonNode all, int table, String row, String column) {
        JsonNode one = all.get("tables").get(table);
        for (JsonNode cells : one.get("rows")) {
            if (cells.get(0).get("text").asText().equals(row)) {
                for (int i = 1; i < cells.size(); i++) {
                    if (one.get("columns").get(i).asText().equals(column)) {
                        return cells.get(i);
                    }
                }
            }
        }
        throw new AssertionError("no " + row + ", " + column + " in " + one);
    }

    private void checkAlotBuf(JsonNode all) {
        assertThat(cell(all, 0, "elapsed, s", "document gain").get("times").asDouble())
                .isBetween(1.79, 1.80);
        // 81 records of 102400 bytes: as many writes, twice as many reads.
        assertThat(cell(all, 0, "requests to the system", "before").get("median").asInt())
                .isEqualTo(3 * 81);
        // The whole file is in the cache's four pages of 2 MiB, each of which is written once.
        assertThat(cell(all, 0, "requests to the system", "after").get("median").asInt())
                .isEqualTo(4);
        for (String rule : List.of("trace", "pf")) {
            assertThat(dir.resolve("results").resolve("alot_buf-" + rule + ".stats"))
                    .content()
                    .contains("Trace close : program <-> ");
        }
        assertThat(dir.resolve("results").resolve("alot_buf.svg")).content().contains("elapsed");
    }

    @Test
    void shouldRunTheExampleOfTheOriginal() throws IOException {
        checkAlotBuf(measured("alot_buf", "--door", "jvm"));
    }

    @Test
    void shouldRunTheExampleOfTheOriginalInC() throws IOException {
        assumeThat(NativeFiles.isBuilt("alot_buf")).as("program in C").isTrue();
        checkAlotBuf(measured("alot_buf", "--door", "native"));
    }

    private void checkNastran(JsonNode all, String name) throws IOException {
        for (String column : List.of("pf_small", "pf_large")) {
            // Two copies, 16 records each, 17 1/3 times; the last third leaves records out.
            assertThat(cell(all, 1, "requests of the program", column).get("median").asLong())
                    .isEqualTo(2 * (18 * 16 - 2 * (16 / 3)));
            assertThat(cell(all, 1, "requests to the system", column).get("median").asLong())
                    .isPositive();
            assertThat(dir.resolve("results").resolve(name + "-" + column + ".stats"))
                    .content()
                    .contains("Trace close : program <-> ");
        }
        assertThat(cell(all, 1, "times fewer", "document").get("times").asDouble())
                .isBetween(15.3, 15.5);
        assertThat(all.get("tables").get(0).get("rows")).hasSize(3);
        // A real solver, or the reason why there is none.
        if (all.get("tables").size() == 3) {
            assertThat(cell(all, 2, "requests to the system", "pf").get("median").asInt())
                    .isPositive();
        } else {
            assertThat(all.get("notes").toString()).contains("(MUMPS) was left out: ");
        }
        assertThat(cell(all, 0, "plain", "gain").get("kind").asText()).isEqualTo("none");
        assertThat(cell(all, 0, "pf_large", "gain").get("may_be_chance").asBoolean()).isTrue();
        assertThat(dir.resolve("results").resolve(name + ".svg")).content().contains("pf_small");
    }

    @Test
    void shouldRunSeveralSolvers() throws IOException {
        // The calls with which a JVM warms up are not counted.
        checkNastran(measured("nastran", "--door", "jvm"), "nastran");
    }

    @Test
    void shouldRunSeveralSolversInC() throws IOException {
        assumeThat(NativeFiles.isBuilt("bench_worker")).as("worker in C").isTrue();
        checkNastran(measured("nastran", "--door", "native"), "nastran");
    }

    @Test
    void shouldRunRecordsOfManySizes() throws IOException {
        // Runs in C if that was built.
        JsonNode all = measured("iozone");
        assertThat(all.get("tables")).hasSize(9);
        for (int i = 0; i < 4; i++) {
            assertThat(all.get("tables").get(i).get("rows")).hasSize(4);
            for (String column : List.of("buffered", "unbuffered", "pf_256k", "pf_64k", "pf")) {
                assertThat(cell(all, i, "64k", column).get("median").asDouble()).isPositive();
            }
        }
        // 67447 of 632214 KB/s
        assertThat(cell(all, 6, "64k", "document limit 64k").get("times").asDouble())
                .isBetween(0.106, 0.107);
        // 71450 of 914693 KB/s
        assertThat(
                        cell(all, 8, "read, 128k to 256k", "document limit 256k")
                                .get("times")
                                .asDouble())
                .isBetween(0.078, 0.079);
        for (String chart : List.of("iozone", "iozone-tests")) {
            assertThat(dir.resolve("results").resolve(chart + ".svg")).content().contains("256k");
            assertThat(dir.resolve("results").resolve(chart + ".png")).isNotEmptyFile();
        }
    }

    @Test
    void shouldGoOnWhenOneHasFailed() throws IOException {
        assumeThat(PageCache.isInMemory(dir)).as("temporary directory in memory").isFalse();
        Path place = Files.createDirectory(dir.resolve("place"));
        Path results = Files.createDirectories(dir.resolve("results").resolve("alot_buf.md"));
        assertThat(
                        run(
                                "alot_buf",
                                "iozone",
                                "--scale",
                                "small",
                                "--dir",
                                place.toString(),
                                "-o",
                                results.getParent().toString()))
                .isEqualTo(1);
        assertThat(err.toString()).contains("alot_buf: ").contains("is a directory; name a file");
        assertThat(out.toString()).contains("Experiment iozone").doesNotContain("alot_buf");
        assertThat(results.resolveSibling("iozone.md")).isNotEmptyFile();
        assertThat(place).isEmptyDirectory();
    }

    @Test
    void shouldRemoveEverythingWhenItIsStopped() throws Exception {
        assumeThat(PageCache.isInMemory(dir)).as("temporary directory in memory").isFalse();
        Path place = Files.createDirectory(dir.resolve("place"));
        Path log = dir.resolve("log");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "io.mio.cli.Main",
                                "bench",
                                "experiment",
                                "nastran",
                                "alot_buf",
                                "--size",
                                "4m",
                                "--runs",
                                "1000",
                                "--dir",
                                place.toString(),
                                "-o",
                                dir.resolve("results").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        List<ProcessHandle> workers = List.of();
        // Between two runs there are no workers.
        while (process.isAlive() && (workers.isEmpty() || !isWritten(place))) {
            LockSupport.parkNanos(1_000_000);
            workers = process.descendants().toList();
        }
        assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
        process.destroy();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(workers).isNotEmpty().noneMatch(ProcessHandle::isAlive);
        assertThat(place).as(Files.readString(log)).isEmptyDirectory();
        assertThat(dir.resolve("results")).isEmptyDirectory();
    }

    /** Whether a file of the measurement has bytes. */
    private static boolean isWritten(Path place) throws IOException {
        try (Stream<Path> files = Files.walk(place)) {
            return files.anyMatch(
                    file ->
                            file.getFileName().toString().startsWith("bench.")
                                    && file.toFile().length() > 0);
        } catch (UncheckedIOException e) {
            // The directory was removed while this looked at it.
            return false;
        }
    }

    @Test
    void shouldListWhatThereIs() throws IOException {
        assertThat(run("list", "--json")).isZero();
        for (String line : out.toString().lines().toList()) {
            JsonNode one = new ObjectMapper().readTree(line);
            assertThat(one.get("question").asText()).endsWith("?");
            assertThat(one.get("space_bytes").asLong()).isPositive();
            assertThat(one.get("seconds").asLong()).isPositive();
        }
    }

    @Test
    void shouldSayWhatIsWrong() throws IOException {
        Path file = Files.createFile(dir.resolve("file"));
        check(2, "there is no experiment 'no'; there are alot_buf,", "no");
        check(2, "--size: '5' has no unit", "alot_buf", "--size", "5");
        check(2, "--size: at least 256k", "alot_buf", "--size", "255k");
        check(2, "--runs: from 1 to 1000", "alot_buf", "--runs", "0");
        check(2, "--dir: no directory ", "alot_buf", "--dir", file.toString());
    }

    @Test
    void shouldSayThatThereIsNoPlaceForFilesOrResults() throws IOException {
        assumeThat(PageCache.isInMemory(dir)).as("temporary directory in memory").isFalse();
        Path file = Files.createFile(dir.resolve("file"));
        check(2, "free; take another --dir", "alot_buf", "--size", "900t", "--dir", dir.toString());
        check(
                1,
                "-o: " + file,
                "alot_buf",
                "--scale",
                "small",
                "--dir",
                dir.toString(),
                "-o",
                file.toString());
    }

    private void check(int status, String message, String... args) {
        err.getBuffer().setLength(0);
        assertThat(run(args)).as(err.toString()).isEqualTo(status);
        assertThat(err.toString()).contains("mio bench experiment: ").contains(message);
        assertThat(out.toString()).isEmpty();
    }
}
