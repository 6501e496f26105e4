package io.mio.benchmarks;

import io.mio.os.FrameArena;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/**
 * Question: what does pf gain, or cost, for each way to go through a file? The same calls are made
 * through the platform's own channels and through channels with pf, and the streaming ones by
 * {@code fio}, too. The contenders take turns in one run, because a machine changes from one moment
 * to the next.
 *
 * <p>Data: one file of {@code --size} bytes, in requests of each size. A cold run begins with no
 * page of the file in the kernel's cache ({@code dd oflag=nocache}, checked with {@code fincore} if
 * it is installed), a warm run with all of them; pf's own cache is empty at the beginning of each
 * run. A run is an open, the calls and the close; writes are forced to the device before the close.
 * The number of calls in a run is found out first: each contender runs for {@code --seconds},
 * twice, and the number is the geometric mean of the least and the most calls of the second time.
 * That is the warm-up, too.
 *
 * <p>Processor time is that of the process, in steps of 10 ms; for 1 GB it is accurate to 1 %. What
 * the kernel's own threads write is not in it.
 *
 * <pre>
 * mvn -B -ntp -DskipTests package
 * java -cp benchmarks/target/benchmarks.jar io.mio.benchmarks.Patterns --help
 * java -cp benchmarks/target/benchmarks.jar io.mio.benchmarks.Patterns --patterns=backward --requests=4k,100k
 * java -cp benchmarks/target/benchmarks.jar io.mio.benchmarks.Patterns --patterns=forward,rewrite --requests=1m --size=4g --fio=4
 * </pre>
 */
public final class Patterns {
    private static final double NANOS = 1e9;

    /**
     * Bytes of memory that are touched before a cold run, so that a cache of 100 MB gets them
     * quickly.
     */
    private static final long HAND_BYTES = 128 << 20;

    private final PatternOptions options;
    private final PrintStream out;

    Patterns(PatternOptions options, PrintStream out) {
        this.options = options;
        this.out = out;
    }

    /** Runs the benchmark; ends with status 2 if the arguments are wrong. */
    @SuppressWarnings("SystemOut") // It is a program.
    public static void main(String[] args) throws IOException, InterruptedException {
        if (List.of(args).contains("--help")) {
            System.out.print(PatternOptions.HELP);
            return;
        }
        PatternOptions options;
        try {
            options = PatternOptions.of(args);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage() + "\n\n" + PatternOptions.HELP);
            System.exit(2);
            return;
        }
        new Patterns(options, System.out).run();
    }

    void run() throws IOException, InterruptedException {
        Path dir = Files.createTempDirectory(options.dir(), "mio-patterns-");
        Path stats = dir.resolve("patterns.stats");
        List<Contender> contenders = new ArrayList<>();
        try {
            TestFile file =
                    new TestFile(
                            dir.resolve("patterns.dat"),
                            options.size(),
                            Collections.max(options.requests()));
            contenders.add(new ChannelContender(options.check()));
            for (String rule : options.rules()) {
                contenders.add(
                        new ChannelContender(options.check(), rule, contenders.size(), stats));
            }
            if (options.fioDepth() > 0) {
                contenders.add(new FioContender(options.fioBytes(), options.fioDepth()));
            }
            List<String> csv = new ArrayList<>();
            csv.add(PatternResult.CSV_HEADER);
            out.println(PatternResult.header());
            for (PatternCase each : cases()) {
                PatternResult result = measure(each, file, contenders);
                result.lines().forEach(out::println);
                csv.addAll(result.csv());
            }
            if (options.csv() != null) {
                Files.write(options.csv(), csv);
            }
            showEngine(stats);
        } finally {
            for (Contender contender : contenders) {
                contender.close();
            }
            clean(dir);
        }
    }

    private List<PatternCase> cases() {
        List<PatternCase> cases = new ArrayList<>();
        for (boolean cold : options.cold()) {
            for (AccessPattern pattern : options.patterns()) {
                for (int request : options.requests()) {
                    for (int threads : options.threads()) {
                        cases.add(new PatternCase(pattern, request, threads, cold));
                    }
                }
            }
        }
        return cases;
    }

    private PatternResult measure(PatternCase of, TestFile file, List<Contender> all)
            throws IOException, InterruptedException {
        List<Contender> contenders = all.stream().filter(contender -> contender.does(of)).toList();
        long calls = calls(of, file, contenders);
        PatternResult result = new PatternResult(of, contenders);
        for (int round = 0; round < options.rounds(); round++) {
            for (int i = 0; i < contenders.size(); i++) {
                prepare(of, file);
                Contender.Run run = contenders.get(i).run(of, file, calls, Contender.UNLIMITED / 2);
                result.add(i, run);
            }
        }
        return result;
    }

    private long calls(PatternCase of, TestFile file, List<Contender> contenders)
            throws IOException, InterruptedException {
        long nanos = (long) (options.seconds() * NANOS);
        long least = of.mostCalls(file.bytes());
        long most = 1;
        for (Contender contender : contenders) {
            if (contender.isTimed()) {
                prepare(of, file);
                contender.run(of, file, Contender.UNLIMITED, nanos);
                prepare(of, file);
                long calls = contender.run(of, file, Contender.UNLIMITED, nanos).calls();
                least = Math.max(1, Math.min(least, calls));
                most = Math.max(most, calls);
            }
        }
        return Math.round(Math.sqrt((double) least * most));
    }

    private static void prepare(PatternCase of, TestFile file)
            throws IOException, InterruptedException {
        if (of.cold()) {
            file.drop(file.path());
            FrameArena.haveAtHand(HAND_BYTES);
        } else {
            file.warm();
        }
    }

    /** Prints which backend pf had, from the head of its reports. */
    private void showEngine(Path stats) throws IOException {
        if (Files.exists(stats)) {
            for (String line : Files.readAllLines(stats)) {
                if (line.contains(" with ")) {
                    out.println(String.format(Locale.ROOT, "%npf %s", line.strip()));
                    return;
                }
            }
        }
    }

    private static void clean(Path dir) throws IOException {
        List<Path> files;
        try (java.util.stream.Stream<Path> list = Files.list(dir)) {
            files = list.toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
        Files.delete(dir);
    }
}
