package io.mio.cli.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.mio.cli.stats.Reports.Open;
import io.mio.cli.stats.Reports.Result;
import io.mio.stats.ByteUnit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is no report, or a broken one: a line says so, it is left out, and the rest counts. */
class HostileInputTest {
    private static final String GOOD =
            Reports.jsonHeader(1, "p") + Reports.json(1, Open.of("good.dat"));

    @TempDir Path dir;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(dir.resolve(name), text);
    }

    private static Result show(Path... files) {
        String[] names = new String[files.length];
        for (int i = 0; i < files.length; i++) {
            names[i] = files[i].toString();
        }
        Result result = Reports.show(Reports.OPTIONS, StatsOptions.Format.TABLE, names);
        assertThat(result.out() + result.err())
                .doesNotContain("Exception", "\tat ", "\033", "\u202e", "\u009b", "\r", "\0");
        return result;
    }

    private void checkGoodOnly(Result result) {
        assertThat(result.out()).contains("good.dat").doesNotContain("bad");
    }

    @Test
    void shouldSayThatThereIsNothing() throws IOException {
        Path random = dir.resolve("random");
        byte[] bytes = new byte[100_000];
        new Random(1).nextBytes(bytes);
        Files.write(random, bytes);
        for (Path none :
                new Path[] {
                    file("empty", ""), file("prose", "pf is good\nTrace me\n"), random, dir
                }) {
            Result result = show(none);
            assertThat(result.status()).as(none.toString()).isEqualTo(1);
            assertThat(result.out()).isEmpty();
            assertThat(result.err()).contains("no report");
        }
    }

    @Test
    void shouldGoOnBehindAFileThatIsMissingOrNone() throws IOException {
        Result result = show(file("empty", ""), dir.resolve("absent"), file("good", GOOD));
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err())
                .contains("absent: no such file or directory; left out")
                .contains("empty: no report of MIO in it");
        checkGoodOnly(result);
    }

    @Test
    void shouldGoOnBehindAFileThatMayNotBeRead() throws IOException {
        Path secret = file("secret", GOOD);
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(secret), "root reads everything");
        Path directory = Files.createDirectory(dir.resolve("d"));
        Files.move(secret, directory.resolve("secret"));
        Files.writeString(directory.resolve("zgood"), GOOD);
        Result result = show(directory);
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err()).contains("secret: permission denied");
        checkGoodOnly(result);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"trace\",\"format\":2,\"file\":\"bad\"}",
                "{\"type\":\"trace\",\"format\":1,\"event\":\"close\"}",
                "{\"type\":\"trace\",\"format\":1,\"event\":\"what\",\"file\":\"bad\"}",
                "{\"type\":\"trace\",\"format\":1,\"event\":\"close\",\"file\":\"bad\","
                        + "\"transfer_ns\":-1}",
                "{\"type\":\"trace\",\"format\":1,\"event\":\"close\",\"file\":\"bad\","
                        + "\"transfer_ns\":NaN}",
                "{\"type\":\"trace\",\"format\":1,\"event\":\"close\",\"file\":\"bad\","
                        + "\"transfer_ns\":1e400}",
                "{\"type\":\"trace\",\"format\":1,\"event\":\"close\",\"file\":\"bad\","
                        + "\"transfer_ns\":99999999999999999999}",
                "{\"type\":\"trace\",\"format\":1,\"event\":\"close\",\"file\":\"bad\","
                        + "\"operations\":{\"read\":{\"count\":\"12\"}}}",
                "{\"type\":\"pf\",\"format\":1,\"event\":\"close\",\"file\":\"bad\",\"hits\":1.5}",
                "{\"type\":\"pf\",\"format\":1,\"event\":\"close\",\"of\":\"file\"}",
                "{\"type\":\"pf\",\"format\":1,\"event\":\"close\",\"file\":\"bad\",\"child\":7}",
                "{\"type\":\"auto\",\"format\":1,\"event\":\"close\",\"file\":\"bad\","
                        + "\"decisions\":[1]}",
                "{\"type\":\"trace\"",
                "{}",
                "{\"type\":7,\"format\":1}",
                "{\"a\":1} {\"b\":2}",
                "{\"\\u0000\\u001b[31m\":",
            })
    void shouldLeaveOutALineOfJsonThatIsWrong(String line) throws IOException {
        Result result = show(file("r", GOOD + line + "\n"));
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err()).contains("r: line 3: ").contains("left out");
        checkGoodOnly(result);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "'operations': {'read': 5}; 'read' is 5, no object",
                "'operations': {'read': [1, 2]}; 'read' is [1,2], no object",
                "'operations': []; 'operations' is [], no object",
                "'operations': {'seek': {'delta_bytes': 'far'}}; 'delta_bytes' is 'far', no number",
                "'patterns': 'x'; 'patterns' is 'x', no object",
                "'errors': [1]; 'errors' is [1], no object",
                "'errors': {'EIO': null}; 'EIO' is null, no count",
                "'read_ns_histogram': 'x'; 'read_ns_histogram' is 'x', no array",
                "'read_ns_histogram': [1, null]; 'read_ns_histogram' is null, no count",
                "'above': 5; 'above' is 5, no text",
                "'file': 5; 'file' is 5, no name",
                "'event': 5; 'event' is 5, no text",
                "'pid': '1'; 'pid' is '1', no count",
            },
            quoteCharacter = '`')
    void shouldNameAMemberOfAnotherTypeThanItHas(String member, String what) throws IOException {
        String line =
                "{\"type\":\"trace\",\"format\":1,\"pid\":1,\"event\":\"close\",\"file\":\"bad\","
                        + member.replace('\'', '"')
                        + "}\n";
        Result result = show(file("r", GOOD + line));
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err().replace('"', '\'')).contains("r: line 3: " + what + "; left out");
        checkGoodOnly(result);
    }

    @Test
    void shouldTakeMembersThatAreNullAsUnknown() throws IOException {
        String line =
                "{\"type\":\"trace\",\"format\":1,\"pid\":1,\"event\":\"close\",\"file\":\"null.dat\",\"operations\":null,\"patterns\":null,\"errors\":null,\"read_ns_histogram\":null,\"transfer_ns\":null}\n";
        Result result = show(file("r", GOOD + line));
        assertThat(result.status()).isZero();
        assertThat(result.out()).contains("null.dat");
    }

    @ParameterizedTest
    @ValueSource(strings = {"|", "[", " {", "\ufeff{", "\u0000"})
    void shouldNameALineOfJsonWhoseBeginIsDamaged(String begin) throws IOException {
        String damaged = begin + Reports.json(1, Open.of("bad")).substring(1);
        Result result = show(file("r", GOOD + "\n" + damaged));
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err()).contains("r: line 4: no JSON: ").contains("; left out");
        checkGoodOnly(result);
        result = show(file("first", "\n" + damaged + damaged + GOOD));
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err()).contains("first: line 2: no JSON: ").contains("(and 1 more)");
        checkGoodOnly(result);
    }

    @Test
    void shouldReadTextBehindJsonAndJsonBehindText() throws IOException {
        String text =
                Reports.classicHeader("p")
                        + "12:34:56\n"
                        + Reports.classic(Open.of("text.dat"), ByteUnit.BYTES);
        for (String both : new String[] {GOOD + text, text + GOOD, GOOD + text + GOOD}) {
            Result result = show(file("r", both));
            assertThat(result.err()).isEmpty();
            assertThat(result.status()).isZero();
            assertThat(result.out()).contains("good.dat", "text.dat");
        }
    }

    /** The program logs in JSON to the same place as its report. */
    @Test
    void shouldReadTextAroundALogLineInJson() throws IOException {
        String log = "{\"type\":\"info\",\"message\":\"x\"}\n";
        String text = Reports.classic(Open.of("text.dat"), ByteUnit.BYTES);
        int rows = text.indexOf("\n  read") + 1;
        assertThat(rows).isPositive();
        Result result =
                show(
                        file(
                                "r",
                                Reports.classicHeader("p")
                                        + text.substring(0, rows)
                                        + log
                                        + text.substring(rows)
                                        + log
                                        + "a line of the program\n"));
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err()).contains("format is missing").contains("(and 1 more)");
        assertThat(result.out()).contains("text.dat");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Trace close : program <-> os : bad\n",
                "Trace close : program <-> os : bad : (5)\n",
                "Trace close : program <-> os : bad : (-5/1.00)=5.00 bytes/s\n",
                "Trace close : program <-> os : bad : (99999999999999999999/1.00)=5.00 bytes/s\n",
                "Trace close : program <-> os : bad : (5/NaN)=5.00 bytes/s\n",
                "Trace close : program <-> os : bad : (5/1.00)=5.00 furlongs/s\n",
                "Trace close : program <-> os : bad : (0/1.00)=0.00 bytes/s\n"
                        + "  open  9999999999999999999\n",
                "Trace close : program <-> os : bad : (5/1.00)=5.00 bytes/s\n  read  1 0.00 5 5\n",
                "Trace close : program <-> os : bad : (0/1.00)=5.00 bytes/s\n"
                        + "  read  -1 0 0 0 0 0\n",
                // Rows are missing.
                "Trace close : program <-> os : bad : (5/1.00)=5.00 bytes/s\n  open  1 0.00\n",
                "pf close for bad\n",
                "pf close for bad\n   50 pages of 2097152 bytes   4096 bytes per sector\n",
            })
    void shouldLeaveOutABlockOfTextThatIsWrong(String block) throws IOException {
        String good =
                Reports.classicHeader("p") + Reports.classic(Open.of("good.dat"), ByteUnit.BYTES);
        Result result = show(file("r", good + "\n" + block + "\n" + good));
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err()).contains("r: line ").contains("left out");
        checkGoodOnly(result);
        assertThat(result.out()).contains(" 20 ");
    }

    @Test
    void shouldLeaveOutWhatIsCutInTheMiddleWhereverThatIs() throws IOException {
        String good = Reports.classicHeader("p") + Reports.classic(Open.of("good"), ByteUnit.BYTES);
        String cut = Reports.classic(Open.of("cut").calls(1234, 0).request(1), ByteUnit.BYTES);
        int figures = 0;
        for (int length = 1; length <= cut.length(); length++) {
            Result result = show(file("r", good + cut.substring(0, length)));
            assertThat(result.out()).contains("good");
            String line =
                    result.out()
                            .lines()
                            .filter(text -> text.startsWith("cut "))
                            .findFirst()
                            .orElse("");
            if (!line.isEmpty()) {
                assertThat(line).contains("1 234");
                figures++;
            } else if (cut.substring(0, length).contains("Trace close : program <-> ")) {
                assertThat(result.status()).isEqualTo(3);
                assertThat(result.err()).contains("left out");
            }
        }
        assertThat(figures).isPositive();
        String json = GOOD + Reports.json(1, Open.of("bad"));
        for (int length = GOOD.length() + 1; length < json.length() - 1; length++) {
            Result result = show(file("r", json.substring(0, length)));
            assertThat(result.err()).contains("cut off in the middle");
            checkGoodOnly(result);
        }
    }

    @Test
    void shouldReadPackedDataUpToWhereTheyAreCut() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(packed, true)) {
            out.write(GOOD.getBytes(StandardCharsets.UTF_8));
            out.flush();
            byte[] noise = new byte[50_000];
            new Random(2).nextBytes(noise);
            out.write(noise);
        }
        Path file = dir.resolve("r");
        Files.write(file, java.util.Arrays.copyOf(packed.toByteArray(), packed.size() - 30_000));
        Result result = show(file);
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err()).contains("cut off");
        checkGoodOnly(result);
    }

    @Test
    void shouldPassOverALineWithoutEnd() throws IOException {
        String text =
                GOOD
                        + "{\"type\":\"trace\",\"file\":\""
                        + "bad".repeat(1_000_000)
                        + "\"}\n"
                        + Reports.json(1, Open.of("good.dat").opened(5));
        Result result = show(file("r", text));
        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err()).contains("r: line 3: longer than 1.00 MiB; left out");
        checkGoodOnly(result);
        assertThat(result.out()).contains(" 20 ");
    }

    @Test
    void shouldRefuseJsonThatIsTooDeep() throws IOException {
        for (String deep : new String[] {"[", "{\"a\":"}) {
            Result result = show(file("r", GOOD + "{\"type\":" + deep.repeat(100_000) + "\n"));
            assertThat(result.status()).isEqualTo(3);
            checkGoodOnly(result);
        }
    }

    @Test
    void shouldShowNamesWithoutWhatATerminalObeys() throws IOException {
        String name = "a\\u001b[31mred\\u0007\\u202etxt.exe\\u009b2J\\r\\n</script>";
        Path json =
                file("r", Reports.jsonHeader(1, "p\\u001b]0;x") + Reports.json(1, Open.of(name)));
        Result table = show(json);
        assertThat(table.status()).isZero();
        assertThat(table.out()).contains("a\\033[31mred\\007\\u202etxt.exe\\2332J\\015\\012<");
        for (StatsOptions.Format format : StatsOptions.Format.values()) {
            String out = Reports.show(Reports.OPTIONS, format, json.toString()).out();
            assertThat(out.chars().filter(c -> c < ' ' && c != '\n' || c > 0x7e).count()).isZero();
            assertThat(out).as(format.toString()).contains("red");
        }
        assertThat(Reports.show(Reports.OPTIONS, StatsOptions.Format.JSON, json.toString()).out())
                .doesNotContain("</script>");
    }

    @Test
    void shouldKeepNamesApartThatAreNotUtf8() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        text.writeBytes(Reports.classicHeader("p").getBytes(StandardCharsets.UTF_8));
        for (int b : new int[] {0xe9, 0xff}) {
            String block = Reports.classic(Open.of("na@me-\u00fc"), ByteUnit.BYTES);
            for (byte c : block.getBytes(StandardCharsets.UTF_8)) {
                text.write(c == '@' ? b : c);
            }
        }
        Path file = dir.resolve("r");
        Files.write(file, text.toByteArray());
        Result result = show(file);
        assertThat(result.status()).isZero();
        assertThat(result.out()).contains("na\\351me-\u00fc", "na\\377me-\u00fc");
    }

    @Test
    void shouldNotLetSumsWrapAround() throws IOException {
        String huge = "" + (Long.MAX_VALUE - 1);
        String line = "";
        for (int i = 0; i < 3; i++) {
            line +=
                    "{\"type\":\"trace\",\"format\":1,\"event\":\"close\",\"file\":\"f\",\"above\":"
                            + "\"program\",\"below\":\"os\",\"opened_ns\":"
                            + huge
                            + ",\"now_ns\":"
                            + huge
                            + ",\"transfer_ns\":"
                            + huge
                            + ",\"operations\":{\"read\":{\"count\":"
                            + huge
                            + ",\"ns\":1,\"requested_bytes\":"
                            + huge
                            + ",\"delivered_bytes\":"
                            + huge
                            + ",\"smallest_bytes\":1,\"largest_bytes\":1},\"seek\":{\"count\":1,"
                            + "\"ns\":1,\"delta_bytes\":-9223372036854775808}}}\n";
        }
        Path file = file("r", line);
        assertThat(show(file).status()).isZero();
        Row total = Reports.total(Reports.read(Reports.OPTIONS, file));
        assertThat(total.get(Counter.READ_BYTES)).isEqualTo(Long.MAX_VALUE);
        assertThat(total.top().seekDelta()).isEqualTo(Long.MIN_VALUE);
    }
}
