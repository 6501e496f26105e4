package io.mio.cli.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.stats.Reports.Open;
import io.mio.cli.stats.StatsOptions.By;
import io.mio.cli.stats.StatsOptions.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** CSV, OpenMetrics and JSON, read back by strict readers. */
class FormatsTest {
    private static final String[] NAMES = {
        "plain.dat",
        "=cmd|' /C calc'!A0",
        "+1",
        "-rf",
        "@x",
        "a,b",
        "q\"uote",
        " blank ",
        "back\\\\s",
        "line\\nfeed",
        "\u00e9t\u00e9"
    };

    @TempDir Path dir;

    private Path report() throws IOException {
        StringBuilder text = new StringBuilder();
        for (int process = 0; process < 3; process++) {
            text.append(Reports.jsonHeader(process, "prog" + process % 2));
            for (int i = 0; i < NAMES.length; i++) {
                String name = NAMES[i].startsWith("q") ? "q\\\"uote" : NAMES[i];
                text.append(Reports.json(process, Open.of(name).calls(i + 1, process)));
            }
        }
        return Files.writeString(dir.resolve("r"), text);
    }

    private static String show(By by, Format format, Path file) {
        Reports.Result result = Reports.show(Reports.by(by), format, file.toString());
        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
        return result.out();
    }

    /** Reads RFC 4180 with LF: quoted fields hold anything, others neither comma nor quote. */
    private static List<List<String>> csv(String text) {
        List<List<String>> lines = new ArrayList<>();
        List<String> fields = new ArrayList<>();
        int at = 0;
        while (at < text.length()) {
            StringBuilder field = new StringBuilder();
            if (text.charAt(at) == '"') {
                at++;
                while (text.charAt(at) != '"' || text.startsWith("\"\"", at)) {
                    at += text.charAt(at) == '"' ? 1 : 0;
                    field.append(text.charAt(at++));
                }
                at++;
            } else {
                while (text.charAt(at) != ',' && text.charAt(at) != '\n') {
                    assertThat(text.charAt(at)).isNotEqualTo('"');
                    field.append(text.charAt(at++));
                }
            }
            fields.add(field.toString());
            assertThat(text.charAt(at)).isIn(',', '\n');
            if (text.charAt(at++) == '\n') {
                lines.add(fields);
                fields = new ArrayList<>();
            }
        }
        assertThat(fields).isEmpty();
        return lines;
    }

    @ParameterizedTest
    @EnumSource(By.class)
    void shouldWriteCsvThatReadsBackToTheFigures(By by) throws IOException {
        Path file = report();
        List<List<String>> lines = csv(show(by, Format.CSV, file));
        int columns = lines.get(0).size();
        assertThat(lines).allSatisfy(line -> assertThat(line).hasSize(columns));
        int reads = lines.get(0).indexOf("reads");
        int bytes = lines.get(0).indexOf("read_bytes");
        long sum = 0;
        long sumBytes = 0;
        for (List<String> line : lines.subList(1, lines.size())) {
            sum += Long.parseLong(line.get(reads));
            sumBytes += Long.parseLong(line.get(bytes));
        }
        // The sum 1 + 2 + ... + 11, in each of three processes.
        assertThat(sum).isEqualTo(3 * 66);
        assertThat(sumBytes).isEqualTo(3 * 66 * 4096);
    }

    @Test
    void shouldWriteNoFieldThatASpreadsheetEvaluates() throws IOException {
        List<List<String>> lines = csv(show(By.FILE, Format.CSV, report()));
        List<String> names = new ArrayList<>();
        for (List<String> line : lines) {
            names.add(line.get(0));
            for (String label : line.subList(0, 2)) {
                assertThat("=+-@\t\r").doesNotContain(label.substring(0, 1));
            }
        }
        assertThat(names)
                .contains(
                        "plain.dat",
                        "./=cmd|' /C calc'!A0",
                        "./+1",
                        "./-rf",
                        "./@x",
                        "a,b",
                        "q\"uote",
                        " blank ",
                        "back\\s",
                        "line\\012feed",
                        "\u00e9t\u00e9");
    }

    private static final Pattern META =
            Pattern.compile("# (TYPE|UNIT|HELP) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)");
    private static final Pattern SAMPLE =
            Pattern.compile(
                    "([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{(.*)\\})? (-?[0-9]+(\\.[0-9]+)?(E-?[0-9]+)?)");
    private static final Pattern LABEL =
            Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\n\"])*)\"(,|$)");

    /**
     * Checks the rules of OpenMetrics that concern counters and gauges, and returns the samples.
     * Families stand together, TYPE comes first, a unit is the end of the name, counters end in
     * _total and are not negative, each set of labels comes once, the text ends with EOF.
     */
    private static Map<String, Double> openMetrics(String text) {
        assertThat(text).endsWith("# EOF\n").containsOnlyOnce("# EOF");
        Map<String, Double> samples = new LinkedHashMap<>();
        Set<String> families = new HashSet<>();
        String family = null;
        String type = null;
        boolean sampled = false;
        Set<String> metas = new HashSet<>();
        for (String line : text.substring(0, text.length() - 6).split("\n")) {
            Matcher meta = META.matcher(line);
            if (meta.matches()) {
                if (!meta.group(2).equals(family)) {
                    assertThat(meta.group(1)).as(line).isEqualTo("TYPE");
                    family = meta.group(2);
                    assertThat(families.add(family)).as(family).isTrue();
                    type = meta.group(3);
                    assertThat(type).isIn("counter", "gauge");
                    assertThat(family).doesNotEndWith("_total");
                    sampled = false;
                    metas.clear();
                }
                assertThat(sampled).as(line).isFalse();
                assertThat(metas.add(meta.group(1))).as(line).isTrue();
                if (meta.group(1).equals("UNIT")) {
                    assertThat(family).endsWith("_" + meta.group(3));
                }
                continue;
            }
            Matcher sample = SAMPLE.matcher(line);
            assertThat(sample.matches()).as(line).isTrue();
            sampled = true;
            assertThat(sample.group(1))
                    .isEqualTo("counter".equals(type) ? family + "_total" : family);
            double value = Double.parseDouble(sample.group(4));
            if ("counter".equals(type)) {
                assertThat(value).isNotNegative();
            }
            if (sample.group(3) != null) {
                Matcher label = LABEL.matcher(sample.group(3));
                int end = 0;
                Set<String> labels = new HashSet<>();
                while (label.find()) {
                    assertThat(label.start()).isEqualTo(end);
                    assertThat(labels.add(label.group(1))).isTrue();
                    end = label.end();
                }
                assertThat(end).as(line).isEqualTo(sample.group(3).length());
            }
            String key = sample.group(1) + (sample.group(2) == null ? "" : sample.group(2));
            assertThat(samples.put(key, value)).as(key).isNull();
        }
        return samples;
    }

    @ParameterizedTest
    @EnumSource(By.class)
    void shouldWriteOpenMetricsAsTheSpecificationSays(By by) throws IOException {
        Map<String, Double> samples = openMetrics(show(by, Format.OPENMETRICS, report()));
        double reads =
                samples.entrySet().stream()
                        .filter(sample -> sample.getKey().startsWith("mio_reads_total"))
                        .mapToDouble(Map.Entry::getValue)
                        .sum();
        assertThat(reads).isEqualTo(3 * 66);
        if (by == By.FILE) {
            assertThat(samples)
                    .containsEntry("mio_reads_total{file=\"q\\\"uote\",program=\"prog1\"}", 7.0)
                    .containsKey("mio_io_seconds_total{file=\"back\\\\s\",program=\"prog0\"}")
                    .containsKey(
                            "mio_read_bytes_total{file=\"line\\\\012feed\",program=\"prog0\"}");
        }
    }

    @Test
    void shouldWriteOneSeriesOfProcessesWithTheSameNumber() throws IOException {
        String one = Reports.jsonHeader(7, "p") + Reports.json(7, Open.of("a").calls(3, 1));
        String two = Reports.jsonHeader(7, "p") + Reports.json(7, Open.of("b").calls(4, 1));
        Path first = Files.writeString(dir.resolve("1"), one + two);
        Path second = Files.writeString(dir.resolve("2"), two);
        String out =
                Reports.show(
                                Reports.by(By.PROCESS),
                                Format.OPENMETRICS,
                                first.toString(),
                                second.toString())
                        .out();
        assertThat(openMetrics(out))
                .containsEntry("mio_reads_total{process=\"7\",program=\"p\"}", 11.0)
                .containsEntry("mio_processes{process=\"7\",program=\"p\"}", 3.0);
    }

    @Test
    void shouldWriteOpenMetricsOfRealReports() {
        for (String name : new String[] {"demo-pf.jsonl", "demo-pf.stats", "ledger.jsonl.gz"}) {
            Path file = Reports.REAL.resolve(name);
            assertThat(openMetrics(show(By.FILE, Format.OPENMETRICS, file))).hasSizeGreaterThan(20);
        }
    }

    @ParameterizedTest
    @EnumSource(By.class)
    void shouldWriteTheSameFiguresAsJson(By by) throws IOException {
        JsonNode json = new ObjectMapper().readTree(show(by, Format.JSON, report()));
        assertThat(json.get("type").asText()).isEqualTo("mio_stats");
        assertThat(json.get("format").asInt()).isEqualTo(1);
        assertThat(json.get("total").get("reads").asLong()).isEqualTo(3 * 66);
        assertThat(json.get("total").get("processes").asLong()).isEqualTo(3);
        assertThat(json.get("total").get("files").asLong()).isEqualTo(NAMES.length);
        assertThat(json.get("inputs").get(0).get("blocks").asLong()).isEqualTo(33);
        long sum = 0;
        for (JsonNode row : json.get("rows")) {
            sum += row.get("reads").asLong();
            CsvReport.labels(by).forEach(label -> assertThat(row.get(label).isTextual()).isTrue());
            assertThat(row.get("exact").asBoolean()).isTrue();
            assertThat(row.has("hits")).isFalse();
            row.properties().forEach(member -> assertThat(member.getKey()).matches("[a-z][a-z_]*"));
        }
        assertThat(sum).isEqualTo(by == By.TOTAL ? 0 : 3 * 66);
    }

    @Test
    void shouldKeepNamesInJsonAsTheReportHasThem() throws IOException {
        JsonNode json = new ObjectMapper().readTree(show(By.FILE, Format.JSON, report()));
        List<String> names = new ArrayList<>();
        json.get("rows").forEach(row -> names.add(row.get("file").asText()));
        assertThat(names).contains("=cmd|' /C calc'!A0", "-rf", "\u00e9t\u00e9", "q\"uote");
    }

    @Test
    void shouldCalculateMeansRatesAndShares() throws IOException {
        String pf =
                "{\"type\":\"pf\",\"format\":1,\"pid\":1,\"event\":\"close\",\"of\":\"file\","
                        + "\"file\":\"a\",\"hits\":75,\"misses\":25}\n";
        Path file =
                Files.writeString(
                        dir.resolve("r"),
                        Reports.jsonHeader(1, "p")
                                + Reports.json(1, Open.of("a").calls(30, 10).request(1000))
                                + pf);
        JsonNode row =
                new ObjectMapper().readTree(show(By.FILE, Format.JSON, file)).get("rows").get(0);
        // 40 calls of 2 ms and 1000 bytes.
        assertThat(row.get("calls").asLong()).isEqualTo(40);
        assertThat(row.get("io_ns").asLong()).isEqualTo(80_000_000);
        assertThat(row.get("rate_bytes_per_second").asDouble()).isEqualTo(500_000);
        assertThat(row.get("mean_request_bytes").asDouble()).isEqualTo(1000);
        assertThat(row.get("hit_share").asDouble()).isEqualTo(0.75);
        assertThat(row.has("mean_seek_bytes")).isFalse();
        String table = show(By.FILE, Format.TABLE, file);
        // Run time 161 ms: opened after 1 ms, then twice the time of the calls.
        assertThat(table).contains("161 ms", "80.0 ms", "49.7 %", "488 KiB/s", "75.0 %", "1000 B");
    }
}
