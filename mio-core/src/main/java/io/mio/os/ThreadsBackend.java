package io.mio.os;

import io.mio.thread.OwnThread;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads that wait for the kernel in place of those that submit. Threads are started as needed,
 * and idle ones end.
 */
final class ThreadsBackend extends IoBackend {
    /** Most requests that wait at the same time, each in a thread, on slow storage. */
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

    /** Gives work to an idle thread, or has one more made; what comes by later() waits. */
    private static final class IdleFirst extends LinkedTransferQueue<Runnable> {
        private static final long serialVersionUID = 1;

        @Override
        public boolean offer(Runnable work) {
            return tryTransfer(work);
        }

        /** Queues work; not by add or put, which some JDK releases send to the method above. */
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
            // No more threads for this process, or a security manager forbids them. Whichever
            // thread comes first does the request.
            work.run();
        }
    }

    /** One request; done once, by whichever thread comes first. */
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
