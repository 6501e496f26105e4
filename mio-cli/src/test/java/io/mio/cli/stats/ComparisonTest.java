package io.mio.cli.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.stats.Reports.Open;
import io.mio.cli.term.Terminal;
import io.mio.stats.ByteUnit;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
    @TempDir Path dir;

    private static Open slow(String file, long nanosPerCall) {
        return new Open(file, "close", 1000, 100, 100, 4096, nanosPerCall);
    }

    private Path report(String name, Open... opens) throws IOException {
        StringBuilder text = new StringBuilder(Reports.jsonHeader(1, name));
        for (Open open : opens) {
            text.append(Reports.json(1, open));
        }
        return Files.writeString(dir.resolve(name), text);
    }

    private String compare(Path before, Path after, StatsOptions.Format format) {
        return compare(before, after, format, Terminal.NONE);
    }

    private String table(Path before, Path after) {
        return compare(before, after, StatsOptions.Format.TABLE);
    }

    private JsonNode json(Path before, Path after) throws IOException {
        return new ObjectMapper().readTree(compare(before, after, StatsOptions.Format.JSON));
    }

    private String compare(Path before, Path after, StatsOptions.Format format, Terminal terminal) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status =
                new StatsReport(
                                Reports.OPTIONS,
                                terminal,
                                new ByteArrayInputStream(new byte[0]),
                                new PrintWriter(out),
                                new PrintWriter(err))
                        .compare(List.of(before.toString()), List.of(after.toString()), format);
        assertThat(err.toString()).isEmpty();
        assertThat(status).isZero();
        return out.toString();
    }

    @Test
    void shouldPairByNameAndSayWhatGotBetterAndWorse() throws IOException {
        Path before =
                report(
                        "before",
                        slow("better", 3_000_000),
                        slow("worse", 1_000_000),
                        slow("same", 1_000_000),
                        slow("gone", 1_000_000));
        Path after =
                report(
                        "after",
                        slow("better", 1_000_000),
                        slow("worse", 4_000_000),
                        slow("same", 1_010_000),
                        slow("new", 1_000_000));
        String text = table(before, after);
        assertThat(text)
                .containsPattern("\nbetter +600 ms +200 ms +3\\.00x .* 3\\.00x +200 +200\n")
                .containsPattern("\nworse +200 ms +800 ms +0\\.25x .* 0\\.25x +200 +200\n")
                .containsPattern("\ngone +200 ms +- +- .* 200 +-\n")
                .contains("\nFaster: better 3.00x.\n")
                .contains("\nSlower: worse 4.00x.\n")
                .contains("\nAlike, or not known: 1 file.\n")
                .contains("\nOnly before: gone.\nOnly after: new.\n")
                .contains("Time in I/O: 1.20 s before, 1.40 s after, 1.17x more.")
                .contains("Requests to the system: 800 before, 800 after, about the same.")
                .doesNotContain("did not do the same work");
    }

    @Test
    void shouldGiveTheOriginalsGain() {
        String text =
                table(
                        Reports.ORIGINAL.resolve("original.stats"),
                        Reports.ORIGINAL.resolve("original-pf.stats"));
        assertThat(text)
                .containsPattern("\ntest.dat +25:14 min +12:53 min +1\\.96x")
                .contains("Requests to the system: 420 000 before, 20 458 after, 20.5x fewer.");
    }

    @Test
    void shouldSayWhenTheRunsDidNotDoTheSame() throws IOException {
        Path before = report("before", slow("a", 1_000_000));
        Path after = report("after", slow("a", 1_000_000).calls(10, 10));
        assertThat(table(before, after)).contains("did not do the same work: 800 KiB", "80.0 KiB");
    }

    /** A classic report in which each file is read once, in this many hundredths of a second. */
    private Path rounded(String name, Map<String, Integer> hundredths) throws IOException {
        StringBuilder text = new StringBuilder(Reports.classicHeader("p"));
        hundredths.forEach(
                (file, time) ->
                        text.append(
                                Reports.classic(
                                        new Open(
                                                file,
                                                "close",
                                                1000,
                                                1,
                                                0,
                                                4096,
                                                time * 10_000_000L),
                                        ByteUnit.KBYTES)));
        return Files.writeString(dir.resolve(name), text);
    }

    @Test
    void shouldNotTakeRoundingForAGain() throws IOException {
        Path before = rounded("before", new TreeMap<>(Map.of("a", 1, "b", 0, "c", 4, "d", 300)));
        Path after = rounded("after", new TreeMap<>(Map.of("a", 0, "b", 1, "c", 1, "d", 100)));
        String text = table(before, after);

        assertThat(text)
                .containsPattern("\na +~10\\.0 ms +~0\\.00 s +- ")
                .containsPattern("\nb +~0\\.00 s +~10\\.0 ms +- ")
                .containsPattern("\nc +~40\\.0 ms +~10\\.0 ms +~4\\.00x .* ~4\\.00x ")
                .containsPattern("\nd +3\\.00 s +1\\.00 s +3\\.00x .* 3\\.00x ")
                .contains("\nFaster: d 3.00x, c ~4.00x.\n")
                .doesNotContain("Slower")
                .contains("\nAlike, or not known: 2 files.\n")
                .contains("\n~ rounded by more than 5 %");
        JsonNode json = json(before, after);
        assertThat(json.at("/files/0/time_gain").asDouble()).isEqualTo(3);
        assertThat(json.toString())
                .contains("\"time_gain\":null,\"rate_gain\":null")
                .contains("\"time_gain\":4.0,\"rate_gain\":4.0");
    }

    @Test
    void shouldMarkAGainOfRoundedTimesInTheSentence() throws IOException {
        Path before = rounded("before", Map.of("a", 4));
        Path after = rounded("after", Map.of("a", 1));

        assertThat(table(before, after))
                .contains("Time in I/O: ~40.0 ms before, ~10.0 ms after, ~4.00x less.");
    }

    @Test
    void shouldSayTimesThatRoundToNothing() throws IOException {
        Path before = rounded("before", Map.of("a", 0));
        Path after = rounded("after", Map.of("a", 1));

        assertThat(table(before, after)).contains("Time in I/O: ~0.00 s before, ~10.0 ms after.");
    }

    @Test
    void shouldLeaveOutFiguresWhereTheTerminalIsNarrow() throws IOException {
        String file = "/scratch/project/run7/matrix.dat";
        Path before = report("before", slow(file, 3_000_000));
        Path after = report("after", slow(file, 1_000_000));
        for (int columns : new int[] {100, 80, 60, 40}) {
            Terminal terminal = new Terminal(true, true, columns, false, true);
            String text = compare(before, after, StatsOptions.Format.TABLE, terminal);
            assertThat(text.lines()).allMatch(line -> line.length() <= columns);
            assertThat(text.contains("Rate before")).isEqualTo(columns > 60);
            assertThat(text.contains("Calls before")).isEqualTo(columns > 80);
        }
    }

    @Test
    void shouldGiveTheSameAsJsonAndCsv() throws IOException {
        Path before = report("before", slow("a", 3_000_000), slow("b", 10));
        Path after = report("after", slow("a", 1_000_000));
        JsonNode json = json(before, after);
        assertThat(json.get("type").asText()).isEqualTo("mio_stats_comparison");
        JsonNode a = json.get("files").get(0);
        assertThat(a.get("file").asText()).isEqualTo("a");
        assertThat(a.get("time_gain").asDouble()).isEqualTo(3);
        assertThat(a.get("before").get("io_ns").asLong()).isEqualTo(600_000_000);
        assertThat(a.get("after").get("io_ns").asLong()).isEqualTo(200_000_000);
        assertThat(json.get("files").get(1).get("after").isNull()).isTrue();
        assertThat(json.get("words")).isNotEmpty();
        List<String> csv = compare(before, after, StatsOptions.Format.CSV).lines().toList();
        assertThat(csv).hasSize(3);
        assertThat(csv.get(0)).startsWith("file,before_processes,after_processes,");
        assertThat(csv.get(1)).startsWith("a,1,1,").endsWith(",3,3");
    }
}
