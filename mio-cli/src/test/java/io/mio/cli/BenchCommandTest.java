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
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The whole of {@code mio bench}, with files so small that the figures mean nothing. */
class BenchCommandTest {
    private static final List<String> ALL =
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

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(
                Stream.concat(Stream.of("bench"), Stream.of(args)).toArray(String[]::new));
    }

    private JsonNode measured(String... args) throws IOException {
        assertThat(run(args)).as(err.toString()).isZero();
        assertThat(err.toString()).isEmpty();
        return new ObjectMapper().readTree(out.toString());
    }

    private List<Path> left() throws IOException {
        try (Stream<Path> files = Files.list(dir)) {
            return files.toList();
        }
    }

    private static void checkRows(JsonNode all, int threads, long bytes, long recordBytes) {
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
                // The same calls under every configuration, in every run.
                JsonNode first = all.get("rows").get(i - i % configurations).get("samples").get(0);
                assertThat(sample.get("digest")).isEqualTo(first.get("digest"));
            }
        }
    }

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
        // 200 KiB are 40 records of 5000 bytes and some bytes more.
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

    private static String[] with(String[] args, String... more) {
        return Stream.concat(Stream.of(args), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void shouldReadColdFilesFromTheDevice() throws IOException {
        assumeThat(PageCache.isInMemory(dir)).as("%s is in memory", dir).isFalse();
        int status =
                run(
                        dir.toString(),
                        "-s",
                        "1m",
                        "-r",
                        "64k",
                        "-i",
                        "read,strided",
                        "--runs",
                        "1",
                        "--json");
        assumeThat(status).as(err.toString()).isNotEqualTo(3);
        assertThat(status).as(err.toString()).isZero();
        for (JsonNode row : new ObjectMapper().readTree(out.toString()).get("rows")) {
            assertThat(row.get("device_read_bytes").asLong()).isIn(0L, 1L << 20);
        }
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldFailWhereAFileIsNotCold() throws IOException {
        Path file = Files.write(dir.resolve("data"), new byte[100_000]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MappedByteBuffer mapped =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()).load();
            int status = run(file.toString(), "-i", "read", "--runs", "1");
            // In memory it is refused before.
            assertThat(status).isEqualTo(PageCache.isInMemory(dir) ? 2 : 3);
            assertThat(mapped.get(0)).isZero();
        }
        assertThat(err.toString()).contains("cold", "--warm");
        assertThat(out.toString()).isEmpty();
        assertThat(left()).containsExactly(file);
    }

    @Test
    void shouldNeverWriteToAFileThatIsThere() throws IOException {
        byte[] bytes = new byte[10_000];
        new Random(3).nextBytes(bytes);
        Path file = Files.write(dir.resolve("a file"), bytes);
        Path link = Files.createSymbolicLink(dir.resolve("link"), file);
        Path dangling = Files.createSymbolicLink(dir.resolve("dangling"), dir.resolve("none"));
        for (Path name : List.of(file, link, dangling)) {
            assertThat(run("-f", name.toString())).isEqualTo(2);
            assertThat(run(name.toString(), "-i", "read,random-write")).isEqualTo(2);
        }
        assertThat(err.toString()).contains("a file: is there already", "only tests that read");
        assertThat(run("-f", file.toString(), "-i", "read", "--verify")).isEqualTo(2);
        assertThat(run("-f", file.toString(), "-i", "read", "-s", "10k")).isEqualTo(2);
        assertThat(err.toString()).contains("-s 10k: the file has 10000b only");
        assertThat(run("-f", dangling.toString(), "-i", "read", "--warm")).isEqualTo(1);
        assertThat(file).hasBinaryContent(bytes);
        assertThat(dir.resolve("none")).doesNotExist();

        JsonNode all =
                new ObjectMapper()
                        .readTree(
                                output(
                                        "-f",
                                        link.toString(),
                                        "-i",
                                        "read,backward",
                                        "--warm",
                                        "-r",
                                        "3000b",
                                        "--runs",
                                        "1",
                                        "--pf",
                                        "--json"));
        assertThat(all.get("rows")).hasSize(4);
        assertThat(all.get("rows").get(0).get("file_bytes").asLong()).isEqualTo(9000);
        assertThat(file).hasBinaryContent(bytes);
        assertThat(left()).containsExactlyInAnyOrder(file, link, dangling);
    }

    private String output(String... args) {
        out.getBuffer().setLength(0);
        err.getBuffer().setLength(0);
        assertThat(run(args)).as(err.toString()).isZero();
        return out.toString();
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
    void shouldWriteReportsWhereTheyAreWanted() throws IOException {
        Path report = dir.resolve("report.csv");
        Path columns = dir.resolve("columns.dat");
        Path stats = dir.resolve("stats");
        Path picture = dir.resolve("picture.svg");
        output(
                dir.toString(),
                "-i",
                "write",
                "-s",
                "64k",
                "-r",
                "4k,16k,1m",
                "--warm",
                "--runs",
                "1",
                "--config",
                "plain=",
                "--config",
                "t=[ trace/stats ]",
                "--csv",
                "-o",
                report.toString(),
                "--gnuplot",
                columns.toString(),
                "--plot",
                picture.toString(),
                "--reports",
                stats.toString());
        assertThat(out.toString()).isEmpty();
        assertThat(Files.readAllLines(report)).hasSize(5);
        assertThat(Files.readString(columns)).contains("# t, file 64k\nreclen write write_least");
        assertThat(stats.resolve("t-64k-16k-1.stats")).content().contains("bench.dat");
        assertThat(left()).containsExactlyInAnyOrder(report, columns, stats, picture);
    }

    @Test
    void shouldRefuseWhatCannotBeDone() throws IOException {
        String place = dir.toString();
        assertThat(run(place, "-s", "64k", "-r", "1m")).isEqualTo(2);
        assertThat(run(place, "-s", "4000t")).isEqualTo(2);
        assertThat(run(place, "--warm", "--shared", "-t", "9", "-s", "32k")).isEqualTo(2);
        assertThat(run(place, "--warm", "-I", "-r", "1000b")).isEqualTo(2);
        assertThat(run(place, "-r", "2g", "-s", "4g")).isEqualTo(2);
        assertThat(run(dir.resolve("absent/file").toString())).isEqualTo(2);
        assertThat(run("-f", place)).isEqualTo(2);
        assertThat(run(place, "--plot", "a.pdf")).isEqualTo(2);
        assertThat(run(place, "-f", place)).isEqualTo(2);
        assertThat(err.toString())
                .contains(
                        "-r 1m is more than -s 64k",
                        "needed",
                        "fewer records of 4k than there are threads",
                        "-r 1000b is no multiple of",
                        "-r 2g: at most 1g",
                        "there is no such directory",
                        "is a directory",
                        "a.pdf: name a file that ends in .svg",
                        "exclude each other");
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldRemoveEverythingWhenItIsStopped() throws Exception {
        Path log = Files.createTempFile("bench", ".log");
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
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
        while (process.isAlive() && !isWritten()) {
            LockSupport.parkNanos(1_000_000);
        }
        List<ProcessHandle> workers = process.children().toList();
        assertThat(process.isAlive()).as(Files.readString(log)).isTrue();
        process.destroy();
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(workers).isNotEmpty().noneMatch(ProcessHandle::isAlive);
        assertThat(left()).isEmpty();
        assertThat(log).content().isEmpty();
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
                // Not yet, or between two tests.
            }
        }
        return false;
    }
}
