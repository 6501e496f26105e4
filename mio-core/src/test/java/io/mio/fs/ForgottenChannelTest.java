package io.mio.fs;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A program that keeps nothing of an asynchronous channel but the handler of its last request. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.mio.fs.TestStack#chosen")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ForgottenChannelTest {
    /** It takes three steps: a garbage collection, its notification, and the close that follows. */
    private static final int COLLECTIONS = 5;

    @Parameter TestStack stack;
    @TempDir Path directory;
    private FileOpener opener;

    @ParameterizedTest(name = "write: {0}")
    @ValueSource(booleans = {false, true})
    void shouldBeOpenUntilItsLastRequestHasEndedAndNoLonger(boolean writes) throws Exception {
        opener = stack.opener();
        Path file = Files.write(directory.resolve("file"), new byte[100]);
        CompletableFuture<Integer> result = new CompletableFuture<>();
        Waiting executor = new Waiting();
        WeakReference<AsynchronousFileChannel> channel = begin(file, writes, executor, result);
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            // Forgotten files are closed when the next file is opened.
            another();
        }
        executor.go();
        assertThat(result.get(60, TimeUnit.SECONDS)).isEqualTo(100);

        while (channel.get() != null) {
            System.gc();
        }
    }

    private WeakReference<AsynchronousFileChannel> begin(
            Path file, boolean writes, Waiting executor, CompletableFuture<Integer> result)
            throws IOException {
        AsynchronousFileChannel channel =
                opener.newAsynchronousFileChannel(file, Set.of(READ, WRITE), executor);
        if (writes) {
            channel.write(ByteBuffer.allocate(100), 0, null, new Told(result));
        } else {
            channel.read(ByteBuffer.allocate(100), 0, null, new Told(result));
        }
        return new WeakReference<>(channel);
    }

    private void another() throws IOException {
        Path file = directory.resolve("another");
        try (FileChannel channel = opener.newFileChannel(file, Set.of(CREATE, WRITE))) {
            assertThat(channel.write(ByteBuffer.allocate(1), 0)).isEqualTo(1);
        }
    }

    private record Told(CompletableFuture<Integer> result)
            implements CompletionHandler<Integer, Object> {
        @Override
        public void completed(Integer bytes, Object attachment) {
            result.complete(bytes);
        }

        @Override
        public void failed(Throwable error, Object attachment) {
            result.completeExceptionally(error);
        }
    }

    /** An executor that runs nothing before it is told to. */
    private static final class Waiting extends AbstractExecutorService {
        private final List<Runnable> tasks = new ArrayList<>();
        private boolean goes;

        void go() {
            List<Runnable> ready;
            synchronized (tasks) {
                goes = true;
                ready = List.copyOf(tasks);
                tasks.clear();
            }
            ready.forEach(Runnable::run);
        }

        @Override
        public void execute(Runnable task) {
            synchronized (tasks) {
                if (!goes) {
                    tasks.add(task);
                    return;
                }
            }
            task.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return Collections.emptyList();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return false;
        }
    }
}
