package io.mio.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Question: what does one clock read cost on this machine? It is the measure for what trace adds to
 * a call. No data.
 *
 * <pre>
 * java -jar benchmarks/target/benchmarks.jar Clock
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class ClockBenchmark {
    /** One read of the clock. */
    @Benchmark
    public long clock() {
        return System.nanoTime();
    }
}
