package io.mio.fs;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.Mio;
import io.mio.layer.NoKernelCache;
import io.mio.os.Backends;
import io.mio.pf.CachedFiles;
import io.mio.stats.AutoSnapshot;
import io.mio.stats.StatsBlock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file of random bytes that nobody has changed for a while, and opens of it under {@code
 * pf/auto}.
 */
abstract class AutoPagesFixture {
    static final int SIZE = 1_000_003;

    static final String SMALL =
            "63 of 64 requests were small (at most 100 bytes) and near each other";

    /** A number of reads that takes more than one look. */
    static final int READS = 100;

    @TempDir Path dir;
    Path path;
    byte[] content;
    final FileOpener opener = TestStack.AUTO.opener();

    @BeforeEach
    void fill() throws IOException {
        content = new byte[SIZE];
        new Random(7).nextBytes(content);
        path = dir.resolve("records");
        // MIO makes the file, as its inode may be that of another test's file that is mapped still.
        try (FileChannel channel = open(CREATE_NEW, WRITE)) {
            channel.write(ByteBuffer.wrap(content));
        }
        try (FileChannel channel = FileChannel.open(path)) {
            assumeTrue(
                    !(Backends.kernelCache(channel) instanceof NoKernelCache),
                    "the kernel's cache of this file system is not to be told of anything");
        }
        OldFile.await(path);
    }

    FileChannel open(OpenOption... options) throws IOException {
        return opener.newFileChannel(path, Set.of(options));
    }

    /** Opens the file, and reads until it has pages. */
    FileChannel paged(OpenOption... options) throws IOException {
        FileChannel channel = open(options);
        small(channel);
        assertThat(hasPages()).isTrue();
        return channel;
    }

    /** What the opens of the file decided about pages, without what the kernel is told. */
    List<String> decisions() {
        return decisions(path);
    }

    /** What the opens of this file decided about pages. */
    static List<String> decisions(Path path) {
        List<String> found = new ArrayList<>();
        for (StatsBlock block : Mio.snapshots()) {
            if (block instanceof AutoSnapshot auto && auto.file().equals(path.toString())) {
                auto.decisions().stream()
                        .filter(one -> one.what().contains("pages"))
                        .forEach(one -> found.add(one.what() + ": " + one.reason()));
            }
        }
        return found;
    }

    boolean hasPages() {
        return CachedFiles.find(FileFacts.key(path)) != null;
    }

    void small(FileChannel channel) throws IOException {
        for (int i = 0; i < READS; i++) {
            check(channel, i * 100L, 100);
        }
    }

    void check(FileChannel channel, long offset, int bytes) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(bytes);
        int there = (int) Math.max(0, Math.min(bytes, content.length - offset));
        assertThat(channel.read(read, offset)).isEqualTo(there == 0 ? -1 : there);
        assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(content, (int) offset, there));
    }

    void write(FileChannel channel, long offset, int bytes) throws IOException {
        byte[] fresh = new byte[bytes];
        new Random(offset).nextBytes(fresh);
        content = Arrays.copyOf(content, (int) Math.max(content.length, offset + bytes));
        System.arraycopy(fresh, 0, content, (int) offset, bytes);
        assertThat(channel.write(ByteBuffer.wrap(fresh), offset)).isEqualTo(bytes);
    }

    /** Makes the file {@code times} times as long. */
    void lengthen(int times) throws IOException {
        content = Arrays.copyOf(content, times * SIZE);
        Files.write(path, content);
        OldFile.await(path);
    }
}
