package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A block device gets layers, but no cache. The test needs the right to set up a loop device. */
class BlockDeviceTest {
    private static final int BYTES = 1 << 20;

    @TempDir Path directory;
    private byte[] content;
    private String device = "";

    @BeforeEach
    void setUp() throws Exception {
        content = new byte[BYTES];
        new Random(5).nextBytes(content);
        Path image = Files.write(directory.resolve("image"), content);
        device = said("losetup", "--find", "--show", image.toString());
        assumeTrue(device.startsWith("/dev/"), "no loop device can be set up");
    }

    @AfterEach
    void detach() throws Exception {
        if (device.startsWith("/dev/")) {
            said("losetup", "--detach", device);
        }
    }

    private static String said(String... command) throws Exception {
        try {
            Process process = new ProcessBuilder(command).start();
            String out =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor() == 0 ? out.strip() : "";
        } catch (IOException e) {
            return "";
        }
    }

    private FileSystem mio(String layers) throws IOException {
        return FileSystems.newFileSystem(
                URI.create("mio://devices/"),
                Map.of(
                        "files",
                        "* [ " + layers + " ]",
                        "stats",
                        directory.resolve("stats").toString()));
    }

    private String stats() throws IOException {
        Path stats = directory.resolve("stats");
        return Files.exists(stats) ? Files.readString(stats) : "";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "trace/stats",
                "trace/stats | pf/cache=64k/page=4k/pref=2",
                "trace/stats | pf/auto",
                "mio/cio | trace/stats"
            })
    void shouldCountWhatIsReadAndWritten(String layers) throws IOException {
        byte[] written = {1, 2, 3, 4, 5};
        try (FileSystem mio = mio(layers)) {
            Path path = mio.getPath(device);
            try (FileChannel channel =
                    FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                assertThat(channel.size()).isEqualTo(BYTES);
                assertThat(channel.write(ByteBuffer.wrap(written), 5000)).isEqualTo(5);
                System.arraycopy(written, 0, content, 5000, 5);
                ByteBuffer all = ByteBuffer.allocate(BYTES + 1);
                while (channel.read(all) > 0) {}
                assertThat(all.flip()).isEqualTo(ByteBuffer.wrap(content));
                channel.force(false);
            }
            try (InputStream in = Files.newInputStream(path)) {
                assertThat(in.readAllBytes()).isEqualTo(content);
            }
            assertThat(Files.readAllBytes(path)).isEqualTo(content);
        }
        assertThat(stats())
                .contains(device)
                .contains("current size=" + BYTES + "   max_size=" + BYTES)
                .doesNotContain("pf close for " + device);
    }

    @Test
    void shouldServeAsynchronousChannelsAndOtherNames() throws Exception {
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of(device));
        try (FileSystem mio = mio("trace/stats | pf")) {
            try (AsynchronousFileChannel channel =
                    AsynchronousFileChannel.open(mio.getPath(link.toString()))) {
                ByteBuffer some = ByteBuffer.allocate(1000);
                assertThat(channel.read(some, 123_456).get()).isEqualTo(1000);
                assertThat(some.flip()).isEqualTo(ByteBuffer.wrap(content, 123_456, 1000));
            }
        }
        assertThat(stats()).contains("Trace close : program <-> os : " + link);
    }

    @Test
    void shouldLeaveOtherDevicesAlone() throws IOException {
        try (FileSystem mio = mio("mio/direct/osync | trace/stats | pf")) {
            try (FileChannel channel =
                    FileChannel.open(mio.getPath("/dev/null"), StandardOpenOption.WRITE)) {
                assertThat(channel.write(ByteBuffer.allocate(10))).isEqualTo(10);
            }
        }
        assertThat(stats()).isEmpty();
    }
}
