package io.mio.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Question: what do events add to a read whose bytes are in memory?
 *
 * <p>Data: a file of 1 MiB in the temporary directory, read once before. All threads read through
 * one channel at offsets that they give, from the start to the end and again. {@code jdk} is the
 * platform's channel, {@code trace} the same through a trace layer, {@code events} with a record of
 * each call, {@code sample} with a record of one call in a hundred. {@code pf} is a trace above a
 * cache that holds all of the file; {@code pf-events} and {@code pf-sample} record each hit, too.
 * The events file is beside the file, and made anew for each iteration. Where other programs run,
 * {@code processorNanos} tells more than the time: it is the processor time of the calling threads
 * for each read.
 *
 * <pre>
 * mvn -B -ntp -DskipTests package
 * java -jar benchmarks/target/benchmarks.jar RecordedRead
 * java -jar benchmarks/target/benchmarks.jar RecordedRead -t 2
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class RecordedReadBenchmark {
    private static final int FILE_BYTES = 1 << 20;

    /** What is between the program and the file. */
    @Param({"jdk", "trace", "events", "sample", "pf", "pf-events", "pf-sample"})
    public String stack;

    /** Bytes per call. */
    @Param({"64", "4096"})
    public int callBytes;

    private final AtomicInteger callers = new AtomicInteger();
    private Path dir;
    private FileSystem fileSystem;
    private FileChannel channel;
    private int files;

    /** The buffer and the offset of one thread. */
    @State(Scope.Thread)
    public static class Caller {
        private ByteBuffer buffer;
        private int offset;

        /** Threads start at different places. */
        @Setup(Level.Trial)
        public void prepare(RecordedReadBenchmark of) {
            buffer = ByteBuffer.allocateDirect(of.callBytes);
            int calls = FILE_BYTES / of.callBytes;
            offset = of.callers.getAndIncrement() * (calls / 8) % calls * of.callBytes;
        }
    }

    /** Mean processor time of a read, over all threads. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Processor {
        private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

        private int threads;
        private long began;
        private long nanos;
        private long reads;

        /** Called when an iteration begins. */
        @Setup(Level.Iteration)
        public void begin(ThreadParams params) {
            threads = params.getThreadCount();
            reads = 0;
            began = THREADS.getCurrentThreadCpuTime();
        }

        /** Called when an iteration ends. */
        @TearDown(Level.Iteration)
        public void end() {
            nanos = THREADS.getCurrentThreadCpuTime() - began;
        }

        /**
         * Share of this thread in the processor time of a read; JMH adds up those of all threads.
         */
        public double processorNanos() {
            return (double) nanos / reads / threads;
        }
    }

    /** Writes the file. */
    @Setup(Level.Trial)
    public void begin() throws IOException {
        dir = Files.createTempDirectory("mio-benchmark-");
        Files.write(dir.resolve("bench.dat"), new byte[FILE_BYTES]);
    }

    /** Opens the file through the stack to be measured, and reads it once. */
    @Setup(Level.Iteration)
    public void open() throws IOException {
        Path file = dir.resolve("bench.dat");
        if (!stack.equals("jdk")) {
            String rule = "* [ " + layers() + " ]";
            fileSystem =
                    FileSystems.newFileSystem(
                            URI.create("mio://recorded" + files + "/"), Map.of("files", rule));
            file = Path.of(URI.create("mio://recorded" + files + file.toUri().getRawPath()));
        }
        channel = FileChannel.open(file, StandardOpenOption.READ);
        for (int at = 0; at < FILE_BYTES; at += 1 << 16) {
            channel.read(ByteBuffer.allocateDirect(1 << 16), at);
        }
    }

    private String layers() {
        boolean cached = stack.startsWith("pf");
        String trace = "trace";
        if (stack.endsWith("events") || stack.endsWith("sample")) {
            // A new name for each iteration: an events file that was deleted is not made again.
            trace += "/events={" + dir.resolve("x" + files + ".events") + "}/events_limit=1t";
        }
        if (stack.endsWith("sample")) {
            trace += "/events_sample=100";
        }
        return cached ? trace + " | pf/cache=4m/page=64k" : trace;
    }

    /**
     * Closes the file. The space of the events is free again when their last mapping is collected.
     */
    @TearDown(Level.Iteration)
    public void close() throws IOException {
        channel.close();
        if (fileSystem != null) {
            fileSystem.close();
        }
        Files.deleteIfExists(dir.resolve("x" + files++ + ".events"));
    }

    /** Deletes everything. */
    @TearDown(Level.Trial)
    public void end() throws IOException {
        Files.deleteIfExists(dir.resolve("bench.dat"));
        Files.delete(dir);
    }

    /** Reads once. */
    @Benchmark
    public int read(Caller caller, Processor processor) throws IOException {
        processor.reads++;
        caller.offset = (caller.offset + callBytes) % FILE_BYTES;
        return channel.read(caller.buffer.clear(), caller.offset);
    }
}
