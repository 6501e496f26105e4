package io.mio.fs;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.pf.CachedFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Asynchronous requests of an open without pages, on a file that has some by another open, while a
 * task that waits for the file occupies the program's executor.
 */
@ParameterizedClass(name = "auto: {0}")
@ValueSource(booleans = {true, false})
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AsynchronousGateTest {
    private static final int SIZE = 1_000_000;

    @Parameter boolean auto;
    @TempDir Path directory;
    private final ExecutorService executor = Executors.newSingleThreadExecutor();
    private AsynchronousFileChannel channel;
    private FileChannel paged;

    /** Opens the file without pages, and gives it some by another open. */
    private void open(ExecutorService runs) throws IOException {
        FileOpener without = (auto ? TestStack.AUTO : TestStack.TRACE).opener();
        FileOpener with = (auto ? TestStack.AUTO : TestStack.PF).opener();
        Path file = directory.resolve("file");
        try (FileChannel fresh = without.newFileChannel(file, Set.of(CREATE_NEW, WRITE))) {
            fresh.write(ByteBuffer.allocate(SIZE));
        }
        channel = without.newAsynchronousFileChannel(file, Set.of(READ, WRITE), runs);
        paged = with.newFileChannel(file, Set.of(READ));
        for (int i = 0; i < 100; i++) {
            paged.read(ByteBuffer.allocate(100), i * 100L);
        }
        assumeTrue(
                !auto || CachedFiles.find(FileFacts.key(file)) != null,
                "the kernel's cache of this file system is not to be told of anything");
        assertThat(CachedFiles.find(FileFacts.key(file))).isNotNull();
    }

    @AfterEach
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void close() throws IOException {
        executor.shutdownNow();
        paged.close();
        channel.close();
    }

    private static ByteBuffer filled(int bytes) {
        byte[] all = new byte[bytes];
        Arrays.fill(all, (byte) 'w');
        return ByteBuffer.wrap(all);
    }

    /** Waits until the request is done, or a thread that holds the file waits for it. */
    private static void untilOnItsWay(Future<?> request) {
        while (!request.isDone() && !isWaitedFor()) {
            Thread.onSpinWait();
        }
    }

    private static boolean isWaitedFor() {
        for (StackTraceElement[] frames : Thread.getAllStackTraces().values()) {
            for (StackTraceElement frame : frames) {
                if (frame.getMethodName().equals("awaitThroughInterrupts")) {
                    return true;
                }
            }
        }
        return false;
    }

    private String firstBytes() throws IOException {
        ByteBuffer read = ByteBuffer.allocate(4);
        paged.read(read, 0);
        return Arrays.toString(read.array());
    }

    @Test
    void shouldLetAHandlerReadTheFileThatIsBeingWritten() throws Exception {
        open(executor);
        Future<String> task =
                executor.submit(
                        () -> {
                            untilOnItsWay(channel.write(filled(3), 0));
                            return firstBytes();
                        });
        assertThat(task.get(60, TimeUnit.SECONDS)).isEqualTo("[119, 119, 119, 0]");
    }

    @Test
    void shouldGiveAHandlerALockOnTheFileThatIsBeingWritten() throws Exception {
        open(executor);
        CountDownLatch begin = new CountDownLatch(1);
        executor.execute(
                () -> {
                    try {
                        begin.await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                });
        CompletableFuture<FileLock> lock = new CompletableFuture<>();
        channel.lock(0, 10, false, null, new Taken(lock));
        Future<Integer> write = channel.write(filled(3), 0);
        untilOnItsWay(write);
        begin.countDown();
        assertThat(write.get(60, TimeUnit.SECONDS)).isEqualTo(3);
        FileLock taken = lock.get(60, TimeUnit.SECONDS);
        assertThat(taken.isValid()).isTrue();
        taken.release();
        assertThat(firstBytes()).isEqualTo("[119, 119, 119, 0]");
    }

    private record Taken(CompletableFuture<FileLock> result)
            implements CompletionHandler<FileLock, Object> {
        @Override
        public void completed(FileLock lock, Object attachment) {
            result.complete(lock);
        }

        @Override
        public void failed(Throwable error, Object attachment) {
            result.completeExceptionally(error);
        }
    }

    @Test
    void shouldDoWhatWasAskedBeforeTheExecutorWasShutDown() throws Exception {
        open(executor);
        Future<Integer> write = channel.write(filled(3), 0);
        executor.shutdown();
        assertThat(write.get(60, TimeUnit.SECONDS)).isEqualTo(3);
        assertThatThrownBy(() -> channel.write(filled(3), 0))
                .isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> channel.read(filled(3), 0))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(firstBytes()).isEqualTo("[119, 119, 119, 0]");
    }

    @Test
    void shouldReadAndWriteWithoutAnExecutorOfTheProgram() throws Exception {
        open(null);
        assertThat(channel.write(filled(3), 0).get(60, TimeUnit.SECONDS)).isEqualTo(3);
        ByteBuffer read = ByteBuffer.allocate(4);
        assertThat(channel.read(read, 0).get(60, TimeUnit.SECONDS)).isEqualTo(4);
        assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(new byte[] {'w', 'w', 'w', 0}));
        assertThat(firstBytes()).isEqualTo("[119, 119, 119, 0]");
    }
}
