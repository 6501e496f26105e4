package io.mio.benchmarks;

import java.io.IOException;
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

/**
 * Question: what does a read cost whose bytes are in memory already, in the kernel's cache ({@code
 * stack=jdk}) or in pf's ({@code stack=pf})? Aim: a hit of 4 KB in half the time.
 *
 * <p>Data: a file of 64 MiB in the temporary directory, written just before and read once through
 * the channel. So every page is where it should be: pf has 100 MiB. All threads share one channel,
 * and go through the file side by side, each from a start of its own. {@code forward} and {@code
 * same} give an offset with each read. {@code next} reads at the channel's position, which all
 * threads move, so it is for one thread.
 *
 * <pre>
 * mvn -B -ntp -DskipTests package
 * java -jar benchmarks/target/benchmarks.jar CachedRead
 * java -jar benchmarks/target/benchmarks.jar "CachedRead.(forward|same)" -t 8 -p callBytes=4096
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class CachedReadBenchmark {
    private static final long FILE_BYTES = 64L << 20;

    /** What is between the program and the file. */
    @Param({"jdk", "pf"})
    public String stack;

    /** Bytes per call. */
    @Param({"100", "4096", "65536", "1048576"})
    public int callBytes;

    /** Where the memory of the program's buffer is. */
    @Param({"direct", "heap"})
    public String buffer;

    private final AtomicInteger callers = new AtomicInteger();
    private Path dir;
    private FileSystem fileSystem;
    private FileChannel channel;
    private long endOfCalls;

    /** The buffer and the offset of one thread. */
    @State(Scope.Thread)
    public static class Caller {
        private ByteBuffer buffer;
        private long endOfCalls;
        private long callBytes;
        private long offset;

        /** Threads start apart, so that they do not all read the same page. */
        @Setup(Level.Trial)
        public void prepare(CachedReadBenchmark of) {
            callBytes = of.callBytes;
            buffer =
                    of.buffer.equals("direct")
                            ? ByteBuffer.allocateDirect(of.callBytes)
                            : ByteBuffer.allocate(of.callBytes);
            endOfCalls = of.endOfCalls;
            long calls = endOfCalls / callBytes;
            offset = of.callers.getAndIncrement() * (calls / 8) % calls * callBytes;
        }

        private long next() {
            offset += callBytes;
            if (offset >= endOfCalls) {
                offset = 0;
            }
            return offset;
        }
    }

    /** Writes the file, opens it through the stack to be measured, and reads it once. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        dir = Files.createTempDirectory("mio-benchmark-");
        Path file = dir.resolve("bench.dat");
        Files.write(file, new byte[(int) FILE_BYTES]);
        if (stack.equals("pf")) {
            fileSystem =
                    FileSystems.newFileSystem(
                            URI.create("mio://cached/"),
                            Map.of("files", "* [ pf/cache=100m/page=2m/direct ]"));
            file = Path.of(URI.create("mio://cached" + file.toUri().getRawPath()));
        }
        channel = FileChannel.open(file, StandardOpenOption.READ);
        ByteBuffer all = ByteBuffer.allocateDirect(1 << 20);
        while (channel.read(all.clear()) > 0) {
            // The file is only read to have it in memory.
        }
        channel.position(0);
        endOfCalls = FILE_BYTES / callBytes * callBytes;
    }

    /** Closes and deletes everything. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        channel.close();
        if (fileSystem != null) {
            fileSystem.close();
        }
        Files.deleteIfExists(dir.resolve("bench.dat"));
        Files.delete(dir);
    }

    /** Reads forward, each time behind the last read. */
    @Benchmark
    public int forward(Caller caller) throws IOException {
        return channel.read(caller.buffer.clear(), caller.next());
    }

    /** Reads the same bytes again and again. */
    @Benchmark
    public int same(Caller caller) throws IOException {
        return channel.read(caller.buffer.clear(), caller.offset);
    }

    /** Reads at the channel's position, from the start to the end and again. */
    @Benchmark
    public int next(Caller caller) throws IOException {
        if (caller.next() == 0) {
            channel.position(0);
        }
        return channel.read(caller.buffer.clear());
    }
}
