package io.mio.fs;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Where requests of asynchronous channels run that the program gave no executor for, or that wait
 * for others on it: as the platform's own, daemon threads that come when needed and go when idle.
 * Made at first use.
 */
final class AsynchronousPool implements ThreadFactory {
    private static final Executor EXECUTOR = Executors.newCachedThreadPool(new AsynchronousPool());

    private final AtomicInteger made = new AtomicInteger();

    private AsynchronousPool() {}

    static Executor executor() {
        return EXECUTOR;
    }

    /** Whether the caller runs there. */
    static boolean isCurrent() {
        return Thread.currentThread() instanceof Own;
    }

    @Override
    public Thread newThread(Runnable task) {
        return new Own(task, "mio-async-" + made.incrementAndGet());
    }

    private static final class Own extends Thread {
        Own(Runnable task, String name) {
            super(task, name);
            setDaemon(true);
        }
    }
}
