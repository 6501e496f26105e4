package io.mio.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.stats.AutoSnapshot.Decision;
import io.mio.stats.TraceSnapshot.Event;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The blocks of {@code pf/auto}, byte for byte; the C side reads the same cases. */
class AutoReportTest {
    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"auto.txt", "auto_all_lines.txt"})
    void shouldPrintTheBlockOfAnOpen(String name) {
        TwinFile twin = TwinFile.read("stats/" + name);

        assertThat(snapshot(twin).classic()).isEqualTo(twin.part("report"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"auto.txt", "auto_all_lines.txt"})
    void shouldWriteTheBlockOfAnOpenAsJson(String name) {
        TwinFile twin = TwinFile.read("stats/" + name);
        JsonText json = new JsonText();
        AutoReport.write(json, snapshot(twin));

        assertThat(json.toString().substring(1) + "\n").isEqualTo(twin.part("json"));
    }

    @Test
    void shouldKeepReasonsOnTheirLine() {
        AutoSnapshot auto =
                new AutoSnapshot(
                        Event.EXIT,
                        "a",
                        "",
                        ByteUnit.BYTES,
                        0,
                        0,
                        "hints",
                        0,
                        0,
                        0,
                        0,
                        List.of(new Decision(0, "a", "b\nc")),
                        0);

        assertThat(auto.classic().lines().toList())
                .hasSize(4)
                .last()
                .isEqualTo("        0.00  a         b\\012c");
    }

    @Test
    void shouldSayInJsonWhatTheLineIs() throws Exception {
        Path file = directory.resolve("stats.jsonl");
        StatsOutput output =
                new StatsOutput(
                        FileSystems.getDefault(),
                        file.toString(),
                        false,
                        () -> StatsHeader.now("sync", "", "", "", "", List.of()));
        AutoSnapshot auto = snapshot(TwinFile.read("stats/auto.txt"));
        output.write(List.of(new StatsOutput.Entry(StatsOutput.MIOOUT, auto)));

        assertThat(Files.readAllLines(file).get(1))
                .startsWith("{\"type\":\"auto\",\"format\":1,\"time\":\"")
                .contains(",\"event\":\"close\",\"file\":");
    }

    private static AutoSnapshot snapshot(TwinFile twin) {
        Map<String, String> values = twin.values("counters");
        List<Decision> decisions = new ArrayList<>();
        for (int i = 1; values.containsKey("decision" + i); i++) {
            String[] words = values.get("decision" + i).split(" ", 3);
            decisions.add(new Decision(Long.parseLong(words[0]), words[1], words[2]));
        }
        return new AutoSnapshot(
                Event.valueOf(values.get("event").toUpperCase(Locale.ROOT)),
                values.get("file").replace("\\012", "\n"),
                values.getOrDefault("tag", ""),
                ByteUnit.of(values.get("unit")),
                number(values, "opened"),
                number(values, "now"),
                values.get("state"),
                number(values, "looks"),
                number(values, "hints"),
                number(values, "hintBytes"),
                number(values, "cached"),
                decisions,
                number(values, "moreDecisions"));
    }

    private static long number(Map<String, String> values, String key) {
        return Long.parseLong(values.get(key));
    }
}
