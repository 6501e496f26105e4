package io.mio.jfr;

import io.mio.thread.OwnThread;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Looks from time to time for parts of the JVM that do not tell when they start: the flight
 * recorder, management. No thread is needed for that: the threads that use files look, before an
 * open and once a second during their I/O.
 */
public final class Watch {
    private static final long EVERY_NANOS = 1_000_000_000L;
    private static final List<Task> TASKS = new CopyOnWriteArrayList<>();

    /** Time of the next look. Plain: two threads that look at the same time do no harm. */
    private static long nextNanos = System.nanoTime() + EVERY_NANOS;

    private Watch() {}

    /** Something to look for. Several threads may look at the same time. */
    @FunctionalInterface
    public interface Task {
        /**
         * Looks; costs next to nothing if there is nothing.
         *
         * @param mayWait false if the caller holds locks of a file: what runs foreign code or takes
         *     long must then be done by {@link Watch#beside}
         */
        void look(boolean mayWait);
    }

    /** Adds a task, for good. */
    public static void add(Task task) {
        TASKS.add(task);
    }

    /** Looks before an open. The calling thread must hold no lock of a file. */
    public static void look() {
        for (Task task : TASKS) {
            task.look(true);
        }
    }

    /**
     * Looks during I/O, if a second has passed.
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
            // There can be no thread; the program goes on without this work.
            return;
        }
    }
}
