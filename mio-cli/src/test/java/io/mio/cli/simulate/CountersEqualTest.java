package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.cli.simulate.RecordedRun.Program;
import io.mio.cli.term.CliException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The counters of a simulation equal those of the recorded run. */
@Timeout(120)
class CountersEqualTest {
    private static final int KB = 1024;
    private static final int FILE = 2 << 20;
    private static final String LRU = "pf/cache=512k/page=16k/pref=4/replace=lru";
    private static final String AUTO = "pf/cache=512k/page=16k/pref=3/replace=auto";
    private static final String SMALL = "pf/cache=64k/page=4k/pref=2/replace=auto";
    private static final String ONE_FRAME = "pf/cache=16k/page=16k/pref=1/replace=lru";
    private static final String LARGE = "pf/cache=1m/page=128k/pref=2/replace=lru";

    @TempDir Path dir;

    /** What a program does with an open file. */
    private interface Pattern {
        void run(FileChannel file) throws IOException;
    }

    /** If the program waits for all requests, nothing depends on time. */
    static Stream<Arguments> runs() {
        Stream<Arguments> synchronous =
                Stream.of(LRU, AUTO, SMALL, LARGE, ONE_FRAME)
                        .map(cache -> cache + "/synchronous")
                        .flatMap(
                                cache ->
                                        Stream.concat(
                                                determined(cache),
                                                Stream.of(
                                                        run(
                                                                "rewrite",
                                                                cache,
                                                                CountersEqualTest::rewrite),
                                                        run(
                                                                "mixed",
                                                                cache,
                                                                CountersEqualTest::mixed))));
        return Stream.concat(
                synchronous, Stream.of(LRU, AUTO).flatMap(CountersEqualTest::determined));
    }

    /** Runs that do not depend on how long a request takes, as long as there are enough frames. */
    private static Stream<Arguments> determined(String cache) {
        return Stream.of(
                run("forward", cache, CountersEqualTest::forward),
                run("backward", cache, CountersEqualTest::backward),
                run("strided", cache, CountersEqualTest::strided),
                run("random", cache, CountersEqualTest::random),
                run("small", cache, CountersEqualTest::small),
                run("loop", cache, CountersEqualTest::loop),
                run("interleaved", cache, CountersEqualTest::interleaved),
                run("re-read", cache, CountersEqualTest::reread),
                run("write", cache, CountersEqualTest::write),
                run("cut", cache, CountersEqualTest::cut),
                run("large", cache, CountersEqualTest::large));
    }

    private static Arguments run(String name, String cache, Pattern pattern) {
        return Arguments.of(name, cache, pattern);
    }

    private static void forward(FileChannel file) throws IOException {
        for (long at = 0; at < FILE; at += 5000) {
            RecordedRun.read(file, 5000, at);
        }
    }

    private static void backward(FileChannel file) throws IOException {
        for (long at = FILE - 8 * KB; at >= 0; at -= 8 * KB) {
            RecordedRun.read(file, 8 * KB, at);
        }
    }

    private static void strided(FileChannel file) throws IOException {
        for (long at = 0; at < FILE; at += 100_000) {
            RecordedRun.read(file, 700, at);
        }
        for (long at = 3000; at < FILE; at += 150_000) {
            RecordedRun.read(file, 9000, at);
        }
    }

    private static void random(FileChannel file) throws IOException {
        Random random = new Random(7);
        for (int i = 0; i < 1500; i++) {
            RecordedRun.read(file, 1 + random.nextInt(12_000), random.nextInt(FILE));
        }
    }

    private static void small(FileChannel file) throws IOException {
        for (long at = 0; at < FILE / 4; at += 100) {
            RecordedRun.read(file, 100, at);
        }
    }

    private static void loop(FileChannel file) throws IOException {
        for (int i = 0; i < 4; i++) {
            for (long at = 0; at < FILE / 2; at += 16 * KB) {
                RecordedRun.read(file, 16 * KB, at);
            }
        }
    }

    private static void interleaved(FileChannel file) throws IOException {
        for (long at = 0; at < FILE / 2; at += 4 * KB) {
            RecordedRun.read(file, 4 * KB, at);
            RecordedRun.read(file, 4 * KB, FILE / 2 + at);
        }
    }

    private static void reread(FileChannel file) throws IOException {
        Random random = new Random(3);
        for (long at = 0; at < FILE; at += 4 * KB) {
            RecordedRun.read(file, 4 * KB, at);
            RecordedRun.read(file, 512, random.nextInt(64 * KB));
        }
    }

    private static void write(FileChannel file) throws IOException {
        for (long at = 0; at < FILE + 40_000; at += 6000) {
            RecordedRun.write(file, 6000, at);
        }
        file.force(false);
    }

    private static void rewrite(FileChannel file) throws IOException {
        Random random = new Random(11);
        for (int i = 0; i < 400; i++) {
            RecordedRun.write(file, 1 + random.nextInt(6000), random.nextInt(FILE));
        }
    }

    private static void mixed(FileChannel file) throws IOException {
        Random random = new Random(5);
        for (int i = 0; i < 800; i++) {
            long at = random.nextInt(FILE / KB) * (long) KB;
            if (random.nextInt(3) == 0) {
                RecordedRun.write(file, KB, at);
            } else {
                RecordedRun.read(file, 3 * KB, at);
            }
            if (i % 300 == 299) {
                file.force(true);
            }
        }
    }

    private static void cut(FileChannel file) throws IOException {
        forward(file);
        file.truncate(FILE / 2);
        RecordedRun.read(file, 4 * KB, FILE / 4);
        RecordedRun.read(file, 4 * KB, FILE / 2 - 1000);
        RecordedRun.read(file, 4 * KB, FILE);
        RecordedRun.write(file, 10_000, FILE / 2 + 5000);
        backward(file);
    }

    private static void large(FileChannel file) throws IOException {
        for (long at = 0; at < FILE; at += 300_000) {
            RecordedRun.read(file, 300_000, at);
        }
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("runs")
    void shouldCountWhatTheRunCounted(String name, String cache, Pattern pattern) throws Exception {
        compare(cache, program(pattern));
    }

    @ParameterizedTest
    @ValueSource(strings = {LRU, AUTO, SMALL, LARGE, ONE_FRAME})
    void shouldCountWhatARunByAPlanCounted(String cache) throws Exception {
        Program program = program(CountersEqualTest::random);
        RecordedRun first = RecordedRun.of(dir, cache, program);
        compare(cache + "/synchronous/plan={" + first.events() + "}", program);
    }

    @Test
    void shouldRefuseAPlanThatCannotBeRead() throws Exception {
        RecordedRun run = RecordedRun.of(dir, AUTO, program(CountersEqualTest::random));
        assertThatThrownBy(
                        () ->
                                run.simulation(
                                        "latency=100us,bandwidth=1g", AUTO + "/plan={/no/such}"))
                .isInstanceOf(CliException.class)
                .hasMessage(
                        "--config "
                                + AUTO
                                + "/plan={/no/such}: no plan: there is no file /no/such");
    }

    private Program program(Pattern pattern) throws IOException {
        Path data = Files.write(dir.resolve("file.dat"), new byte[FILE]);
        return mio -> {
            try (FileChannel file =
                    RecordedRun.open(
                            mio, data, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
                pattern.run(file);
            }
        };
    }

    private void compare(String cache, Program program) throws IOException {
        RecordedRun run = RecordedRun.of(dir, cache, program);

        PageCounts simulated = run.simulated().counts();
        PageCounts reported = run.reported();

        if (!cache.contains("/synchronous")) {
            // Whether a page has come when it is wanted depends on time.
            simulated.waits = reported.waits;
        }
        assertThat(simulated).usingRecursiveComparison().isEqualTo(reported);
        assertThat(simulated.programReads + simulated.programWrites).isPositive();
    }
}
