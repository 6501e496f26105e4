package io.mio.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.simulate.Device;
import io.mio.cli.term.Progress;
import io.mio.cli.term.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Programs that each have one habit, and what is advised to them. */
class AdvisorTest {
    static final int REQUEST = 4096;
    static final int SIZE = 16 << 20;
    static final Device DEVICE = Device.parse("latency=50us,bandwidth=2g,depth=32");
    static final long MEMORY = 256 << 20;

    @TempDir Path dir;
    private Path events;

    @BeforeEach
    void name() {
        events = dir.resolve("made.events");
    }

    interface Program {
        void run(MadeProgram program) throws IOException;
    }

    private Advised advised(long memoryBytes, Program body) throws IOException {
        return advised(events, memoryBytes, List.of(), DEVICE, body);
    }

    /** The advice for a program, whose recording is made at {@code events}. */
    static Advised advised(
            Path events, long memoryBytes, List<String> files, Device device, Program body)
            throws IOException {
        try (MadeProgram program = new MadeProgram(events)) {
            body.run(program);
        }
        return advised(List.of(events), files, memoryBytes, device);
    }

    /** The advice for several recordings together. */
    static Advised advised(
            List<Path> recordings, List<String> files, long memoryBytes, Device device) {
        return Advisor.of(
                new Advisor.Wish(
                        recordings.stream().map(Path::toString).toList(),
                        files,
                        memoryBytes,
                        device,
                        null),
                new Progress(new PrintWriter(new StringWriter()), Terminal.NONE, "mio advise"));
    }

    private Advised advised(Program body) throws IOException {
        return advised(MEMORY, body);
    }

    static Advice one(Advised all, String name) {
        return all.files().stream()
                .filter(each -> each.group().shown().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static void forward(MadeProgram program, String path, long nanos) throws IOException {
        int file = program.open(path, SIZE);
        for (int at = 0; at < SIZE; at += REQUEST) {
            program.read(file, at, REQUEST, nanos);
        }
        program.finish(file);
    }

    @Test
    void shouldGiveSmallColdForwardReadsPages() throws Exception {
        Advised all = advised(program -> forward(program, "/data/a.dat", 8_000));

        Advice advice = one(all, "a.dat");
        assertThat(advice.chosen().rule()).startsWith("pf/cache=").endsWith("/direct");
        assertThat(advice.does()).startsWith("reads 16.0 MiB forward, once; requests of 4.00 KiB");
        assertThat(all.line()).isEqualTo("a.dat [ trace | " + advice.chosen().rule() + " ]");
        assertThat(all.advisedNanos()).isLessThan(all.runNanos() / 2);
        assertThat(all.memoryBytes()).isEqualTo(advice.chosen().memoryBytes()).isPositive();
    }

    private List<String> notes(long sizeBytes) throws IOException {
        Path file = dir.resolve("a.dat");
        Program body =
                program -> {
                    int id = program.open(file.toString(), sizeBytes);
                    for (int at = 0; at < sizeBytes; at += REQUEST) {
                        program.read(id, at, REQUEST, MadeProgram.COLD);
                    }
                };
        Advised all = advised(events, MEMORY, List.of(), null, body);
        assertThat(all.device().source()).startsWith("as recorded");
        assertThat(AdviceText.lines(all, Terminal.NONE))
                .containsAll(all.notes().stream().map(note -> "Note: " + note).toList());
        JsonNode json = new ObjectMapper().readTree(AdviceJson.of(all));
        assertThat(json.get("notes")).hasSize(all.notes().size());
        return all.notes();
    }

    @Test
    void shouldSayWhyTheDeviceIsNotMeasured() throws Exception {
        assertThat(notes(SIZE - REQUEST))
                .containsExactly(
                        "the device is not measured: no file of the run is large enough (16.0 MiB,"
                                + " and as much read of it); --measure names another, --device"
                                + " gives figures");
        String gone =
                "the device is not measured: no file of the run that is large enough is there as it"
                        + " was; --measure names another, --device gives figures";
        assertThat(notes(SIZE)).containsExactly(gone);
        Files.write(dir.resolve("a.dat"), new byte[1]);
        assertThat(notes(SIZE)).containsExactly(gone);
        Files.delete(dir.resolve("a.dat"));
        Files.createDirectory(dir.resolve("a.dat"));
        assertThat(notes(SIZE)).containsExactly(gone);
    }

    @Test
    void shouldSayOfAFileThatItIsTooSmall() throws Exception {
        Advised all =
                advised(
                        program -> {
                            int file = program.open("/data/a.dat", SIZE);
                            for (int at = 0; at < 256 << 10; at += 2 * REQUEST) {
                                program.read(file, at, REQUEST, MadeProgram.COLD);
                            }
                        });

        Advice advice = one(all, "a.dat");
        assertThat(advice.tried()).isEmpty();
        assertThat(advice.why()).isEqualTo("less than 256 KiB is read: nothing to gain");
    }

    @Test
    void shouldTellTheKernelOfBackwardReads() throws Exception {
        Advised all =
                advised(
                        program -> {
                            int file = program.open("/data/a.dat", SIZE);
                            for (int at = SIZE - REQUEST; at >= 0; at -= REQUEST) {
                                program.read(file, at, REQUEST, MadeProgram.COLD);
                            }
                        });

        Advice advice = one(all, "a.dat");
        assertThat(advice.does()).contains("backward", "100 % of the reads waited for the device");
        assertThat(advice.chosen()).isNotNull();
        assertThat(advice.tried())
                .anyMatch(each -> each.isHints() && each.runNanos() < all.runNanos() / 8);
        // A few of the 62 us of each read are left.
        assertThat(all.speedup()).isGreaterThan(8);
    }

    @Test
    void shouldServeSmallReadsOutOfAFewPages() throws Exception {
        Advised all =
                advised(
                        program -> {
                            int file = program.open("/data/a.dat", SIZE);
                            for (int at = 0; at + 100 <= SIZE; at += 100) {
                                program.read(file, at, 100, 500);
                            }
                            program.finish(file);
                        });

        Advice advice = one(all, "a.dat");
        assertThat(advice.chosen().rule()).isEqualTo("pf/auto");
        assertThat(advice.chosen().memoryBytes()).isEqualTo(1 << 20);
        assertThat(advice.why()).startsWith("requests of 128 B near each other are copied");
        assertThat(all.line()).isEqualTo("a.dat [ auto ]");
        assertThat(all.memoryBytes()).isEqualTo(1 << 20);
    }

    @Test
    void shouldHelpReadsInEvenSteps() throws Exception {
        Advised all =
                advised(
                        program -> {
                            int file = program.open("/data/a.dat", 16L * SIZE);
                            for (long at = 0; at < 16L * SIZE; at += 16 * REQUEST) {
                                program.read(file, at, REQUEST, MadeProgram.COLD);
                            }
                        });

        Advice advice = one(all, "a.dat");
        assertThat(advice.does()).contains("in even steps");
        assertThat(advice.chosen()).isNotNull();
        assertThat(all.speedup()).isGreaterThan(3);
    }

    @Test
    void shouldLeaveRandomReadsAlone() throws Exception {
        Random random = new Random(1);
        Advised all =
                advised(
                        program -> {
                            int file = program.open("/data/a.dat", 64L * SIZE);
                            for (int i = 0; i < 3000; i++) {
                                long at = (long) random.nextInt(64 * SIZE / REQUEST) * REQUEST;
                                program.read(file, at, REQUEST, MadeProgram.COLD);
                            }
                        });

        Advice advice = one(all, "a.dat");
        assertThat(advice.chosen()).isNull();
        assertThat(advice.why()).startsWith("read at random: nobody knows what comes next");
        assertThat(AdviceText.lines(all, Terminal.NONE))
                .contains("MIO cannot help here: leave all files alone.");
        assertThat(all.line()).isEmpty();
        assertThat(all.advisedNanos()).isEqualTo(all.runNanos());
        assertThat(all.memoryBytes()).isZero();
    }

    @Test
    void shouldLeaveAloneWhatIsInTheKernelsCache() throws Exception {
        Advised all =
                advised(
                        program -> {
                            int file = program.open("/data/a.dat", SIZE);
                            for (int at = 0; at < SIZE; at += 1 << 20) {
                                program.read(file, at, 1 << 20, 60_000);
                            }
                        });

        Advice advice = one(all, "a.dat");
        assertThat(advice.chosen()).isNull();
        Tried best =
                advice.tried().stream()
                        .min(Comparator.comparingLong(Tried::runNanos))
                        .orElseThrow();
        assertThat(advice.tried()).hasSizeGreaterThan(2);
        assertThat(advice.why())
                .startsWith("what it reads is in the kernel's cache, or there in time; ")
                .contains("; " + best.rule() + " would ");
    }

    @Test
    void shouldLeaveAloneWhatIsOnlyWritten() throws Exception {
        Advised all =
                advised(
                        program -> {
                            int file = program.open("/data/a.out", 0);
                            for (int at = 0; at < SIZE; at += REQUEST) {
                                program.write(file, at, REQUEST, 3_000);
                            }
                        });

        Advice advice = one(all, "a.out");
        assertThat(advice.chosen()).isNull();
        assertThat(advice.tried()).isEmpty();
        assertThat(advice.why()).startsWith("only written");
    }

    @Test
    void shouldGiveNoPagesToScratchFiles() throws Exception {
        Program warm = program -> scratch(program, MadeProgram.WARM);
        Program cold = program -> scratch(program, MadeProgram.COLD);

        Advice kernel = one(advised(warm), "a.tmp");
        assertThat(kernel.chosen()).isNull();
        assertThat(kernel.why()).isEqualTo("written, and read again out of the kernel's memory");
        assertThat(one(advised(cold), "a.tmp").tried()).isNotEmpty().allMatch(Tried::isHints);
    }

    @Test
    void shouldGiveNoPagesToFilesThatAreWrittenHoweverLittle() throws Exception {
        Advised all =
                advised(
                        program -> {
                            int file = program.open("/data/a.db", SIZE);
                            for (int at = 0; at < SIZE; at += REQUEST) {
                                program.read(file, at, REQUEST, MadeProgram.COLD);
                            }
                            program.write(file, 0, 100, MadeProgram.WARM);
                        });

        Advice advice = one(all, "a.db");
        assertThat(advice.tried()).isNotEmpty().allMatch(Tried::isHints);
        assertThat(advice.chosen()).isNull();
        assertThat(advice.why()).startsWith("it is written, too: pages of it could be out of date");
        assertThat(all.line()).isEmpty();
    }

    @Test
    void shouldGiveNoPagesToFilesThatAreWrittenByAnotherName() throws Exception {
        Advised all =
                advised(
                        program -> {
                            int writes = program.open("a.db", 5, SIZE);
                            int reads = program.open("/data/a.db", 5, SIZE);
                            for (int at = 0; at < SIZE; at += REQUEST) {
                                program.read(reads, at, REQUEST, MadeProgram.COLD);
                            }
                            program.write(writes, 0, 100, MadeProgram.WARM);
                        });

        Advice advice = one(all, "/data/a.db");
        assertThat(advice.tried()).isNotEmpty().allMatch(Tried::isHints);
        assertThat(advice.why()).startsWith("it is written by another name: pages");
    }

    @Test
    void shouldGivePagesToFilesThatAreLockedAndNotWritten() throws Exception {
        Advised all =
                advised(
                        program -> {
                            int file = program.open("/data/a.db", SIZE);
                            program.lock(file);
                            for (int at = 0; at < SIZE; at += REQUEST) {
                                program.read(file, at, REQUEST, 8_000);
                            }
                            program.lock(file);
                        });

        Advice advice = one(all, "a.db");
        assertThat(advice.chosen().isHints()).isFalse();
        assertThat(advice.does()).contains("; 2 lock calls. ");
        assertThat(advice.why()).contains("the program locks it, so that others may write it");
    }

    private static void scratch(MadeProgram program, long readNanos) throws IOException {
        int file = program.open("/data/a.tmp", 0);
        for (int at = 0; at < SIZE; at += REQUEST) {
            program.write(file, at, REQUEST, 2_000);
        }
        for (int at = SIZE - REQUEST; at >= 0; at -= REQUEST) {
            program.read(file, at, REQUEST, readNanos);
        }
    }

    @Test
    void shouldKeepALoopInMemoryOnlyWhereThereIsMemory() throws Exception {
        Program loop =
                program -> {
                    int file = program.open("/data/a.dat", 3L * SIZE);
                    for (int pass = 0; pass < 4; pass++) {
                        for (long at = 3L * SIZE - REQUEST; at >= 0; at -= REQUEST) {
                            program.read(file, at, REQUEST, MadeProgram.COLD);
                        }
                    }
                };

        Advice enough = one(advised(loop), "a.dat");
        assertThat(enough.does()).contains("4.0 times");
        assertThat(enough.tried()).anyMatch(each -> each.rule().startsWith("pf/cache=64m/page=1m"));
        Advised little = advised(20 << 20, loop);
        assertThat(little.memoryBytes()).isLessThanOrEqualTo(20 << 20);
        assertThat(one(little, "a.dat").tried())
                .allMatch(each -> each.memoryBytes() <= 20 << 20)
                .isNotEmpty();
    }

    @Test
    void shouldAdviseWhereMioIsSwitchedOff() throws Exception {
        System.setProperty("mio.enabled", "false");
        try {
            Advised all = advised(program -> forward(program, "/data/a.dat", 8_000));

            assertThat(all.line()).startsWith("a.dat [ ");
        } finally {
            System.clearProperty("mio.enabled");
        }
    }

    @Test
    void shouldTellPassesFarBehindInAFile() throws Exception {
        long far = 1L << 41;
        Advised all =
                advised(
                        program -> {
                            int file = program.open("/data/a.dat", far + SIZE);
                            for (int pass = 0; pass < 2; pass++) {
                                for (int at = 0; at < SIZE; at += REQUEST) {
                                    program.read(file, far + at, REQUEST, MadeProgram.COLD);
                                }
                            }
                            program.finish(file);
                        });

        assertThat(one(all, "a.dat").does()).startsWith("reads 32.0 MiB forward, 2.0 times");
    }

    /** A call of a program that goes through its file. */
    private interface Call {
        void make(MadeProgram program, int file, int at) throws IOException;
    }

    /** The advice for a program that makes a call every {@code step} bytes. */
    private Advised through(int step, Call call) throws Exception {
        return advised(
                program -> {
                    int file = program.open("/data/a.dat", SIZE);
                    for (int at = 0; at < SIZE; at += step) {
                        call.make(program, file, at);
                    }
                    program.finish(file);
                });
    }

    @Test
    void shouldTellTheSizeOfRequestsThatAskForTheImpossible() throws Exception {
        Advised all =
                through(
                        REQUEST,
                        (program, file, at) ->
                                program.read(file, at, Long.MAX_VALUE, REQUEST, 8_000));

        assertThat(one(all, "a.dat").does()).contains("requests of 4.00 KiB");
    }

    @Test
    void shouldCountTimeOfRequestsAtTheSameTimeOnce() throws Exception {
        Advised all =
                through(
                        8 * REQUEST,
                        (program, file, at) ->
                                program.readTogether(file, at, REQUEST, 8, 1_000_000));

        Advice advice = one(all, "a.dat");
        assertThat(advice.group().sum().readNanos).isEqualTo(SIZE / REQUEST / 8 * 1_000_000L);
        assertThat(advice.group().sum().waitedReads).isEqualTo(SIZE / REQUEST);
        assertThat(advice.does()).contains("reads take 512 ms, 99.");
    }

    @Test
    void shouldTakeSeveralRecordingsTogether() throws Exception {
        Path second = dir.resolve("second.events");
        for (Path each : List.of(events, second)) {
            try (MadeProgram program = new MadeProgram(each)) {
                int file = program.open("/data/a.dat", SIZE);
                for (int at = 0; at < SIZE; at += REQUEST) {
                    program.read(file, at, REQUEST, 8_000);
                }
            }
        }

        Advised all = advised(List.of(events, second), List.of(), MEMORY, DEVICE);

        Advice advice = one(all, "a.dat");
        // Neither recording closes the file: still, each begins at the start of the file.
        assertThat(advice.does()).startsWith("reads 32.0 MiB forward, once");
        assertThat(all.recordedNanos()).isGreaterThan(2L * SIZE / REQUEST * 8_000);
    }

    @Test
    void shouldGiveMappedFilesNoPages() throws Exception {
        Advised all =
                advised(
                        program -> {
                            forward(program, "/data/a.dat", MadeProgram.COLD);
                            program.map(1);
                        });

        assertThat(one(all, "a.dat").tried()).allMatch(Tried::isHints);
    }

    @Test
    void shouldSayInJsonWhatItSaysInWords() throws Exception {
        Advised all = advised(program -> forward(program, "/data/a.dat", 8_000));

        JsonNode json = new ObjectMapper().readTree(AdviceJson.of(all));
        assertThat(json.get("type").asText()).isEqualTo("mio_advise");
        assertThat(json.get("format").asInt()).isEqualTo(1);
        assertThat(json.get("mio_files").asText()).isEqualTo(all.line());
        assertThat(json.get("run_ns").asLong()).isEqualTo(all.runNanos());
        assertThat(json.get("advised_ns").asLong()).isEqualTo(all.advisedNanos());
        JsonNode file = json.get("files").get(0);
        assertThat(file.get("names").get(0).asText()).isEqualTo("a.dat");
        assertThat(file.get("reads").asLong()).isEqualTo(SIZE / REQUEST);
        assertThat(file.get("rule").asText()).startsWith("pf/");
        assertThat(file.at("/read_pattern_share/sequential").asDouble()).isEqualTo(1);
        assertThat(file.get("tried").size()).isGreaterThan(2);
    }
}
