package io.mio.fs;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where requests of asynchronous channels run that the program gave no executor for: as the
 * platform's own, daemon threads that come when needed and go when idle. Made at first use.
 */
final class AsynchronousPool implements ThreadFactory {
    private static final Executor EXECUTOR = Executors.newCachedThreadPool(new AsynchronousPool());

    private final AtomicInteger made = new AtomicInteger();

    private AsynchronousPool() {}

    static Executor executor() {
        return EXECUTOR;
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = new Thread(task, "mio-async-" + made.incrementAndGet());
        thread.setDaemon(true);
        return thread;
    }
}
