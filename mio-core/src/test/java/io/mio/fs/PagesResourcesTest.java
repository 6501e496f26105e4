package io.mio.fs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.stack.StackBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What files with pages take from the process, and that they give it back. */
@Tag("backends")
class PagesResourcesTest {
    private static final int OPENS = 10_000;

    @TempDir Path directory;

    private static FileOpener opener(String layers) {
        return new FileOpener(
                StackBuilder.load(
                        Map.of("files", "* [ " + layers + " ]"), FileSystems.getDefault()));
    }

    /** The number of descriptors of this process on the file, whatever its name is by now. */
    static long descriptors(Path file) throws IOException {
        Path real = file.toRealPath();
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(each -> leadsTo(each, real)).count();
        }
    }

    private static boolean leadsTo(Path descriptor, Path file) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file);
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void shouldGiveBackEveryDescriptorOfManyOpens() throws Exception {
        Path file = Files.write(directory.resolve("file"), new byte[10_000]);
        FileOpener buffered = opener("pf/global=30");
        FileOpener direct = opener("trace | pf/direct/global=31 | trace");
        for (int i = 0; i < OPENS; i++) {
            FileOpener opener = i % 2 == 0 ? buffered : direct;
            if (i % 10 == 8) {
                try (InputStream in = opener.newInputStream(file)) {
                    assertThat(in.read()).isEqualTo(0);
                }
            } else if (i % 10 == 9) {
                try (AsynchronousFileChannel channel =
                        opener.newAsynchronousFileChannel(file, Set.of(READ), null)) {
                    assertThat(channel.size()).isEqualTo(10_000);
                }
            } else {
                try (FileChannel channel = opener.newFileChannel(file, Set.of(READ, WRITE))) {
                    assertThat(channel.read(ByteBuffer.allocate(10), i % 5000)).isEqualTo(10);
                }
            }
        }
        assertThat(descriptors(file)).isZero();
    }

    @Test
    void shouldServeFilesInMemoryWithoutDirectRequests() throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeTrue(
                Files.isWritable(memory) && Files.getFileStore(memory).type().equals("tmpfs"),
                "no tmpfs at /dev/shm");
        Path file = Files.createTempFile(memory, "mio", ".dat");
        byte[] bytes = TwinFiles.bytes(300_000, 5);
        try {
            FileOpener opener = opener("trace | pf/cache=64k/page=8k/direct/private | trace");
            try (FileChannel channel = opener.newFileChannel(file, Set.of(CREATE, READ, WRITE))) {
                channel.write(ByteBuffer.wrap(bytes));
                ByteBuffer back = ByteBuffer.allocate(bytes.length);
                for (int at = bytes.length - 7000; at > -7000; at -= 7000) {
                    int from = Math.max(at, 0);
                    channel.read(back.limit(at + 7000).position(from), from);
                }
                assertThat(back.array()).isEqualTo(bytes);
            }
            assertThat(file).hasBinaryContent(bytes);
        } finally {
            Files.delete(file);
        }
    }
}
