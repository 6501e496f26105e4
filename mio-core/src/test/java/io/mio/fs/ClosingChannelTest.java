package io.mio.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.StackSpec;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.stack.Stacks;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.Channel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Calls on a channel while another thread is closing its layers, and the platform's own channel
 * below is still open: they get what a closed channel of the plain JDK gives, and do nothing.
 */
@ParameterizedClass(name = "{0}")
@EnumSource(
        value = TestStack.class,
        names = {"TRACE", "PF"})
class ClosingChannelTest {
    private static final long[] PLACES = {-1, 0, 5, Long.MAX_VALUE};
    private static final Set<OpenOption> BOTH = Set.of(READ, WRITE);
    private static final List<Set<OpenOption>> ACCESSES =
            List.of(BOTH, Set.of(READ), Set.of(WRITE));

    @Parameter TestStack stack;
    @TempDir Path directory;
    private Path file;
    private Path oracle;
    private byte[] contents;
    private Stalling stalling;
    private FileOpener opener;

    @BeforeEach
    void makeFiles() throws IOException {
        contents = TwinFiles.bytes(100, 1);
        file = Files.write(directory.resolve("file"), contents);
        oracle = Files.write(directory.resolve("oracle"), contents);
        stalling = new Stalling(stack.stacks());
        opener = new FileOpener(stalling);
    }

    @AfterEach
    void checkThatTheFileHoldsWhatWasWrittenBeforeTheClose() throws IOException {
        assertThat(Files.readAllBytes(file)).isEqualTo(contents);
    }

    /** Holds up the close of the layers until it is told to go on. */
    private static final class Stalling implements Stacks {
        private final Stacks stacks;
        private CountDownLatch closing;
        private CountDownLatch goOn;

        Stalling(Stacks stacks) {
            this.stacks = stacks;
        }

        @Override
        public StackSpec match(String name) {
            return stacks.match(name);
        }

        @Override
        public Layer open(StackSpec spec, OpenRequest request, Layer os) throws IOException {
            CountDownLatch begun = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            closing = begun;
            goOn = end;
            return new ForwardingLayer("stall", stacks.open(spec, request, os)) {
                @Override
                public void close() throws IOException {
                    begun.countDown();
                    try {
                        end.await();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    } finally {
                        super.close();
                    }
                }
            };
        }

        /** Works while the channel is closing, which must be the one that was opened last. */
        void whileClosing(Channel channel, Work work) throws Exception {
            FutureTask<String> close =
                    new FutureTask<>(
                            () -> {
                                channel.close();
                                return "closed";
                            });
            new Thread(close).start();
            try {
                assertThat(closing.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(channel.isOpen()).isFalse();
                work.run();
            } finally {
                goOn.countDown();
                close.get(30, TimeUnit.SECONDS);
            }
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private interface Call<C> {
        Object on(C channel) throws Exception;
    }

    /** A channel of MIO that is closing and a closed one of the JDK, which get the same calls. */
    private record Twin<C>(C mio, C plain) {
        void both(String what, Call<C> call) {
            assertThat(outcome(mio, call)).as(what).isEqualTo(outcome(plain, call));
        }

        private static <C> Outcome outcome(C channel, Call<C> call) {
            return Outcome.of(
                    () -> {
                        try {
                            return call.on(channel);
                        } catch (ExecutionException e) {
                            return "failed with " + e.getCause().getClass();
                        }
                    });
        }
    }

    /** Opens a channel. If it may write, it has written what a cache keeps until the close. */
    private AsynchronousFileChannel asynchronous(Set<OpenOption> access, ExecutorService executor)
            throws Exception {
        AsynchronousFileChannel channel = opener.newAsynchronousFileChannel(file, access, executor);
        assertThat(channel).isInstanceOf(MioAsynchronousFileChannel.class);
        if (access.contains(WRITE)) {
            byte[] written = TwinFiles.bytes(50, 2);
            assertThat(channel.write(ByteBuffer.wrap(written), 0).get()).isEqualTo(50);
            System.arraycopy(written, 0, contents, 0, 50);
        }
        return channel;
    }

    private AsynchronousFileChannel closed(Set<OpenOption> access, ExecutorService executor)
            throws IOException {
        AsynchronousFileChannel plain = AsynchronousFileChannel.open(oracle, access, executor);
        plain.close();
        return plain;
    }

    @Test
    void shouldRefuseAsynchronousReadsAndWrites() throws Exception {
        for (Set<OpenOption> access : ACCESSES) {
            AsynchronousFileChannel channel = asynchronous(access, null);
            Twin<AsynchronousFileChannel> twin = new Twin<>(channel, closed(access, null));
            stalling.whileClosing(channel, () -> checkReadsAndWrites(twin));
        }
    }

    private static void checkReadsAndWrites(Twin<AsynchronousFileChannel> twin) {
        for (long place : PLACES) {
            for (ByteBuffer buffer :
                    Arrays.asList(
                            ByteBuffer.allocate(60),
                            ByteBuffer.allocate(0),
                            ByteBuffer.allocate(60).asReadOnlyBuffer(),
                            null)) {
                String what = place + " " + buffer;
                twin.both("read " + what, c -> c.read(buffer, place).get());
                twin.both("write " + what, c -> c.write(buffer, place).get());
                twin.both(
                        "handled read " + what,
                        c -> handled((Handler<Integer> h) -> c.read(buffer, place, "!", h)));
                twin.both(
                        "handled write " + what,
                        c -> handled((Handler<Integer> h) -> c.write(buffer, place, "!", h)));
            }
        }
    }

    private static <V> Object handled(Consumer<Handler<V>> start) throws Exception {
        Handler<V> handler = new Handler<>();
        start.accept(handler);
        return handler.result.get(30, TimeUnit.SECONDS);
    }

    private static final class Handler<V> implements CompletionHandler<V, String> {
        final CompletableFuture<Object> result = new CompletableFuture<>();
        volatile Thread thread;

        @Override
        public void completed(V value, String attachment) {
            thread = Thread.currentThread();
            result.complete(value + attachment);
        }

        @Override
        public void failed(Throwable error, String attachment) {
            thread = Thread.currentThread();
            result.complete(error.getClass() + attachment);
        }
    }

    @Test
    void shouldRefuseAsynchronousLocks() throws Exception {
        for (Set<OpenOption> access : ACCESSES) {
            AsynchronousFileChannel channel = asynchronous(access, null);
            Twin<AsynchronousFileChannel> twin = new Twin<>(channel, closed(access, null));
            stalling.whileClosing(
                    channel,
                    () -> {
                        checkLocks(twin);
                        checkThatNobodyHasALock();
                    });
        }
    }

    private static void checkLocks(Twin<AsynchronousFileChannel> twin) {
        for (long place : PLACES) {
            for (boolean shared : new boolean[] {true, false}) {
                String what = place + " " + shared;
                twin.both("tryLock " + what, c -> c.tryLock(place, 9, shared));
                twin.both("lock " + what, c -> c.lock(place, 9, shared).get());
                twin.both(
                        "handled lock " + what,
                        c -> handled((Handler<FileLock> h) -> c.lock(place, 9, shared, "!", h)));
            }
        }
    }

    private void checkThatNobodyHasALock() throws IOException {
        try (FileChannel other = FileChannel.open(file, READ, WRITE)) {
            assertThat(other.tryLock()).isNotNull();
        }
    }

    @Test
    void shouldRefuseTheOtherAsynchronousCalls() throws Exception {
        for (Set<OpenOption> access : ACCESSES) {
            AsynchronousFileChannel channel = asynchronous(access, null);
            Twin<AsynchronousFileChannel> twin = new Twin<>(channel, closed(access, null));
            stalling.whileClosing(
                    channel,
                    () -> {
                        twin.both("size", AsynchronousFileChannel::size);
                        for (long size : PLACES) {
                            twin.both("truncate " + size, c -> c.truncate(size));
                        }
                        twin.both(
                                "force",
                                c -> {
                                    c.force(true);
                                    return "forced";
                                });
                    });
        }
    }

    @Test
    void shouldTellTheHandlerOnTheExecutorOrRefuseAtOnceWhereThatIsShutDown() throws Exception {
        CompletableFuture<Thread> thread = new CompletableFuture<>();
        ExecutorService executor = Executors.newSingleThreadExecutor();
        executor.execute(() -> thread.complete(Thread.currentThread()));
        AsynchronousFileChannel channel = asynchronous(BOTH, executor);
        Twin<AsynchronousFileChannel> twin = new Twin<>(channel, closed(BOTH, executor));
        stalling.whileClosing(
                channel,
                () -> {
                    twin.both(
                            "thread",
                            c -> {
                                Handler<Integer> handler = new Handler<>();
                                c.write(ByteBuffer.allocate(1), 0, "!", handler);
                                Object result = handler.result.get(30, TimeUnit.SECONDS);
                                return List.of(result, handler.thread == thread.get());
                            });
                    executor.shutdown();
                    assertThat(executor.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
                    checkReadsAndWrites(twin);
                    checkLocks(twin);
                });
    }

    @Test
    void shouldGiveBackALockThatComesAfterTheCloseBegan() throws Exception {
        CountDownLatch free = new CountDownLatch(1);
        ExecutorService executor = Executors.newSingleThreadExecutor();
        try {
            AsynchronousFileChannel channel = asynchronous(BOTH, executor);
            AsynchronousFileChannel plain = AsynchronousFileChannel.open(oracle, BOTH, executor);
            executor.execute(
                    () -> {
                        try {
                            free.await();
                        } catch (InterruptedException e) {
                            throw new AssertionError(e);
                        }
                    });
            Future<FileLock> lock = channel.lock();
            Future<FileLock> plainLock = plain.lock();
            plain.close();
            stalling.whileClosing(
                    channel,
                    () -> {
                        free.countDown();
                        new Twin<>(lock, plainLock).both("lock", Future::get);
                        checkThatNobodyHasALock();
                    });
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void shouldRefuseToMap() throws Exception {
        for (Set<OpenOption> access : ACCESSES) {
            FileChannel channel = opener.newFileChannel(file, access);
            assertThat(channel).isInstanceOf(MioFileChannel.class);
            FileChannel plain = FileChannel.open(oracle, access);
            plain.close();
            Twin<FileChannel> twin = new Twin<>(channel, plain);
            stalling.whileClosing(
                    channel, () -> checkMaps(twin, (c, mode, at, size) -> c.map(mode, at, size)));
        }
    }

    @Test
    void shouldRefuseToMapIntoAnArena() throws Exception {
        Arenas.assumeThatThereAreSome();
        Object arena = Arenas.arena("global");
        FileChannel channel = opener.newFileChannel(file, BOTH);
        FileChannel plain = FileChannel.open(oracle, BOTH);
        plain.close();
        Twin<FileChannel> twin = new Twin<>(channel, plain);
        stalling.whileClosing(
                channel,
                () -> {
                    checkMaps(twin, (c, mode, at, size) -> Arenas.map(c, mode, at, size, arena));
                    checkMaps(twin, (c, mode, at, size) -> Arenas.map(c, mode, at, size, null));
                });
    }

    private interface MapCall {
        Object map(FileChannel channel, MapMode mode, long place, long size) throws Exception;
    }

    private static void checkMaps(Twin<FileChannel> twin, MapCall call) {
        for (MapMode mode :
                Arrays.asList(MapMode.READ_ONLY, MapMode.READ_WRITE, MapMode.PRIVATE, null)) {
            for (long place : PLACES) {
                for (long size : new long[] {-1, 0, 200, 1L << 31, Long.MAX_VALUE}) {
                    String what = "map " + mode + " " + place + " " + size;
                    twin.both(what, c -> call.map(c, mode, place, size));
                }
            }
        }
    }
}
