package io.mio.benchmarks;

import io.mio.config.MioConfig;
import io.mio.events.EventReader;
import java.io.IOException;
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
 * Question: how long does it take to parse the settings of a program, and to read an events file?
 *
 * <p>Data: the text has {@code rules} rules of two names and three layers each, as in {@code
 * MIO_FILES}. {@code load} is what a program waits for at its start, {@code match} what each open
 * waits for. {@code bytes} only looks at each character of the same text, for comparison. {@code
 * events} reads a file of some 100,000 events of all kinds, made before, from its beginning to its
 * end.
 *
 * <pre>
 * mvn -B -ntp -DskipTests package
 * java -jar benchmarks/target/benchmarks.jar Parser
 * java -jar benchmarks/target/benchmarks.jar Parser.load -p rules=1,1000
 * </pre>
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class ParserBenchmark {
    private static final long EVENTS = 100_000;

    /** The settings to parse. */
    @State(Scope.Benchmark)
    public static class Rules {
        /** Number of rules in the text. */
        @Param({"1", "100"})
        public int rules;

        private String text;
        private Map<String, String> settings;
        private MioConfig loaded;
        private String name;

        /** Makes the text. */
        @Setup(Level.Trial)
        public void make() {
            StringBuilder all = new StringBuilder();
            for (int i = 0; i < rules; i++) {
                all.append("*.dat").append(i).append(":scratch/*_").append(i);
                all.append(" [ trace/stats={x.stats}/kbytes | pf/cache=100m/page=2m/pref=4/direct");
                all.append(" | trace/kbytes ]\n");
            }
            text = all.toString();
            settings = Map.of("files", text);
            loaded = MioConfig.load(settings, Map.of());
            name = "/data/scratch/x_" + (rules - 1);
        }
    }

    /** An events file to read, made once for all iterations. */
    @State(Scope.Benchmark)
    public static class Recorded {
        private Path dir;
        private Path file;

        /** Makes the file. */
        @Setup(Level.Trial)
        public void make() throws IOException, InterruptedException {
            dir = Files.createTempDirectory("mio-benchmark-");
            file = dir.resolve("bench.events");
            EventsFileGenerator.generate(file, EVENTS, 1);
        }

        /** Deletes the file. */
        @TearDown(Level.Trial)
        public void delete() throws IOException {
            Files.deleteIfExists(file);
            Files.delete(dir);
        }
    }

    /** Parses all rules. */
    @Benchmark
    public MioConfig load(Rules of) {
        return MioConfig.load(of.settings, Map.of());
    }

    /** Finds the rule of a name that only the last rule matches, as each open does. */
    @Benchmark
    public Object match(Rules of) {
        return of.loaded.match(of.name);
    }

    /** Looks at each character of the text. */
    @Benchmark
    public int bytes(Rules of) {
        int sum = 0;
        for (int i = 0; i < of.text.length(); i++) {
            sum = 31 * sum + of.text.charAt(i);
        }
        return sum;
    }

    /** Reads all events. */
    @Benchmark
    public long events(Recorded recorded) throws IOException {
        long count = 0;
        try (EventReader reader = EventReader.open(recorded.file)) {
            while (reader.next() != null) {
                count++;
            }
        }
        return count;
    }
}
