package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.Callable;

/** The same file twice: opened over layers, and by the plain JDK, which is the oracle. */
final class TwinFiles implements AutoCloseable {
    final Path subject;
    final Path oracle;
    private final FileOpener opener;
    private final List<TwinChannel> channels = new ArrayList<>();

    TwinFiles(Path directory, String name, TestStack stack) {
        subject = directory.resolve(name + ".mio");
        oracle = directory.resolve(name + ".jdk");
        opener = stack.opener();
    }

    /** Gives both files these bytes. */
    TwinFiles holding(byte[] bytes) throws IOException {
        Files.write(subject, bytes);
        Files.write(oracle, bytes);
        return this;
    }

    TwinFiles holding(int bytes) throws IOException {
        return holding(bytes(bytes, 42));
    }

    static byte[] bytes(int count, long seed) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    TwinChannel open(OpenOption... options) throws IOException {
        Set<OpenOption> set = Set.of(options);
        FileChannel plain = FileChannel.open(oracle, set);
        TwinChannel channel = new TwinChannel(opener.newFileChannel(subject, set), plain);
        assertThat(channel.mio()).isInstanceOf(MioFileChannel.class);
        channels.add(channel);
        return channel;
    }

    /** Opens both and expects the same: two channels, which are closed again, or one error. */
    void openBoth(OpenOption... options) {
        Outcome expected = opened(() -> FileChannel.open(oracle, options));
        Outcome got = opened(() -> opener.newFileChannel(subject, Set.of(options)));
        assertThat(got).as("open with %s", List.of(options)).isEqualTo(expected);
        checkContents();
    }

    private static Outcome opened(Callable<FileChannel> open) {
        return Outcome.of(
                () -> {
                    open.call().close();
                    return "opened";
                });
    }

    /** Compares sizes, and bytes near the start and from 4 GiB on. */
    void checkContents() {
        try {
            assertThat(Files.exists(subject)).isEqualTo(Files.exists(oracle));
            if (!Files.exists(oracle)) {
                return;
            }
            // Shows what a program sees that asks through the provider.
            PageFiles.OF_PROCESS.publish(FileFacts.key(subject));
            long size = Files.size(oracle);
            assertThat(Files.size(subject)).as("size").isEqualTo(size);
            try (FileChannel got = FileChannel.open(subject);
                    FileChannel expected = FileChannel.open(oracle)) {
                for (long start : new long[] {0, 1L << 32}) {
                    int length = (int) Math.min(Math.max(size - start, 0), 1 << 20);
                    byte[] bytes = window(got, start, length);
                    byte[] right = window(expected, start, length);
                    int wrong = Arrays.mismatch(bytes, right);
                    assertThat(wrong)
                            .as(
                                    "first wrong byte from %d of %d: %s",
                                    start,
                                    length,
                                    wrong < 0 ? "" : bytes[wrong] + " for " + right[wrong])
                            .isEqualTo(-1);
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static byte[] window(FileChannel channel, long start, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(length);
        while (buffer.hasRemaining() && channel.read(buffer, start + buffer.position()) > 0) {}
        return buffer.array();
    }

    @Override
    public void close() throws IOException {
        for (TwinChannel channel : channels) {
            channel.close();
        }
        Files.deleteIfExists(subject);
        Files.deleteIfExists(oracle);
    }
}
