package io.mio.recov;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.stats.StatsOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Attempts that take a long time: only the caller of the request waits for them. */
class RecovAsynchronousTest {
    private static final String FULL = "No space left on device";

    @TempDir private Path directory;
    private Path started;
    private Path go;

    /** Makes named pipes: to open one waits for the other side. */
    @BeforeEach
    void makePipes() throws Exception {
        started = directory.resolve("started");
        go = directory.resolve("go");
        Process mkfifo = new ProcessBuilder("mkfifo", started.toString(), go.toString()).start();
        assertThat(mkfifo.waitFor()).isZero();
    }

    /** A recov layer over a full disk; its command reports that it runs, and then waits. */
    private Layer layer(String... plan) throws IOException {
        return new RecovLayer(
                new FailingFile(directory.resolve("data"), false, plan),
                new RecovOptions(
                        "recov",
                        true,
                        "echo x > " + started + "; read x < " + go + "; exit 0",
                        "true",
                        1,
                        null),
                "f",
                new StatsOutput(FileSystems.getDefault(), "", false, () -> null),
                true);
    }

    @Test
    void shouldNotHoldUpTheThreadThatCompletes() throws Exception {
        CompletableFuture<Thread> completed = new CompletableFuture<>();
        Layer layer = layer(FULL);
        IoRequest write =
                IoRequest.write(
                        ByteBuffer.allocate(8),
                        0,
                        done -> completed.complete(Thread.currentThread()));
        layer.submit(write);
        Files.readString(started);
        assertThat(write.isDone()).isFalse();
        IoRequest read = IoRequest.read(ByteBuffer.allocate(8), 0, done -> {});
        layer.submitAll(List.of(read));
        read.await();
        assertThat(read.delivered()).isEqualTo(-1);

        Files.writeString(go, "go\n");
        write.await();
        assertThat(write.error()).isNull();
        assertThat(write.delivered()).isEqualTo(8);
        assertThat(completed.get()).isNotSameAs(Thread.currentThread());
        assertThat(completed.get().isDaemon()).isTrue();
        layer.close();
    }

    @Test
    void shouldStartAnewAfterItsThreadHasEnded() throws Exception {
        Layer layer = layer("4", "", "4");
        for (int i = 0; i < 2; i++) {
            CompletableFuture<Thread> completed = new CompletableFuture<>();
            IoRequest write =
                    IoRequest.write(
                            ByteBuffer.allocate(8),
                            0,
                            done -> completed.complete(Thread.currentThread()));
            layer.submit(write);
            completed.get().join();
            assertThat(write.delivered()).isEqualTo(8);
        }
        layer.close();
    }

    /** A completion runs as its request ends: it may throw, or wait for a request that fails. */
    @Test
    void shouldCompleteWhereTheRequestIsDoneThatHasAPlaceForThat() throws Exception {
        Layer layer =
                new RecovLayer(
                        new FailingFile(
                                directory.resolve("data"), false, "first", "second", "last"),
                        new RecovOptions("recov", true, "true", "true", 0, null),
                        "f",
                        new StatsOutput(FileSystems.getDefault(), "", false, () -> null),
                        true);
        ExecutorService place = Executors.newCachedThreadPool();
        CompletableFuture<String> ended = new CompletableFuture<>();
        IoRequest.Completion fails =
                done -> {
                    throw new IllegalStateException("of the program");
                };
        IoRequest first = IoRequest.write(ByteBuffer.allocate(8), 0, fails).elsewhere(place);
        layer.submit(first);
        first.await();
        IoRequest.Completion waits =
                done -> {
                    IoRequest last =
                            IoRequest.write(ByteBuffer.allocate(8), 0, each -> {}).elsewhere(place);
                    try {
                        layer.submit(last);
                        last.await();
                    } catch (IOException | InterruptedException e) {
                        ended.completeExceptionally(e);
                    }
                    ended.complete(last.error().getMessage());
                };
        layer.submit(IoRequest.write(ByteBuffer.allocate(8), 0, waits).elsewhere(place));

        assertThat(ended.get(30, TimeUnit.SECONDS)).isEqualTo("last");
        place.shutdown();
        layer.close();
    }

    @Test
    void shouldHandDownTheNumberThatEventsHave() throws Exception {
        List<Long> numbers = new ArrayList<>();
        Layer below =
                new ForwardingLayer("os", new FailingFile(directory.resolve("data"), false)) {
                    @Override
                    public void submit(IoRequest request) throws IOException {
                        numbers.add(request.number());
                        super.submit(request);
                    }
                };
        Layer layer =
                new RecovLayer(
                        below,
                        new RecovOptions("recov", true, "true", "true", 0, null),
                        "f",
                        new StatsOutput(FileSystems.getDefault(), "", false, () -> null),
                        true);
        IoRequest write = IoRequest.write(ByteBuffer.allocate(8), 0, done -> {});
        write.number(7);
        layer.submit(write);
        assertThat(numbers).containsExactly(7L);
        layer.close();
    }

    @Test
    void shouldFailWhatWaitsWhenTheFileIsClosed() throws Exception {
        Layer layer = layer(FULL);
        IoRequest write = IoRequest.write(ByteBuffer.allocate(8), 0, done -> {});
        layer.submit(write);
        Files.readString(started);
        layer.close();

        write.await();
        assertThat(write.error()).hasMessage(FULL);
    }

    @Test
    void shouldFailTheCallOfAThreadThatIsInterrupted() throws Exception {
        Layer layer = layer(FULL);
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                layer.write(ByteBuffer.allocate(8), 0);
                                result.complete("written");
                            } catch (IOException e) {
                                boolean interrupted = Thread.currentThread().isInterrupted();
                                result.complete(e.getMessage() + " " + interrupted);
                            }
                        });
        thread.start();
        Files.readString(started);
        thread.interrupt();

        assertThat(result.get()).isEqualTo(FULL + " true");
        layer.close();
    }
}
