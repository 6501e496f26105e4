package io.mio.fs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.stack.StackBuilder;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Disks that are really full, through the door: what a write has accepted is there after the close,
 * and a write that does not fit reports it.
 */
@Tag("backends")
class PagesDiskFullTest {
    private static final int DISK_BYTES = 2 << 20;

    @TempDir Path directory;
    private Path disk;

    /** Mounts a small file system: tmpfs, or ext4 in a file. */
    private void mount(String type) throws Exception {
        Path place = Files.createDirectory(directory.resolve("disk"));
        boolean mounted;
        if (type.equals("tmpfs")) {
            mounted =
                    run(
                            "mount",
                            "-t",
                            "tmpfs",
                            "-o",
                            "size=" + DISK_BYTES,
                            "mio",
                            place.toString());
        } else {
            Path image = directory.resolve("image");
            Files.write(image, new byte[2 * DISK_BYTES]);
            mounted =
                    run("mkfs.ext4", "-q", "-F", "-m", "0", "-O", "^has_journal", image.toString())
                            && run("mount", "-o", "loop", image.toString(), place.toString());
        }
        assumeTrue(mounted, "a small " + type + " cannot be mounted here: that takes root");
        disk = place;
    }

    @AfterEach
    void unmount() throws Exception {
        if (disk != null) {
            assertThat(run("umount", "-l", disk.toString())).isTrue();
        }
    }

    private static boolean run(String... command) throws InterruptedException {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static FileOpener opener(String layers) {
        return new FileOpener(
                StackBuilder.load(
                        Map.of("files", "* [ " + layers + " ]"), FileSystems.getDefault()));
    }

    @ParameterizedTest
    @CsvSource({
        "tmpfs, pf/cache=1m/page=64k/private",
        "tmpfs, pf/cache=64k/page=4k/direct/private",
        "tmpfs, pf/cache=1m/page=64k/through/private",
        "ext4, pf/cache=1m/page=64k/private",
        "ext4, trace | pf/cache=256k/page=64k/direct/private | trace",
        "ext4, pf/cache=256k/page=16k/synchronous/private"
    })
    void shouldKeepAllThatWritesAcceptedAndGoOnWhenThereIsSpace(String type, String layers)
            throws Exception {
        mount(type);
        Path file = disk.resolve("file");
        Path ballast = disk.resolve("ballast");
        Files.write(ballast, new byte[DISK_BYTES / 4]);
        byte[] all = TwinFiles.bytes(4 * DISK_BYTES, 3);
        int done = 0;
        String why = "";
        try (FileChannel channel =
                opener(layers).newFileChannel(file, Set.of(CREATE, READ, WRITE))) {
            while (why.isEmpty()) {
                try {
                    done += channel.write(ByteBuffer.wrap(all, done, 10_001));
                } catch (IOException e) {
                    why = e.getMessage();
                }
            }
            assertThat(why).contains("No space left on device");
            assertThat(channel.position()).isEqualTo(done);
            assertThat(done).isGreaterThan(DISK_BYTES / 2);
            channel.force(true);
            Files.delete(ballast);
            done += channel.write(ByteBuffer.wrap(all, done, 10_001));
        }
        byte[] found = Files.readAllBytes(file);
        assertThat(found.length).isGreaterThanOrEqualTo(done);
        assertThat(Arrays.mismatch(found, 0, done, all, 0, done)).isEqualTo(-1);
        assertThat(found).hasSize(done);
    }

    /** Space is set aside when the write is accepted, not when its page goes down. */
    @ParameterizedTest
    @CsvSource({
        "tmpfs, pf/cache=1m/page=64k/private",
        "ext4, pf/cache=1m/page=64k/private",
        "ext4, pf/cache=1m/page=64k/direct/private"
    })
    void shouldNotLoseAcceptedBytesToAnotherWriter(String type, String layers) throws Exception {
        mount(type);
        Path file = disk.resolve("file");
        byte[] all = TwinFiles.bytes(300_000, 3);
        try (FileChannel channel =
                opener(layers).newFileChannel(file, Set.of(CREATE, READ, WRITE))) {
            // Holes between the pieces, so that no page becomes full and is written behind.
            for (int at = 0; at < all.length; at += 20_000) {
                assertThat(channel.write(ByteBuffer.wrap(all, at, 10_000), at)).isEqualTo(10_000);
            }
            try (FileChannel other =
                    FileChannel.open(disk.resolve("other"), Set.of(CREATE, WRITE))) {
                ByteBuffer bytes = ByteBuffer.allocate(4096);
                while (other.write(bytes.clear()) > 0) {}
                throw new AssertionError("the disk is not full");
            } catch (IOException e) {
                assertThat(e).hasMessageContaining("No space left");
            }
        }
        byte[] found = Files.readAllBytes(file);
        assertThat(found).hasSize(all.length - 10_000);
        for (int at = 0; at < all.length; at += 20_000) {
            assertThat(Arrays.mismatch(found, at, at + 10_000, all, at, at + 10_000)).isEqualTo(-1);
        }
    }
}
