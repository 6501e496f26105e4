package io.mio.fs;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads for requests of asynchronous channels that the program gave no executor for, or that have
 * to wait for others on that executor. As in the platform's own pool, threads start when needed and
 * end when idle. They are daemons, or come from the factory that {@value #FACTORY_PROPERTY} names,
 * as the platform's do. Made at first use.
 */
final class AsynchronousPool implements ThreadFactory {
    /** See {@link java.nio.channels.AsynchronousChannelGroup}. */
    static final String FACTORY_PROPERTY = "java.nio.channels.DefaultThreadPool.threadFactory";

    private static final ThreadLocal<Boolean> CURRENT = new ThreadLocal<>();
    private static final Executor EXECUTOR =
            orHere(Executors.newCachedThreadPool(new AsynchronousPool(named())));

    private final ThreadFactory threads;

    AsynchronousPool(ThreadFactory threads) {
        this.threads = threads;
    }

    static Executor executor() {
        return EXECUTOR;
    }

    /** Has a task run in the calling thread where {@code pool} can start no thread for it. */
    static Executor orHere(Executor pool) {
        return task -> {
            try {
                pool.execute(task);
            } catch (OutOfMemoryError e) {
                task.run();
            }
        };
    }

    /** Whether the calling thread is one of this pool. */
    static boolean isCurrent() {
        return CURRENT.get() != null;
    }

    @Override
    public Thread newThread(Runnable task) {
        return threads.newThread(
                () -> {
                    CURRENT.set(true);
                    try {
                        task.run();
                    } finally {
                        CURRENT.remove();
                    }
                });
    }

    private static ThreadFactory named() {
        try {
            return factory(System.getProperty(FACTORY_PROPERTY));
        } catch (SecurityException e) {
            return new Daemons();
        }
    }

    /**
     * Makes a factory of the class {@code name}. Makes one of daemons if that is null, or cannot be
     * made, which the platform has told the program.
     */
    static ThreadFactory factory(String name) {
        if (name != null) {
            try {
                Class<?> type = Class.forName(name, true, ClassLoader.getSystemClassLoader());
                return (ThreadFactory) type.getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException | ClassCastException | LinkageError e) {
                return new Daemons();
            }
        }
        return new Daemons();
    }

    private static final class Daemons implements ThreadFactory {
        private final AtomicInteger made = new AtomicInteger();

        @Override
        public Thread newThread(Runnable task) {
            Thread thread = new Thread(task, "mio-async-" + made.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        }
    }
}
