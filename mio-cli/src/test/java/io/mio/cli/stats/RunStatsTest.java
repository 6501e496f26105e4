package io.mio.cli.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.cli.stats.Reports.Open;
import io.mio.stats.ByteUnit;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sums: which blocks count, and what they add up to. */
class RunStatsTest {
    @TempDir Path dir;

    private RunStats read(String text) throws IOException {
        return Reports.readText(dir, text);
    }

    private static String both(boolean json, Open open) {
        return json ? Reports.json(7, open) : Reports.classic(open, ByteUnit.BYTES);
    }

    private static String header(boolean json) {
        return json ? Reports.jsonHeader(7, "p") : Reports.classicHeader("p");
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldCountTheLastBlockOfAnOpenOnly(Form form) throws IOException {
        Open open = Open.of("a.dat");
        String text =
                header(form.json)
                        + both(form.json, open.event("inter").calls(1, 1))
                        + both(form.json, open.event("inter").calls(4, 4))
                        + both(form.json, open.event("exit").calls(9, 4))
                        + both(form.json, open.calls(10, 5));
        RunStats stats = read(text);
        Counts top = stats.files().get(0).top();
        assertThat(stats.files()).hasSize(1);
        assertThat(top.get(Counter.OPENS)).isEqualTo(1);
        assertThat(top.get(Counter.READS)).isEqualTo(10);
        assertThat(top.get(Counter.WRITES)).isEqualTo(5);
        assertThat(top.get(Counter.UNFINISHED)).isZero();
        assertThat(top.get(Counter.UNCLOSED)).isZero();
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldCountAnInterBlockThatNothingCameAfter(Form form) throws IOException {
        Open open = Open.of("a.dat").event("inter");
        RunStats stats =
                read(
                        header(form.json)
                                + both(form.json, open.calls(1, 1))
                                + both(form.json, open.calls(3, 2)));
        Counts top = stats.files().get(0).top();
        assertThat(top.get(Counter.READS)).isEqualTo(3);
        assertThat(top.get(Counter.UNFINISHED)).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Form.class)
    void shouldCountSeveralOpensOfOneNameWhateverTheirTimes(Form form) throws IOException {
        Open open = Open.of("a.dat").event("exit");
        // The classic text cannot tell the open times of these two apart.
        RunStats stats =
                read(
                        header(form.json)
                                + both(form.json, open.opened(1_000_000))
                                + both(form.json, open.opened(form.json ? 1_000_001 : 1_000_000))
                                + both(form.json, open.opened(9_000_000_000L).event("close")));
        Counts top = stats.files().get(0).top();
        assertThat(top.get(Counter.OPENS)).isEqualTo(3);
        assertThat(top.get(Counter.READS)).isEqualTo(30);
        assertThat(top.get(Counter.UNCLOSED)).isEqualTo(2);
    }

    private enum Form {
        JSON(true),
        CLASSIC(false);

        private final boolean json;

        Form(boolean json) {
            this.json = json;
        }
    }

    /** What the generator wrote, added up without the code under test. */
    private static final class Known {
        private long opens;
        private long reads;
        private long writes;
        private long bytes;
        private long nanos;

        void add(Open open) {
            opens++;
            reads += open.reads();
            writes += open.writes();
            bytes += (open.reads() + open.writes()) * open.requestBytes();
            nanos += (open.reads() + open.writes()) * open.nanosPerCall();
        }

        void check(Counts counts) {
            assertThat(counts.get(Counter.OPENS)).isEqualTo(opens);
            assertThat(counts.get(Counter.READS)).isEqualTo(reads);
            assertThat(counts.get(Counter.WRITES)).isEqualTo(writes);
            assertThat(counts.sum(Counter.READ_BYTES, Counter.WRITTEN_BYTES)).isEqualTo(bytes);
            assertThat(counts.get(Counter.IO_NS)).isEqualTo(nanos);
        }
    }

    @Test
    void shouldAddUpThousandsOfProcessesWhoseBlocksAreMixed() throws IOException {
        Random random = new Random(42);
        Known known = new Known();
        Known ofThree = new Known();
        StringBuilder text = new StringBuilder();
        for (int group = 0; group < 300; group++) {
            for (int i = 0; i < 10; i++) {
                text.append(Reports.jsonHeader(group * 10L + i, "prog" + i % 3));
            }
            for (int k = 0; k < 40; k++) {
                int i = random.nextInt(10);
                Open open =
                        new Open(
                                "f" + random.nextInt(20),
                                "close",
                                random.nextLong(1L << 40),
                                random.nextInt(50),
                                1 + random.nextInt(50),
                                1 + random.nextInt(100_000),
                                random.nextInt(1_000_000));
                text.append(Reports.json(group * 10L + i, open.event("inter").calls(1, 0)));
                text.append(Reports.json(group * 10L + i, open));
                known.add(open);
                if (open.file().equals("f3") && i % 3 == 1) {
                    ofThree.add(open);
                }
            }
        }
        RunStats stats = read(text.toString());
        known.check(Rows.total(stats).top());
        assertThat(stats.programs())
                .extracting(ProgramFigures::name)
                .containsExactlyInAnyOrder("prog0", "prog1", "prog2");
        FileFigures three =
                stats.files().stream()
                        .filter(file -> file.name().equals("f3") && file.program().equals("prog1"))
                        .findFirst()
                        .orElseThrow();
        ofThree.check(three.top());
        assertThat(stats.files()).hasSize(60);
    }

    @Test
    void shouldAddUpManyFilesOfOneDirectoryPackedOrNot() throws IOException {
        Known known = new Known();
        for (int i = 0; i < 200; i++) {
            Open open = Open.of("same.dat").calls(i, 1);
            String text =
                    i % 2 == 0
                            ? Reports.jsonHeader(i, "p") + Reports.json(i, open)
                            : Reports.classicHeader("p") + Reports.classic(open, ByteUnit.KBYTES);
            Path file = dir.resolve(String.format("r%03d", i));
            try (OutputStream out =
                    i % 4 < 2
                            ? Files.newOutputStream(file)
                            : new GZIPOutputStream(Files.newOutputStream(file))) {
                out.write(text.getBytes(StandardCharsets.UTF_8));
            }
            known.add(open);
        }
        Files.writeString(dir.resolve("README"), "no report\n");
        Files.writeString(
                dir.resolve("events.jsonl"),
                "{\"type\":\"mio_events\",\"format\":1}\n{\"type\":\"call\",\"start_ns\":0}\n");
        Files.write(dir.resolve("core"), new byte[] {0x1f, (byte) 0x8b, 0, 1, 2});
        Files.createDirectory(dir.resolve("below"));
        Reports.Result result =
                Reports.show(Reports.OPTIONS, StatsOptions.Format.CSV, dir.toString());
        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
        RunStats stats = Reports.read(Reports.by(StatsOptions.By.PROCESS), dir);
        known.check(Rows.total(stats).top());
        assertThat(Rows.total(stats).processes()).isEqualTo(200);
        assertThat(stats.processes()).hasSize(200);
        assertThat(stats.programs()).hasSize(1);
    }

    @Test
    void shouldSayNothingOnWhatOneOfTheReportsDoesNotTell() throws IOException {
        String patterns =
                ",\"patterns\":{\"sequential_bytes\":5,\"backward_bytes\":1,\"strided_bytes\":0,"
                        + "\"random_bytes\":0}";
        Open open = Open.of("a");
        String json = Reports.jsonHeader(1, "p") + Reports.json(1, open, patterns);
        Counts alone = read(json + Reports.json(1, open.opened(5), patterns)).files().get(0).top();
        assertThat(alone.get(Counter.SEQUENTIAL_BYTES)).isEqualTo(10);
        assertThat(alone.get(Counter.BACKWARD_BYTES)).isEqualTo(2);
        Counts mixed = read(json + Reports.json(1, open.opened(5))).files().get(0).top();
        assertThat(mixed.get(Counter.SEQUENTIAL_BYTES)).isEqualTo(Counts.UNKNOWN);
        assertThat(mixed.get(Counter.READS)).isEqualTo(20);
    }

    @Test
    void shouldAddUpHistogramsOfAllBlocks() throws IOException {
        Open open = Open.of("a");
        String json =
                Reports.jsonHeader(1, "p")
                        + Reports.json(1, open, ",\"read_ns_histogram\":[1,2]")
                        + Reports.json(1, open.opened(5), ",\"read_ns_histogram\":[0,3,4]");
        assertThat(read(json).files().get(0).top().histogram(0)).containsExactly(1, 5, 4);
        String more = Reports.json(1, open.opened(6), ",\"read_ns_histogram\":[7]");
        assertThat(read(json + more).files().get(0).top().histogram(0)).containsExactly(8, 5, 4);
        // Of one open the histogram is not known.
        assertThat(read(json + Reports.json(1, open.opened(7))).files().get(0).top().histogram(0))
                .isNull();
    }

    @Test
    void shouldNotTakeRequestsOfAPartForThoseOfAll() throws IOException {
        String traced = Reports.json(1, Open.of("a"));
        String cached =
                traced.replace("\"below\":\"os\"", "\"below\":\"pf\"").replace("\"a\"", "\"b\"");
        String header = Reports.jsonHeader(1, "p");
        assertThat(Rows.total(read(header + traced)).systemRequests()).isEqualTo(15);
        assertThat(Rows.total(read(header + traced + cached)).systemRequests())
                .isEqualTo(Counts.UNKNOWN);
    }

    @Test
    void shouldFoldNamesBeyondTheLimitAndKeepTheTotal() throws IOException {
        StringBuilder text = new StringBuilder(Reports.jsonHeader(1, "p"));
        for (int i = 0; i < 100; i++) {
            text.append(Reports.json(1, Open.of("f" + i)));
        }
        Path file = dir.resolve("r");
        Files.writeString(file, text);
        StatsOptions few =
                new StatsOptions(
                        StatsOptions.By.FILE,
                        StatsOptions.Sort.NAME,
                        false,
                        Integer.MAX_VALUE,
                        List.of(),
                        true,
                        10);
        RunStats stats = Reports.read(few, file);
        assertThat(stats.files()).hasSize(11);
        assertThat(stats.folded()).isEqualTo(90);
        assertThat(stats.files().get(10).name()).isEqualTo("(others)");
        assertThat(stats.files().get(10).top().get(Counter.READS)).isEqualTo(900);
        assertThat(Rows.total(stats).top().get(Counter.READS)).isEqualTo(1000);
        assertThat(Reports.show(few, StatsOptions.Format.TABLE, file.toString()).out())
                .contains("(others)", "beyond the first 10 names", "--max-names");
    }

    @Test
    void shouldSayHowMuchItDoesNotShow() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int pid = 1; pid <= 22; pid++) {
            text.append(Reports.jsonHeader(pid, "p" + pid));
            text.append(Reports.json(pid, Open.of("f").event("exit")));
        }
        Path file = Files.writeString(dir.resolve("r"), text);
        String shown =
                Reports.show(Reports.OPTIONS, StatsOptions.Format.TABLE, file.toString()).out();
        assertThat(shown)
                .contains(
                        "... and 12 more programs: --by program\n",
                        "f (p1): 1 of 1 open not closed")
                .contains("    ... and 19 more\n    -> ")
                .containsPattern("\ntotal +22 ");
    }

    @Test
    void shouldGiveThePagesOfTheOriginalsRunAndItsRates() {
        RunStats stats =
                Reports.read(Reports.OPTIONS, Reports.ORIGINAL.resolve("original-pf.stats"));
        FileFigures file = stats.files().get(0);
        Row row = Rows.file(file);
        assertThat(stats.files()).hasSize(1);
        assertThat(row.get(Counter.READ_BYTES)).isEqualTo(28_672_000_000L);
        assertThat(row.get(Counter.WRITTEN_BYTES)).isEqualTo(14_336_000_000L);
        assertThat(row.meanRequest()).isEqualTo(102_400);
        // The report says 54359.71 kbytes/s, from a time that is not rounded.
        assertThat(row.rate() / 1024).isBetween(54_358.0, 54_361.0);
        assertThat(file.systemRequests()).isEqualTo(6836 + 13622);
        assertThat(row.get(Counter.UNUSED_PREFETCHES)).isEqualTo(7);
        assertThat(row.get(Counter.STARTED_PREFETCHES)).isEqualTo(20459);
        assertThat(row.get(Counter.PAGE_READ_BYTES)).isEqualTo(28_567_273_472L);
        assertThat(row.hitShare()).isNaN();
        assertThat(file.layers().keySet())
                .extracting(Object::toString)
                .containsExactly("pf <-> aix", "program <-> pf");
        Counts lower = file.layers().get(new FileFigures.Layer("pf", "aix"));
        assertThat(lower.get(Counter.SUSPENDS)).isEqualTo(6835 + 13619);
        assertThat(lower.get(Counter.READS)).isEqualTo(13622);
        assertThat(lower.get(Counter.READ_BYTES)).isEqualTo((27891584L + 6144) * 1024);
    }

    @Test
    void shouldGiveTheSameFiguresForBothFormsOfOneRun() {
        // Two runs of one program: the counts are equal, the times are not.
        Row text =
                Reports.total(
                        Reports.read(Reports.OPTIONS, Reports.REAL.resolve("demo-trace.stats")));
        Row json =
                Reports.total(
                        Reports.read(Reports.OPTIONS, Reports.REAL.resolve("demo-trace.jsonl")));
        for (Counter counter :
                List.of(
                        Counter.OPENS,
                        Counter.READS,
                        Counter.WRITES,
                        Counter.READ_BYTES,
                        Counter.WRITTEN_BYTES,
                        Counter.SMALLEST_READ_BYTES,
                        Counter.LARGEST_WRITE_BYTES,
                        Counter.SEEKS,
                        Counter.EXTENSIONS,
                        Counter.MAX_SIZE_BYTES)) {
            assertThat(text.get(counter)).as(counter.label()).isEqualTo(json.get(counter));
            assertThat(text.get(counter)).as(counter.label()).isPositive();
        }
        assertThat(json.get(Counter.BACKWARD_BYTES)).isPositive();
        assertThat(text.get(Counter.BACKWARD_BYTES)).isEqualTo(Counts.UNKNOWN);
    }

    private static String pf(long pid, String file, long reads) {
        return "{\"type\":\"pf\",\"format\":1,\"pid\":"
                + pid
                + ",\"event\":\"close\",\"of\":\"file\",\"file\":\""
                + file
                + "\",\"program\":{\"written_bytes\":0,\"writes\":0,\"read_bytes\":"
                + reads * 100
                + ",\"reads\":"
                + reads
                + "}}\n";
    }

    private static String below(long pid, Open open) {
        return Reports.json(pid, open).replace("\"above\":\"program\"", "\"above\":\"pf\"");
    }

    @Test
    void shouldNotTakeRequestsOfACacheForThoseOfAProcess() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int pid = 1; pid <= 2; pid++) {
            text.append(Reports.jsonHeader(pid, "p"));
            // One file has a trace below the cache only, one has a trace above it, too, and one has
            // no cache.
            text.append(below(pid, Open.of("a").calls(3, 0))).append(pf(pid, "a", 100));
            text.append(below(pid, Open.of("b").calls(4, 0))).append(pf(pid, "b", 1000));
            text.append(Reports.json(pid, Open.of("b").calls(1000, 0)));
            text.append(Reports.json(pid, Open.of("c").calls(10_000, 0)));
            text.append(below(pid, Open.of("d").calls(100_000, 0)));
        }
        Path file = Files.writeString(dir.resolve("r"), text);
        RunStats stats = Reports.read(Reports.by(StatsOptions.By.PROCESS), file);
        Rows rows = Rows.of(stats, Reports.by(StatsOptions.By.PROCESS));
        assertThat(rows.shown())
                .extracting(row -> row.get(Counter.READS))
                .containsExactly(111_100L, 111_100L);
        assertThat(rows.total().get(Counter.READS)).isEqualTo(222_200);
        // Without the time of "a", the time of all is not known.
        assertThat(rows.shown())
                .extracting(row -> row.get(Counter.READ_NS))
                .containsOnly(Counts.UNKNOWN);
    }
}
