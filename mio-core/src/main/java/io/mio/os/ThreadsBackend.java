package io.mio.os;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A few threads that wait for the kernel in place of those that submit. Idle ones end. */
final class ThreadsBackend extends IoBackend {
    private static final int THREADS = 8;
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor pool;

    ThreadsBackend() {
        super("threads");
        pool =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        new Factory());
        pool.allowCoreThreadTimeOut(true);
    }

    @Override
    void submit(Transfer transfer) {
        Work work = new Work(transfer);
        try {
            pool.execute(work);
        } catch (OutOfMemoryError e) {
            // No more threads for this process. Who comes first does the request.
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
            return daemon(work, "mio-io-" + made.incrementAndGet());
        }
    }

    static Thread daemon(Runnable work, String name) {
        Thread thread = new Thread(null, work, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }
}
