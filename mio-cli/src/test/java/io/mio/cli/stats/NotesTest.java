package io.mio.cli.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests each note one step below its threshold and at it. */
class NotesTest {
    private static final long MIB = 1 << 20;
    private static final long SECOND = 1_000_000_000;

    /** A file about which there is nothing to note: 500 reads and writes of 64 KiB, forward. */
    private static Counts quiet() {
        Counts counts = Counts.traceBlock();
        for (Counter counter : Counter.values()) {
            if (!counter.isOfPf()) {
                counts.set(counter, 0);
            }
        }
        return counts.set(Counter.OPENS, 1)
                .set(Counter.READS, 500)
                .set(Counter.WRITES, 500)
                .set(Counter.READ_BYTES, 500 << 16)
                .set(Counter.WRITTEN_BYTES, 500 << 16)
                .set(Counter.READ_REQUESTED_BYTES, 500 << 16)
                .set(Counter.WRITE_REQUESTED_BYTES, 500 << 16)
                .set(Counter.SEQUENTIAL_BYTES, 1000 << 16)
                .set(Counter.MAX_SIZE_BYTES, 500 << 16)
                .set(Counter.IO_NS, SECOND);
    }

    private static Counts quietPf() {
        Counts counts = Counts.pfBlock();
        for (Counter counter : Counter.values()) {
            if (counter.isOfPf()) {
                counts.set(counter, 0);
            }
        }
        return counts.set(Counter.PF_READ_BYTES, 500 << 16)
                .set(Counter.PF_WRITTEN_BYTES, 500 << 16)
                .set(Counter.PAGE_READ_BYTES, 500 << 16)
                .set(Counter.PAGE_WRITTEN_BYTES, 500 << 16);
    }

    private static List<Note> notes(Counts trace, Counts pf) {
        FileFigures file = new FileFigures("p", "f");
        file.addTrace("process", new FileFigures.Layer("program", "os"), trace);
        if (pf != null) {
            file.addPf("process", pf);
        }
        return Notes.of(List.of(file));
    }

    @Test
    void shouldSayNothingOnAQuietFile() {
        assertThat(notes(quiet(), quietPf())).isEmpty();
    }

    private static Arguments edge(
            NoteKind kind, Map<Counter, Long> with, Counter edge, long below, long at) {
        return Arguments.of(kind, with, edge, below, at);
    }

    static Stream<Arguments> edges() {
        long all = 1000L << 16;
        return Stream.of(
                edge(NoteKind.ERRORS, Map.of(), Counter.ERRORS, 0, 1),
                edge(NoteKind.ERRORS, Map.of(), Counter.WRITE_ERRORS, 0, 1),
                edge(NoteKind.UNFINISHED, Map.of(), Counter.UNFINISHED, 0, 1),
                edge(NoteKind.UNCLOSED, Map.of(), Counter.UNCLOSED, 0, 1),
                edge(
                        NoteKind.TINY_REQUESTS,
                        Map.of(Counter.READ_REQUESTED_BYTES, 999L * 4095),
                        Counter.READS,
                        999,
                        1000),
                edge(
                        NoteKind.TINY_REQUESTS,
                        Map.of(Counter.WRITES, 1000L),
                        Counter.WRITE_REQUESTED_BYTES,
                        4096 * 1000,
                        4096 * 1000 - 1),
                edge(NoteKind.BACKWARD, Map.of(), Counter.BACKWARD_BYTES, all / 5 - 1, all / 5),
                edge(
                        NoteKind.STRIDED,
                        Map.of(Counter.READ_BYTES, 0L, Counter.WRITTEN_BYTES, MIB),
                        Counter.STRIDED_BYTES,
                        MIB - 1,
                        MIB),
                edge(NoteKind.MANY_SEEKS, Map.of(), Counter.SEEKS, 999, 1000),
                edge(NoteKind.MANY_SEEKS, Map.of(Counter.READS, 1502L), Counter.SEEKS, 1000, 1001),
                edge(NoteKind.READ_AGAIN, Map.of(), Counter.READ_BYTES, (750 << 16) - 1, 750 << 16),
                edge(
                        NoteKind.UNUSED_PREFETCHES,
                        Map.of(Counter.STARTED_PREFETCHES, 500L),
                        Counter.UNUSED_PREFETCHES,
                        49,
                        50),
                edge(
                        NoteKind.UNUSED_PREFETCHES,
                        Map.of(Counter.STARTED_PREFETCHES, 1000L),
                        Counter.UNUSED_PREFETCHES,
                        99,
                        100),
                edge(NoteKind.SUSPENDS, Map.of(), Counter.SUSPEND_NS, SECOND / 10 - 1, SECOND / 10),
                edge(
                        NoteKind.PREFETCH_WAITS,
                        Map.of(Counter.IO_NS, 10 * SECOND),
                        Counter.PREFETCH_WAIT_NS,
                        SECOND - 1,
                        SECOND),
                edge(
                        NoteKind.READ_AMPLIFICATION,
                        Map.of(),
                        Counter.PAGE_READ_BYTES,
                        (600 << 16) - 1,
                        600 << 16),
                edge(
                        NoteKind.WRITE_AMPLIFICATION,
                        Map.of(Counter.PF_WRITTEN_BYTES, MIB),
                        Counter.PAGE_WRITTEN_BYTES,
                        2 * MIB - 1,
                        2 * MIB),
                edge(NoteKind.FSYNCS, Map.of(Counter.FSYNC_NS, SECOND), Counter.FSYNCS, 9, 10),
                edge(
                        NoteKind.FSYNCS,
                        Map.of(Counter.FSYNCS, 10L),
                        Counter.FSYNC_NS,
                        SECOND / 4 - 1,
                        SECOND / 4),
                edge(NoteKind.FORCED_SYNCS, Map.of(), Counter.FORCED_SYNCS, 0, 1),
                edge(NoteKind.ILL_FORMED, Map.of(), Counter.ILL_FORMED, 0, 1),
                edge(NoteKind.ILL_FORMED, Map.of(), Counter.MISALIGNED, 0, 1),
                edge(NoteKind.MANY_OPENS, Map.of(), Counter.OPENS, 99, 100),
                edge(
                        NoteKind.EXTENSIONS,
                        Map.of(Counter.WRITES, 1000L, Counter.WRITE_REQUESTED_BYTES, 5000L << 10),
                        Counter.EXTENSIONS,
                        999,
                        1000),
                edge(
                        NoteKind.EXTENSIONS,
                        Map.of(Counter.WRITES, 2000L, Counter.WRITE_REQUESTED_BYTES, 10000L << 10),
                        Counter.EXTENSIONS,
                        1799,
                        1800));
    }

    @ParameterizedTest
    @MethodSource("edges")
    void shouldBeThereFromTheThresholdOn(
            NoteKind kind, Map<Counter, Long> with, Counter edge, long below, long at) {
        for (boolean reached : new boolean[] {false, true}) {
            Counts trace = quiet();
            Counts pf = quietPf();
            with.forEach((counter, value) -> (counter.isOfPf() ? pf : trace).set(counter, value));
            (edge.isOfPf() ? pf : trace).set(edge, reached ? at : below);
            boolean withoutPf = kind == NoteKind.BACKWARD || kind == NoteKind.STRIDED;
            List<Note> notes = notes(trace, withoutPf ? null : pf);
            assertThat(notes.stream().map(Note::kind).toList().contains(kind)).isEqualTo(reached);
        }
    }

    @Test
    void shouldNotAdvisePfWhereItIs() {
        Counts trace =
                quiet().set(Counter.BACKWARD_BYTES, 500 << 16)
                        .set(Counter.STRIDED_BYTES, 500 << 16)
                        .set(Counter.SEEKS, 1000);
        assertThat(notes(trace, null))
                .extracting(Note::kind)
                .containsExactly(NoteKind.BACKWARD, NoteKind.STRIDED);
        assertThat(notes(trace, quietPf())).isEmpty();

        FileFigures auto = new FileFigures("p", "f");
        auto.addTrace("process", new FileFigures.Layer("program", "pf"), trace);
        auto.addAuto(
                "process",
                new BlockSink.Auto(1, "close", "f", "", "0", "hints", 1, 1, 1, 0, List.of(), 0));
        assertThat(Notes.of(List.of(auto))).isEmpty();
    }

    @Test
    void shouldHaveAnEdgeForEveryKind() {
        Set<NoteKind> kinds = EnumSet.noneOf(NoteKind.class);
        edges().forEach(edge -> kinds.add((NoteKind) edge.get()[0]));
        assertThat(kinds).containsExactlyInAnyOrder(NoteKind.values());
    }

    @Test
    void shouldSayNothingOnWhatIsNotKnown() {
        Counts unknown = Counts.traceBlock().set(Counter.OPENS, 1);
        Counts unknownPf = Counts.pfBlock();
        assertThat(notes(unknown, unknownPf)).isEmpty();
    }

    @Test
    void shouldTellOfAttemptsOfRecov() {
        FileFigures file = new FileFigures("p", "f");
        file.addTrace("process", new FileFigures.Layer("program", "os"), quiet());
        file.addRecov("process", false);
        assertThat(Notes.of(List.of(file)))
                .extracting(Note::text)
                .containsExactly("recov: 1 attempt, 0 calls given up");
        file.addRecov("process", true);
        assertThat(Notes.of(List.of(file)))
                .extracting(Note::text)
                .containsExactly("recov: 1 attempt, 1 call given up");
    }

    @Test
    void shouldTellOfPagesThatWereReadWithoutAnyReadOfTheProgram() {
        Counts pf = quietPf().set(Counter.PF_READ_BYTES, 0).set(Counter.PAGE_READ_BYTES, MIB);
        assertThat(notes(quiet(), pf))
                .extracting(Note::text)
                .containsExactly("1.00 MiB read by pf for 0 B of the program");
    }

    @Test
    void shouldPutWhatMattersMostFirst() {
        List<FileFigures> files = new ArrayList<>();
        for (String name : List.of("b", "a", "most")) {
            long weight = name.length();
            FileFigures file = new FileFigures("p", name);
            file.addTrace(
                    "process",
                    new FileFigures.Layer("program", "os"),
                    quiet().set(Counter.ERRORS, weight)
                            .set(Counter.MISALIGNED, 20)
                            .set(Counter.ILL_FORMED, weight));
            file.addPf(
                    "process",
                    quietPf()
                            .set(Counter.PAGE_READ_BYTES, 100 * MIB)
                            .set(Counter.PF_READ_BYTES, (5 - weight) * MIB));
            files.add(file);
        }
        assertThat(Notes.of(files))
                .extracting(note -> note.kind() + " " + note.file())
                .containsExactly(
                        "ERRORS most",
                        "ERRORS a",
                        "ERRORS b",
                        "ILL_FORMED most",
                        "ILL_FORMED a",
                        "ILL_FORMED b",
                        "READ_AMPLIFICATION most",
                        "READ_AMPLIFICATION a",
                        "READ_AMPLIFICATION b");
    }

    @Test
    void shouldAllowEveryProcessToReadTheFileOnce() {
        FileFigures file = new FileFigures("p", "f");
        for (int i = 0; i < 100; i++) {
            file.addTrace(new Object(), new FileFigures.Layer("program", "os"), quiet());
        }
        assertThat(Notes.of(List.of(file))).isEmpty();
    }

    @Test
    void shouldSendToJsonReportsWhoHasNone() {
        Counts seeks = quiet().set(Counter.SEEKS, 1000);
        assertThat(told(seeks)).endsWith(", 0 % of the bytes in no order");
        for (Counter pattern :
                List.of(
                        Counter.SEQUENTIAL_BYTES,
                        Counter.BACKWARD_BYTES,
                        Counter.STRIDED_BYTES,
                        Counter.RANDOM_BYTES)) {
            seeks.set(pattern, Counts.UNKNOWN);
        }
        assertThat(told(seeks))
                .endsWith("; in which order, JSON reports tell (MIO_STATS=name.jsonl)");
        assertThat(NoteKind.MANY_SEEKS.advice()).doesNotContain("JSON");
    }

    private static String told(Counts seeks) {
        List<Note> notes = notes(seeks, null);
        assertThat(notes).extracting(Note::kind).containsExactly(NoteKind.MANY_SEEKS);
        return notes.get(0).text();
    }

    /** The mean of all seeks gives the last position less the bytes moved, but no direction. */
    @Test
    void shouldNotCallAClassicReportBackward() throws IOException {
        RunStats stats = Reports.read(Reports.OPTIONS, Reports.ORIGINAL.resolve("original.stats"));
        assertThat(Notes.of(stats.files()))
                .extracting(Note::kind)
                .doesNotContain(NoteKind.BACKWARD);
    }

    @Test
    void shouldFindInARealRunWhatTheProgramDoes() {
        RunStats stats = Reports.read(Reports.OPTIONS, Reports.REAL.resolve("ledger.jsonl.gz"));
        assertThat(Notes.of(stats.files()))
                .extracting(note -> note.kind() + " " + note.file())
                .contains(
                        "ERRORS matrix.dat",
                        "TINY_REQUESTS ledger.dat",
                        "BACKWARD ledger.dat",
                        "STRIDED matrix.dat",
                        "MANY_SEEKS matrix.dat",
                        "READ_AGAIN matrix.dat",
                        "MANY_OPENS index.dat",
                        "EXTENSIONS ledger.dat",
                        "UNCLOSED matrix.dat");
    }

    @Test
    void shouldHaveEveryThresholdAndKindInTheDocumentation() throws IOException {
        String page = Files.readString(Path.of("../docs/commands/stats.md"));
        for (Threshold threshold : Threshold.values()) {
            assertThat(page).contains("| `" + threshold + "` | " + threshold.value() + " |");
        }
        for (NoteKind kind : NoteKind.values()) {
            assertThat(page).contains("`" + kind.label() + "`");
        }
        for (Figure figure : Figure.ALL) {
            assertThat(page).contains("`" + figure.name() + "`");
        }
    }
}
