package io.mio.cli.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.stats.StatsOptions.By;
import io.mio.cli.stats.StatsOptions.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of {@code pf/auto}, from the golden cases of both forms to what people see. */
class AutoBlocksTest {
    private static final Path TWINS = Path.of("../mio-core/src/test/resources/twin/stats");
    private static final String HEADER =
            "MIO statistics file : Sun Nov 22 20:02:46 2026\nhostname=h  : with sync\nProgram=p\n";

    @TempDir Path dir;

    /** Returns a part of a golden case. */
    private static String part(String name, String part) throws IOException {
        String text = Files.readString(TWINS.resolve(name + ".txt"));
        int begin = text.indexOf("--- " + part + "\n") + part.length() + 5;
        int end = text.indexOf("\n--- ", begin);
        return end < 0 ? text.substring(begin) : text.substring(begin, end + 1);
    }

    private static String json(String name, String event) throws IOException {
        return "{\"type\":\"auto\",\"format\":1,\"time\":\"2026-01-01T00:00:00.000Z\",\"pid\":7,"
                + "\"event\":\""
                + event
                + "\","
                + part(name, "json");
    }

    private Reports.Result show(Format format, String text) throws IOException {
        Path file = Files.writeString(dir.resolve("r"), text);
        return Reports.show(Reports.by(By.FILE), format, file.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "json"})
    void shouldShowDecisionsWithTheirReasons(String form) throws IOException {
        String text =
                form.equals("classic")
                        ? HEADER + "\n" + part("auto", "report") + "=====\n"
                        : Reports.jsonHeader(7, "p") + json("auto", "close");
        Reports.Result result = show(Format.TABLE, text);

        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
        // 8 388 607 bytes; of these the classic text gives 8191 KiB.
        assertThat(result.out())
                .containsPattern(
                        "(?m)^Decisions of pf/auto\n"
                            + "  solver\\\\012x\\.dat: pages in the end, 31 hints of 8\\.00 MiB\n"
                            + "    hints: it goes backward, where the kernel reads nothing ahead\n"
                            + "    cached: what comes next is in the kernel's cache\n"
                            + "    no-pages: no longer near each other: 4096 requests took 700 page"
                            + " reads\n");
    }

    @Test
    void shouldCountEqualDecisionsOfSeveralOpens() throws IOException {
        String text =
                json("auto", "close") + json("auto", "close") + json("auto_all_lines", "exit");
        Reports.Result result = show(Format.TABLE, Reports.jsonHeader(7, "p") + text);

        assertThat(result.out())
                .contains("solver\\012x.dat: pages in the end, 62 hints of 16.0 MiB, 2 opens\n")
                .contains("cached: what comes next is in the kernel's cache (2 times)\n")
                .contains("a.dat: looking in the end, 0 hints of 0 B\n")
                .contains("    kernel: the kernel takes no hints\n    ... and 3 more\n");
    }

    @Test
    void shouldTakeTheLastBlockOfAnOpen() throws IOException {
        String text = json("auto", "inter") + json("auto", "exit") + json("auto", "close");
        Reports.Result result = show(Format.TABLE, Reports.jsonHeader(7, "p") + text);

        assertThat(result.out()).contains("pages in the end, 31 hints of 8.00 MiB\n");
    }

    @Test
    void shouldReadBlocksThatHaveATagBetweenOthers() throws IOException {
        String text =
                HEADER
                        + "\n"
                        + part("alot_buf_pf_file", "report")
                        + "\n"
                        + part("auto_all_lines", "report")
                        + "\n"
                        + part("alot_buf_trace", "report")
                        + "\n"
                        + part("auto", "report");
        Reports.Result result = show(Format.JSON, text);

        assertThat(result.err()).isEmpty();
        JsonNode json = new ObjectMapper().readTree(result.out());
        assertThat(json.at("/inputs/0/blocks").asInt()).isEqualTo(4);
        assertThat(json.at("/auto")).hasSize(2);
        JsonNode first = json.at("/auto/1");
        assertThat(first.at("/file").asText()).isEqualTo("a.dat");
        assertThat(first.at("/state").asText()).isEqualTo("looking");
        assertThat(first.at("/more_decisions").asInt()).isEqualTo(3);
        assertThat(first.at("/decisions/0/what").asText()).isEqualTo("kernel");
        JsonNode second = json.at("/auto/0");
        assertThat(second.at("/looks").asInt()).isEqualTo(118);
        assertThat(second.at("/hints").asInt()).isEqualTo(31);
        assertThat(second.at("/hint_bytes").asInt()).isEqualTo(8191 << 10);
        assertThat(second.at("/cached").asInt()).isEqualTo(2);
        assertThat(second.at("/decisions/2/reason").asText())
                .isEqualTo("no longer near each other: 4096 requests took 700 page reads");
        assertThat(second.at("/decisions/2/times").asInt()).isEqualTo(1);
    }

    @Test
    void shouldLeaveOutWhatIsNoBlock() throws IOException {
        String text =
                Reports.jsonHeader(7, "p")
                        + json("auto", "close").replace("\"hints\":31", "\"hints\":-31")
                        + json("auto", "finished")
                        + json("auto", "close").replace("\"file\":", "\"fil\":")
                        + json("auto_all_lines", "close");
        Reports.Result result = show(Format.TABLE, text);

        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err()).contains("3").contains("'hints' is -31, no count");
        assertThat(result.out()).contains("a.dat: looking").doesNotContain("solver");
    }
}
