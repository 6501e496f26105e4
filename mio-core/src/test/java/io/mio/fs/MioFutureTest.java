package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** Waits for requests that do not complete by themselves. */
class MioFutureTest {
    private final Waits layer = new Waits();
    private final MioFuture<Integer> future = new MioFuture<>(null, layer);
    private final IoRequest request = IoRequest.read(ByteBuffer.allocate(10), 0, future);

    @Test
    void shouldTellTheLayersOfEveryWait() throws Exception {
        future.submit(request);
        assertThatThrownBy(() -> future.get(1, TimeUnit.MILLISECONDS))
                .isInstanceOf(TimeoutException.class);
        assertThat(layer.waits).isEqualTo(1);

        request.complete(10, null);
        assertThat(future.get(1, TimeUnit.MINUTES)).isEqualTo(10);
        assertThat(future.get()).isEqualTo(10);
        assertThat(layer.waits).isEqualTo(1);
    }

    @Test
    void shouldEndTheWaitOfOneThreadWhenAnotherCancels() throws Exception {
        future.submit(request);
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread waiting =
                Threads.startAndWaitFor(
                        "await",
                        () -> {
                            try {
                                future.get();
                            } catch (Exception e) {
                                end.complete(e);
                            }
                        });
        assertThat(future.cancel(false)).isTrue();
        try {
            assertThat(end.get(30, TimeUnit.SECONDS)).isInstanceOf(CancellationException.class);
        } finally {
            waiting.interrupt();
            waiting.join();
        }
    }

    @Test
    void shouldTellAnIoExceptionWhateverARequestFailedWith() {
        future.submit(request);
        request.complete(0, new IllegalStateException("of a layer"));
        assertThatThrownBy(future::get)
                .hasCauseInstanceOf(IOException.class)
                .hasRootCauseInstanceOf(IllegalStateException.class);
    }

    private static final class Waits extends ForwardingLayer {
        int waits;

        Waits() {
            super("waits", null);
        }

        @Override
        public void seek(long offset) {}

        @Override
        public void submit(IoRequest request) {}

        @Override
        public void await(IoRequest request, Waiting waiting) throws InterruptedException {
            waits++;
            waiting.run();
        }
    }
}
