package io.mio.cli.simulate;

import io.mio.cli.bench.DirectOption;
import io.mio.cli.term.Amounts;
import io.mio.cli.term.CliException;
import io.mio.cli.term.NoName;
import io.mio.cli.term.OutputFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Measures a device in under two seconds, by direct reads of a file that lies on it: 2 MB reads one
 * after the other, eight at a time, for the bandwidth; single reads of 4 KB at random places for
 * the latency, without the time that the other two figures account for; and 4 KB reads, eight at a
 * time, for the requests per second. Also measures what calls, memory and threads of the machine
 * take.
 */
final class DeviceMeasure {
    private static final int BLOCK = Device.SMALL;
    private static final int LARGE = 2 << 20;
    private static final int AT_A_TIME = 8;
    private static final int SMALL_MAX = 400;
    private static final long SMALL_NANOS = 400_000_000;
    private static final long LARGE_NANOS = 300_000_000;
    private static final int COPIED = 64 << 20;
    private static final int COPY_ROUNDS = 3;
    private static final int HANDOFFS = 500;
    private static final long HANDOFF_PAUSE_NANOS = 50_000;
    private static final long SEED = 1;

    private DeviceMeasure() {}

    /**
     * Measures the device with this file.
     *
     * @throws CliException if the file cannot be read past the page cache, or is too small
     */
    static Device of(String name) {
        if (name.isEmpty()) {
            throw new CliException(NoName.words(name));
        }
        try {
            Path path = Path.of(name);
            if (!Files.isRegularFile(path)) {
                throw new CliException(
                        name
                                + (Files.exists(path)
                                        ? ": is no regular file"
                                        : ": no such file or directory"));
            }
            try (FileChannel file =
                    FileChannel.open(path, StandardOpenOption.READ, DirectOption.find())) {
                return measured(name, file);
            }
        } catch (InvalidPathException e) {
            throw new CliException(NoName.words(name));
        } catch (UnsupportedOperationException e) {
            throw new CliException(name + ": cannot be read past the page cache; use --device");
        } catch (IOException e) {
            throw new CliException(
                    name
                            + ": cannot be measured by direct reads: "
                            + OutputFile.reason(e)
                            + "; use --device");
        }
    }

    private static Device measured(String name, FileChannel file) throws IOException {
        long blocks = file.size() / BLOCK;
        if (blocks < LARGE / BLOCK) {
            throw new CliException(
                    name + ": is too small to measure with; name a file of 2 MiB or more");
        }
        // First, because many virtual disks are fast for a while after a pause, and a program finds
        // them like that.
        long pieces = file.size() / LARGE;
        AtomicLong next = new AtomicLong();
        double rate =
                LARGE
                        * requestsPerSecond(
                                file, LARGE, LARGE_NANOS, () -> next.getAndIncrement() % pieces);
        long latency = latency(file, blocks);
        Random random = new Random(SEED);
        double requests =
                requestsPerSecond(
                        file, BLOCK, SMALL_NANOS, () -> (long) (random.nextDouble() * blocks));
        return Device.of(
                        0,
                        Math.max(1, (long) rate),
                        Math.max(0, (long) (1e9 / requests - 1e9 * BLOCK / rate)),
                        "measured with "
                                + name
                                + " ("
                                + Amounts.bytes(file.size())
                                + "), direct reads")
                .answeringAfter(latency)
                .in(
                        CallMeasure.pageNanos(),
                        CallMeasure.kernelNanos(Path.of(name), Device.KERNEL_NANOS),
                        copyRate(),
                        freshRate(),
                        handoff());
    }

    /**
     * Rate at which memory is touched for the first time, in bytes per second. A virtual machine
     * may have to get the memory from its host first, which takes long.
     */
    private static long freshRate() {
        long began = System.nanoTime();
        ByteBuffer fresh = ByteBuffer.allocateDirect(COPIED);
        return (long) (fresh.capacity() * 1e9 / Math.max(1, System.nanoTime() - began));
    }

    /**
     * Time from the signal of one thread until a waiting thread continues, in nanoseconds: half of
     * a round trip, the median of many. A pause as long as a request comes before each one. On a
     * virtual machine, whose host has to wake the processor, this takes ten times as long as
     * elsewhere.
     */
    private static long handoff() {
        Semaphore there = new Semaphore(0);
        Semaphore back = new Semaphore(0);
        long[] times = new long[HANDOFFS];
        Thread other =
                new Thread(
                        () -> {
                            for (int i = 0; i < HANDOFFS; i++) {
                                there.acquireUninterruptibly();
                                back.release();
                            }
                        });
        other.setDaemon(true);
        other.start();
        for (int i = 0; i < HANDOFFS; i++) {
            long paused = System.nanoTime();
            while (System.nanoTime() - paused < HANDOFF_PAUSE_NANOS) {
                Thread.onSpinWait();
            }
            long began = System.nanoTime();
            there.release();
            back.acquireUninterruptibly();
            times[i] = System.nanoTime() - began;
        }
        Arrays.sort(times);
        return times[HANDOFFS / 2] / 2;
    }

    /**
     * Rate of copies from memory that is in no cache of the processor, in bytes per second: the
     * best of several rounds.
     */
    private static long copyRate() {
        ByteBuffer from = ByteBuffer.allocateDirect(COPIED);
        ByteBuffer to = ByteBuffer.allocateDirect(BLOCK);
        long best = Long.MAX_VALUE;
        for (int round = 0; round < COPY_ROUNDS; round++) {
            long began = System.nanoTime();
            for (int at = 0; at < COPIED; at += BLOCK) {
                to.put(0, from, at, BLOCK);
            }
            best = Math.min(best, System.nanoTime() - began);
        }
        return (long) (COPIED * 1e9 / Math.max(1, best));
    }

    private static ByteBuffer aligned(int bytes) {
        return ByteBuffer.allocateDirect(bytes + BLOCK).alignedSlice(BLOCK).limit(bytes);
    }

    /** Median time of single small reads at random places, in nanoseconds. */
    private static long latency(FileChannel file, long blocks) throws IOException {
        Random random = new Random(SEED);
        ByteBuffer buffer = aligned(BLOCK);
        long[] times = new long[SMALL_MAX];
        int count = 0;
        long began = System.nanoTime();
        long now = began;
        while (count < SMALL_MAX && now - began < SMALL_NANOS) {
            buffer.clear().limit(BLOCK);
            file.read(buffer, ((long) (random.nextDouble() * blocks)) * BLOCK);
            long end = System.nanoTime();
            times[count++] = end - now;
            now = end;
        }
        Arrays.sort(times, 0, count);
        return times[count / 2];
    }

    /** Requests per second, with eight on their way at the same time. */
    private static double requestsPerSecond(
            FileChannel file, int bytes, long nanos, LongSupplier places) throws IOException {
        AtomicLong done = new AtomicLong();
        ExecutorService threads = Executors.newFixedThreadPool(AT_A_TIME);
        long began = System.nanoTime();
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < AT_A_TIME; i++) {
                all.add(
                        threads.submit(
                                () -> {
                                    ByteBuffer buffer = aligned(bytes);
                                    while (System.nanoTime() - began < nanos) {
                                        buffer.clear().limit(bytes);
                                        file.read(buffer, places.getAsLong() * bytes);
                                        done.incrementAndGet();
                                    }
                                    return null;
                                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
        return done.get() * 1e9 / (System.nanoTime() - began);
    }
}
