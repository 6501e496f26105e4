package io.mio.cli.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.term.CliException;
import io.mio.cli.term.Progress;
import io.mio.cli.term.Terminal;
import io.mio.config.MioConfig;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said about reports that do not tell everything. */
class EstimatedTest {
    /** 3000 reads, each at an offset of its own. */
    private static final String RANDOM =
            """
            MIO statistics file : Tue Nov 24 02:53:35 2026
            hostname=vm  : with sync
            Program=python3
            MIO library libmio
            MIO_INSTALL_PATH=
            MIO_STATS       =rnd.stats

            ============================================================================

            Trace close : program <-> os : rnd.bin : (12288000/0.43)=28317695.49 bytes/s
                 demand rate=25753776.34 bytes/s=12288000/(0.57-0.10))
                 current size=200000000   max_size=200000000
              mode =0644  FileSystemType=ext4 sector size=4096
              oflags =0x0=RDONLY
              open              1     0.00
              read           3000     0.43   12288000   12288000       4096       4096
              seek           3000     0.00 average seek delta=56010
              close             1     0.00
            ============================================================================
            """;

    private static final String JSON_HEADER =
            "{\"type\":\"header\",\"format\":1,\"pid\":1,\"program\":\"tac\"}\n";

    private static final String PF =
            "{\"type\":\"pf\",\"format\":1,\"pid\":1,\"event\":\"close\",\"of\":\"file\","
                    + "\"file\":\"big.txt\",\"program\":{\"written_bytes\":0,\"writes\":0,"
                    + "\"read_bytes\":30476190,\"reads\":3721}}\n";

    @TempDir Path dir;

    private Estimated of(String text) throws IOException {
        return of(text, 256 << 20);
    }

    private Estimated of(String text, long memoryBytes, String... files) throws IOException {
        Path file = Files.writeString(dir.resolve("report"), text);
        return Estimated.of(
                List.of(file.toString()),
                List.of(files),
                memoryBytes,
                new Progress(new PrintWriter(new StringWriter()), Terminal.NONE, "mio advise"));
    }

    private static String text(Estimated estimated) {
        return String.join("\n", estimated.lines(Terminal.NONE));
    }

    @Test
    void shouldGiveNoRuleWithoutTheOrderOfReads() throws Exception {
        Estimated estimated = of(RANDOM);

        assertThat(estimated.line()).isEmpty();
        assertThat(text(estimated))
                .contains(
                        "does not tell in which order it is read; JSON lines do",
                        "set   not known",
                        "430 ms, 75.4 % of the run",
                        "Whether MIO can help here, these reports do not tell.")
                .doesNotContain("leave");
        JsonNode file = new ObjectMapper().readTree(estimated.json()).get("files").get(0);
        assertThat(file.get("rule").isNull()).isTrue();
        assertThat(file.get("told").asBoolean()).isFalse();
    }

    @Test
    void shouldGivePagesToReadsWithoutASeek() throws Exception {
        String forward = RANDOM.replaceAll("\n.*seek  .*", "");

        assertThat(of(forward).line()).isEqualTo("rnd.bin [ trace | pf/cache=32m/page=1m/direct ]");
        assertThat(of(forward, 16 << 20).line())
                .isEqualTo("rnd.bin [ trace | pf/cache=16m/page=256k/direct ]");
        // 3 % of this run is 17 ms, which the report could not tell from 12 or 22 ms.
        String coarse = forward.replace("0.43", "0.02");
        assertThat(text(of(coarse))).contains("hundredths of a second: too coarse");
        assertThat(text(of(forward.replace("0.43", "0.00"))))
                .contains("take at most 5.00 ms, 0.9 % of the run", "nothing: leave this file");
    }

    @Test
    void shouldGiveEachFileACacheOfItsOwn() throws Exception {
        String forward = RANDOM.replaceAll("\n.*seek  .*", "");
        String block = forward.substring(forward.indexOf("\nTrace close"));
        String other = block.replace("rnd.bin", "other.txt").replace("0.43", "0.40");

        Estimated estimated = of(forward + other, 40 << 20);

        assertThat(estimated.line())
                .isEqualTo(
                        "rnd.bin [ trace | pf/cache=32m/page=1m/direct ]"
                                + " other.txt [ trace | pf/cache=8m/page=256k/direct/global=1 ]");
        assertThat(text(estimated)).contains("\nmemory 40.0 MiB\n");
        assertThat(text(of(forward + other, 32 << 20)))
                .contains("pages need a cache of 8.00 MiB, more than is left of --memory");
    }

    @Test
    void shouldRankFilesWithARuleFirst() throws Exception {
        String forward = RANDOM.replaceAll("\n.*seek  .*", "");
        String block = forward.substring(forward.indexOf("\nTrace close"));
        String random = RANDOM.replace("rnd.bin", "random.x").replace("0.43", "0.50");
        String rare = RANDOM.replace("rnd.bin", "random.y").replace("0.43", "0.30");

        Estimated estimated =
                of(
                        rare
                                + random.substring(random.indexOf("\nTrace close"))
                                + block.replace("0.43", "0.20")
                                + block.replace("rnd.bin", "large.z"));

        JsonNode json = new ObjectMapper().readTree(estimated.json());
        assertThat(json.get("files"))
                .extracting(file -> file.get("names").get(0).asText())
                .containsExactly("large.z", "rnd.bin", "random.x", "random.y");
        assertThat(json.get("reports").get(0).asText()).endsWith("report");
        assertThat(text(estimated)).contains("why   reads in order that come slower than");
    }

    @Test
    void shouldAddUpOneFileOfSeveralPrograms() throws Exception {
        String forward = RANDOM.replaceAll("\n.*seek  .*", "");

        Estimated estimated = of(forward + forward.replace("python3", "other"));

        assertThat(text(estimated)).contains("reads 23.4 MiB forward", "6 000 reads take 860 ms");
    }

    @Test
    void shouldLookAtTheFilesThatFitOnly() throws Exception {
        String other = RANDOM.replace("rnd.bin", "b.dat");
        String both = RANDOM + other.substring(other.indexOf("\nTrace close"));

        assertThat(text(of(both, 256 << 20, "*.bin"))).contains("rnd.bin").doesNotContain("b.dat");
        assertThat(text(of(both))).contains("rnd.bin", "b.dat");
    }

    @Test
    void shouldNumberNoMoreCachesThanThereCanBe() throws Exception {
        String forward = RANDOM.replaceAll("\n.*seek  .*", "");
        String block = forward.substring(forward.indexOf("\nTrace close"));
        StringBuilder report = new StringBuilder(forward);
        for (int i = 1; i < 260; i++) {
            report.append(block.replace("rnd.bin", "a".repeat(i)));
        }

        String line = of(report.toString(), 1L << 40).line();

        assertThat(line).contains("/global=255 ]").doesNotContain("/global=256");
        assertThat(MioConfig.of(Map.of("files", line)).rules()).hasSize(256);
    }

    @Test
    void shouldSayWhatOfAReportIsLeftOut() throws Exception {
        Estimated whole = of(JSON_HEADER + PF);
        assertThat(whole.isDamaged()).isFalse();

        Estimated cut = of(JSON_HEADER + PF + "{\"type\":\"trace\",\"file\":\"a\033");

        assertThat(cut.isDamaged()).isTrue();
        assertThat(cut.notes().get(0)).contains("report: line 3: cut off in the middle: ");
        assertThat(text(cut)).contains("\nNote: ", "; left out").doesNotContain("\033");
        assertThat(new ObjectMapper().readTree(cut.json()).get("notes")).hasSize(1);
    }

    @Test
    void shouldLeaveOutFiguresWhereTheTerminalIsNarrow() throws Exception {
        Terminal narrow = new Terminal(true, true, 60, false, true);

        List<String> lines =
                of(RANDOM.replaceAll("\n.*seek  .*", "").replace("rnd.bin", "/scratch/run7/r.bin"))
                        .lines(narrow);

        assertThat(lines.subList(0, 2)).allMatch(line -> line.length() <= 60);
        assertThat(lines.get(0)).contains("Gain at most").doesNotContain("Written");
    }

    @Test
    void shouldSayThatTimesAreNotKnown() throws Exception {
        Estimated estimated = of(JSON_HEADER + PF);

        assertThat(estimated.line()).isEmpty();
        assertThat(text(estimated))
                .contains("3 721 reads\n", "does not tell how long its calls take")
                .doesNotContain("0 ns", "% of the run");
        JsonNode json = new ObjectMapper().readTree(estimated.json());
        assertThat(json.get("run_ns").isNull()).isTrue();
        assertThat(json.get("files").get(0).get("read_ns").isNull()).isTrue();
        assertThat(json.get("files").get(0).get("read_bytes").asLong()).isEqualTo(30_476_190);
    }

    @Test
    void shouldNotTakeWhatIsNotKnownForNone() throws Exception {
        String auto =
                "{\"type\":\"auto\",\"format\":1,\"pid\":1,\"event\":\"close\","
                        + "\"file\":\"big.txt\",\"decisions\":[]}\n";

        JsonNode file = new ObjectMapper().readTree(of(JSON_HEADER + auto).json()).at("/files/0");

        for (String name : List.of("reads", "writes", "read_bytes", "written_bytes", "read_ns")) {
            assertThat(file.get(name).isNull()).as(name).isTrue();
        }
    }

    @Test
    void shouldSayThatRecordingsAndReportsCannotBeMixed() throws Exception {
        Path recording = dir.resolve("run.events");
        try (MadeProgram program = new MadeProgram(recording)) {
            AdvisorTest.forward(program, "/data/a.dat", 8_000);
        }
        Path report = Files.writeString(dir.resolve("report.jsonl"), JSON_HEADER + PF);
        Progress progress =
                new Progress(new PrintWriter(new StringWriter()), Terminal.NONE, "mio advise");

        for (List<Path> both : List.of(List.of(recording, report), List.of(report, recording))) {
            List<String> names = both.stream().map(Path::toString).toList();
            assertThatThrownBy(
                            () -> new Advising(names, List.of(), 256 << 20, null, null, progress))
                    .isInstanceOf(CliException.class)
                    .hasMessage(
                            report
                                    + ": is a report: recordings and reports cannot be mixed; name"
                                    + " those of one kind");
        }
    }

    @Test
    void shouldNotTakeFilesBeyondTheFirstForOneOfThatName() throws Exception {
        StringBuilder report = new StringBuilder(JSON_HEADER);
        for (int i = 0; i < 10_002; i++) {
            report.append(PF.replace("big.txt", "/d" + i + "/big.txt"));
        }

        Estimated estimated = of(report.toString());

        assertThat(estimated.json()).doesNotContain("(others)");
        assertThat(estimated.notes())
                .contains(
                        "files beyond the first 10 000, or fewer with long names, are left out:"
                                + " 2 blocks");
        assertThat(estimated.isDamaged()).isTrue();
    }
}
