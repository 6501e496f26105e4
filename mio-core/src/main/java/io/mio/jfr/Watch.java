package io.mio.jfr;

import io.mio.thread.OwnThread;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Looks now and then for things of the JVM that do not tell when they begin: the flight recorder,
 * management. There is no thread for that: the threads that use files look, before an open and once
 * a second while they do I/O.
 */
public final class Watch {
    private static final long EVERY_NANOS = 1_000_000_000L;
    private static final List<Task> TASKS = new CopyOnWriteArrayList<>();

    /** Plain: two threads that look at the same time do no harm. */
    private static long nextNanos = System.nanoTime() + EVERY_NANOS;

    private Watch() {}

    /** Something to look for. Several threads may look at a time. */
    @FunctionalInterface
    public interface Task {
        /**
         * Looks; costs next to nothing if there is nothing.
         *
         * @param mayWait false if the caller holds locks of a file: what may run code of others or
         *     take long is to be done {@link Watch#beside}
         */
        void look(boolean mayWait);
    }

    /** Adds a task, for good. */
    public static void add(Task task) {
        TASKS.add(task);
    }

    /** To be called before an open, by a thread that holds no lock of a file. */
    public static void look() {
        for (Task task : TASKS) {
            task.look(true);
        }
    }

    /**
     * To be called beside I/O.
     *
     * @param now {@link System#nanoTime}, of a moment ago
     */
    public static void tick(long now) {
        if (now - nextNanos >= 0) {
            nextNanos = now + EVERY_NANOS;
            for (Task task : TASKS) {
                task.look(false);
            }
        }
    }

    /** Runs {@code work}, which throws nothing, on a thread of its own that ends with it. */
    public static void beside(String name, Runnable work) {
        try {
            OwnThread.daemon(work, name).start();
        } catch (OutOfMemoryError | SecurityException e) {
            // No thread can be had; the program goes on without what it was to do.
            return;
        }
    }
}
