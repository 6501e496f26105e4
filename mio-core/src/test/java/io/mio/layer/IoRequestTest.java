package io.mio.layer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class IoRequestTest {
    @Test
    void shouldWaitThroughInterruptsAndKeepThem() {
        IoRequest request = IoRequest.read(ByteBuffer.allocate(10), 0, done -> {});
        AtomicBoolean seen = new AtomicBoolean();
        Thread waits = Thread.currentThread();
        Thread completes =
                new Thread(
                        () -> {
                            // The first interrupt has ended one wait; the thread waits once more.
                            while (waits.isInterrupted()) {
                                Thread.onSpinWait();
                            }
                            waits.interrupt();
                            while (waits.isInterrupted()) {
                                Thread.onSpinWait();
                            }
                            seen.set(!request.isDone());
                            request.complete(10, null);
                        });
        waits.interrupt();
        completes.start();
        request.awaitThroughInterrupts();

        assertThat(request.isDone()).isTrue();
        assertThat(seen).isTrue();
        assertThat(Thread.interrupted()).isTrue();
        request.awaitThroughInterrupts();
        assertThat(Thread.interrupted()).isFalse();
    }
}
