package io.mio.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Locks, and what ends the wait for one. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("io.mio.fs.TestStack#chosen")
class ChannelLockTest {
    @Parameter TestStack stack;
    @TempDir Path directory;
    private TwinFiles files;

    @BeforeEach
    void makeFiles() throws IOException {
        files = new TwinFiles(directory, "file", stack).holding(100);
    }

    @AfterEach
    void closeFiles() throws IOException {
        files.close();
    }

    @Test
    void shouldLockRegionsAsThePlatformDoes() throws IOException {
        long[] places = {-1, 0, 10, 50, Long.MAX_VALUE};
        long[] sizes = {-1, 0, 5, 100, Long.MAX_VALUE};
        for (TwinChannel twin :
                List.of(files.open(READ, WRITE), files.open(READ), files.open(WRITE))) {
            for (long place : places) {
                for (long size : sizes) {
                    for (boolean shared : new boolean[] {true, false}) {
                        String what = place + " " + size + " " + shared;
                        twin.both("lock " + what, c -> held(c.lock(place, size, shared)));
                        twin.both("tryLock " + what, c -> held(c.tryLock(place, size, shared)));
                    }
                }
            }
            twin.both("lock", c -> held(c.lock()));
            twin.both("tryLock", c -> held(c.tryLock()));
        }
    }

    private static Object held(FileLock lock) throws IOException {
        List<Object> facts = List.of(lock.isValid(), lock.isShared(), lock.position(), lock.size());
        lock.release();
        lock.release();
        return List.of(facts, lock.isValid());
    }

    @Test
    void shouldReportItselfAsTheHolder() throws IOException {
        FileChannel channel = files.open(READ, WRITE).mio();
        FileLock lock = channel.lock();
        assertThat(lock.acquiredBy()).isSameAs(channel);
        assertThat(lock.channel()).isSameAs(channel);
        channel.close();
        assertThat(lock.isValid()).isFalse();
        assertThatThrownBy(lock::release).isInstanceOf(ClosedChannelException.class);
        assertThatThrownBy(() -> Threads.elsewhere(() -> held(lock)))
                .hasCauseInstanceOf(ClosedChannelException.class);
    }

    @Test
    void shouldRefuseOverlapsBetweenChannelsWithLayersAndWithout() throws IOException {
        FileChannel channel = files.open(READ, WRITE).mio();
        FileChannel other = files.open(READ, WRITE).mio();
        try (FileChannel plain = FileChannel.open(files.subject, Set.of(READ, WRITE))) {
            FileLock lock = channel.lock(0, 10, false);
            assertThatThrownBy(() -> other.lock(5, 10, false))
                    .isInstanceOf(OverlappingFileLockException.class);
            assertThatThrownBy(() -> plain.tryLock(5, 10, false))
                    .isInstanceOf(OverlappingFileLockException.class);
            lock.release();
            FileLock taken = plain.lock(5, 10, false);
            assertThatThrownBy(() -> channel.tryLock(0, 10, false))
                    .isInstanceOf(OverlappingFileLockException.class);
            taken.release();
            assertThat(other.tryLock(5, 10, false).isValid()).isTrue();
        }
    }

    @Test
    void shouldKeepItsLockFromOtherProcesses() throws Exception {
        FileChannel channel = files.open(READ, WRITE).mio();
        assertThat(channel.lock().isValid()).isTrue();
        try (LockHolder other = LockHolder.start(files.subject)) {
            assertThat(other.answer()).isEqualTo("refused");
        }
    }

    @Test
    void shouldWaitForOtherProcessesUntilClosedOrInterrupted() throws Exception {
        try (LockHolder other = LockHolder.start(files.subject)) {
            assertThat(other.answer()).isEqualTo("locked");

            FileChannel closed = files.open(READ, WRITE).mio();
            assertThat(closed.tryLock()).isNull();
            FutureTask<FileLock> wait = new FutureTask<>(closed::lock);
            Threads.startAndWaitFor("lock0", wait);
            closed.close();
            assertThatThrownBy(wait::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(AsynchronousCloseException.class);

            FileChannel interrupted = files.open(READ, WRITE).mio();
            FutureTask<FileLock> second = new FutureTask<>(interrupted::lock);
            Threads.startAndWaitFor("lock0", second).interrupt();
            assertThatThrownBy(second::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(FileLockInterruptionException.class);
            assertThat(interrupted.isOpen()).isFalse();
        }
    }
}
