package io.mio.cli.bench;

import io.mio.cli.bench.BenchOptions.Door;
import java.util.List;

/** A benchmark whose figures are easy to check. */
final class Example {
    static final Configuration PLAIN = new Configuration("plain", "");
    static final Configuration PF = new Configuration("pf", "[ pf/cache=64m ]");

    private static final Point SMALL = new Point(1 << 20, 4096);
    private static final Point ODD = new Point(1 << 20, 500);

    private Example() {}

    static BenchOptions options(List<Configuration> configurations, BenchTest... tests) {
        return options(configurations, Door.JVM, tests);
    }

    private static BenchOptions options(
            List<Configuration> configurations, Door door, BenchTest... tests) {
        return new BenchOptions(
                List.of(tests),
                List.of(),
                List.of(),
                true,
                false,
                1,
                false,
                false,
                false,
                17,
                1,
                70,
                false,
                FileState.COLD,
                3,
                door,
                configurations,
                0,
                null);
    }

    static BenchReport report(List<Configuration> configurations) {
        BenchOptions options =
                options(
                        configurations,
                        Door.NATIVE,
                        BenchTest.WRITE,
                        BenchTest.RANDOM_READ,
                        BenchTest.BACKWARD);
        Machine machine =
                new Machine(
                        "Linux 6.1",
                        "amd64",
                        2L,
                        8L << 30,
                        "JVM 17",
                        "1.2.3",
                        "ext4",
                        "rw",
                        "vda",
                        false,
                        512L);
        Results results = new Results();
        for (Point point : List.of(SMALL, ODD)) {
            for (Configuration configuration : configurations) {
                // Milliseconds of three runs; some of them depend on the configuration.
                long factor = configuration.equals(PLAIN) ? 4 : 1;
                add(results, configuration, point, BenchTest.WRITE, 10, 20, 30);
                add(results, configuration, point, BenchTest.RANDOM_READ, 5, 6 * factor, 40);
                add(
                        results,
                        configuration,
                        point,
                        BenchTest.BACKWARD,
                        100 * factor,
                        110 * factor,
                        120 * factor);
            }
        }
        return new BenchReport(
                options,
                machine,
                List.of("/data/a\nb.dat"),
                List.of(SMALL, ODD),
                List.of("-r 2m is more than -s 1m"),
                "by asking the kernel for its pages",
                results);
    }

    private static void add(
            Results results,
            Configuration configuration,
            Point point,
            BenchTest test,
            long... millis) {
        for (long each : millis) {
            Histogram latency = new Histogram();
            long nanos = each * 1_000_000;
            for (long i = 0; i < point.fileRecords(); i++) {
                latency.add(nanos / point.fileRecords());
            }
            results.add(
                    configuration,
                    point,
                    test,
                    new Sample(
                            1000,
                            1000 + nanos,
                            point.fileBytes(),
                            point.fileRecords(),
                            nanos / 2,
                            nanos,
                            test.isReading() ? point.fileBytes() : 0,
                            test.isWriting() ? point.fileBytes() : 0,
                            5000,
                            nanos / 10,
                            nanos / 4,
                            77,
                            latency));
        }
    }
}
