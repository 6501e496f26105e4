package io.mio.os;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Calls of the last layer that the doors do not make themselves, but layers above it may. */
class OsLayerTest {
    @TempDir private Path directory;
    private Path file;

    @BeforeEach
    void makeFile() throws IOException {
        file = Files.writeString(directory.resolve("file"), "0123456789");
    }

    private OsLayer channel(boolean truncates) throws IOException {
        PlatformFile platform = new PlatformFile(FileChannel.open(file, READ, WRITE));
        return OsLayer.ofChannel(platform, "os", truncates);
    }

    private OsLayer asynchronous(boolean truncates) throws IOException {
        return OsLayer.ofAsynchronous(
                AsynchronousFileChannel.open(file, READ, WRITE), "os", truncates);
    }

    @Test
    void shouldIssueTruncationsOnlyWhereTheRuleWantsThem() throws IOException {
        OsLayer[] leaving = {channel(false), asynchronous(false)};
        for (OsLayer os : leaving) {
            os.truncate(5);
            os.close();
            assertThat(file).hasSize(10);
        }
        OsLayer os = channel(true);
        os.truncate(5);
        os.close();
        assertThat(file).hasSize(5);
        os = asynchronous(true);
        os.truncate(3);
        os.close();
        assertThat(file).hasSize(3);
    }

    @Test
    void shouldDoARequestOfALayerInItsOwnThreadOverAChannel() throws Exception {
        OsLayer os = channel(true);
        ByteBuffer buffer = ByteBuffer.allocate(4);
        IoRequest read = IoRequest.read(buffer, 3, done -> {});
        os.submit(read);
        os.await(read, read::await);
        assertThat(read.isDone()).isTrue();
        assertThat(read.delivered()).isEqualTo(4);
        assertThat(buffer.array()).asString().isEqualTo("3456");
        os.close();

        IoRequest late = IoRequest.read(buffer.clear(), 0, done -> {});
        os.submit(late);
        assertThat(late.error()).isInstanceOf(IOException.class);
    }

    @Test
    void shouldReadAndWriteInTurnOverAnAsynchronousChannel() throws IOException {
        OsLayer os = asynchronous(true);
        assertThat(os.write(ByteBuffer.wrap(new byte[] {'a', 'b'}), 9)).isEqualTo(2);
        ByteBuffer buffer = ByteBuffer.allocate(3);
        assertThat(os.read(buffer, 8)).isEqualTo(3);
        assertThat(buffer.array()).asString().isEqualTo("8ab");
        assertThat(os.read(buffer.clear(), 11)).isEqualTo(-1);
        os.close();
        assertThatThrownBy(() -> os.read(buffer.clear(), 0)).isInstanceOf(IOException.class);
    }

    @Test
    void shouldWaitOutAnInterruptAndKeepIt() throws IOException {
        OsLayer os = asynchronous(true);
        ByteBuffer buffer = ByteBuffer.allocate(10);
        Thread.currentThread().interrupt();
        try {
            assertThat(os.read(buffer, 0)).isEqualTo(10);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
            os.close();
        }
    }

    private void append(char letter) throws IOException {
        PlatformFile platform = new PlatformFile(FileChannel.open(file, WRITE, APPEND));
        OsLayer os = OsLayer.ofBackend(FakeBackend.open(file, false), platform, "os", true);
        byte[] bytes = {(byte) letter, (byte) letter};
        for (int i = 0; i < 2000; i++) {
            ByteBuffer[] srcs = {ByteBuffer.wrap(bytes), ByteBuffer.wrap(bytes)};
            assertThat(os.write(srcs, 0, 2, Layer.APPEND)).isEqualTo(4);
        }
        os.close();
        platform.channel().close();
    }

    @Test
    void shouldAppendSeveralBuffersInOneCallOverABackend() throws Exception {
        FutureTask<Void> other =
                new FutureTask<>(
                        () -> {
                            append('b');
                            return null;
                        });
        new Thread(other).start();
        append('a');
        other.get();
        assertThat(Files.readString(file).substring(10)).matches("(?:aaaa|bbbb)++");
    }

    @Test
    void shouldTellWhatWasMovedBeforeALaterBufferFailed() throws IOException {
        FailingBackend.Faults faults = new FailingBackend.Faults();
        faults.reads = "bad sector";
        faults.writes = "disk full";
        faults.from = 5;
        FailingBackend failing = new FailingBackend(FakeBackend.open(file, false), faults);
        OsLayer os = OsLayer.ofBackend(failing, null, "os", true);
        ByteBuffer[] two = {ByteBuffer.allocate(4), ByteBuffer.allocate(4)};
        assertThat(os.read(two, 0, 2, 0)).isEqualTo(4);
        assertThatThrownBy(() -> os.read(two, 0, 2, 4)).hasMessage("bad sector");
        two[0].clear();
        assertThat(os.write(two, 0, 2, 0)).isEqualTo(4);
        assertThatThrownBy(() -> os.write(two, 0, 2, 4)).hasMessage("disk full");
        assertThat(two[1].position()).isZero();
        os.close();
    }

    /** A stream that takes no bytes while {@code fails} is set. */
    private static final class Stream extends ByteArrayOutputStream {
        boolean fails;

        @Override
        public synchronized void write(byte[] bytes, int from, int count) {
            if (fails) {
                throw new UncheckedIOException(new IOException("disk full"));
            }
            super.write(bytes, from, count);
        }
    }

    @Test
    void shouldWriteInOrderToAStreamUntilItsPlaceIsLost() throws IOException {
        Stream stream = new Stream();
        OsLayer os = OsLayer.ofOutput(stream, "os", 3, () -> -1);
        ByteBuffer direct = ByteBuffer.allocateDirect(3).put((byte) 'c').flip();
        assertThat(os.isInOrder()).isTrue();
        assertThat(os.write(ByteBuffer.wrap(new byte[] {'-', 'a', 'b'}, 1, 2), 0)).isEqualTo(2);
        assertThat(os.size()).isEqualTo(3);
        assertThat(os.write(direct, 2)).isEqualTo(1);
        assertThat(direct.hasRemaining()).isFalse();
        assertThat(os.write(ByteBuffer.wrap(new byte[] {'d'}), 3)).isEqualTo(1);
        assertThat(os.size()).isEqualTo(4);
        assertThatThrownBy(() -> os.write(ByteBuffer.allocate(1), 9))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("at offset 9, but this stream is at 4");
        assertThat(os.knowsPlace()).isTrue();

        stream.fails = true;
        assertThatThrownBy(() -> os.write(ByteBuffer.allocate(1), 4)).hasMessageContaining("full");
        assertThat(os.knowsPlace()).isFalse();
        stream.fails = false;
        assertThat(os.write(ByteBuffer.wrap(new byte[] {'e'}), 9)).isEqualTo(1);
        assertThat(stream).hasToString("abcde");
        os.close();
    }

    @Test
    void shouldTellTheSizeOfAStreamsFile() throws IOException {
        OsLayer unknown = OsLayer.ofOutput(new Stream(), "os", 10, () -> -1);
        assertThat(unknown.write(ByteBuffer.allocate(2), Layer.APPEND)).isEqualTo(2);
        assertThat(unknown.size()).isEqualTo(12);
        assertThat(OsLayer.ofOutput(new Stream(), "os", 10, () -> 0).size()).isZero();
        OsLayer in = OsLayer.ofInput(Files.newInputStream(file), "os");
        ByteBuffer direct = ByteBuffer.allocateDirect(4);
        assertThat(in.read(direct, 3)).isEqualTo(4);
        assertThat(in.size()).isEqualTo(10);
        assertThat(in.read(ByteBuffer.allocate(1), 50)).isEqualTo(-1);
        assertThat(in.read(ByteBuffer.allocate(0), 50)).isZero();
        assertThat(in.read(direct.clear(), 8)).isEqualTo(2);
        assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {'8', '9'}));
        assertThat(in.size()).isEqualTo(10);

        // The file holds more bytes than a stream can report as available.
        try (FileChannel channel = FileChannel.open(file, WRITE)) {
            channel.write(ByteBuffer.allocate(1), 3L << 30);
        }
        assertThat(in.read(direct.clear().limit(2), 0)).isEqualTo(2);
        assertThat(in.size()).isEqualTo((3L << 30) + 1);
        assertThat(in.read(direct.clear().limit(2), 2)).isEqualTo(2);
        assertThat(direct.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {'2', '3'}));
        in.close();
    }
}
