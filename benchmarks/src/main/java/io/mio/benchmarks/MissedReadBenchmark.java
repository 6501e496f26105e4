package io.mio.benchmarks;

import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
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
 * Question: what does a read cost whose bytes pf does not have, compared with the read that has to
 * be made then?
 *
 * <p>Data: a file of 64 MiB in the temporary directory, read at random places of 4 KB, one in 64 of
 * which pf's cache of 1 MiB holds. {@code jdk} is the platform's channel on pages that are in the
 * kernel's memory, and {@code pf} the same through the cache: the difference is the miss. {@code
 * jdk-direct} and {@code pf-direct} read from the device. A temporary directory in memory has no
 * direct I/O: name another one with {@code -jvmArgs -Djava.io.tmpdir=/var/tmp}.
 *
 * <pre>
 * mvn -B -ntp -DskipTests package
 * java -jar benchmarks/target/benchmarks.jar MissedRead
 * java -jar benchmarks/target/benchmarks.jar MissedRead -p stack=jdk,pf -t 2
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class MissedReadBenchmark {
    private static final int FILE_BYTES = 64 << 20;
    private static final int CALL_BYTES = 4096;
    private static final int CHUNK_BYTES = 1 << 20;

    /** What is between the program and the file. */
    @Param({"jdk", "pf", "jdk-direct", "pf-direct"})
    public String stack;

    private Path dir;
    private FileSystem fileSystem;
    private FileChannel channel;

    /** The buffer and the places of one thread. */
    @State(Scope.Thread)
    public static class Caller {
        private final SplittableRandom places = new SplittableRandom(1);
        private final ByteBuffer buffer =
                ByteBuffer.allocateDirect(2 * CALL_BYTES)
                        .alignedSlice(CALL_BYTES)
                        .slice(0, CALL_BYTES);
    }

    /** Writes the file, and opens it through the stack to be measured. */
    @Setup(Level.Trial)
    public void open() throws IOException {
        dir = Files.createTempDirectory("mio-benchmark-");
        Path file = dir.resolve("bench.dat");
        Files.write(file, new byte[FILE_BYTES]);
        try (FileChannel written = FileChannel.open(file, StandardOpenOption.WRITE)) {
            written.force(true);
        }
        Set<OpenOption> options = new HashSet<>(Set.of(StandardOpenOption.READ));
        if (stack.startsWith("pf")) {
            String direct = stack.endsWith("direct") ? "/direct" : "";
            fileSystem =
                    FileSystems.newFileSystem(
                            URI.create("mio://missed/"),
                            Map.of("files", "* [ pf/cache=1m/page=64k/nostats" + direct + " ]"));
            file = Path.of(URI.create("mio://missed" + file.toUri().getRawPath()));
        } else if (stack.endsWith("direct")) {
            options.add(direct());
        }
        channel = FileChannel.open(file, options);
        ByteBuffer all = ByteBuffer.allocateDirect(2 * CHUNK_BYTES).alignedSlice(CALL_BYTES);
        while (channel.read(all.clear().limit(CHUNK_BYTES)) > 0) {
            // The file is only read to have it in the kernel's memory, where that is used.
        }
    }

    /** The option for direct I/O, by name: its class is the platform's own, and may be removed. */
    private static OpenOption direct() throws IOException {
        try {
            for (Object option :
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants()) {
                if (option.toString().equals("DIRECT")) {
                    return (OpenOption) option;
                }
            }
        } catch (ClassNotFoundException e) {
            throw new IOException("this JVM has no direct I/O", e);
        }
        throw new IOException("this JVM has no direct I/O");
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

    /** Reads once at a random place. */
    @Benchmark
    public int random(Caller caller) throws IOException {
        long place = (long) caller.places.nextInt(FILE_BYTES / CALL_BYTES) * CALL_BYTES;
        return channel.read(caller.buffer.clear(), place);
    }
}
