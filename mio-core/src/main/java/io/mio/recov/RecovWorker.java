package io.mio.recov;

import io.mio.thread.OwnThread;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Tries failed asynchronous requests again, one after the other, because the threads that complete
 * requests must not wait. Its daemon thread exists only while there is work.
 */
final class RecovWorker implements Runnable {
    private final Queue<Runnable> work = new ArrayDeque<>();
    private boolean running;

    /**
     * Has {@code task}, which throws nothing, run soon.
     *
     * @return false if there can be no thread for it; it is then not run
     */
    synchronized boolean add(Runnable task) {
        if (!running) {
            try {
                OwnThread.daemon(this, "mio-recov").start();
            } catch (OutOfMemoryError | SecurityException e) {
                return false;
            }
            running = true;
        }
        work.add(task);
        return true;
    }

    @Override
    public void run() {
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
        }
    }

    private synchronized Runnable next() {
        Runnable task = work.poll();
        running = task != null;
        return task;
    }
}
