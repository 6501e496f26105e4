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
 * Question: how long do the settings of a program take to be understood, and a file of events to be
 * read?
 *
 * <p>Data: {@code rules} is so many rules of two names and three layers each, as in {@code
 * MIO_FILES}: {@code load} is what a program waits for at its start, {@code match} what each open
 * waits for. {@code bytes} is the same text only looked at byte by byte, for comparison. {@code
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

    /** The settings. */
    @State(Scope.Benchmark)
    public static class Rules {
        /** Rules of the text. */
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

    /** A file that is read, made once for all. */
    @State(Scope.Benchmark)
    public static class Recorded {
        private Path dir;
        private Path file;

        /** Makes it. */
        @Setup(Level.Trial)
        public void make() throws IOException, InterruptedException {
            dir = Files.createTempDirectory("mio-benchmark-");
            file = dir.resolve("bench.events");
            EventsFileGenerator.generate(file, EVENTS, 1);
        }

        /** Deletes it. */
        @TearDown(Level.Trial)
        public void delete() throws IOException {
            Files.deleteIfExists(file);
            Files.delete(dir);
        }
    }

    /** Understands all rules. */
    @Benchmark
    public MioConfig load(Rules of) {
        return MioConfig.load(of.settings, Map.of());
    }

    /** Finds the rule of a name that the last one is for, as each open does. */
    @Benchmark
    public Object match(Rules of) {
        return of.loaded.match(of.name);
    }

    /** Looks at all characters. */
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
