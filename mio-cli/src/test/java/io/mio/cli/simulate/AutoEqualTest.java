package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.cli.simulate.RecordedRun.Program;
import io.mio.os.KernelCall;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The pages that {@code pf/auto} takes are simulated as they were in the recorded run. */
@Timeout(120)
class AutoEqualTest {
    private static final int KB = 1024;

    /** Bytes of the part that most programs use: more than the pages hold. */
    private static final int FILE = 3 << 20;

    /** Bytes of the file: more than the pages can grow to hold. Its end is only read. */
    private static final int LONG_FILE = 100 << 20;

    private static final String AUTO = "pf/auto";
    private static final String DEVICE = "latency=100us,bandwidth=1g";
    private static final OpenOption[] READ = {StandardOpenOption.READ};
    private static final OpenOption[] BOTH = {StandardOpenOption.READ, StandardOpenOption.WRITE};

    @TempDir Path dir;
    private Path data;

    /** What a program does with an open file. */
    private interface Pattern {
        void run(FileChannel file) throws IOException;
    }

    @BeforeEach
    void make() throws IOException {
        data = Files.write(dir.resolve("file.dat"), new byte[FILE]);
        try (FileChannel file = FileChannel.open(data, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(1), LONG_FILE - 1);
        }
        // Files that are in memory anyway are left alone.
        String type = Files.getFileStore(dir).type();
        assumeTrue(!type.equals("tmpfs"));
        // Pages are only taken once no write of the file can be going on.
        boolean fine = Set.of("btrfs", "ext4", "xfs").contains(type);
        Instant changed = ((FileTime) Files.getAttribute(data, "unix:ctime")).toInstant();
        while (Instant.now().isBefore(changed.plusMillis(fine ? 60 : 2100))) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    static Stream<Arguments> runs() {
        return Stream.of(
                run("forward", READ, file -> forward(file, 100)),
                run("forward 1 KB", READ, file -> forward(file, KB)),
                run("forward 1 KB, may write", BOTH, file -> forward(file, KB)),
                run("backward", READ, AutoEqualTest::backward),
                run("in turns", READ, AutoEqualTest::interleaved),
                run("in steps", READ, AutoEqualTest::strided),
                run("near, then far apart", READ, AutoEqualTest::givenUp),
                run("reads and writes", BOTH, AutoEqualTest::mixed),
                run("cut", BOTH, AutoEqualTest::cut));
    }

    private static Arguments run(String name, OpenOption[] how, Pattern pattern) {
        return Arguments.of(name, how, pattern);
    }

    private static void forward(FileChannel file, int bytes) throws IOException {
        for (long at = 0; at < FILE; at += bytes) {
            RecordedRun.read(file, bytes, at);
        }
    }

    private static void backward(FileChannel file) throws IOException {
        for (long at = FILE - 500; at >= 0; at -= 500) {
            RecordedRun.read(file, 500, at);
        }
    }

    private static void interleaved(FileChannel file) throws IOException {
        for (long at = 0; at < FILE / 8; at += 200) {
            for (int reader = 0; reader < 8; reader++) {
                RecordedRun.read(file, 200, at + reader * (FILE / 8L));
            }
        }
    }

    private static void strided(FileChannel file) throws IOException {
        for (long at = 0; at < FILE; at += 1600) {
            RecordedRun.read(file, 100, at);
        }
    }

    private static void givenUp(FileChannel file) throws IOException {
        Random random = new Random(4);
        forward(file, 1000);
        for (int i = 0; i < 9000; i++) {
            RecordedRun.read(file, 1000, random.nextInt(LONG_FILE));
        }
    }

    private static void mixed(FileChannel file) throws IOException {
        Random random = new Random(8);
        for (long at = 0; at < FILE; at += 300) {
            RecordedRun.read(file, 300, at);
            // For a while after each the kernel serves: for how many requests depends on time.
            if (at > FILE - 50 * 300 && random.nextInt(10) == 0) {
                RecordedRun.write(file, 200, random.nextInt(FILE + 5000));
            }
        }
    }

    private static void cut(FileChannel file) throws IOException {
        forward(file, 1000);
        // Longer than the kernel serves after a change, which counts from the end of the cut.
        LockSupport.parkNanos(70_000_000);
        file.truncate(FILE / 2);
        for (int i = 0; i < 20; i++) {
            RecordedRun.read(file, 500, FILE / 2 - 500 * i);
        }
    }

    private Program program(OpenOption[] how, Pattern pattern) {
        return mio -> {
            try (FileChannel file = RecordedRun.open(mio, data, how)) {
                pattern.run(file);
            }
        };
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("runs")
    void shouldCountWhatTheRunCounted(String name, OpenOption[] how, Pattern pattern)
            throws Exception {
        RecordedRun run = RecordedRun.of(dir, AUTO, program(how, pattern));

        PageCounts simulated = run.simulated().counts();

        assertThat(simulated).usingRecursiveComparison().isEqualTo(run.reported());
        assertThat(simulated.programReads).isPositive();
        assertThat(run.simulated().memoryBytes()).isEqualTo(1 << 20);
        // Nothing remains that another simulation would find.
        assertThat(run.simulated().counts()).usingRecursiveComparison().isEqualTo(simulated);
    }

    /** All pages that are read, except the one that the program is in during the look. */
    @Test
    void shouldHaveMorePagesWhereTheyAreReadAgain() throws Exception {
        RecordedRun run =
                RecordedRun.of(
                        dir,
                        AUTO,
                        program(
                                READ,
                                file -> {
                                    for (int i = 0; i < 20; i++) {
                                        strided(file);
                                    }
                                }));

        PageCounts simulated = run.simulated().counts();

        assertThat(simulated).usingRecursiveComparison().isEqualTo(run.reported());
        assertThat(run.simulated().memoryBytes()).isEqualTo(FILE - 64 * KB);
        assertThat(simulated.pageReads).isLessThan(10 * FILE / (64 * KB));
    }

    /** Whether there are pages depends on the machine; it is the same for both. */
    @Test
    void shouldHavePagesForFourKilobytesWhereTheRunHadSome() throws Exception {
        RecordedRun run = RecordedRun.of(dir, AUTO, program(READ, file -> forward(file, 4 * KB)));

        PageCounts simulated = run.simulated().counts();

        assertThat(simulated).usingRecursiveComparison().isEqualTo(run.reported());
        assertThat(KernelCall.nanos(data)).isPositive();
        assertThat(simulated.programReads > 0).isEqualTo(KernelCall.nanos(data) >= 198);
    }

    @Test
    void shouldGiveUpPagesThatServeLittle() throws Exception {
        RecordedRun run = RecordedRun.of(dir, AUTO, program(READ, AutoEqualTest::givenUp));

        assertThat(run.simulated().counts().programReads).isLessThan(FILE / 1000 + 1000);
    }

    @Test
    void shouldHaveNoPagesForLargeRequests() throws Exception {
        RecordedRun run = RecordedRun.of(dir, AUTO, program(READ, file -> forward(file, 16 * KB)));

        assertThat(run.simulated().counts().programReads).isZero();
    }

    @Test
    void shouldTakeLessTimeWhereRequestsAreSmall() throws Exception {
        RecordedRun run = RecordedRun.of(dir, "", program(READ, file -> forward(file, 100)));

        List<Outcome> outcomes = run.simulation(DEVICE, Rule.NONE, AUTO).outcomes();

        Outcome alone = outcomes.stream().filter(each -> each.rule().isNone()).findAny().get();
        Outcome auto = outcomes.stream().filter(each -> !each.rule().isNone()).findAny().get();
        assertThat(auto.timeNanos()).isLessThan(alone.timeNanos());
        assertThat(auto.memoryBytes()).isEqualTo(1 << 20);
    }
}
