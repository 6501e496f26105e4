package io.mio.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads as of a database on one channel, with or without MIO: two read pages at random, one
 * writes some and rests, one syncs all the time. The twin in the JVM of {@code native/synced.c},
 * for {@code synced.sh}.
 */
public final class Synced {
    private static final int PAGE = 8192;
    private static final int PAGES = 8192;
    private static final int READERS = 2;
    private static final int BURST = 8;
    private static final long REST_NANOS = 200_000;

    private final FileChannel channel;
    private final LongAdder reads = new LongAdder();
    private final LongAdder writes = new LongAdder();
    private volatile boolean stops;

    private Synced(FileChannel channel) {
        this.channel = channel;
    }

    /**
     * Prints reads and writes per second, and the longest read in microseconds.
     *
     * @param args file, seconds, and layers as in a rule, "" for none
     * @throws IOException if the file cannot be read or written
     * @throws InterruptedException never
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        String absolute = Path.of(args[0]).toAbsolutePath().toString();
        double seconds = Double.parseDouble(args[1]);
        String layers = args[2];
        try (FileSystem mio = layers.isEmpty() ? null : fileSystem(layers)) {
            FileSystem system = mio == null ? FileSystems.getDefault() : mio;
            try (FileChannel channel =
                    FileChannel.open(
                            system.getPath(absolute),
                            StandardOpenOption.READ,
                            StandardOpenOption.WRITE,
                            StandardOpenOption.CREATE)) {
                fill(channel);
                // Let the JIT compiler do its work before the measurement.
                new Synced(channel).run(seconds / 2);
                System.out.println(new Synced(channel).run(seconds));
            }
        }
    }

    private static void fill(FileChannel channel) throws IOException {
        ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
        for (long i = 0; i < PAGES; i++) {
            channel.write(page.clear(), i * PAGE);
        }
        channel.force(false);
    }

    private String run(double seconds) throws IOException, InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(READERS + 2);
        List<Future<Long>> readers = new ArrayList<>();
        for (int i = 1; i <= READERS; i++) {
            Random random = new Random(i);
            readers.add(threads.submit(() -> read(random)));
        }
        Future<?> writer = threads.submit(action(this::write));
        Future<?> syncer = threads.submit(action(this::sync));
        Thread.sleep((long) (seconds * 1000));
        stops = true;
        threads.shutdown();
        threads.awaitTermination(1, TimeUnit.MINUTES);
        long longest = 0;
        try {
            for (Future<Long> reader : readers) {
                longest = Math.max(longest, reader.get());
            }
            writer.get();
            syncer.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
        return String.format(
                "%.0f %.0f %d", reads.sum() / seconds, writes.sum() / seconds, longest / 1000);
    }

    private interface Action {
        void run() throws IOException;
    }

    private static Callable<Void> action(Action action) {
        return () -> {
            action.run();
            return null;
        };
    }

    private long read(Random random) throws IOException {
        ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
        long longest = 0;
        while (!stops) {
            long began = System.nanoTime();
            if (channel.read(page.clear(), (long) random.nextInt(PAGES) * PAGE) != PAGE) {
                throw new IOException("a page is not there");
            }
            longest = Math.max(longest, System.nanoTime() - began);
            reads.increment();
        }
        return longest;
    }

    private void write() throws IOException {
        ByteBuffer page = ByteBuffer.allocateDirect(PAGE);
        Random random = new Random(7);
        while (!stops) {
            for (int i = 0; i < BURST; i++) {
                channel.write(page.clear(), (long) random.nextInt(PAGES) * PAGE);
                writes.increment();
            }
            LockSupport.parkNanos(REST_NANOS);
        }
    }

    private void sync() throws IOException {
        while (!stops) {
            channel.force(false);
        }
    }

    private static FileSystem fileSystem(String layers) throws IOException {
        return FileSystems.newFileSystem(
                URI.create("mio://synced/"), Map.of("files", "* [ " + layers + " ]"));
    }
}
