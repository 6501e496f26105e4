package io.mio.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A {@link FileChannel}: the platform's own, or one with layers. Reads and writes give their
 * offsets.
 */
final class ChannelContender implements Contender {
    private static final OperatingSystemMXBean PROCESS =
            ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

    /** Bytes that are moved between two looks at the clock. */
    private static final long BYTES_PER_LOOK = 1 << 16;

    private final String label;
    private final String mioRoot;
    private final FileSystem fileSystem;
    private final boolean checks;

    /** Uses the platform's own channels. */
    ChannelContender(boolean checks) {
        this.label = "jdk";
        this.mioRoot = null;
        this.fileSystem = null;
        this.checks = checks;
    }

    /**
     * Uses channels with layers.
     *
     * @param layers as in a rule, without brackets
     * @param number makes the name of the file system unique
     * @param stats file for reports
     */
    ChannelContender(boolean checks, String layers, int number, Path stats) throws IOException {
        this.label = layers;
        this.mioRoot = "mio://patterns" + number;
        this.checks = checks;
        this.fileSystem =
                FileSystems.newFileSystem(
                        URI.create(mioRoot + "/"),
                        Map.of("files", "* [ " + layers + " ]", "stats", stats.toString()));
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public boolean does(PatternCase of) {
        return true;
    }

    @Override
    public boolean isTimed() {
        return true;
    }

    @Override
    public void close() throws IOException {
        if (fileSystem != null) {
            fileSystem.close();
        }
    }

    @Override
    public Run run(PatternCase of, TestFile file, long calls, long nanos)
            throws IOException, InterruptedException {
        Path plain = file.path();
        Set<OpenOption> options =
                of.pattern().isWriting()
                        ? Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE)
                        : Set.of(StandardOpenOption.READ);
        if (of.pattern() == AccessPattern.APPEND) {
            plain = plain.resolveSibling("append.dat");
            Files.deleteIfExists(plain);
            Files.createFile(plain);
        }
        Path path =
                mioRoot == null ? plain : Path.of(URI.create(mioRoot + plain.toUri().getRawPath()));
        ExecutorService executor = Executors.newFixedThreadPool(of.threads());
        try {
            long cpu = PROCESS.getProcessCpuTime();
            long began = System.nanoTime();
            AtomicLong done = new AtomicLong();
            try (FileChannel channel = FileChannel.open(path, options)) {
                List<Future<?>> threads = new ArrayList<>();
                for (int i = 0; i < of.threads(); i++) {
                    Worker worker = new Worker(of, file, channel, i, calls, began + nanos);
                    threads.add(executor.submit(() -> done.addAndGet(worker.work())));
                }
                for (Future<?> thread : threads) {
                    await(thread);
                }
                if (of.pattern().isWriting()) {
                    channel.force(false);
                }
            }
            return new Run(
                    System.nanoTime() - began,
                    PROCESS.getProcessCpuTime() - cpu,
                    done.get() * of.requestBytes(),
                    done.get() / of.threads());
        } finally {
            executor.shutdown();
            if (of.pattern() == AccessPattern.APPEND) {
                Files.deleteIfExists(plain);
            }
        }
    }

    private static void await(Future<?> thread) throws IOException, InterruptedException {
        try {
            thread.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure
                    ? failure
                    : new IOException(e.getCause());
        }
    }

    /** The calls of one thread. */
    private final class Worker {
        private final AccessPattern pattern;
        private final int requestBytes;
        private final TestFile file;
        private final FileChannel channel;
        private final long first;
        private final long requests;
        private final long calls;
        private final long end;
        private final ByteBuffer buffer;

        Worker(
                PatternCase of,
                TestFile file,
                FileChannel channel,
                int number,
                long calls,
                long end) {
            this.pattern = of.pattern();
            this.requestBytes = of.requestBytes();
            this.file = file;
            this.channel = channel;
            this.requests = of.requestsPerThread(file.bytes());
            this.first = number * requests;
            this.calls = Math.min(calls, of.mostCalls(file.bytes()));
            this.end = end;
            this.buffer = ByteBuffer.allocateDirect(requestBytes);
        }

        /** Makes the calls; returns how many were made. */
        long work() throws IOException {
            long callsPerLook = Math.max(1, BYTES_PER_LOOK / requestBytes);
            long untilLook = callsPerLook;
            for (long call = 0; call < calls; call++) {
                if (--untilLook == 0) {
                    untilLook = callsPerLook;
                    if (System.nanoTime() - end > 0) {
                        return call;
                    }
                }
                long offset = (first + pattern.request(call, requests)) * requestBytes;
                if (pattern.isWriting()) {
                    write(offset);
                } else {
                    read(offset);
                }
            }
            return calls;
        }

        private void write(long offset) throws IOException {
            int bytes = channel.write(file.at(offset, requestBytes), offset);
            if (bytes != requestBytes) {
                throw new IOException(bytes + " bytes written at " + offset);
            }
        }

        private void read(long offset) throws IOException {
            buffer.clear();
            int bytes = channel.read(buffer, offset);
            if (bytes != requestBytes) {
                throw new IOException(bytes + " bytes read at " + offset);
            }
            if (checks && !buffer.flip().equals(file.at(offset, requestBytes))) {
                throw new IOException("wrong bytes at " + offset + " through " + label);
            }
        }
    }
}
