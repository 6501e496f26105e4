package io.mio.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.stats.PfSnapshot.Details;
import io.mio.stats.PfSnapshot.Transfers;
import io.mio.stats.TraceSnapshot.Event;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pf blocks against the original's own, byte for byte (reference 4.5). */
class PfReportTest {
    private static final Details DETAILS =
            new Details(101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, "io_uring", true);

    @TempDir private Path directory;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alot_buf_pf_file.txt",
                "alot_buf_pf_cache.txt",
                "pf_all_lines.txt",
                "pf_plan.txt",
                "pf_plan_left.txt",
                "pf_plan_none.txt"
            })
    void shouldPrintTheReportOfTheOriginal(String name) {
        TwinFile twin = TwinFile.read("stats/" + name);

        assertThat(snapshot(twin.values("counters")).classic()).isEqualTo(twin.part("report"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"CLOSE", "EXIT", "INTER"})
    void shouldSayWhyItWasMade(String event) {
        Map<String, String> values = counters("alot_buf_pf_file.txt");
        values.put("event", event);

        assertThat(snapshot(values).classic())
                .startsWith("pf " + event.toLowerCase(Locale.ROOT) + " for test.dat\n");
    }

    @Test
    void shouldKeepNamesAndTagsOnTheirLine() {
        Map<String, String> values = counters("alot_buf_pf_file.txt");
        values.put("file", "a\nb");
        values.put("tag", "t\n");
        String report = snapshot(values).classic();

        assertThat(report).startsWith("t\\012pf close for a\\012b\nt\\012   50 pages");
        assertThat(report.lines()).hasSize(8).allMatch(line -> line.startsWith("t\\012"));
    }

    @Test
    void shouldWriteAllCountersOfAFileAsJson() {
        assertThat(json("alot_buf_pf_file.txt"))
                .isEqualTo(
                        "{\"of\":\"file\",\"file\":\"test.dat\",\"cache\":\"global\",\"cache_number\":0,"
                            + "\"below\":\"aix\",\"unit\":\"bytes\",\"tag\":\"\",\"pages\":50,"
                            + "\"page_bytes\":2097152,\"sector_bytes\":4096,"
                            + "\"not_preread\":6840,\"not_preread_for_write\":6840,"
                            + "\"unused_prefetches\":7,\"started_prefetches\":20459,"
                            + "\"distance_pages\":4,\"write_behinds\":6835,\"forced_syncs\":0,"
                            + "\"retained_pages\":0,"
                            + "\"program\":{\"written_bytes\":14336000000,\"writes\":140000,"
                            + "\"read_bytes\":28672000000,\"reads\":280000},"
                            + "\"child\":{\"written_bytes\":14336000000,\"writes\":6836,"
                            + "\"read_bytes\":28567273472,\"reads\":13622},"
                            + "\"hits\":101,\"misses\":102,\"partial_reads\":103,"
                            + "\"prefetch_waits\":104,\"prefetch_wait_ns\":105,"
                            + "\"evictions\":106,\"dirty_evictions\":107,\"write_errors\":108,"
                            + "\"streams\":109,\"gate_waits\":110,\"gate_wait_ns\":111,"
                            + "\"backend\":\"io_uring\",\"direct\":true}");
    }

    @ParameterizedTest
    @ValueSource(strings = {"pf_plan.txt", "pf_plan_left.txt", "pf_plan_none.txt"})
    void shouldTellInJsonHowTheFileWentByItsPlan(String name) {
        String expected = TwinFile.read("stats/" + name).part("json").trim();

        assertThat(json(name)).endsWith("\"direct\":true," + expected);
    }

    @Test
    void shouldTellTheBlockOfACacheFromThatOfAFileInJson() {
        assertThat(json("pf_all_lines.txt"))
                .startsWith(
                        "{\"of\":\"cache\",\"file\":null,\"cache\":\"private\",\"below\":\"os\"");
    }

    @Test
    void shouldWriteTheBlocksInTheOrderOfTheOriginalAndLeaveOutThatOfNothing() throws Exception {
        Path file = directory.resolve("stats.jsonl");
        Path text = directory.resolve("stats");
        for (Path target : List.of(file, text)) {
            FileReport report = new FileReport(output(target));
            report.add(StatsOutput.MIOOUT, false, event -> TestBlocks.of(event, "lower"));
            report.add(
                    StatsOutput.MIOOUT, false, event -> snapshot(counters("alot_buf_pf_file.txt")));
            report.add(
                    StatsOutput.MIOOUT,
                    false,
                    event ->
                            event == Event.CLOSE
                                    ? snapshot(counters("alot_buf_pf_cache.txt"))
                                    : null);
            report.add(StatsOutput.MIOOUT, false, event -> TestBlocks.of(event, "upper"));
            assertThat(report.snapshots()).hasSize(3);
            report.write(Event.INTER, false);
            report.write(Event.CLOSE, false);
        }

        assertThat(Files.readAllLines(file))
                .filteredOn(line -> line.contains("\"type\":\"pf\""))
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"event\":\"close\",\"of\":\"file\""),
                        line -> assertThat(line).contains("\"event\":\"close\",\"of\":\"file\""),
                        line -> assertThat(line).contains("\"event\":\"close\",\"of\":\"cache\""));
        assertThat(Files.readAllLines(text))
                .filteredOn(line -> line.matches("(Trace|pf) .*"))
                .map(line -> line.replaceAll(" : \\(.*", ""))
                .containsExactly(
                        "Trace inter : program <-> os : lower",
                        "pf close for test.dat",
                        "Trace inter : program <-> os : upper",
                        "Trace close : program <-> os : lower",
                        "pf close for test.dat",
                        "pf close for global cache 0",
                        "Trace close : program <-> os : upper");
    }

    @Test
    void shouldWriteNothingWhereNothingIsToBeSaid() {
        Path file = directory.resolve("stats");
        FileReport report = new FileReport(output(file));
        report.add(StatsOutput.MIOOUT, false, event -> null);
        report.write(Event.CLOSE, false);

        assertThat(report.snapshots()).isEmpty();
        assertThat(file).doesNotExist();
    }

    private static StatsOutput output(Path target) {
        return new StatsOutput(
                FileSystems.getDefault(),
                target.toString(),
                false,
                () -> StatsHeader.now("sync", "", "", "", "", List.of()));
    }

    private static Map<String, String> counters(String name) {
        return TwinFile.read("stats/" + name).values("counters");
    }

    private static String json(String name) {
        JsonText json = new JsonText();
        PfJson.write(json, snapshot(counters(name)));
        return json.toString();
    }

    private static PfSnapshot snapshot(Map<String, String> values) {
        return new PfSnapshot(
                Event.valueOf(values.get("event").toUpperCase(Locale.ROOT)),
                values.get("file"),
                (int) number(values, "cache"),
                values.get("below"),
                values.getOrDefault("tag", ""),
                ByteUnit.of(values.get("unit")),
                number(values, "pages"),
                number(values, "pageBytes"),
                number(values, "sectorBytes"),
                number(values, "notPreread"),
                number(values, "notPrereadForWrite"),
                number(values, "unusedPrefetches"),
                number(values, "startedPrefetches"),
                number(values, "distance"),
                number(values, "writeBehinds"),
                number(values, "forcedSyncs"),
                number(values, "retainedPages"),
                transfers(values.get("program")),
                transfers(values.get("child")),
                DETAILS,
                plan(values));
    }

    private static PfSnapshot.Plan plan(Map<String, String> values) {
        String none = values.get("noPlan");
        if (none != null) {
            return PfSnapshot.Plan.none(none.replace("\\012", "\n"));
        }
        if (!values.containsKey("plan")) {
            return null;
        }
        String[] n = values.get("plan").split(" ");
        return new PfSnapshot.Plan(
                null,
                n[0].equals("1"),
                Long.parseLong(n[1]),
                Long.parseLong(n[2]),
                Long.parseLong(n[4]),
                Long.parseLong(n[3]),
                Long.parseLong(n[5]),
                Long.parseLong(n[6]),
                Long.parseLong(n[7]));
    }

    private static Transfers transfers(String text) {
        String[] n = text.split(" ");
        return new Transfers(
                Long.parseLong(n[0]),
                Long.parseLong(n[1]),
                Long.parseLong(n[2]),
                Long.parseLong(n[3]));
    }

    private static long number(Map<String, String> values, String key) {
        return Long.parseLong(values.getOrDefault(key, "0"));
    }
}
