package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.demo.PageCache;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What {@code mio bench} refuses to do. */
class BenchRefusalTest extends BenchFixture {
    @Test
    void shouldFailWhereAFileIsNotCold() throws IOException {
        Path file = Files.write(dir.resolve("data"), new byte[100_000]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            MappedByteBuffer mapped =
                    channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size()).load();
            int status = run(file.toString(), "-i", "read", "--runs", "1");
            // In memory, the command is refused before that.
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

    /** Each process has a cache of its own: one must not undo what another one writes. */
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

    /** The message of the system's exceptions is only the name. */
    @Test
    void shouldSayWhyAFileCannotBeUsed() {
        assertThat(BenchCommand.reason(new java.nio.file.AccessDeniedException("/a")))
                .isEqualTo("/a: permission denied");
        assertThat(BenchCommand.reason(new java.nio.file.NoSuchFileException("/a")))
                .isEqualTo("/a: no such file or directory");
        assertThat(BenchCommand.reason(new java.io.IOException("no disk"))).isEqualTo("no disk");
    }
}
