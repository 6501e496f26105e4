package io.mio.fs;

import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Runs threads that are known to be inside a call. */
final class Threads {
    private Threads() {}

    /** Runs the call in another thread: a lock that an earlier call still holds would block it. */
    static <T> T elsewhere(Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return task.get(30, TimeUnit.SECONDS);
    }

    /** Starts the task, and returns once it is inside a method of this name. */
    static Thread startAndWaitFor(String method, Runnable task) {
        Thread thread = new Thread(task);
        thread.start();
        waitFor(method, thread);
        return thread;
    }

    /** Returns once the thread is inside a method of this name. */
    static void waitFor(String method, Thread thread) {
        while (!isInside(thread, method)) {
            if (thread.getState() == Thread.State.TERMINATED) {
                throw new AssertionError("it ended without calling " + method);
            }
            Thread.onSpinWait();
        }
    }

    private static boolean isInside(Thread thread, String method) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getMethodName().equals(method)) {
                return true;
            }
        }
        return false;
    }
}
