package io.mio.os;

import io.mio.layer.Layer.IoCall;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The program's executor, as the platform's asynchronous channel gets it. A request that the
 * calling thread waits for runs in that thread. The thread may hold the file's gate, and the tasks
 * that the executor would do first may be waiting for it.
 */
public final class ProgramExecutor extends AbstractExecutorService {
    private static final ThreadLocal<Boolean> WAITS = new ThreadLocal<>();

    private final ExecutorService program;

    /** Hands tasks on to {@code program}. */
    public ProgramExecutor(ExecutorService program) {
        this.program = program;
    }

    /** Starts a request that the calling thread will wait for. */
    public static <T> T inPlace(IoCall<T> start) throws IOException {
        Boolean before = WAITS.get();
        WAITS.set(true);
        try {
            return start.call();
        } finally {
            if (before == null) {
                WAITS.remove();
            }
        }
    }

    @Override
    public void execute(Runnable task) {
        if (WAITS.get() == null) {
            program.execute(task);
            return;
        }
        // The platform clears the interrupt of a thread in which it has completed a request.
        boolean interrupted = Thread.interrupted();
        try {
            task.run();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void shutdown() {
        program.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
        return program.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
        return program.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return program.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return program.awaitTermination(timeout, unit);
    }
}
