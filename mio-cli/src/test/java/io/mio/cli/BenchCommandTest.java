package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.mio.cli.demo.NativeFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Runs all of {@code mio bench}. */
class BenchCommandTest extends BenchFixture {
    @Test
    void shouldRunEveryTestInBothConfigurations() throws IOException {
        JsonNode all =
                measured(
                        dir.toString(),
                        "-s",
                        "200k",
                        "-r",
                        "5000b",
                        "--warm",
                        "--verify",
                        "--runs",
                        "2",
                        "--pf=cache=256k/page=32k/direct",
                        "--json");
        // 200 KiB are 40 records of 5000 bytes and a few bytes more.
        checkRows(all, 1, 200_000, 5000);
        assertThat(all.get("settings").get("state").asText()).isEqualTo("warm");
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldRunProgramsThatAreNotJava() throws IOException {
        assumeThat(NativeFiles.isBuilt("bench_worker")).as("worker in C").isTrue();
        JsonNode all =
                measured(
                        dir.toString(),
                        "-s",
                        "200k",
                        "-r",
                        "4k",
                        "--warm",
                        "--verify",
                        "--runs",
                        "1",
                        "--pf=cache=256k/page=32k",
                        "--trace",
                        "--door",
                        "native",
                        "-e",
                        "-c",
                        "--json");
        checkRows(all, 1, 204_800, 4096);
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldRunProgramsThatAreNotJavaInADirectoryWithABlank() throws IOException {
        assumeThat(NativeFiles.isBuilt("bench_worker")).as("worker in C").isTrue();
        Path place = Files.createDirectory(dir.resolve("a place: 'this'"));
        JsonNode all =
                measured(
                        place.toString(),
                        "-s",
                        "200k",
                        "-r",
                        "4k",
                        "--warm",
                        "--runs",
                        "1",
                        "-i",
                        "read",
                        "--pf=cache=256k/page=32k",
                        "--door",
                        "native",
                        "--json");
        assertThat(all.get("rows")).hasSize(all.get("configurations").size());
        assertThat(place).isEmptyDirectory();
    }

    @Test
    void shouldShareTheWorkBetweenThreadsAndProcesses() throws IOException {
        assumeThat(NativeFiles.isBuilt("bench_worker")).as("worker in C").isTrue();
        String[] common = {
            dir.toString(),
            "-s",
            "100k",
            "-r",
            "1k",
            "--warm",
            "--verify",
            "--runs",
            "1",
            "--door",
            "native",
            "--json",
            "-t",
            "3"
        };
        JsonNode files = measured(common);
        checkRows(files, 3, 102_400, 1024);
        assertThat(files.get("files")).hasSize(3);
        out.getBuffer().setLength(0);
        checkRows(measured(with(common, "--processes")), 3, 102_400, 1024);
        out.getBuffer().setLength(0);
        JsonNode shared = measured(with(common, "--processes", "--shared"));
        checkRows(shared, 1, 102_400, 1024);
        assertThat(shared.get("files")).hasSize(1);
        assertThat(left()).isEmpty();
    }

    /** File systems whose reads the kernel counts for the process that makes them. */
    private static final Set<String> COUNTED = Set.of("ext4", "xfs", "ext3", "ext2", "f2fs");

    @Test
    void shouldReadColdFilesFromTheDevice() throws IOException {
        assumeThat(Files.getFileStore(dir).type()).as("reads are counted").isIn(COUNTED);
        JsonNode all = measured(megabyte("-i", "read,strided"));
        for (JsonNode row : all.get("rows")) {
            assertThat(row.get("device_read_bytes").asLong()).isGreaterThanOrEqualTo(1L << 20);
        }
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldReadAgainWhatTheFirstPassHasLeftInMemory() throws IOException {
        assumeThat(Files.getFileStore(dir).type()).as("reads are counted").isIn(COUNTED);
        JsonNode all =
                measured(
                        megabyte(
                                "-i",
                                "read,random-write",
                                "--twice",
                                "--verify",
                                "--config",
                                "plain=",
                                "--config",
                                "past=[ pf/cache=256k/page=64k/direct ]"));
        assertThat(all.get("settings").get("state").asText()).isEqualTo("twice");
        assertThat(all.get("rows")).hasSize(4);
        for (JsonNode row : all.get("rows")) {
            JsonNode one = row.get("samples").get(0);
            assertThat(one.get("calls").asLong()).isEqualTo(32);
            assertThat(one.get("bytes").asLong()).isEqualTo(2 << 20);
            if ("read".equals(row.get("test").asText())) {
                boolean past = "past".equals(row.get("configuration").asText());
                assertThat(one.get("device_read_bytes").asLong())
                        .as(row.toString())
                        .isBetween(past ? 2L << 20 : 1 << 20, past ? 3L << 20 : (2 << 20) - 1L);
            }
        }
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldMakeFilesOfAnyNameAndKeepThemWhenAsked() throws IOException {
        Path file = dir.resolve("a [b] \"c\"\n{d}:*.dat");
        output(
                "-f",
                file.toString(),
                "-i",
                "0",
                "-s",
                "20k",
                "--warm",
                "--pf",
                "--runs",
                "1",
                "--verify",
                "--keep");
        assertThat(file).hasSize(20_480);
        assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
        assertThat(err.toString()).contains("mio bench: kept ", "\\012");
        output("-f", file.toString(), "-i", "1", "--warm", "--runs", "1");
        assertThat(left()).containsExactly(file);
    }

    @Test
    void shouldWarmUpOnAnotherFile() throws IOException {
        Path file = Files.write(dir.resolve("data"), new byte[10_000]);
        Path reports = dir.resolve("reports");
        assertThat(
                        output(
                                "-f",
                                file.toString(),
                                "-i",
                                "read",
                                "--warm",
                                "--runs",
                                "1",
                                "--config",
                                "t=[ trace/stats ]",
                                "--reports",
                                reports.toString()))
                .contains(" in Java (", "warmed up by 20000 calls of each kind and 0.5 s, or 1 s");
        assertThat(reports.resolve("t-10000b-4k-1.stats"))
                .content()
                .contains(file.toString(), "/warm-up/data");
        assertThat(file).hasBinaryContent(new byte[10_000]);
        assertThat(left()).containsExactlyInAnyOrder(file, reports);
    }

    @Test
    void shouldRemoveEverythingWhenItIsStopped() throws Exception {
        Path log = Files.createTempFile("bench", ".log");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "io.mio.cli.Main",
                                "bench",
                                dir.toString(),
                                "--warm",
                                "-s",
                                "4m",
                                "-r",
                                "512b",
                                "--runs",
                                "1000")
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        List<ProcessHandle> workers = List.of();
        // Between two runs there are no workers.
        while (process.isAlive() && (workers.isEmpty() || !isWritten())) {
            LockSupport.parkNanos(1_000_000);
            workers = process.children().toList();
        }
        assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
        process.destroy();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(workers).isNotEmpty().noneMatch(ProcessHandle::isAlive);
        assertThat(left()).isEmpty();
        assertThat(log).content().isEmpty();
        Files.delete(log);
    }

    /** The environment holds what the user has set for other programs. */
    @Test
    void shouldKeepTheEnvironmentFromTheWorkers() throws Exception {
        Path log = Files.createTempFile("bench", ".log");
        Path stats = dir.resolve("leaked.stats");
        ProcessBuilder builder =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "io.mio.cli.Main",
                                "bench",
                                dir.toString(),
                                "-i",
                                "write",
                                "-s",
                                "4k",
                                "--warm",
                                "--runs",
                                "1",
                                "--trace")
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile());
        builder.environment().put("MIO_FILES", "* [ trace ]");
        builder.environment().put("MIO_STATS", stats.toString());
        builder.environment().put("_JAVA_OPTIONS", "-Dleaked=true");
        assertThat(builder.start().waitFor()).as(Files.readString(log)).isZero();
        assertThat(log)
                .content()
                .contains("workers do not get MIO_FILES, MIO_STATS, _JAVA_OPTIONS of the")
                .doesNotContain("plain: Picked up", "trace: Picked up");
        assertThat(left()).isEmpty();
        Files.delete(log);
    }

    private boolean isWritten() throws IOException {
        for (Path made : left()) {
            Path file = made.resolve("bench.dat");
            try {
                if (Files.size(file) > 0) {
                    return true;
                }
            } catch (IOException e) {
                // The file is not there yet, or the run is between two tests.
            }
        }
        return false;
    }
}
