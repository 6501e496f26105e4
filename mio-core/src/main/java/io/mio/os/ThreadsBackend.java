package io.mio.os;

import io.mio.thread.OwnThread;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that wait for the kernel in place of those that submit. They come as they are needed, and
 * idle ones end.
 */
final class ThreadsBackend extends IoBackend {
    /** As many requests wait at the same time where storage answers late. */
    private static final int THREADS = 32;

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor pool;

    ThreadsBackend() {
        super("threads");
        IdleFirst queue = new IdleFirst();
        pool =
                new ThreadPoolExecutor(
                        0,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        queue,
                        new Factory(),
                        (work, executor) -> queue.later(work));
    }

    /** Gives work to a thread that is idle, or has one more made; what is added waits. */
    private static final class IdleFirst extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable work) {
            return tryTransfer(work);
        }

        /** Not by add or put: they come to the method above in some releases of the JDK. */
        void later(Runnable work) {
            super.offer(work);
        }
    }

    @Override
    void submit(Transfer transfer) {
        Work work = new Work(transfer);
        try {
            pool.execute(work);
        } catch (OutOfMemoryError | SecurityException e) {
            // No more threads for this process, or a security manager forbids them. Who comes first
            // does the request.
            work.run();
        }
    }

    /** One request; done once, whoever comes first. */
    private static final class Work implements Runnable {
        private final Transfer transfer;
        private final AtomicInteger begun = new AtomicInteger();

        Work(Transfer transfer) {
            this.transfer = transfer;
        }

        @Override
        public void run() {
            if (begun.getAndIncrement() == 0) {
                transfer.runAndComplete();
            }
        }
    }

    /** Threads that end with the program and keep nothing of it alive. */
    static final class Factory implements ThreadFactory {
        private final AtomicInteger made = new AtomicInteger();

        @Override
        public Thread newThread(Runnable work) {
            return OwnThread.daemon(work, "mio-io-" + made.incrementAndGet());
        }
    }
}
