package io.mio.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Closes by virtual threads, where a close would hold a carrier thread that others need. */
class VirtualThreadsTest {
    @Test
    void shouldCloseInAnotherThreadAndKeepTheInterrupt() throws IOException {
        List<Thread> seen = new ArrayList<>();
        Thread.currentThread().interrupt();
        VirtualThreads.elsewhere(
                () -> {
                    assertThat(Thread.currentThread().isInterrupted()).isFalse();
                    seen.add(Thread.currentThread());
                });
        assertThat(Thread.interrupted()).isTrue();
        assertThat(seen).hasSize(1).doesNotContain(Thread.currentThread());
    }

    @Test
    void shouldTellWhyItFailed() {
        assertThatThrownBy(() -> VirtualThreads.elsewhere(() -> fail(new IOException("full"))))
                .isInstanceOf(IOException.class)
                .hasMessage("full");
        assertThatThrownBy(
                        () -> VirtualThreads.elsewhere(() -> fail(new IllegalStateException("no"))))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> VirtualThreads.elsewhere(() -> fail(new OutOfMemoryError("on"))))
                .isInstanceOf(OutOfMemoryError.class);
    }

    private static void fail(Throwable with) throws IOException {
        if (with instanceof IOException e) {
            throw e;
        }
        if (with instanceof Error e) {
            throw e;
        }
        throw (RuntimeException) with;
    }

    @Test
    void shouldCloseInAPlatformThreadItself() throws IOException {
        List<Thread> seen = new ArrayList<>();
        VirtualThreads.close(() -> seen.add(Thread.currentThread()));
        assertThat(seen).containsExactly(Thread.currentThread());
    }
}
