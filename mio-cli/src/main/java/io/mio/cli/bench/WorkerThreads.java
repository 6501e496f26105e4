package io.mio.cli.bench;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;

/**
 * The threads of one job, with their files open; they begin together. A failure ends the process.
 */
final class WorkerThreads {
    private final WorkerJob job;
    private final List<WorkerThread> threads = new ArrayList<>();
    private final List<FutureTask<Void>> tasks = new ArrayList<>();
    private final Consumer<Throwable> failed;
    private final CyclicBarrier begin;
    private final CountDownLatch left = new CountDownLatch(1);

    /**
     * Opens the files and starts the threads, which wait.
     *
     * @param failed told by the first thread that fails, at once; does not return
     */
    WorkerThreads(WorkerJob job, List<Path> files, byte[][] generations, Consumer<Throwable> failed)
            throws IOException {
        this.job = job;
        this.failed = failed;
        this.begin = new CyclicBarrier(job.count() + 1);
        for (int i = job.first(); i < job.first() + job.count(); i++) {
            Sequence sequence = new Sequence(job, i, files.size());
            Path path = files.get(sequence.file());
            byte[] own = job.verify() ? generations[sequence.file()] : null;
            FileChannel file = open(path, job);
            threads.add(new WorkerThread(job, path, file, own, sequence));
        }
        for (WorkerThread thread : threads) {
            FutureTask<Void> task = new FutureTask<>(() -> runTogether(thread), null);
            tasks.add(task);
            Thread running = new Thread(() -> runAndStay(task), "bench");
            running.setDaemon(true);
            running.start();
        }
    }

    private static FileChannel open(Path path, WorkerJob job) throws IOException {
        try {
            return FileChannel.open(path, options(job));
        } catch (IOException e) {
            throw new IOException(path + ": open: " + WorkerThread.reason(e), e);
        }
    }

    private static Set<OpenOption> options(WorkerJob job) throws IOException {
        Set<OpenOption> options = new HashSet<>();
        options.add(StandardOpenOption.READ);
        if (job.test().isWriting()) {
            options.add(StandardOpenOption.WRITE);
            // The files are made for the benchmark: a link in their place is somebody else's.
            options.add(LinkOption.NOFOLLOW_LINKS);
        }
        if (job.direct()) {
            options.add(DirectOption.find());
        }
        return options;
    }

    /**
     * Runs a task and keeps the thread, as the kernel tells what a thread has used only while it
     * exists.
     */
    private void runAndStay(FutureTask<Void> task) {
        task.run();
        try {
            left.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("threads are not interrupted", e);
        }
    }

    /** Lets the threads end. */
    void leave() {
        left.countDown();
    }

    private void runTogether(WorkerThread thread) {
        try {
            begin.await();
            thread.run();
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            // At once, without waiting for the threads before this one: their work is useless now.
            failed.accept(e);
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException("threads are not interrupted", e);
        }
    }

    /** Lets the threads begin, and waits for their end. */
    void run() throws IOException {
        try {
            begin.await();
            for (FutureTask<Void> task : tasks) {
                task.get();
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new IllegalStateException("nobody interrupts", e);
        }
    }

    /** Closes the files that are open; how long that takes is known afterwards. */
    void finish() throws IOException {
        for (WorkerThread thread : threads) {
            thread.finish();
        }
    }

    private long most(ToLongFunction<WorkerThread> figure) {
        return threads.stream().mapToLong(figure).max().orElse(0);
    }

    long beginNanos() {
        return threads.stream().mapToLong(WorkerThread::beginNanos).min().orElse(0);
    }

    long endNanos() {
        return most(WorkerThread::endNanos);
    }

    long flushNanos() {
        return most(WorkerThread::flushNanos);
    }

    long closeNanos() {
        return most(WorkerThread::closeNanos);
    }

    long bytes() {
        return latency().count() * job.recordBytes();
    }

    long digest() {
        return threads.stream().mapToLong(WorkerThread::digest).sum();
    }

    Histogram latency() {
        Histogram all = new Histogram();
        threads.forEach(thread -> all.add(thread.latency()));
        return all;
    }
}
