package io.mio.fs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.stack.StackBuilder;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of the kernel that are reached by links, so that their names do not tell. */
class PassedPlaceTest {
    @TempDir Path dir;

    @BeforeEach
    void need() {
        assumeTrue(Files.isReadable(Path.of("/proc/self/smaps")), "no /proc");
    }

    @AfterEach
    void unlink() throws IOException {
        Files.deleteIfExists(dir.resolve("link"));
    }

    private Path link(String to) throws IOException {
        return Files.createSymbolicLink(dir.resolve("link"), Path.of(to));
    }

    private static FileOpener opener(String layers) {
        return new FileOpener(
                StackBuilder.load(Map.of("files", "* " + layers), FileSystems.getDefault()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[ pf ]", "[ trace ]", "[ mio/direct ]"})
    void shouldBeReadWholeThroughALink(String layers) throws Exception {
        byte[] expected;
        try (InputStream in = new FileInputStream("/proc/filesystems")) {
            expected = in.readAllBytes();
        }
        Path link = link("/proc/filesystems");
        FileOpener opener = opener(layers);
        try (FileChannel channel = opener.newFileChannel(link, Set.of(READ))) {
            assertThat(channel).isNotInstanceOf(MioFileChannel.class);
        }
        try (InputStream in = opener.newInputStream(link)) {
            assertThat(in).isNotInstanceOf(MioInputStream.class);
            assertThat(in.readAllBytes()).isEqualTo(expected);
        }
        try (FileSystem mio =
                FileSystems.newFileSystem(
                        URI.create("mio://place/"), Map.of("files", "* " + layers))) {
            Path path = mio.getPath(link.toString());
            assertThat(Files.readAllBytes(path)).isEqualTo(expected);
            assertThat(String.join("\n", Files.readAllLines(path)) + "\n")
                    .isEqualTo(new String(expected, UTF_8));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[ pf ]", "[ trace ]"})
    void shouldBeWrittenThroughALinkByThePlatform(String layers) throws Exception {
        Path link = link("/proc/self/oom_score_adj");
        String now = Files.readString(link);
        FileOpener opener = opener(layers);
        try (OutputStream out = opener.newOutputStream(link)) {
            assertThat(out).isNotInstanceOf(MioOutputStream.class);
            out.write(now.getBytes(UTF_8));
        }
        assertThat(Files.readString(link)).isEqualTo(now);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[ pf ]", "[ trace ]"})
    void shouldNotBeTakenForEmptyFilesOfOthers(String layers) throws Exception {
        Path disk = Files.createFile(dir.resolve("empty"));
        Path memory = Path.of("/dev/shm/mio-empty-" + dir.hashCode());
        FileOpener opener = opener(layers);
        try (FileChannel onDisk = opener.newFileChannel(disk, Set.of(READ, WRITE))) {
            assertThat(onDisk).isInstanceOf(MioFileChannel.class);
        }
        assumeTrue(Files.isWritable(memory.getParent()), "no /dev/shm");
        Files.createFile(memory);
        try (FileChannel inMemory = opener.newFileChannel(memory, Set.of(READ, WRITE))) {
            assertThat(inMemory).isInstanceOf(MioFileChannel.class);
        } finally {
            Files.delete(memory);
        }
    }
}
