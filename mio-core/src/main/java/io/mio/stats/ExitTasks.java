package io.mio.stats;

import java.util.ArrayList;
import java.util.List;

/** What is to be done when the JVM ends. What is added later is done at once. */
final class ExitTasks {
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean begun;

    /** Has {@code task} done once, by {@link #run} or here if that has begun. */
    void add(Runnable task) {
        synchronized (waiting) {
            if (!begun) {
                waiting.add(task);
                return;
            }
        }
        runAlone(task);
    }

    /** Does them in the order they were added. The lock is not held meanwhile: they may wait. */
    void run() {
        List<Runnable> tasks;
        synchronized (waiting) {
            begun = true;
            tasks = List.copyOf(waiting);
            waiting.clear();
        }
        for (Runnable task : tasks) {
            runAlone(task);
        }
    }

    private static void runAlone(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            // The JVM would print it, and the reports would be lost.
            return;
        }
    }
}
