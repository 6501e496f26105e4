package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.simulate.RecordedRun.Program;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters equal those of the run if files have several opens, and caches several files. */
@Timeout(120)
class OpensEqualTest {
    private static final int KB = 1024;
    private static final int SIZE = 1 << 20;

    /** With these options nothing depends on time. */
    private static final String SIZES = "pf/cache=256k/page=16k/pref=2/synchronous";

    @TempDir Path dir;
    private Path one;
    private Path two;

    @BeforeEach
    void make() throws IOException {
        one = Files.write(dir.resolve("one.dat"), new byte[SIZE]);
        two = Files.write(dir.resolve("two.dat"), new byte[SIZE + 1234]);
    }

    private void check(String cache, Program program) throws IOException {
        RecordedRun run = RecordedRun.of(dir, cache, program);

        PageCounts simulated = run.simulated().counts();

        assertThat(simulated).usingRecursiveComparison().isEqualTo(run.reported());
        // Nothing remains that another simulation would find.
        assertThat(run.simulated().counts()).usingRecursiveComparison().isEqualTo(simulated);
        assertThat(simulated.programReads + simulated.programWrites).isPositive();
    }

    private static void scan(FileChannel file, int step) throws IOException {
        for (long at = 0; at < SIZE; at += step) {
            RecordedRun.read(file, step, at);
        }
    }

    // Caches kept in this process have numbers of their own, so that no other run finds them.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "/private", "/norelease/global=8", "/retain", "/retain/norelease/global=9",
                        "/global=7",
                "/replace=lru", "/listio", "/pffw", "/through", "/stride=2", "/streams=1",
                "/discovered_direct=32k", "/passthru={20k:70k}", "/pref=1:8", "/pref=auto"
            })
    void shouldCountTheSameWithTwoFilesThatAreOpenedAgain(String options) throws Exception {
        Random random = new Random(9);
        check(
                SIZES + options,
                mio -> {
                    for (int round = 0; round < 2; round++) {
                        try (FileChannel first =
                                        RecordedRun.open(
                                                mio,
                                                one,
                                                StandardOpenOption.READ,
                                                StandardOpenOption.WRITE);
                                FileChannel second =
                                        RecordedRun.open(mio, two, StandardOpenOption.READ)) {
                            for (int i = 0; i < 60; i++) {
                                RecordedRun.read(first, 8 * KB, i * 8L * KB);
                                RecordedRun.read(second, 3 * KB, random.nextInt(SIZE));
                                RecordedRun.write(first, 1000, random.nextInt(SIZE));
                                RecordedRun.read(second, 40 * KB, random.nextInt(SIZE));
                            }
                        }
                    }
                });
    }

    @Test
    void shouldCountTheSameWithTwoOpensOfAFile() throws Exception {
        check(
                SIZES,
                mio -> {
                    try (FileChannel first =
                                    RecordedRun.open(
                                            mio,
                                            one,
                                            StandardOpenOption.READ,
                                            StandardOpenOption.WRITE);
                            FileChannel second =
                                    RecordedRun.open(mio, one, StandardOpenOption.READ)) {
                        for (int i = 0; i < 50; i++) {
                            RecordedRun.write(first, 5 * KB, i * 5L * KB);
                            RecordedRun.read(second, 5 * KB, i * 5L * KB);
                        }
                        scan(second, 16 * KB);
                    }
                });
    }

    @Test
    void shouldCountTheSameWhereAFileIsMadeAppendedToAndCut() throws Exception {
        Path made = dir.resolve("made.dat");
        check(
                SIZES,
                mio -> {
                    try (FileChannel file =
                            RecordedRun.open(
                                    mio,
                                    made,
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.WRITE)) {
                        for (int i = 0; i < 100; i++) {
                            file.write(ByteBuffer.allocate(3000));
                        }
                    }
                    try (FileChannel file =
                            RecordedRun.open(mio, made, StandardOpenOption.APPEND)) {
                        for (int i = 0; i < 20; i++) {
                            file.write(ByteBuffer.allocate(700));
                        }
                    }
                    try (FileChannel file = RecordedRun.open(mio, made, StandardOpenOption.READ);
                            FileChannel cut =
                                    RecordedRun.open(
                                            mio,
                                            made,
                                            StandardOpenOption.WRITE,
                                            StandardOpenOption.TRUNCATE_EXISTING)) {
                        RecordedRun.read(file, 100, 0);
                        RecordedRun.write(cut, 50_000, 0);
                        RecordedRun.read(file, 60_000, 0);
                    }
                });
    }

    @Test
    void shouldCountTheSameWithAsynchronousCalls() throws Exception {
        check(
                SIZES,
                mio -> {
                    try (AsynchronousFileChannel file =
                            AsynchronousFileChannel.open(
                                    mio.getPath(one.toString()), StandardOpenOption.READ)) {
                        for (int i = 0; i < 100; i++) {
                            file.read(ByteBuffer.allocate(5000), i * 5000L).get();
                        }
                    } catch (java.util.concurrent.ExecutionException | InterruptedException e) {
                        throw new IOException(e);
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "/discovered_direct=2m",
                "/passthru={20k:300k}",
                "/passthru={1000k:3m}",
                "/passthru={1000k:1100k}"
            })
    void shouldCountTheSameWithRequestsFarLargerThanTheFile(String options) throws Exception {
        check(
                SIZES + options,
                mio -> {
                    try (FileChannel file = RecordedRun.open(mio, one, StandardOpenOption.READ)) {
                        for (int i = 0; i < 3; i++) {
                            RecordedRun.read(file, 4 * SIZE, 0);
                            RecordedRun.read(file, 4 * SIZE, SIZE);
                            RecordedRun.read(file, SIZE + 1, 100 * KB);
                            RecordedRun.read(file, 4 * SIZE, 1001 * KB);
                        }
                    }
                });
    }
}
