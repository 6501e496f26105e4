package io.mio.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.counters.CounterLayout;
import io.mio.counters.ProcFacts;
import io.mio.stats.AutoSnapshot.Decision;
import io.mio.stats.ByteUnit;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LiveReaderTest {
    private static final int RECORDS = 7;

    @TempDir private Path directory;

    private final ProcFacts.Identity self = ProcFacts.identity("self");
    private final ByteBuffer file =
            ByteBuffer.allocate(RECORDS * CounterLayout.RECORD_BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN);

    /** A process with one traced file of two stripes, and its pages. */
    @BeforeEach
    void make() {
        put(0, 0, CounterLayout.MAGIC);
        put(0, CounterLayout.VERSION, 1);
        put(0, CounterLayout.RECORD_SIZE, 4096);
        put(0, CounterLayout.RECORDS, RECORDS);
        put(0, CounterLayout.PID, self.pid());
        put(0, CounterLayout.START_TIME, self.startTime());
        put(0, CounterLayout.STACK_BEGIN, self.stackBegin());
        put(0, CounterLayout.BEGAN_REAL, 1_700_000_000_000_000_000L);
        put(0, CounterLayout.BEGAN, 1000);
        put(0, CounterLayout.STATE, 1);
        put(0, CounterLayout.DOOR, 1);
        text(0, CounterLayout.PROGRAM, "a program");
        text(0, CounterLayout.ENGINE, "threads");
        head(1, CounterLayout.STRIPE, 1, 2, 7);
        put(1, CounterLayout.BIN_SHIFT - 4, 20L << 32);
        row(1, TraceOperation.READ, 3, 30, 300, 200, 50, 150);
        put(1, CounterLayout.ACTIVITY_READ + 8, 200);
        head(2, CounterLayout.TRACE, 7, 0, 0);
        put(2, CounterLayout.OPENED, 1500);
        put(2, CounterLayout.CURRENT_SIZE, 4000);
        put(2, CounterLayout.MAX_SIZE, 5000);
        put(2, CounterLayout.MODE, 0644);
        put(2, CounterLayout.OFLAGS, 2);
        put(2, CounterLayout.UNIT, 10);
        put(2, CounterLayout.ERROR_COUNT, 1);
        text(2, CounterLayout.ERRORS, "ENOSPC");
        put(2, CounterLayout.ERRORS + 32, 9);
        text(2, CounterLayout.ABOVE, "program");
        text(2, CounterLayout.BELOW, "pf");
        put(2, CounterLayout.NAME_LENGTH, 5);
        text(2, CounterLayout.NAME, "x.dat");
        head(3, CounterLayout.STRIPE, 5, 2, 7);
        put(3, CounterLayout.BIN_SHIFT - 4, 21L << 32);
        row(3, TraceOperation.READ, 4, 40, 400, 400, 20, 100);
        put(3, CounterLayout.ACTIVITY_READ, 400);
        // This stripe is of an earlier owner of record 2.
        head(4, CounterLayout.STRIPE, 1, 2, 5);
        row(4, TraceOperation.READ, 1000, 0, 0, 0, 0, 0);
        head(5, CounterLayout.PF_FILE, 1, 0, 0);
        put(5, CounterLayout.PAGE_BYTES, 4096);
        put(5, CounterLayout.DIRTY, 3);
        put(5, CounterLayout.MISSES, 2);
        put(5, CounterLayout.SHARES, 5);
        put(5, CounterLayout.SHARES + 64, 6);
        text(5, CounterLayout.NAME, "x.dat");
    }

    private void put(int record, int at, long value) {
        file.putLong(record * CounterLayout.RECORD_BYTES + at, value);
    }

    private void text(int record, int at, String text) {
        file.put(record * CounterLayout.RECORD_BYTES + at, text.getBytes(StandardCharsets.UTF_8));
    }

    private void head(int record, long kind, long generation, long owner, long ownerGeneration) {
        put(record, CounterLayout.KIND, kind);
        put(record, CounterLayout.GENERATION, generation);
        put(record, CounterLayout.OWNER, owner);
        put(record, CounterLayout.OWNER_GENERATION, ownerGeneration);
    }

    private void row(int record, TraceOperation operation, long... numbers) {
        for (int i = 0; i < numbers.length; i++) {
            int row = CounterLayout.ROWS + operation.ordinal() * CounterLayout.ROW_BYTES;
            put(record, row + i * 8, numbers[i]);
        }
    }

    private Path write() throws IOException {
        return write(file.array());
    }

    private Path write(byte[] bytes) throws IOException {
        return Files.write(directory.resolve(self.pid() + ".live"), bytes);
    }

    private LiveProcess only() throws IOException {
        write();
        List<LiveProcess> all = LiveReader.read(directory);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    @Test
    void shouldSayWhatAnOpenUnderAutoDoes() throws IOException {
        assertThat(only().autos()).isEmpty();
        String[] states = {"looking", "hints", "kernel", "random", "cached", "pages"};
        for (int i = 0; i < states.length; i++) {
            put(2, 32, i + 1);
            assertThat(only().autos())
                    .containsExactly(new LiveAuto("x.dat", 500, states[i], List.of()));
        }
        // States of a later version, and damaged ones.
        for (long state : new long[] {7, -1, Long.MIN_VALUE, Long.MAX_VALUE}) {
            put(2, 32, state);
            assertThat(only().autos()).isEmpty();
            assertThat(only().traces()).hasSize(1);
        }
    }

    @Test
    void shouldTellTheLastDecisionsInTheirOrder() throws IOException {
        put(2, CounterLayout.AUTO_STATE, 2);
        head(6, CounterLayout.DECISIONS, 3, 2, 7);
        decision(0, 17, 9000, "hints", "it goes backward");
        decision(1, 2, 2000, "random", "x".repeat(192));
        decision(15, 16, 8000, "kernel", "");
        // This one is just being written.
        decision(2, 0, 9500, "hints", "half of a reas");

        assertThat(only().autos())
                .containsExactly(
                        new LiveAuto(
                                "x.dat",
                                500,
                                "hints",
                                List.of(
                                        new Decision(1000, "random", "x".repeat(192)),
                                        new Decision(7000, "kernel", ""),
                                        new Decision(8000, "hints", "it goes backward"))));
        // A cache that is not pf/auto has no state.
        put(2, CounterLayout.AUTO_STATE, 0);
        assertThat(only().autos())
                .singleElement()
                .satisfies(
                        one -> {
                            assertThat(one.state()).isEmpty();
                            assertThat(one.decisions()).hasSize(3);
                        });
        put(2, CounterLayout.AUTO_STATE, 2);
        // Decisions of an earlier owner of the trace record.
        put(6, CounterLayout.OWNER_GENERATION, 5);
        assertThat(only().autos()).containsExactly(new LiveAuto("x.dat", 500, "hints", List.of()));
        head(6, CounterLayout.DECISIONS, 3, 4, 1);
        assertThat(only().autos()).containsExactly(new LiveAuto("x.dat", 500, "hints", List.of()));
    }

    @Test
    void shouldLeaveOutDecisionsThatAreWrittenMeanwhile() {
        head(6, CounterLayout.DECISIONS, 3, 2, 7);
        decision(0, 1, 1500, "hints", "old");
        decision(1, 2, 1600, "kernel", "stays");
        ByteBuffer before = record(6);
        decision(0, 17, 1700, "random", "new");
        ByteBuffer after = record(6);

        assertThat(DecisionsBlock.of(before, before, 1000))
                .extracting(Decision::reason)
                .containsExactly("old", "stays");
        assertThat(DecisionsBlock.of(before, after, 1000))
                .containsExactly(new Decision(600, "kernel", "stays"));
    }

    private ByteBuffer record(int number) {
        int bytes = CounterLayout.RECORD_BYTES;
        byte[] copy = Arrays.copyOfRange(file.array(), number * bytes, (number + 1) * bytes);
        return ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void decision(int place, long number, long nanos, String what, String reason) {
        int at = CounterLayout.DECISION + place * CounterLayout.DECISION_BYTES;
        put(6, at, number);
        put(6, at + CounterLayout.DECISION_NANOS, nanos);
        field(at + CounterLayout.DECISION_WHAT, CounterLayout.DECISION_WHAT_BYTES, what);
        field(at + CounterLayout.DECISION_REASON, CounterLayout.DECISION_REASON_BYTES, reason);
    }

    private void field(int at, int bytes, String text) {
        byte[] encoded = Arrays.copyOf(text.getBytes(StandardCharsets.UTF_8), bytes);
        file.put(6 * CounterLayout.RECORD_BYTES + at, encoded);
    }

    @Test
    void shouldAddUpTheStripesOfAnOpenFile() throws IOException {
        LiveProcess process = only();

        assertThat(process.pid()).isEqualTo(self.pid());
        assertThat(process.state()).isEqualTo(LiveProcess.State.RUNS);
        assertThat(process.door()).isEqualTo(LiveProcess.Door.NATIVE);
        assertThat(process.program()).isEqualTo("a program");
        assertThat(process.engine()).isEqualTo("threads");
        assertThat(process.began()).isEqualTo("2023-11-14T22:13:20Z");
        assertThat(process.nowNanos()).isPositive();
        assertThat(process.traces()).hasSize(1);
        TraceSnapshot trace = process.traces().get(0);
        assertThat(trace.of(TraceOperation.READ).toString())
                .isEqualTo(
                        "OperationStats[count=7, nanos=70, requested=700, delivered=600,"
                                + " smallest=20, largest=150, suspends=0, suspendNanos=0,"
                                + " errors=0]");
        assertThat(trace.openedNanos()).isEqualTo(500);
        assertThat(trace.nowNanos()).isEqualTo(process.nowNanos());
        assertThat(trace.unit()).isEqualTo(ByteUnit.KBYTES);
        assertThat(trace.file()).isEqualTo("x.dat");
        assertThat(trace.above()).isEqualTo("program");
        assertThat(trace.below()).isEqualTo("pf");
        assertThat(trace.currentSize()).isEqualTo(4000);
        assertThat(trace.maxSize()).isEqualTo(5000);
        assertThat(trace.mode()).isEqualTo(0644);
        assertThat(trace.oflagNames()).isEqualTo("RDWR");
        assertThat(trace.distributions().errors()).containsExactly(Map.entry("ENOSPC", 9L));
        assertThat(trace.distributions().activityBinNanos()).isEqualTo(1L << 21);
        assertThat(trace.distributions().activityRead()[0]).isEqualTo(600);
    }

    @Test
    void shouldTellOfPages() throws IOException {
        LivePages pages = only().pages().get(0);

        assertThat(pages.dirtyBytes()).isEqualTo(3 * 4096);
        assertThat(pages.counters().program().reads()).isEqualTo(11);
        assertThat(pages.counters().details().hits()).isEqualTo(9);
        assertThat(pages.counters().file()).isEqualTo("x.dat");
    }

    @Test
    void shouldCountTheFilesOfACacheForIt() throws IOException {
        head(4, CounterLayout.PF_CACHE, 1, 0, 0);
        put(4, CounterLayout.SHARES, 100);

        List<LivePages> pages = only().pages();

        assertThat(pages).hasSize(2);
        LivePages cache = pages.get(0).counters().isOfCache() ? pages.get(0) : pages.get(1);
        assertThat(cache.counters().program().reads()).isEqualTo(111);
    }

    @Test
    void shouldSayOfAProcessThatIsGoneThatItIs() throws IOException {
        put(0, CounterLayout.START_TIME, self.startTime() - 1);
        assertThat(only().state()).isEqualTo(LiveProcess.State.GONE);
        put(0, CounterLayout.START_TIME, self.startTime());
        put(0, CounterLayout.STACK_BEGIN, self.stackBegin() + 4096);
        assertThat(only().state()).isEqualTo(LiveProcess.State.GONE);
        assertThat(only().traces()).hasSize(1);
    }

    @Test
    void shouldRemoveTheFilesOfProcessesThatAreGoneAlone() throws IOException {
        Path path = write();
        Path other = Files.writeString(directory.resolve("1.live"), "no such file");
        assertThat(LiveReader.clean(directory)).isZero();
        put(0, CounterLayout.START_TIME, self.startTime() - 1);
        write();
        assertThat(LiveReader.clean(directory)).isEqualTo(1);
        assertThat(path).doesNotExist();
        assertThat(other).exists();
    }

    @Test
    void shouldPassOverAProcessThatHasEnded() throws IOException {
        put(0, CounterLayout.STATE, 2);
        write();
        assertThat(LiveReader.read(directory)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, CounterLayout.VERSION, CounterLayout.RECORD_SIZE, CounterLayout.PID})
    void shouldPassOverWhatIsNoLiveFile(int field) throws IOException {
        put(0, field, 99);
        write();
        assertThat(LiveReader.read(directory)).isEmpty();
    }

    @Test
    void shouldPassOverRecordsThatAreNotWhole() throws IOException {
        put(2, CounterLayout.GENERATION, 8);
        assertThat(only().traces()).isEmpty();
        put(5, CounterLayout.KIND, 77);
        assertThat(only().pages()).isEmpty();
    }

    @Test
    void shouldReadWhatThereIsOfAFileThatIsCut() throws IOException {
        for (int length = 0; length <= file.capacity(); length += 509) {
            write(Arrays.copyOf(file.array(), length));
            List<LiveProcess> all = LiveReader.read(directory);
            assertThat(all).hasSize(length < 4096 ? 0 : 1);
            if (length >= 4096) {
                assertThat(all.get(0).traces()).hasSize(length < 3 * 4096 ? 0 : 1);
            }
        }
    }

    @Test
    void shouldStandAnyNumbers() throws IOException {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        byte[] good = file.array().clone();
        int traces = 0;
        int pages = 0;
        for (int round = 0; round < 300; round++) {
            System.arraycopy(good, 0, file.array(), 0, good.length);
            for (int i = 0; i < 40; i++) {
                int at = random.nextInt(file.capacity() / 8) * 8;
                boolean identity = at < 48 && at != CounterLayout.RECORDS;
                if (!identity) {
                    file.putLong(at, random.nextLong() >> random.nextInt(64));
                }
            }
            write();
            for (LiveProcess process : LiveReader.read(directory)) {
                for (TraceSnapshot trace : process.traces()) {
                    assertThat(trace.classic()).as("seed %d", seed).isNotEmpty();
                    traces++;
                }
                for (LivePages one : process.pages()) {
                    assertThat(one.counters().classic()).as("seed %d", seed).isNotEmpty();
                    pages++;
                }
            }
        }
        assertThat(traces).as("seed %d", seed).isPositive();
        assertThat(pages).as("seed %d", seed).isPositive();
    }

    @Test
    void shouldLookAtPlainFilesOfItsNamesAlone() throws Exception {
        Path path = write();
        Files.createSymbolicLink(directory.resolve("1.live"), path);
        Files.createDirectory(directory.resolve("2.live"));
        assertThat(
                        new ProcessBuilder("mkfifo", directory.resolve("3.live").toString())
                                .start()
                                .waitFor())
                .isZero();
        Files.copy(path, directory.resolve("x.live"));
        Files.copy(path, directory.resolve("99999999999.live"));
        Files.copy(path, directory.resolve(self.pid() + ".live2"));
        assertThat(LiveReader.read(directory)).hasSize(1);
        assertThat(LiveReader.read(directory.resolve("missing"))).isEmpty();
        assertThat(LiveReader.read(path)).isEmpty();
        // Whoever watches reads again and again, so no descriptor may remain.
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            assertThat(descriptors.filter(each -> leadsTo(each, directory))).isEmpty();
        }
    }

    private static boolean leadsTo(Path descriptor, Path file) {
        try {
            return Files.isSameFile(descriptor, file);
        } catch (IOException e) {
            // The descriptor was closed meanwhile.
            return false;
        }
    }

    @Test
    void shouldSayThatANameIsTheEndOfALongerOne() throws IOException {
        put(2, CounterLayout.NAME_LENGTH, 3000);
        text(2, CounterLayout.NAME, "a".repeat(CounterLayout.NAME_BYTES));
        assertThat(only().traces().get(0).file())
                .isEqualTo("..." + "a".repeat(CounterLayout.NAME_BYTES));
    }
}
