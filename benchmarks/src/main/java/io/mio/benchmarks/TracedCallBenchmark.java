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
 * Question: what does trace add to a read and to a write? Aim: two clock reads, 80 ns.
 *
 * <p>Data: a file of 64 MiB in the temporary directory, written just before, so in the page cache;
 * a direct buffer of 100 or 4096 bytes; reads and writes at the channel's position, from the start
 * to the end and again. To go back takes one positioning in 16384 calls or more, and is part of the
 * measurement. {@code stack=jdk} is the platform's channel, {@code stack=trace} the same file
 * through {@code mio://bench/} with {@code trace} alone; the difference is the answer. {@code
 * clock} is one clock read, for comparison.
 *
 * <pre>
 * mvn -B -ntp -DskipTests package
 * java -jar benchmarks/target/benchmarks.jar "TracedCall|Clock"
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class TracedCallBenchmark {
    private static final long FILE_BYTES = 64L << 20;

    /** What is between the program and the file. */
    @Param({"jdk", "trace"})
    public String stack;

    /** Bytes per call. */
    @Param({"100", "4096"})
    public int callBytes;

    private Path dir;
    private FileSystem fileSystem;
    private FileChannel channel;
    private ByteBuffer buffer;
    private long callsPerRound;
    private long call;

    /** Writes the file and opens it, through the stack to be measured. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        dir = Files.createTempDirectory("mio-benchmark-");
        Path file = dir.resolve("bench.dat");
        Files.write(file, new byte[(int) FILE_BYTES]);
        if (stack.equals("trace")) {
            fileSystem =
                    FileSystems.newFileSystem(
                            URI.create("mio://bench/"),
                            Map.of(
                                    "files",
                                    "* [ trace/stats ]",
                                    "stats",
                                    dir.resolve("bench.stats").toString()));
            file = Path.of(URI.create("mio://bench" + file.toUri().getRawPath()));
        }
        channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
        buffer = ByteBuffer.allocateDirect(callBytes);
        callsPerRound = FILE_BYTES / callBytes;
    }

    /** Closes and deletes everything. */
    @TearDown(Level.Trial)
    public void close() throws IOException {
        channel.close();
        if (fileSystem != null) {
            fileSystem.close();
        }
        Files.deleteIfExists(dir.resolve("bench.dat"));
        Files.deleteIfExists(dir.resolve("bench.stats"));
        Files.delete(dir);
    }

    private void nextCall() throws IOException {
        if (++call > callsPerRound) {
            call = 1;
            channel.position(0);
        }
        buffer.clear();
    }

    /** Reads once at the channel's position. */
    @Benchmark
    public int read() throws IOException {
        nextCall();
        return channel.read(buffer);
    }

    /** Writes once at the channel's position. */
    @Benchmark
    public int write() throws IOException {
        nextCall();
        return channel.write(buffer);
    }
}
