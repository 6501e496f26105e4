package io.mio.fs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.os.FailingBackend;
import io.mio.pf.CachedFiles;
import io.mio.stack.StackBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors below the cache, as a program sees them through its channels. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@ValueSource(
        strings = {
            "pf/cache=64k/page=8k/private",
            "pf/cache=64k/page=8k/direct/global=20",
            "pf/cache=64k/page=8k/synchronous/global=21",
            "trace | pf/cache=64k/page=8k/listio/global=22 | trace"
        })
class PagesFaultTest {
    private static final int PAGE = 8 << 10;
    private static final String BROKEN = "Input/output error";

    @Parameter String layers;
    @TempDir Path directory;
    private final FailingBackend.Faults faults = new FailingBackend.Faults();
    private FileOpener opener;
    private Path file;

    @BeforeEach
    void makeFile() throws IOException {
        file = Files.write(directory.resolve("file"), TwinFiles.bytes(20 * PAGE, 7));
        opener =
                new FileOpener(
                        StackBuilder.load(
                                Map.of("files", "* [ " + layers + " ]"), FileSystems.getDefault()),
                        new FailingPages(faults));
    }

    @AfterEach
    void shouldHoldNoFile() throws IOException {
        assertThat(CachedFiles.find(FileFacts.key(file))).isNull();
        assertThat(PagesResourcesTest.descriptors(file)).isZero();
    }

    private FileChannel open(OpenOption... options) throws IOException {
        return opener.newFileChannel(file, Set.of(options));
    }

    private static ByteBuffer filled(int bytes, long seed) {
        return ByteBuffer.wrap(TwinFiles.bytes(bytes, seed));
    }

    private static void fails(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IOException.class).hasMessageContaining(BROKEN);
    }

    /** The file's bytes as the kernel has them. */
    private byte[] kernel(int from, int length) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        try (FileChannel plain = FileChannel.open(file)) {
            while (bytes.hasRemaining() && plain.read(bytes, from + bytes.position()) > 0) {}
        }
        return bytes.array();
    }

    @Test
    void shouldTellAFailedReadAndReadWhenTheDiskIsWellAgain() throws IOException {
        try (FileChannel channel = open(READ)) {
            faults.reads = BROKEN;
            ByteBuffer bytes = ByteBuffer.allocate(100);
            fails(() -> channel.read(bytes, 3 * PAGE));
            assertThat(bytes.position()).isZero();
            fails(() -> channel.read(bytes));
            assertThat(channel.position()).isZero();
            faults.reads = null;
            assertThat(channel.read(bytes, 3 * PAGE)).isEqualTo(100);
            assertThat(bytes.array()).isEqualTo(kernel(3 * PAGE, 100));
        }
        assertThat(faults.given).hasValueGreaterThanOrEqualTo(2);
    }

    @Test
    void shouldNotTellOfPagesThatNobodyAskedFor() throws IOException {
        try (FileChannel channel = open(READ)) {
            faults.from = 4 * PAGE;
            faults.reads = BROKEN;
            ByteBuffer bytes = ByteBuffer.allocate(4 * PAGE);
            while (bytes.hasRemaining()) {
                ByteBuffer part = bytes.slice(bytes.position(), 1000 % bytes.remaining() + 1);
                int count = channel.read(part);
                assertThat(count).isPositive();
                bytes.position(bytes.position() + count);
                if (bytes.remaining() < 1002) {
                    channel.read(bytes);
                }
            }
            assertThat(bytes.array()).isEqualTo(kernel(0, 4 * PAGE));
            fails(() -> channel.read(ByteBuffer.allocate(10)));
            faults.reads = null;
            ByteBuffer next = ByteBuffer.allocate(10);
            assertThat(channel.read(next)).isEqualTo(10);
            assertThat(next.array()).isEqualTo(kernel(4 * PAGE, 10));
        }
    }

    @Test
    void shouldTellAFailedWriteBehindToEveryOpenOnceAndKeepTheBytes() throws IOException {
        byte[] written = TwinFiles.bytes(2 * PAGE, 8);
        try (FileChannel first = open(READ, WRITE);
                FileChannel second = open(READ, WRITE)) {
            faults.writes = BROKEN;
            assertThat(first.write(ByteBuffer.wrap(written), PAGE)).isEqualTo(written.length);
            fails(() -> first.force(false));
            // The data are not dropped: they can be read, and are written once that is possible.
            ByteBuffer seen = ByteBuffer.allocate(written.length);
            assertThat(second.read(seen, PAGE)).isEqualTo(written.length);
            assertThat(seen.array()).isEqualTo(written);
            faults.writes = null;
            fails(() -> second.force(false));
            first.force(false);
            second.force(false);
            assertThat(kernel(PAGE, written.length)).isEqualTo(written);
            assertThat(first.write(filled(10, 9), 0)).isEqualTo(10);
            assertThat(second.write(filled(10, 9), 0)).isEqualTo(10);
        }
        assertThat(kernel(PAGE, written.length)).isEqualTo(written);
    }

    @Test
    void shouldTellAtTheCloseWhatCouldNotBeWrittenAndCloseAllTheSame() throws IOException {
        FileChannel channel = open(WRITE);
        FileLock lock = channel.lock();
        channel.write(filled(100, 1), 0);
        faults.writes = BROKEN;
        fails(channel::close);
        assertThat(channel.isOpen()).isFalse();
        channel.close();
        assertThat(lock.isValid()).isFalse();
        takenByAnother();
        faults.writes = null;
        // The loss was reported; the file can be used again.
        try (FileChannel again = open(READ, WRITE)) {
            assertThat(again.write(filled(100, 2), 0)).isEqualTo(100);
        }
        assertThat(kernel(0, 100)).isEqualTo(TwinFiles.bytes(100, 2));
    }

    @Test
    void shouldLeaveThePagesOfAFailedCloseToOthersThatCanWriteThem() throws IOException {
        try (FileChannel other = open(READ, WRITE)) {
            FileChannel channel = open(WRITE);
            channel.write(filled(100, 1), 0);
            faults.writes = BROKEN;
            fails(channel::close);
            faults.writes = null;
            fails(() -> other.force(false));
            other.force(false);
            assertThat(kernel(0, 100)).isEqualTo(TwinFiles.bytes(100, 1));
        }
    }

    @Test
    void shouldTellOfAFullDiskWithTheWriteThatDidNotFit() throws IOException {
        faults.reserves = "No space left on device";
        faults.writes = "No space left on device";
        faults.from = 22 * PAGE;
        try (FileChannel channel = open(READ, WRITE)) {
            channel.position(20 * PAGE);
            assertThat(channel.write(filled(2 * PAGE, 1))).isEqualTo(2 * PAGE);
            assertThatThrownBy(() -> channel.write(filled(100, 2)))
                    .hasMessageContaining("No space left on device");
            assertThat(channel.position()).isEqualTo(22 * PAGE);
            assertThat(channel.size()).isEqualTo(22 * PAGE);
        }
        assertThat(kernel(20 * PAGE, 2 * PAGE)).isEqualTo(TwinFiles.bytes(2 * PAGE, 1));
        assertThat(Files.size(file)).isEqualTo(22 * PAGE);
    }

    /** Writes more pages in one call than may be dirty; none of them can be written. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldEndAWriteThatFillsTheCacheWithPagesNobodyTakes() throws IOException {
        byte[] written = TwinFiles.bytes(20 * PAGE, 8);
        try (FileChannel channel = open(READ, WRITE)) {
            faults.writes = BROKEN;
            int done = channel.write(ByteBuffer.wrap(written), 0);
            assertThat(done).isPositive().isLessThan(written.length);
            fails(() -> channel.write(ByteBuffer.wrap(written), 0));
            faults.writes = null;
            ByteBuffer seen = ByteBuffer.allocate(done);
            assertThat(channel.read(seen, 0)).isEqualTo(done);
            assertThat(seen.array()).isEqualTo(Arrays.copyOf(written, done));
            channel.force(false);
            assertThat(kernel(0, done)).isEqualTo(Arrays.copyOf(written, done));
        }
    }

    @Test
    void shouldWriteAtOnceWhereSpaceCannotBeSetAside() throws IOException {
        faults.reserving = false;
        try (FileChannel channel = open(READ, WRITE)) {
            channel.write(filled(100, 1), 20 * PAGE);
            assertThat(kernel(20 * PAGE, 100)).isEqualTo(TwinFiles.bytes(100, 1));
            faults.writes = BROKEN;
            fails(() -> channel.write(filled(100, 2), 21 * PAGE));
            faults.writes = null;
            channel.force(false);
        }
        assertThat(Files.size(file)).isEqualTo(20 * PAGE + 100);
    }

    @Test
    void shouldTellThatTheDeviceDidNotTakeTheBytes() throws IOException {
        try (FileChannel channel = open(READ, WRITE)) {
            channel.write(filled(100, 1), 0);
            faults.flushes = BROKEN;
            fails(() -> channel.force(true));
            faults.flushes = null;
            channel.force(true);
        }
        assertThat(kernel(0, 100)).isEqualTo(TwinFiles.bytes(100, 1));
    }

    @Test
    void shouldTellThatACloseBelowFailedWithNothingLost() throws IOException {
        FileChannel channel = open(READ, WRITE);
        channel.write(filled(100, 1), 0);
        faults.closes = BROKEN;
        fails(channel::close);
        assertThat(channel.isOpen()).isFalse();
        assertThat(kernel(0, 100)).isEqualTo(TwinFiles.bytes(100, 1));
    }

    @Test
    void shouldTellAsynchronousReadersAndWriters() throws Exception {
        try (AsynchronousFileChannel channel =
                opener.newAsynchronousFileChannel(file, Set.of(READ, WRITE), null)) {
            faults.reads = BROKEN;
            assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(10), 0).get())
                    .isInstanceOf(ExecutionException.class)
                    .hasMessageContaining(BROKEN);
            faults.reads = null;
            channel.write(filled(PAGE, 1), 0).get();
            faults.writes = BROKEN;
            assertThat(channel.write(filled(PAGE, 2), 0).get()).isEqualTo(PAGE);
            fails(() -> channel.force(false));
            faults.writes = null;
            channel.force(false);
            assertThat(kernel(0, PAGE)).isEqualTo(TwinFiles.bytes(PAGE, 2));
        }
    }

    @Test
    void shouldTellWritersOfStreamsAtTheClose() throws IOException {
        OutputStream out = opener.newOutputStream(file, CREATE, WRITE);
        out.write(TwinFiles.bytes(100, 1));
        faults.writes = BROKEN;
        fails(out::close);
        faults.writes = null;
        out.close();
    }

    @Test
    void shouldMapAndTransferOnlyWhatIsWritten() throws IOException {
        FileChannel channel = open(READ, WRITE);
        try (FileChannel plain = FileChannel.open(file, WRITE)) {
            channel.write(filled(100, 1), 0);
            faults.writes = BROKEN;
            fails(() -> channel.map(FileChannel.MapMode.READ_WRITE, 0, 100));
            fails(() -> channel.transferTo(0, 100, plain));
            faults.writes = null;
            ByteBuffer map = channel.map(FileChannel.MapMode.READ_ONLY, 0, 100);
            assertThat(map).isEqualTo(filled(100, 1));
        } finally {
            // As no write, force or close has told the error yet.
            fails(channel::close);
        }
        assertThat(kernel(0, 100)).isEqualTo(TwinFiles.bytes(100, 1));
    }

    /** Locks by another channel of this process, whose locks the JVM itself keeps apart. */
    private void takenByAnother() throws IOException {
        try (FileChannel plain = FileChannel.open(file, WRITE)) {
            assertThat(plain.tryLock().isValid()).isTrue();
        }
    }

    @Test
    void shouldGiveALockBackAndTellWhatCouldNotBeWritten() throws IOException {
        try (FileChannel channel = open(READ, WRITE)) {
            FileLock lock = channel.lock();
            channel.write(filled(100, 1), 0);
            faults.writes = BROKEN;
            fails(lock::release);
            assertThat(lock.isValid()).isFalse();
            lock.release();
            takenByAnother();
            try (LockHolder other = LockHolder.start(file)) {
                assertThat(other.answer()).isEqualTo("locked");
            }
            faults.writes = null;
            // Not every program looks at how the release ended.
            fails(() -> channel.force(false));
            channel.force(false);
        }
        assertThat(kernel(0, 100)).isEqualTo(TwinFiles.bytes(100, 1));
    }

    @Test
    void shouldNotKeepALockThatNobodyHearsOf() throws Exception {
        try (FileChannel channel = open(READ, WRITE);
                AsynchronousFileChannel asynchronous =
                        opener.newAsynchronousFileChannel(file, Set.of(READ, WRITE), null)) {
            // The file has pages, so that a lock asks how long the file is now.
            channel.read(ByteBuffer.allocate(1), 0);
            faults.sizes = BROKEN;
            fails(channel::lock);
            takenByAnother();
            fails(channel::tryLock);
            takenByAnother();
            fails(asynchronous::tryLock);
            takenByAnother();
            assertThatThrownBy(() -> asynchronous.lock().get()).hasRootCauseMessage(BROKEN);
            takenByAnother();
            faults.sizes = null;
            channel.lock().release();
        }
    }

    @Test
    void shouldGiveALockBackAtTheEndOfItsBlock() throws IOException {
        try (FileChannel channel = open(READ, WRITE)) {
            fails(
                    () -> {
                        try (FileLock lock = channel.lock()) {
                            assertThat(lock.isValid()).isTrue();
                            channel.write(filled(100, 1), 0);
                            faults.writes = BROKEN;
                        }
                    });
            takenByAnother();
            faults.writes = null;
            fails(() -> channel.force(false));
        }
        assertThat(kernel(0, 100)).isEqualTo(TwinFiles.bytes(100, 1));
    }

    @Test
    void shouldGiveALockBackThoughItsThreadIsInterrupted() throws IOException {
        try (FileChannel channel = open(READ, WRITE)) {
            FileLock lock = channel.lock();
            channel.write(filled(100, 1), 0);
            faults.writes = BROKEN;
            Thread.currentThread().interrupt();
            fails(lock::release);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(channel.isOpen()).isTrue();
            assertThat(lock.isValid()).isFalse();
            takenByAnother();
            faults.writes = null;
            fails(() -> channel.force(false));
        }
        assertThat(kernel(0, 100)).isEqualTo(TwinFiles.bytes(100, 1));
    }

    @Test
    void shouldGiveALockOfAnAsynchronousChannelBack() throws Exception {
        try (AsynchronousFileChannel channel =
                opener.newAsynchronousFileChannel(file, Set.of(READ, WRITE), null)) {
            FileLock lock = channel.lock().get();
            channel.write(filled(100, 1), 0).get();
            faults.writes = BROKEN;
            fails(lock::release);
            assertThat(lock.isValid()).isFalse();
            lock.release();
            takenByAnother();
            faults.writes = null;
            fails(() -> channel.force(false));
        }
        assertThat(kernel(0, 100)).isEqualTo(TwinFiles.bytes(100, 1));
    }
}
