package io.mio.cli.advise;

import static io.mio.cli.advise.AdvisorTest.DEVICE;
import static io.mio.cli.advise.AdvisorTest.MEMORY;
import static io.mio.cli.advise.AdvisorTest.REQUEST;
import static io.mio.cli.advise.AdvisorTest.SIZE;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.advise.AdvisorTest.Program;
import io.mio.cli.simulate.Device;
import io.mio.config.MioConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs with several files or groups of them: which rule is whose, and what they share. */
class AdvisorGroupsTest {
    @TempDir Path dir;
    private Path events;

    @BeforeEach
    void name() {
        events = dir.resolve("made.events");
    }

    private Advised advised(Program body) throws IOException {
        return advised(List.of(), body);
    }

    private Advised advised(List<String> files, Program body) throws IOException {
        return AdvisorTest.advised(events, MEMORY, files, DEVICE, body);
    }

    @Test
    void shouldHaveOneRuleForManyFilesAlike() throws Exception {
        Advised all =
                advised(
                        program -> {
                            for (int i = 1; i <= 12; i++) {
                                AdvisorTest.forward(program, "/data/run-" + i + ".srt", 8_000);
                            }
                        });

        Advice advice = AdvisorTest.one(all, "run-*.srt");
        assertThat(advice.does()).contains("12 files");
        assertThat(advice.chosen()).isNotNull();
        assertThat(all.files()).hasSize(1);
    }

    @Test
    void shouldHaveNoRuleThatFitsFilesWhichWereNotChosen() throws Exception {
        Advised all =
                advised(
                        List.of("/data/run-0*"),
                        program -> {
                            for (int i = 0; i < 12; i++) {
                                AdvisorTest.forward(
                                        program, String.format("/data/run-%02d.srt", i), 8_000);
                            }
                        });

        MioConfig config = MioConfig.of(Map.of("files", all.line()));
        assertThat(config.match("/data/run-09.srt")).isNotNull();
        assertThat(config.match("/data/run-10.srt")).isNull();
    }

    /** Reads files in turns, one request of each. */
    private static void inTurns(MadeProgram program, int count, int passes, long nanos)
            throws IOException {
        int[] files = new int[count];
        for (int i = 0; i < count; i++) {
            files[i] = program.open("/data/" + i + "/in" + i, SIZE);
        }
        for (int at = 0; at < passes * SIZE; at += REQUEST) {
            for (int file : files) {
                program.read(file, at % SIZE, REQUEST, nanos);
            }
        }
    }

    @Test
    void shouldGiveEachGroupACacheOfItsOwn() throws Exception {
        Advised all = advised(program -> inTurns(program, 4, 2, 12_000));

        assertThat(all.files()).hasSize(4).noneMatch(each -> each.chosen() == null);
        assertThat(all.line()).contains("/direct ]", "/global=1 ]", "/global=2 ]", "/global=3 ]");
        long sum = all.files().stream().mapToLong(each -> each.chosen().memoryBytes()).sum();
        assertThat(all.memoryBytes()).isEqualTo(sum).isLessThanOrEqualTo(MEMORY);
        long gains = all.files().stream().mapToLong(each -> each.gainNanos(all.runNanos())).sum();
        assertThat(all.runNanos() - all.advisedNanos()).isGreaterThan(gains * 9 / 10);
        MioConfig.of(Map.of("files", all.line())).checkAvailable();
    }

    @Test
    void shouldTakeBackRulesThatGainNothingWithTheOthers() throws Exception {
        // Either file can come while the program waits for the other one, but not both.
        Device slow = Device.parse("latency=50us,bandwidth=600m,depth=32");
        Advised all =
                AdvisorTest.advised(
                        events, MEMORY, List.of(), slow, program -> inTurns(program, 2, 1, 8_000));

        assertThat(all.files()).hasSize(2);
        Advice set = all.files().get(0);
        Advice back = all.files().get(1);
        assertThat(set.chosen()).isNotNull();
        assertThat(back.chosen()).isNull();
        assertThat(back.tried()).anyMatch(each -> each.runNanos() < all.runNanos() * 9 / 10);
        assertThat(back.why()).startsWith("with the rules of other files");
        assertThat(all.line()).doesNotContain(back.group().shown());
        assertThat(all.advisedNanos()).isEqualTo(set.chosen().runNanos());
        assertThat(all.memoryBytes()).isEqualTo(set.chosen().memoryBytes());
    }

    @Test
    void shouldCountTheOpensOfAGroupThatAreThereAtTheSameTime() throws Exception {
        // The files are used one after the other, twice.
        Advised inTurn =
                advised(
                        program -> {
                            for (int i = 0; i < 100; i++) {
                                int file = program.open("/data/in-" + i % 50, 1 << 20);
                                for (int at = 0; at < 1 << 20; at += REQUEST) {
                                    program.read(file, at, REQUEST, 8_000);
                                }
                                program.finish(file);
                            }
                        });
        Advised together =
                advised(
                        program -> {
                            int[] files = new int[50];
                            for (int i = 0; i < 50; i++) {
                                files[i] = program.open("/data/in-" + i, 1 << 20);
                            }
                            for (int at = 0; at < 50 << 20; at += REQUEST) {
                                program.read(files[at >> 20], at % (1 << 20), REQUEST, 8_000);
                            }
                        });

        assertThat(AdvisorTest.one(inTurn, "in-*").chosen().memoryBytes()).isEqualTo(8 << 20);
        assertThat(AdvisorTest.one(inTurn, "in-*").group().sum().openMost).isEqualTo(1);
        assertThat(AdvisorTest.one(together, "in-*").group().sum().openMost).isEqualTo(50);
        // Six pages for each of the 50 files.
        assertThat(AdvisorTest.one(together, "in-*").tried())
                .extracting(Tried::rule)
                .contains("pf/cache=75m/page=256k/direct");
    }

    @Test
    void shouldRankByTheTimeThatIsSavedNotByTheTimeInCalls() throws Exception {
        Advised all =
                advised(
                        program -> {
                            int file = program.open("/data/back", SIZE);
                            for (int at = SIZE - REQUEST; at >= 0; at -= REQUEST) {
                                program.read(file, at, REQUEST, MadeProgram.COLD);
                            }
                            int other = program.open("/data/random", 64L * SIZE);
                            Random random = new Random(1);
                            for (int i = 0; i < 6000; i++) {
                                long at = (long) random.nextInt(64 * SIZE / REQUEST) * REQUEST;
                                program.read(other, at, REQUEST, MadeProgram.COLD);
                            }
                        });

        assertThat(all.files().stream().map(each -> each.group().shown()))
                .containsExactly("back", "random");
        assertThat(all.files().get(1).chosen()).isNull();
    }

    @Test
    void shouldTellOpensOfSeveralRecordingsApart() throws Exception {
        // In both, the numbers of opens start at 1, and the process is the same.
        Path other = dir.resolve("other.events");
        try (MadeProgram program = new MadeProgram(other)) {
            int file = program.open("/data/a.db", 5, SIZE);
            program.read(file, 0, REQUEST, MadeProgram.COLD);
        }
        try (MadeProgram program = new MadeProgram(events)) {
            int writes = program.open("a.db", 5, SIZE);
            int reads = program.open("/data/a.db", 5, SIZE);
            for (int at = 0; at < SIZE; at += REQUEST) {
                program.read(reads, at, REQUEST, MadeProgram.COLD);
            }
            program.write(writes, 0, 100, MadeProgram.WARM);
        }
        Advised all = AdvisorTest.advised(List.of(other, events), List.of(), MEMORY, DEVICE);

        Advice advice = AdvisorTest.one(all, "/data/a.db");
        assertThat(advice.tried()).isNotEmpty().allMatch(Tried::isHints);
        assertThat(advice.group().sum().openMost).isEqualTo(1);
    }

    @Test
    void shouldRankByTimeSavedAndMakeALineThatMioReads() throws Exception {
        Advised all =
                advised(
                        program -> {
                            AdvisorTest.forward(program, "/data/some [1]:x.dat", 10_000);
                            int file = program.open("/data/back", SIZE);
                            for (int at = SIZE - REQUEST; at >= 0; at -= REQUEST) {
                                program.read(file, at, REQUEST, MadeProgram.COLD);
                            }
                            AdvisorTest.forward(program, "/data/warm", 600);
                        });

        assertThat(all.files().stream().map(each -> each.group().shown()))
                .containsExactly("back", "some [1]:x.dat", "warm");
        assertThat(AdvisorTest.one(all, "warm").chosen()).isNull();
        MioConfig config = MioConfig.of(Map.of("files", all.line()));
        config.checkAvailable();
        assertThat(config.rules()).hasSize(2);
        assertThat(config.match("/data/some [1]:x.dat")).isNotNull();
        assertThat(config.match("/data/back")).isNotNull();
        assertThat(config.match("/data/warm")).isNull();
    }

    @Test
    void shouldSeeThatAFileThatWasChosenIsWrittenByANameThatWasNot() throws Exception {
        Advised all =
                advised(
                        List.of("*big.dat"),
                        program -> {
                            int reads = program.open("/data/big.dat", 5, SIZE);
                            for (int at = 0; at < SIZE; at += REQUEST) {
                                program.read(reads, at, REQUEST, 8_000);
                            }
                            int writes = program.open("/data/other.lnk", 5, SIZE);
                            program.write(writes, 0, 100, MadeProgram.WARM);
                        });

        assertThat(all.files()).hasSize(1);
        Advice advice = AdvisorTest.one(all, "big.dat");
        assertThat(advice.tried()).isNotEmpty().allMatch(Tried::isHints);
        assertThat(advice.why()).startsWith("it is written by another name: pages");
    }

    @Test
    void shouldSayThatACacheDoesNotFitIntoTheMemoryThatIsLeft() throws Exception {
        Advised all =
                AdvisorTest.advised(
                        events,
                        8 << 20,
                        List.of(),
                        DEVICE,
                        program -> inTurns(program, 2, 1, 12_000));

        assertThat(all.files().get(0).chosen()).isNotNull();
        Advice none = all.files().get(1);
        assertThat(none.chosen()).isNull();
        assertThat(none.why())
                .startsWith(
                        "its cache does not fit into what is left of --memory;"
                                + " pf/cache=8m/page=256k/direct would gain ");

        Advised little =
                AdvisorTest.advised(
                        events,
                        4 << 20,
                        List.of(),
                        DEVICE,
                        program -> inTurns(program, 1, 1, 12_000));
        assertThat(little.files().get(0).why())
                .isEqualTo("pages need a cache of 8.00 MiB, more than --memory");
    }

    @Test
    void shouldSayThatARuleWasNotTried() throws Exception {
        Advised all = advised(program -> inTurns(program, 14, 1, 12_000));

        assertThat(all.files()).filteredOn(each -> each.tried().isEmpty()).hasSize(2);
        for (Advice each : all.files().subList(12, 14)) {
            assertThat(each.why())
                    .isEqualTo(
                            "not tried: rules are tried for the 12 groups of files that take most"
                                    + " time; --file has others tried");
        }
    }

    @Test
    void shouldTakeTwoNamesOfOneFileTogether() throws Exception {
        Advised all =
                advised(
                        program -> {
                            for (String name : List.of("m.dat", "./m.dat")) {
                                int file = program.open(name, 5, SIZE);
                                for (int at = 0; at < SIZE; at += REQUEST) {
                                    program.read(file, at, REQUEST, 8_000);
                                }
                            }
                        });

        assertThat(all.files()).hasSize(1);
        Advice advice = AdvisorTest.one(all, "m.dat");
        assertThat(advice.chosen().isHints()).isFalse();
        assertThat(advice.does()).startsWith("reads 32.0 MiB forward").doesNotContain("2 files");
        MioConfig config = MioConfig.of(Map.of("files", all.line()));
        assertThat(config.match("m.dat")).isNotNull();
        assertThat(config.match("./m.dat")).isNotNull();
    }

    @Test
    void shouldNotTakeNamesTogetherThatAreNotUsedAlike() throws Exception {
        Advised all =
                advised(
                        program -> {
                            int reads = program.open("m.dat", 5, SIZE);
                            int writes = program.open("./m.dat", 5, SIZE);
                            for (int at = 0; at < SIZE; at += REQUEST) {
                                program.read(reads, at, REQUEST, 8_000);
                                program.write(writes, at, REQUEST, MadeProgram.WARM);
                            }
                        });

        assertThat(all.files()).hasSize(2);
        assertThat(AdvisorTest.one(all, "m.dat").why())
                .startsWith("no name fits these files alone: a rule would be that of ./m.dat");
    }
}
