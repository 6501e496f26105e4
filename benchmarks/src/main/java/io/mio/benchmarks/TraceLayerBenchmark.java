package io.mio.benchmarks;

import io.mio.config.LayerSpec;
import io.mio.config.MioConfig;
import io.mio.counters.CounterFile;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.stats.ByteUnit;
import io.mio.trace.TraceEvents;
import io.mio.trace.TraceLayer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
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
 * Question: what does the trace layer itself cost, without the system call that it times? A call of
 * some hundred nanoseconds varies by more than the layer costs, so {@link TracedCallBenchmark}
 * cannot tell on a busy machine. Here the last layer does nothing.
 *
 * <p>{@code plain} is that last layer alone, {@code clocks} has two clock reads around it, and
 * {@code traced} the trace layer above it; {@code traced} less {@code clocks} is what counting
 * costs. Layers are not exported to users; they are measured from the class path.
 *
 * <pre>java -jar benchmarks/target/benchmarks.jar TraceLayer</pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class TraceLayerBenchmark {
    private static final int CALL_BYTES = 100;

    private final Layer plain = new Nothing();

    /** Where the counters are: plain memory, or the live counter file of the process. */
    @Param({"off", "on"})
    public String live;

    /** Whether every call is recorded in an events file as well, below java.io.tmpdir. */
    @Param({"off", "on"})
    public String events;

    private Layer traced;
    private Path recorded;
    private int files;

    /** Makes the live counter file, if it is asked for. */
    @Setup
    public void open() {
        CounterFile.begin(FileSystems.getDefault(), live);
        CounterFile.reserve("sync");
    }

    /** Makes the layer. Each iteration has a new events file, because the file becomes large. */
    @Setup(Level.Iteration)
    public void begin() throws IOException {
        OpenRequest request =
                new OpenRequest(
                        "none", 0, -1, Long.MAX_VALUE / 2, System.nanoTime(), 0, new Nowhere());
        TraceEvents recording = null;
        if (events.equals("on")) {
            String name = "mio-benchmark-" + ProcessHandle.current().pid() + "-" + files++;
            recorded = Path.of(System.getProperty("java.io.tmpdir"), name + ".events");
            String rule = "* [ trace/events={" + recorded + "}/events_limit=1t ]";
            LayerSpec layer =
                    MioConfig.load(Map.of("files", rule)).rule("none").stack().layers().get(1);
            recording =
                    TraceEvents.of(
                            FileSystems.getDefault(),
                            layer,
                            new TraceEvents.Station(1, "trace", "program", "nothing"),
                            request);
        }
        traced = new TraceLayer("trace", plain, "program", ByteUnit.BYTES, request, recording);
    }

    /** Deletes the events file. Its space is free again when its last mapping is collected. */
    @TearDown(Level.Iteration)
    public void remove() throws IOException {
        if (recorded != null) {
            Files.deleteIfExists(recorded);
        }
    }

    /** Removes the live counter file. */
    @TearDown
    public void close() {
        CounterFile.end();
    }

    /** The buffer and the offset of one thread. */
    @State(Scope.Thread)
    public static class Caller {
        private final ByteBuffer buffer = ByteBuffer.allocateDirect(CALL_BYTES);
        private long offset;

        ByteBuffer next() {
            offset += CALL_BYTES;
            return buffer.clear();
        }
    }

    /** Reads through the last layer alone. */
    @Benchmark
    public int plain(Caller caller) throws IOException {
        return plain.read(caller.next(), caller.offset);
    }

    /** Reads through the last layer, between two clock reads. */
    @Benchmark
    public long clocks(Caller caller) throws IOException {
        long began = System.nanoTime();
        int bytes = plain.read(caller.next(), caller.offset);
        return System.nanoTime() - began + bytes;
    }

    /** Reads through the trace layer. */
    @Benchmark
    public int traced(Caller caller) throws IOException {
        return traced.read(caller.next(), caller.offset);
    }

    /** Reads through the trace layer, with the seek that a positional request counts. */
    @Benchmark
    public int tracedPositional(Caller caller) throws IOException {
        ByteBuffer buffer = caller.next();
        traced.seek(caller.offset);
        return traced.read(buffer, caller.offset);
    }

    private static final class Nothing extends ForwardingLayer {
        Nothing() {
            super("nothing", null);
        }

        @Override
        public int read(ByteBuffer dst, long offset) {
            int bytes = dst.remaining();
            dst.position(dst.limit());
            return bytes;
        }

        @Override
        public void seek(long offset) {}
    }

    private static final class Nowhere implements OpenRequest.Place {
        @Override
        public String type() {
            return "none";
        }

        @Override
        public long sectorBytes() {
            return 4096;
        }
    }
}
