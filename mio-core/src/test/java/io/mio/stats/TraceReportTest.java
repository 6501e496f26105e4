package io.mio.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.mio.stats.TraceSnapshot.Distributions;
import io.mio.stats.TraceSnapshot.Event;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The report against the original's own, figure for figure (reference 4.1, 4.3, 4.4). */
class TraceReportTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "alot_buf_trace.txt",
                "alot_buf_pf_upper.txt",
                "alot_buf_pf_lower.txt",
                "nastran_upper.txt",
                "nastran_lower.txt"
            })
    void shouldPrintTheReportOfTheOriginal(String name) {
        TwinFile twin = TwinFile.read("stats/" + name);

        assertThat(snapshot(twin).classic()).isEqualTo(twin.part("report"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"de-DE", "ar-EG", "th-TH-u-nu-thai"})
    void shouldPrintTheSameWhateverTheLocale(String tag) {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag(tag));
        try {
            shouldPrintTheReportOfTheOriginal("alot_buf_pf_lower.txt");
            shouldPrintTheHeaderOfTheOriginal();
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void shouldPrintTheHeaderOfTheOriginal() {
        checkHeader("stats/header.txt");
    }

    @Test
    void shouldKeepEachValueOfTheHeaderOnItsLine() {
        checkHeader("stats/header_lines.txt");
    }

    private static void checkHeader(String name) {
        TwinFile twin = TwinFile.read(name);
        Map<String, String> values = new HashMap<>(twin.values("header"));
        values.replaceAll(
                (key, value) ->
                        value.replace("\\n", "\n").replace("\\t", "\t").replace("\\x7f", "\177"));
        StatsHeader header =
                new StatsHeader(
                        LocalDateTime.parse(values.get("date")).atZone(ZoneOffset.UTC),
                        values.get("host"),
                        values.get("engine"),
                        values.get("program"),
                        values.get("library"),
                        values.get("stats"),
                        values.get("debug"),
                        values.get("files"),
                        values.get("defaults"),
                        List.of(values.get("keywords").split(" ")));

        assertThat(header.classic()).isEqualTo(twin.part("report"));
    }

    @Test
    void shouldAddUpWhatWasDeliveredByAllReadsAndWrites() {
        assertThat(kbytes("alot_buf_trace.txt")).isEqualTo(14000000 + 28000000);
        assertThat(kbytes("alot_buf_pf_lower.txt")).isEqualTo(1920 + 13998080 + 6144 + 27891584);
    }

    @Test
    void shouldAddUpTheTimeOfTransfersAndWaitsButNotOfSeeks() {
        TraceSnapshot upper = snapshot(TwinFile.read("stats/alot_buf_pf_upper.txt"));
        TraceSnapshot lower = snapshot(TwinFile.read("stats/alot_buf_pf_lower.txt"));

        assertThat(upper.transferNanos() / 1e9).isEqualTo(288.88 + 483.75, within(0.005));
        assertThat(lower.transferNanos() / 1e9)
                .isEqualTo(0.21 + 0.20 + 219.01 + 1.72 + 1.02 + 397.59, within(0.03));
    }

    @Test
    void shouldTruncateTheMeanSeekTowardZero() {
        assertThat(snapshot(TwinFile.read("stats/alot_buf_trace.txt")).averageSeekDelta())
                .isEqualTo(-307192);
        assertThat(snapshot(TwinFile.read("stats/alot_buf_pf_lower.txt")).averageSeekDelta())
                .isEqualTo(-2097036);
    }

    @Test
    void shouldPrintNoRateWhereNoTimePassed() {
        TwinFile twin = TwinFile.read("stats/alot_buf_trace.txt");
        String report = empty(snapshot(twin)).classic();

        assertThat(report)
                .contains("(0/0.00)=0.00 kbytes/s")
                .doesNotContain("read")
                .doesNotContain("NaN")
                .contains("mode =unknown");
    }

    @Test
    void shouldWriteJsonThatKeepsOddNames() {
        TraceSnapshot odd =
                renamed(
                        snapshot(TwinFile.read("stats/alot_buf_trace.txt")),
                        "a \"b\"\\ \n\u0001 \uD800 \uD83D\uDE00");
        JsonText json = new JsonText();
        TraceJson.write(json, odd);

        assertThat(json.toString())
                .contains("\"file\":\"a \\\"b\\\"\\\\ \\u000a\\u0001 \\ud800 \uD83D\uDE00\"")
                .contains("\"write\":{\"count\":140000,\"ns\":238160000000,")
                .contains("\"total_bytes\":43008000000,")
                .contains("\"average_delta_bytes\":-307192");
    }

    private static long kbytes(String name) {
        return ByteUnit.KBYTES.whole(snapshot(TwinFile.read("stats/" + name)).totalBytes());
    }

    private static TraceSnapshot snapshot(TwinFile twin) {
        Map<String, String> values = twin.values("counters");
        List<OperationStats> operations = new ArrayList<>();
        for (TraceOperation operation : TraceOperation.values()) {
            String[] row = values.getOrDefault("op " + operation.label(), "").trim().split(" ");
            long[] n = new long[8];
            for (int i = 0; i < row.length; i++) {
                n[i] = row[i].isEmpty() ? 0 : Long.parseLong(row[i]);
            }
            operations.add(new OperationStats(n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7], 0));
        }
        return new TraceSnapshot(
                Event.valueOf(values.get("event").toUpperCase(Locale.ROOT)),
                values.get("above"),
                values.get("below"),
                values.get("file"),
                ByteUnit.of(values.get("unit")),
                operations,
                number(values, "extensions"),
                number(values, "currentSize"),
                number(values, "maxSize"),
                Integer.parseInt(values.get("mode"), 8),
                values.get("fileSystemType"),
                number(values, "sectorBytes"),
                Integer.decode(values.get("oflags")),
                values.get("oflagNames"),
                Boolean.parseBoolean(values.get("direct")),
                number(values, "illFormed"),
                number(values, "misaligned"),
                number(values, "seekDelta"),
                number(values, "openedNanos"),
                number(values, "nowNanos"),
                new Distributions(
                        new long[0],
                        new long[0],
                        new long[0],
                        new long[0],
                        new long[4],
                        1,
                        new long[0],
                        new long[0],
                        Map.of()));
    }

    private static long number(Map<String, String> values, String key) {
        return Long.parseLong(values.getOrDefault(key, "0"));
    }

    private static TraceSnapshot renamed(TraceSnapshot s, String file) {
        return copy(s, file, s.operations(), s.mode());
    }

    private static TraceSnapshot empty(TraceSnapshot s) {
        List<OperationStats> none = new ArrayList<>();
        for (int i = 0; i < s.operations().size(); i++) {
            none.add(OperationStats.NONE);
        }
        return copy(s, s.file(), none, -1);
    }

    private static TraceSnapshot copy(
            TraceSnapshot s, String file, List<OperationStats> operations, int mode) {
        return new TraceSnapshot(
                s.event(),
                s.above(),
                s.below(),
                file,
                s.unit(),
                operations,
                s.extensions(),
                s.currentSize(),
                s.maxSize(),
                mode,
                s.fileSystemType(),
                s.sectorBytes(),
                s.oflags(),
                s.oflagNames(),
                s.direct(),
                s.illFormed(),
                s.misaligned(),
                s.seekDelta(),
                s.openedNanos(),
                s.nowNanos(),
                s.distributions());
    }
}
