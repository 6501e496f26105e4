package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Every operation of an asynchronous file channel, against the plain JDK's on a twin file. */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("io.mio.fs.TestStack#chosen")
class AsynchronousContractTest {
    @Parameter TestStack stack;
    @TempDir Path directory;
    private TwinFiles files;
    private final List<AsynchronousFileChannel> opened = new ArrayList<>();

    @BeforeEach
    void makeFiles() throws IOException {
        files = new TwinFiles(directory, "file", stack).holding(100);
    }

    @AfterEach
    void closeFiles() throws IOException {
        for (AsynchronousFileChannel channel : opened) {
            channel.close();
        }
        files.close();
    }

    private interface Call {
        Object on(AsynchronousFileChannel channel) throws Exception;
    }

    /** A channel of MIO and one of the JDK, the oracle, which get the same calls. */
    private final class Twin {
        final AsynchronousFileChannel mio;
        final AsynchronousFileChannel plain;

        Twin(OpenOption... options) throws IOException {
            mio = subject(null, options);
            plain = AsynchronousFileChannel.open(files.oracle, options);
            opened.add(plain);
        }

        void both(String what, Call call) {
            Outcome expected = Outcome.of(() -> outcome(plain, call));
            Outcome got = Outcome.of(() -> outcome(mio, call));
            assertThat(got).as(what).isEqualTo(expected);
            assertThat(mio.isOpen()).as(what).isEqualTo(plain.isOpen());
            files.checkContents();
        }

        private Object outcome(AsynchronousFileChannel channel, Call call) throws Exception {
            try {
                Object value = call.on(channel);
                return value == channel ? "itself" : value;
            } catch (ExecutionException e) {
                return "failed with " + e.getCause().getClass();
            }
        }
    }

    private AsynchronousFileChannel subject(Queueing executor, OpenOption... options)
            throws IOException {
        AsynchronousFileChannel channel =
                stack.opener().newAsynchronousFileChannel(files.subject, Set.of(options), executor);
        assertThat(channel).isInstanceOf(MioAsynchronousFileChannel.class);
        opened.add(channel);
        return channel;
    }

    private static <V> Object handled(Consumer<Handler<V>> start) throws Exception {
        Handler<V> handler = new Handler<>();
        start.accept(handler);
        return handler.result.get();
    }

    /** Keeps the result with the attachment. */
    private static final class Handler<V> implements CompletionHandler<V, String> {
        final CompletableFuture<Object> result = new CompletableFuture<>();

        @Override
        public void completed(V value, String attachment) {
            result.complete((value instanceof FileLock lock ? facts(lock) : value) + attachment);
        }

        @Override
        public void failed(Throwable error, String attachment) {
            result.complete(error.getClass() + attachment);
        }
    }

    private static Object facts(FileLock lock) {
        try {
            boolean valid = lock.isValid();
            lock.release();
            return List.of(valid, lock.isValid(), lock.position(), lock.size(), lock.isShared());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldReadAndWriteAsThePlatformDoes() throws IOException {
        for (Twin twin : List.of(new Twin(READ, WRITE), new Twin(READ), new Twin(WRITE))) {
            for (long place : new long[] {-1, 0, 50, 100, 1L << 32, Long.MAX_VALUE}) {
                for (int size : new int[] {0, 1, 70}) {
                    checkReadsAndWrites(twin, place, size);
                }
            }
            checkOthers(twin);
            twin.mio.close();
            twin.plain.close();
            checkReadsAndWrites(twin, 0, 5);
            checkReadsAndWrites(twin, -1, 0);
            checkOthers(twin);
        }
    }

    private static void checkReadsAndWrites(Twin twin, long place, int size) {
        String what = " " + size + " at " + place;
        twin.both(
                "read" + what,
                c -> {
                    ByteBuffer buffer = ByteBuffer.allocate(size);
                    return List.of(c.read(buffer, place).get(), buffer.flip());
                });
        twin.both(
                "handled read" + what,
                c -> {
                    ByteBuffer buffer = ByteBuffer.allocateDirect(size);
                    return List.of(
                            handled((Handler<Integer> h) -> c.read(buffer, place, "!", h)),
                            buffer.flip());
                });
        if (place <= 1L << 32) {
            twin.both("write" + what, c -> c.write(filled(size), place).get());
            twin.both(
                    "handled write" + what,
                    c -> handled((Handler<Integer> h) -> c.write(filled(size), place, "!", h)));
        }
        twin.both("no buffer" + what, c -> c.read(null, place).get());
        twin.both("no buffer" + what, c -> c.write(null, place).get());
        twin.both("read-only" + what, c -> c.read(filled(size).asReadOnlyBuffer(), place).get());
        twin.both(
                "no handler" + what,
                c -> {
                    c.read(filled(size), place, "!", null);
                    return "";
                });
    }

    private static void checkOthers(Twin twin) {
        twin.both("size", AsynchronousFileChannel::size);
        for (long size : new long[] {-1, 1000, 60, 0}) {
            twin.both("truncate " + size, c -> c.truncate(size));
        }
        twin.both(
                "force",
                c -> {
                    c.force(true);
                    return "forced";
                });
        for (long place : new long[] {-1, 0, 5}) {
            for (boolean shared : new boolean[] {true, false}) {
                twin.both("tryLock", c -> facts(c.tryLock(place, 0, shared)));
                twin.both("lock", c -> facts(c.lock(place, 9, shared).get()));
                twin.both(
                        "lock",
                        c -> handled((Handler<FileLock> h) -> c.lock(place, 9, shared, "!", h)));
            }
        }
    }

    private static ByteBuffer filled(int size) {
        return ByteBuffer.wrap(TwinFiles.bytes(size, size));
    }

    @Test
    void shouldRefuseAppend() {
        assertThatThrownBy(() -> subject(null, APPEND))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void shouldReportItselfAsTheHolderOfItsLocks() throws Exception {
        AsynchronousFileChannel channel = subject(null, READ, WRITE);
        FileLock lock = channel.lock().get();
        assertThat(lock.acquiredBy()).isSameAs(channel);
        assertThat(lock.channel()).isNull();
        channel.close();
        assertThat(lock.isValid()).isFalse();
    }

    @Test
    void shouldRunOnTheExecutorItWasGiven() throws Exception {
        Queueing executor = new Queueing();
        AsynchronousFileChannel channel = subject(executor, READ);
        ByteBuffer buffer = ByteBuffer.allocate(10);
        Future<Integer> read = channel.read(buffer, 0);
        assertThat(read.isDone()).isFalse();
        assertThatThrownBy(() -> read.get(1, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        executor.runAll();
        assertThat(read.get()).isEqualTo(10);
        assertThat(buffer.position()).isEqualTo(10);
        executor.shutdown();
        assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1), 0))
                .isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void shouldLetAHandlerDoIoOnTheSameFile() throws Exception {
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try (AsynchronousFileChannel channel =
                        stack.opener()
                                .newAsynchronousFileChannel(
                                        files.subject, Set.of(READ, WRITE), executor);
                FileChannel other =
                        stack.opener().newFileChannel(files.subject, Set.of(READ, WRITE))) {
            IoInHandler handler = new IoInHandler(channel, other);
            channel.write(filled(20), 40, "!", handler);
            assertThat(handler.result.get(60, TimeUnit.SECONDS)).isEqualTo("20 7 9 50");
        } finally {
            executor.shutdown();
        }
    }

    /** Writes, reads and cuts the file to which the completed request has written. */
    private static final class IoInHandler implements CompletionHandler<Integer, String> {
        final CompletableFuture<Object> result = new CompletableFuture<>();
        private final AsynchronousFileChannel channel;
        private final FileChannel other;

        IoInHandler(AsynchronousFileChannel channel, FileChannel other) {
            this.channel = channel;
            this.other = other;
        }

        @Override
        public void completed(Integer bytes, String attachment) {
            try {
                int written = other.write(filled(7), 0);
                int read = other.read(ByteBuffer.allocate(9), 0);
                channel.force(false);
                channel.truncate(50);
                result.complete(bytes + " " + written + " " + read + " " + channel.size());
            } catch (IOException e) {
                result.completeExceptionally(e);
            }
        }

        @Override
        public void failed(Throwable error, String attachment) {
            result.completeExceptionally(error);
        }
    }

    @Test
    void shouldForgetTheResultOfACancelledRequest() throws Exception {
        Queueing executor = new Queueing();
        AsynchronousFileChannel channel = subject(executor, READ);
        Future<Integer> read = channel.read(ByteBuffer.allocate(10), 0);
        assertThat(read.cancel(false)).isTrue();
        assertThat(read.cancel(false)).isFalse();
        assertThat(read.isCancelled()).isTrue();
        assertThatThrownBy(read::get).isInstanceOf(CancellationException.class);
        executor.runAll();
        assertThatThrownBy(read::get).isInstanceOf(CancellationException.class);
        assertThat(channel.isOpen()).isTrue();
        assertThat(channel.read(ByteBuffer.allocate(10), 0).cancel(true)).isTrue();
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void shouldEndRequestsThatWaitWhenItIsClosed() throws Exception {
        Queueing executor = new Queueing();
        AsynchronousFileChannel channel = subject(executor, READ);
        Future<Integer> read = channel.read(ByteBuffer.allocate(10), 0);
        channel.close();
        executor.runAll();
        assertThatThrownBy(read::get).hasCauseInstanceOf(AsynchronousCloseException.class);
    }

    /** Runs tasks when it is told to. */
    private static final class Queueing extends AbstractExecutorService {
        private final List<Runnable> tasks = new ArrayList<>();
        private boolean shut;

        void runAll() {
            List<Runnable> ready = List.copyOf(tasks);
            tasks.clear();
            for (Runnable task : ready) {
                task.run();
            }
        }

        @Override
        public void execute(Runnable task) {
            if (shut) {
                throw new RejectedExecutionException();
            }
            tasks.add(task);
        }

        @Override
        public void shutdown() {
            shut = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shut = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return shut;
        }

        @Override
        public boolean isTerminated() {
            return shut;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return shut;
        }
    }
}
