package io.mio.cli.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.stats.Reports.Open;
import io.mio.cli.term.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status =
                new StatsReport(
                                Reports.OPTIONS,
                                Terminal.NONE,
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
        String text = compare(before, after, StatsOptions.Format.TABLE);
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
                compare(
                        Reports.ORIGINAL.resolve("original.stats"),
                        Reports.ORIGINAL.resolve("original-pf.stats"),
                        StatsOptions.Format.TABLE);
        assertThat(text)
                .containsPattern("\ntest.dat +25:14 min +12:53 min +1\\.96x")
                .contains("Requests to the system: 420 000 before, 20 458 after, 20.5x fewer.");
    }

    @Test
    void shouldSayWhenTheRunsDidNotDoTheSame() throws IOException {
        Path before = report("before", slow("a", 1_000_000));
        Path after = report("after", slow("a", 1_000_000).calls(10, 10));
        assertThat(compare(before, after, StatsOptions.Format.TABLE))
                .contains("did not do the same work: 800 KiB", "80.0 KiB");
    }

    @Test
    void shouldGiveTheSameAsJsonAndCsv() throws IOException {
        Path before = report("before", slow("a", 3_000_000), slow("b", 10));
        Path after = report("after", slow("a", 1_000_000));
        JsonNode json =
                new ObjectMapper().readTree(compare(before, after, StatsOptions.Format.JSON));
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
