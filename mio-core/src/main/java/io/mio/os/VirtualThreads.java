package io.mio.os;

import io.mio.layer.IoRequest;
import io.mio.thread.OwnThread;
import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * Does requests of virtual threads. A native call would hold the carrier thread, so the backend
 * does the request and the virtual thread waits, which lets others run. Also does their closes,
 * which the JDK runs inside a monitor.
 */
public final class VirtualThreads {
    /** First release in which a virtual thread that waits inside a monitor frees its carrier. */
    private static final int FREE_RELEASE = 24;

    /** Superclass of all virtual threads, since JDK 19. */
    private static final String BASE = "java.lang.BaseVirtualThread";

    private VirtualThreads() {}

    static boolean isCurrent() {
        Class<?> type = Thread.currentThread().getClass();
        if (type == Thread.class) {
            return false;
        }
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (each.getName().equals(BASE)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the caller, waiting in a monitor, would hold a carrier that others may need. */
    public static boolean holdsCarrier() {
        return Runtime.version().feature() < FREE_RELEASE && isCurrent();
    }

    /**
     * Runs a close that waits for others and is called inside a monitor. Of the ways to wait there,
     * only {@link Object#wait()} makes the JDK lend the others a thread. So a platform thread
     * closes, and the virtual one waits for it in that way.
     */
    public static void close(Closeable closes) throws IOException {
        if (holdsCarrier()) {
            elsewhere(closes);
        } else {
            closes.close();
        }
    }

    /** Closes in a platform thread. The caller waits through interrupts, and keeps them. */
    static void elsewhere(Closeable closes) throws IOException {
        Closing closing = new Closing(closes);
        try {
            Closing.EXECUTOR.execute(closing);
        } catch (OutOfMemoryError | SecurityException e) {
            // No more threads for this process, or a security manager forbids them.
            closing.run();
        }
        closing.await();
    }

    private static final class Closing implements Runnable {
        static final Executor EXECUTOR =
                Executors.newCachedThreadPool(task -> OwnThread.daemon(task, "mio-close"));

        private final Closeable closes;
        private Throwable failure;
        private boolean done;

        Closing(Closeable closes) {
            this.closes = closes;
        }

        @Override
        public void run() {
            Throwable thrown = null;
            try {
                closes.close();
            } catch (IOException | RuntimeException | Error e) {
                thrown = e;
            }
            synchronized (this) {
                failure = thrown;
                done = true;
                notifyAll();
            }
        }

        synchronized void await() throws IOException {
            boolean interrupted = Thread.interrupted();
            while (!done) {
                try {
                    wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
            if (failure instanceof IOException e) {
                throw e;
            }
            if (failure instanceof RuntimeException e) {
                throw e;
            }
            if (failure instanceof Error e) {
                throw e;
            }
        }
    }

    /** Has the file's backend do the request. Waits through interrupts, and keeps them. */
    static int handOver(OwnFile file, Transfer transfer) throws IOException {
        IoRequest request = transfer.asRequest();
        file.submit(request);
        request.awaitThroughInterrupts();
        if (request.error() instanceof IOException e) {
            throw e;
        }
        if (request.error() != null) {
            throw new IOException(request.error());
        }
        return request.delivered();
    }
}
