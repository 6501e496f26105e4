package io.mio.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.layer.KernelCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Readahead in large folios, on the file system of the build. */
class NativeKernelCacheTest {
    private static final int MIB = 1 << 20;
    private static final int SIZE = 16 * MIB;

    @TempDir private Path dir;
    private byte[] content;
    private FileChannel channel;
    private KernelCache cache;

    @BeforeEach
    void open() throws IOException {
        content = new byte[SIZE];
        new Random(11).nextBytes(content);
        Path path = Files.write(dir.resolve("file"), content);
        channel = FileChannel.open(path, StandardOpenOption.READ);
        cache = Backends.kernelCache(channel);
    }

    @AfterEach
    void close() throws IOException {
        cache.close();
        channel.close();
    }

    /** Other threads of the process may open and close other files meanwhile. */
    private long descriptors() throws IOException {
        return OwnFiles.descriptors(dir.resolve("file"));
    }

    @Test
    void shouldHoldTwoDescriptorsUntilItIsClosed() throws IOException {
        long before = descriptors();
        assumeTrue(cache.hasFolios(), "the kernel keeps no files here in large folios");
        assertThat(cache.hasFolios()).isTrue();
        assertThat(descriptors()).isEqualTo(before + 2);
        cache.close();
        assertThat(descriptors()).isEqualTo(before);
    }

    @Test
    void shouldOpenNothingOnceItIsClosed() throws IOException {
        long before = descriptors();
        cache.close();
        assertThat(cache.hasFolios()).isFalse();
        assertThat(descriptors()).isEqualTo(before);
    }

    @Test
    void shouldReadWhatItIsToldOf() throws IOException {
        assumeTrue(cache.has(0, 1) != KernelCache.UNKNOWN, "the kernel does not tell what it has");
        channel.force(true);
        drop();
        assumeTrue(cache.has(4 * MIB, 1) == 0, "the file cannot be put out of the kernel's cache");
        assertThat(cache.readFoliosAhead(4 * MIB, 3 * MIB)).isTrue();
        assertThat(cache.has(4 * MIB, 3 * MIB)).isEqualTo(1);
        assertThat(cache.has(7 * MIB, 1)).isZero();
        assertThat(cache.has(4 * MIB - 1, 1)).isZero();
        ByteBuffer read = ByteBuffer.allocate(3 * MIB);
        while (read.hasRemaining()) {
            assertThat(channel.read(read, 4 * MIB + read.position())).isPositive();
        }
        assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(content, 4 * MIB, 3 * MIB));
    }

    /** Drops the file, written and synced, from the kernel's page cache, as far as that can be. */
    private void drop() throws IOException {
        Process dd =
                new ProcessBuilder("dd", "if=" + dir.resolve("file"), "iflag=nocache", "count=0")
                        .redirectErrorStream(true)
                        .start();
        try {
            dd.getInputStream().readAllBytes();
            assumeTrue(dd.waitFor() == 0, "there is no dd of GNU here");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }
}
