package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whose threads are used by asynchronous channels without an executor. */
class AsynchronousPoolTest {
    /** A factory that a program names for the JVM. */
    public static final class Named implements ThreadFactory {
        @Override
        public Thread newThread(Runnable task) {
            return new Thread(task, "the program's own");
        }
    }

    @Test
    void shouldTakeThreadsOfTheFactoryThatTheProgramHasNamed() throws Exception {
        ThreadFactory factory = AsynchronousPool.factory(Named.class.getName());
        CompletableFuture<Boolean> isCurrent = new CompletableFuture<>();
        Thread thread =
                new AsynchronousPool(factory)
                        .newThread(() -> isCurrent.complete(AsynchronousPool.isCurrent()));
        thread.start();

        assertThat(thread.getName()).isEqualTo("the program's own");
        assertThat(isCurrent.get()).isTrue();
        assertThat(AsynchronousPool.isCurrent()).isFalse();
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"no.such.Class", "java.lang.String"})
    void shouldHaveDaemonsOtherwise(String name) {
        Thread thread = AsynchronousPool.factory(name).newThread(() -> {});

        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).startsWith("mio-async-");
    }

    @Test
    void shouldRunATaskInTheCallersThreadWhereNoneCanBegin() {
        Executor threadless =
                task -> {
                    throw new OutOfMemoryError("unable to create native thread");
                };
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        AsynchronousPool.orHere(threadless).execute(() -> ran.complete(Thread.currentThread()));

        assertThat(ran).isCompletedWithValue(Thread.currentThread());
    }
}
