package io.mio.cli.advise;

import static io.mio.cli.advise.AdvisorTest.DEVICE;
import static io.mio.cli.advise.AdvisorTest.MEMORY;
import static io.mio.cli.advise.AdvisorTest.REQUEST;
import static io.mio.cli.advise.AdvisorTest.SIZE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.advise.AdvisorTest.Program;
import io.mio.events.EventFormat;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Opens that get no cache, and those whose time is not that of reads. */
class AdvisorFlagsTest {
    private static final int RDWR = 2;
    private static final List<Integer> NO_CACHE =
            List.of(OpenFlags.DIRECT, OpenFlags.APPEND, OpenFlags.SYNC, OpenFlags.DSYNC);

    @TempDir Path dir;
    private Path events;

    @BeforeEach
    void name() {
        events = dir.resolve("made.events");
    }

    private Advice advice(int door, String path, Program body) throws IOException {
        try (MadeProgram program = new MadeProgram(events, door)) {
            body.run(program);
        }
        Advised all = AdvisorTest.advised(List.of(events), List.of(), MEMORY, DEVICE);
        return AdvisorTest.one(all, path.substring(path.lastIndexOf('/') + 1));
    }

    private static void read(MadeProgram program, int file) throws IOException {
        for (int at = 0; at < SIZE; at += REQUEST) {
            program.read(file, at, REQUEST, 8_000);
        }
    }

    private Advice reading(int door, String path, int oflags) throws IOException {
        return advice(door, path, program -> read(program, program.open(path, 5, SIZE, oflags)));
    }

    @Test
    void shouldGiveNoPagesToNativeOpensThatGetNoCache() throws Exception {
        for (int flag : NO_CACHE) {
            Advice advice = reading(EventFormat.NATIVE, "/data/a.dat", RDWR | flag);

            assertThat(advice.chosen()).isNull();
            assertThat(advice.tried()).isNotEmpty().allMatch(Tried::isHints);
            assertThat(advice.why())
                    .startsWith(
                            "opened with O_DIRECT, O_APPEND, O_SYNC or O_DSYNC: such opens of"
                                    + " native programs get no cache; pf/auto would ");
        }
    }

    @Test
    void shouldGivePagesToDirectChannelsOfAJvm() throws Exception {
        Advice advice = reading(EventFormat.JVM, "/data/a.dat", RDWR | OpenFlags.DIRECT);

        assertThat(advice.chosen().isHints()).isFalse();
    }

    @Test
    void shouldTellTheDoorOfEachProcess() throws Exception {
        Advice advice =
                advice(
                        EventFormat.JVM,
                        "/data/a.dat",
                        program -> {
                            program.another(4712);
                            int flags = RDWR | OpenFlags.DIRECT;
                            read(program, program.open("/data/a.dat", 5, SIZE, flags));
                        });

        assertThat(advice.chosen()).isNull();
    }

    @Test
    void shouldGivePagesWhereOnlyOpensThatReadNothingHaveSuchFlags() throws Exception {
        Advice advice =
                advice(
                        EventFormat.NATIVE,
                        "/data/a.dat",
                        program -> {
                            program.open("/data/a.dat", 5, SIZE, RDWR | OpenFlags.APPEND);
                            read(program, program.open("/data/a.dat", 5, SIZE));
                        });

        assertThat(advice.chosen().isHints()).isFalse();
    }

    @Test
    void shouldHaveNoRuleForDevices() throws Exception {
        for (int door : List.of(EventFormat.NATIVE, EventFormat.JVM)) {
            Advice advice = reading(door, "/dev/disk7", RDWR);

            assertThat(advice.chosen()).isNull();
            assertThat(advice.tried()).isEmpty();
            assertThat(advice.why()).isEqualTo("a device: MIO gives it no cache");
            assertThat(reading(door, "/dev/shm/a.dat", RDWR).chosen()).isNotNull();
        }
    }

    @Test
    void shouldSayThatSyncsTakeTheTime() throws Exception {
        Program body =
                program -> {
                    int file = program.open("/data/a.log", 0);
                    for (int at = 0; at < 200 * REQUEST; at += REQUEST) {
                        program.write(file, at, REQUEST, 20_000);
                        program.sync(file, 4_000_000);
                    }
                };
        Advice advice = advice(EventFormat.NATIVE, "/data/a.log", body);

        assertThat(advice.does())
                .isEqualTo(
                        "writes 800 KiB; requests of 4.00 KiB. 200 writes take 4.00 ms, opens,"
                                + " syncs, locks and other calls 800 ms: 99.9 % of the run");
        assertThat(advice.why())
                .isEqualTo(
                        "opens, syncs, locks and other calls take 99.4 % of the run, which a cache"
                                + " does not shorten");
    }

    @Test
    void shouldNotSpeakOfWritesWhereThereAreNone() throws Exception {
        Advice opened =
                advice(
                        EventFormat.NATIVE,
                        "/data/empty",
                        program -> {
                            int file = program.open("/data/empty", 0);
                            program.read(file, 0, REQUEST, 0, 1_000);
                            program.sync(file, 50_000);
                        });
        Advice alone =
                advice(
                        EventFormat.NATIVE,
                        "/data/a.dat",
                        program -> {
                            int file = program.open("/data/a.dat", SIZE);
                            program.sync(file, 20_000);
                            for (int at = 0; at < SIZE / 16; at += REQUEST) {
                                program.read(file, at, REQUEST, 100);
                                program.think(2_000);
                            }
                        });

        assertThat(opened.does())
                .startsWith("reads 0 B; requests of 4.00 KiB. 1 read takes 1.00 us, opens, ");
        assertThat(opened.why()).startsWith("opens, syncs, locks and other calls take ");
        assertThat(alone.why()).matches("its reads take 2[.].* % of the run: nothing to gain");
    }

    @Test
    void shouldSayThatWritesWaitForTheDeviceWhereTheProgramAsksForIt() throws Exception {
        for (int flag : List.of(OpenFlags.DIRECT, OpenFlags.SYNC, OpenFlags.DSYNC)) {
            for (int read : List.of(0, REQUEST)) {
                Advice advice =
                        advice(
                                EventFormat.NATIVE,
                                "/data/a.out",
                                program -> {
                                    int flags = RDWR | flag;
                                    int file = program.open("/data/a.out", 5, 0, flags);
                                    for (int at = 0; at < SIZE; at += REQUEST) {
                                        program.write(file, at, REQUEST, 100_000);
                                    }
                                    if (read > 0) {
                                        program.read(file, 0, read, 1_000);
                                    }
                                });

                assertThat(advice.why())
                        .endsWith(
                                "with O_DIRECT, O_SYNC or O_DSYNC each write goes to the device"
                                        + " before it returns, as the program asks")
                        .doesNotContain("runs on");
            }
        }
    }
}
