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
import java.util.Set;
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
        assertThat(err.toString().lines())
                .as("but of variables that are set here")
                .allMatch(line -> line.contains("workers do not get"));
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

    private static String[] with(String[] args, String... more) {
        return Stream.concat(Stream.of(args), Stream.of(more)).toArray(String[]::new);
    }

    /** One run of a file of 1 MiB, which is cold unless more is said. */
    private String[] megabyte(String... more) {
        return with(
                new String[] {dir.toString(), "-s", "1m", "-r", "64k", "--runs", "1", "--json"},
                more);
    }

    /** File systems whose reads the kernel counts for the process that reads. */
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
        assertThat(run("-f", dangling.toString(), "-i", "read", "--warm")).isEqualTo(2);
        assertThat(err.toString()).contains("dangling: is a link that leads nowhere");
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
    void shouldNeverReplaceWhatHasTheNameOfAReport() throws IOException {
        Path victim = Files.writeString(dir.resolve("victim"), "of the user");
        Path reports = Files.createDirectory(dir.resolve("reports"));
        Path second = reports.resolve("t-64k-16k-2.stats");
        String[] common = {
            dir.toString(),
            "-i",
            "write",
            "-s",
            "64k",
            "-r",
            "16k",
            "--warm",
            "--runs",
            "2",
            "--config",
            "t=[ trace/stats ]",
            "--reports",
            reports.toString()
        };
        Files.createSymbolicLink(second, victim);
        assertThat(run(common)).isEqualTo(2);
        Files.delete(second);
        Files.createSymbolicLink(second, dir.resolve("nowhere"));
        assertThat(run(common)).isEqualTo(2);
        Files.delete(second);
        Files.writeString(second, "of the user");
        assertThat(run(common)).isEqualTo(2);
        assertThat(second).hasContent("of the user");
        Path process = reports.resolve("t-64k-16k-1.stats.1");
        Files.move(second, process);
        assertThat(run(with(common, "-t", "2", "--processes"))).isEqualTo(2);
        assertThat(err.toString().lines().filter(line -> line.startsWith("mio bench: ")))
                .hasSize(4)
                .allMatch(line -> line.contains(" is there already; name another directory"));
        assertThat(left()).containsExactlyInAnyOrder(victim, reports);
        Files.delete(process);
        output(common);
        assertThat(reports.resolve("t-64k-16k-1.stats")).content().contains("bench.dat");
        assertThat(second).content().contains("bench.dat");
        assertThat(victim).hasContent("of the user");
        assertThat(left()).containsExactlyInAnyOrder(victim, reports);
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
    void shouldShowADirectoryWithoutItsDot() throws IOException {
        JsonNode all =
                measured(dir + "/./", "-i", "write", "-s", "4k", "--warm", "--runs", "1", "--json");
        assertThat(all.get("files").get(0).asText())
                .startsWith(dir + "/mio-bench-")
                .endsWith("/bench.dat");
    }

    @Test
    void shouldLoseNothingWithAnOutputThatFails() throws IOException {
        Path full = Path.of("/dev/full");
        assumeThat(Files.isWritable(full)).isTrue();
        Path columns = dir.resolve("columns");
        Path picture = dir.resolve("picture.svg");
        assertThat(
                        run(
                                dir.toString(),
                                "-i",
                                "write",
                                "-s",
                                "16k",
                                "--warm",
                                "--runs",
                                "1",
                                "-o",
                                full.toString(),
                                "--plot",
                                picture.toString(),
                                "--gnuplot",
                                columns.toString()))
                .isEqualTo(1);
        assertThat(out.toString()).contains("write ", "16k");
        assertThat(err.toString().lines().filter(line -> line.startsWith("mio bench: /dev/full")))
                .singleElement()
                .asString()
                .contains("/dev/full: cannot be written: ");
        assertThat(columns).content().contains("reclen");
        assertThat(left()).containsExactlyInAnyOrder(columns, picture);
    }

    @Test
    void shouldRefuseWhatCannotBeDone() throws IOException {
        String place = dir.toString();
        assertThat(run(place, "-s", "64k", "-r", "1m")).isEqualTo(2);
        assertThat(run(place, "-s", "4000t")).isEqualTo(2);
        assertThat(run(place, "--warm", "--shared", "-t", "9", "-s", "32k")).isEqualTo(2);
        assertThat(run(place, "-I", "-r", "1000b")).isEqualTo(2);
        assertThat(run(place, "-I", "--warm")).isEqualTo(2);
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
                        "-I and --warm exclude each other",
                        "-r 2g: at most 1g",
                        "there is no such directory",
                        "is a directory",
                        "a.pdf: name a file that ends in .svg",
                        "exclude each other");
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldRefuseReportsThatWouldReplaceWhatIsMeasured() throws IOException {
        Path data = Files.write(dir.resolve("data"), new byte[10_000]);
        Path link = Files.createSymbolicLink(dir.resolve("link"), data);
        Path hard = Files.createLink(dir.resolve("hard.svg"), data);
        Path around = Files.createSymbolicLink(dir.resolve("around"), dir);
        for (Path name : List.of(data, link, hard, around.resolve("data"))) {
            assertThat(run("-f", data.toString(), "-i", "read", "-o", name.toString()))
                    .isEqualTo(2);
            assertThat(run("-f", data.toString(), "-i", "read", "--gnuplot", name.toString()))
                    .isEqualTo(2);
        }
        assertThat(run("-f", data.toString(), "-i", "read", "--plot", hard.toString()))
                .isEqualTo(2);
        // Of names where nothing is yet, too.
        assertThat(run("-f", dir + "/new", "-t", "2", "-o", around + "/new.1")).isEqualTo(2);
        assertThat(err.toString().lines().filter(line -> line.startsWith("mio bench: ")))
                .hasSize(10)
                .allMatch(line -> line.endsWith("is the file that is measured; name another one"));
        assertThat(run(dir.toString(), "-o", dir + "/same", "--gnuplot", around + "/same"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("is the same file as -o ");
        assertThat(run(dir.toString(), "--plot", dir + "/a.svg", "--plot", dir + "/a.svg"))
                .isEqualTo(2);
        Path reports = dir.resolve("reports");
        assertThat(run("--reports", reports.toString(), "-o", reports + "/pf-64m-4k-1.stats"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("may be the name of a report of MIO");
        assertThat(data).hasBinaryContent(new byte[10_000]);
        assertThat(left()).containsExactlyInAnyOrder(data, link, hard, around, reports);
    }

    @Test
    void shouldTryOutputsBeforeItMeasures() throws IOException {
        Path data = Files.write(dir.resolve("data"), new byte[10_000]);
        for (String option : List.of("-o", "--gnuplot", "--plot")) {
            assertThat(run("-f", data.toString(), option, dir + "/absent/out.svg", "-i", "read"))
                    .isEqualTo(1);
        }
        assertThat(err.toString().lines())
                .hasSize(3)
                .allMatch(line -> line.contains("absent/out.svg: cannot be written"));
        assertThat(out.toString()).isEmpty();
        assertThat(left()).containsExactly(data);
    }

    @Test
    void shouldRefuseWhatIsNoRegularFile() throws Exception {
        Path pipe = dir.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        for (String name : List.of(pipe.toString(), "/dev/zero")) {
            assertThat(run("-f", name, "-i", "read")).isEqualTo(2);
            assertThat(run("-f", name)).isEqualTo(2);
        }
        assertThat(err.toString().lines().filter(line -> line.startsWith("mio bench: ")))
                .hasSize(4)
                .allMatch(
                        line -> line.endsWith(" is a pipe, socket or device; name a regular file"));
        assertThat(left()).containsExactly(pipe);
    }

    /** Behind a link, not that of the link. */
    @Test
    void shouldTellTheFileSystemOfTheFile() throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeThat(Files.isWritable(memory) && PageCache.isInMemory(memory)).isTrue();
        assumeThat(PageCache.isInMemory(dir)).as("%s is in memory", dir).isFalse();
        Path file = Files.write(Files.createTempFile(memory, "bench", ""), new byte[10_000]);
        try {
            Path link = Files.createSymbolicLink(dir.resolve("link"), file);
            assertThat(run(link.toString(), "-i", "read")).isEqualTo(2);
            assertThat(err.toString()).contains("files there are in memory and never cold");
            err.getBuffer().setLength(0);
            JsonNode all =
                    measured(link.toString(), "-i", "read", "--warm", "--runs", "1", "--json");
            assertThat(all.get("machine").get("file_system").asText()).isEqualTo("tmpfs");
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void shouldRefuseOneFileForTwoWorkers() throws IOException {
        Path file = Files.write(dir.resolve("a"), new byte[10_000]);
        Path link = Files.createSymbolicLink(dir.resolve("b"), file);
        String[] common = {"-i", "read", "-t", "2", "-F"};
        assertThat(run(with(common, file.toString(), file.toString()))).isEqualTo(2);
        assertThat(run(with(common, file.toString(), link.toString()))).isEqualTo(2);
        assertThat(run(with(common, dir + "/new", dir + "/./new"))).isEqualTo(2);
        assertThat(err.toString().lines().filter(line -> line.startsWith("mio bench: ")))
                .hasSize(3)
                .allMatch(line -> line.contains(" are the same file; "));
        assertThat(left()).containsExactlyInAnyOrder(file, link);
    }

    /** Each process has a cache of its own: what one writes must not be undone by another. */
    @Test
    void shouldRefusePartsOfAFileThatShareAPageOfTwoCaches() throws IOException {
        String[] common = {
            dir.toString(), "--shared", "--processes", "-t", "2", "--warm", "--runs", "1", "-c"
        };
        assertThat(run(with(common, "-s", "96k", "-r", "4k", "--pf=cache=256k/page=32k")))
                .isEqualTo(2);
        assertThat(err.toString()).contains("48k, where a part", "a page of pf (32k)");
        assertThat(left()).isEmpty();
        err.getBuffer().setLength(0);
        JsonNode all =
                measured(
                        with(
                                common,
                                "-s",
                                "128k",
                                "-r",
                                "4k",
                                "--pf=cache=256k/page=32k/direct",
                                "--verify",
                                "--json"));
        checkRows(all, 1, 131_072, 4096);
    }

    @Test
    void shouldTakeTheWordBehindAShortConfigurationForTheFile() throws IOException {
        Path file = dir.resolve("data");
        assertThat(run("--trace", "--pf", file.toString(), "-i", "0", "-s", "4k", "-r", "1m"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("-r 1m is more than -s 4k");
        assertThat(left()).isEmpty();
    }

    @Test
    void shouldSayThatOneRunTellsNothingOfChance() throws IOException {
        String[] common = {
            dir.toString(),
            "-i",
            "write",
            "-s",
            "16k",
            "--warm",
            "--runs",
            "1",
            "--config",
            "a=",
            "--config",
            "b="
        };
        assertThat(output(common))
                .contains("One run of each: nothing is known of the spread")
                .containsPattern("write +16k +4k +b +[0-9.]+ +- +- +~[0-9.]+x")
                .containsPattern("write +16k +4k +b +[0-9.]+ +- +- +[0-9.]+ +[0-9.]+ [KM]?i?B");
        JsonNode rows = new ObjectMapper().readTree(output(with(common, "--json"))).get("rows");
        assertThat(rows.get(1).get("ratio_may_be_chance").asBoolean()).isTrue();
        assertThat(rows.get(1).get("spread_known").asBoolean()).isFalse();
        assertThat(output(with(common, "--csv")).lines().findFirst())
                .hasValueSatisfying(line -> assertThat(line).contains(",spread_known,"));
    }

    /** The system's exceptions have the name alone for a message. */
    @Test
    void shouldSayWhyAFileCannotBeUsed() {
        assertThat(BenchCommand.reason(new java.nio.file.AccessDeniedException("/a")))
                .isEqualTo("/a: permission denied");
        assertThat(BenchCommand.reason(new java.nio.file.NoSuchFileException("/a")))
                .isEqualTo("/a: no such file or directory");
        assertThat(BenchCommand.reason(new java.io.IOException("no disk"))).isEqualTo("no disk");
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
        // Between two runs there are none.
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

    /** What the user has set for other programs. */
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
                // Not yet, or between two tests.
            }
        }
        return false;
    }
}
