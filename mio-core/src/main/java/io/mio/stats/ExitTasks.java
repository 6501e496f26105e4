package io.mio.stats;

import java.util.ArrayList;
import java.util.List;

/** Tasks for the end of the JVM. A task that is added later runs at once. */
final class ExitTasks {
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean begun;

    /** Has {@code task} run once, by {@link #run}, or here if that has begun. */
    void add(Runnable task) {
        synchronized (waiting) {
            if (!begun) {
                waiting.add(task);
                return;
            }
        }
        runAlone(task);
    }

    /** Runs the tasks in the order they were added, without the lock: they may wait. */
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
