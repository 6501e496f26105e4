package io.mio.cli.stats;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.stats.StatsOptions.By;
import io.mio.cli.stats.StatsOptions.Format;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What pf blocks say of plans, from the golden cases of both forms to what people see. */
class PlanBlocksTest {
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

    /** Returns the block of a golden case for this file, in one of the two forms. */
    private static String block(String form, String name, String file) throws IOException {
        if (form.equals("classic")) {
            return part(name, "report").replace("solver.dat", file) + "\n";
        }
        return String.format(
                Locale.ROOT,
                "{\"type\":\"pf\",\"format\":1,\"pid\":7,\"event\":\"close\",\"of\":\"file\","
                    + "\"file\":\"%s\",\"program\":{\"reads\":400},\"child\":{\"reads\":400},%s",
                file,
                part(name, "json"));
    }

    private Reports.Result show(Format format, String form, String blocks) throws IOException {
        String head = form.equals("classic") ? HEADER + "\n" : Reports.jsonHeader(7, "p");
        Path file = Files.writeString(dir.resolve("r"), head + blocks);
        return Reports.show(Reports.by(By.FILE), format, file.toString());
    }

    private static String all(String form) throws IOException {
        return block(form, "pf_plan", "a.dat")
                + block(form, "pf_plan_left", "b.dat")
                + block(form, "pf_plan_none", "c.dat");
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "json"})
    void shouldShowHowFilesWentByTheirPlans(String form) throws IOException {
        Reports.Result result = show(Format.TABLE, form, all(form));

        assertThat(result.err()).isEmpty();
        assertThat(result.status()).isZero();
        assertThat(result.out())
                .contains(
                        "\n"
                            + "Plans\n"
                            + "  a.dat: followed in the end, 380 of 395 requests by the plan, at"
                            + " place 400 of 400\n"
                            + "  b.dat: left in the end, 130 of 400 requests by the plan, at place"
                            + " 123 of 400\n"
                            + "    left: 8 of 11 requests were not near place 123\n"
                            + "  c.dat: no plan\n"
                            + "    none: there is no file /a\\012b\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "json"})
    void shouldTellTheSameInJson(String form) throws IOException {
        JsonNode plans =
                new ObjectMapper().readTree(show(Format.JSON, form, all(form)).out()).at("/plans");

        assertThat(plans).hasSize(3);
        assertThat(plans.at("/1"))
                .isEqualTo(
                        new ObjectMapper()
                                .readTree(
                                        "{\"file\":\"b.dat\",\"program\":\"p\",\"opens\":1,"
                                            + "\"state\":\"left\",\"pages\":400,\"place\":123,"
                                            + "\"requests\":400,\"followed\":130,\"left\":3,\"reasons\":[{\"state\":\"left\",\"reason\":\"8"
                                            + " of 11 requests were not near place"
                                            + " 123\",\"times\":1}],\"more_reasons\":0}"));
        assertThat(plans.at("/0/reasons")).isEmpty();
        assertThat(plans.at("/0/state").asText()).isEqualTo("followed");
        assertThat(plans.at("/2/state").asText()).isEqualTo("none");
        assertThat(plans.at("/2/requests").asLong()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"classic", "json"})
    void shouldAddUpTheOpensOfAFile(String form) throws IOException {
        String left = block(form, "pf_plan_left", "a.dat");
        String blocks =
                left
                        + block(form, "pf_plan_none", "a.dat")
                        + left
                        + block(form, "pf_plan", "a.dat");
        Reports.Result result = show(Format.TABLE, form, blocks);

        assertThat(result.out())
                .contains(
                        "  a.dat: followed in the end, 640 of 1 195 requests by the plan, at place"
                                + " 400 of 400, 4 opens\n")
                .contains(
                        "    left: 8 of 11 requests were not near place 123 (2 times)\n    none:");
    }

    @Test
    void shouldSayNothingOfPlansWhereAReportDoesNot() throws IOException {
        String blocks = part("alot_buf_pf_file", "report");
        assertThat(show(Format.TABLE, "classic", blocks).out())
                .contains("test.dat")
                .doesNotContain("Plans");
        String json = block("json", "pf_plan", "a.dat");
        String old = json.substring(0, json.indexOf(",\"plan\"")) + "}\n";
        assertThat(show(Format.TABLE, "json", old).out()).contains("a.dat").doesNotContain("Plans");
        assertThat(show(Format.JSON, "json", old).out()).doesNotContain("plans");
    }

    @Test
    void shouldLeaveOutABlockWhosePlanIsNone() throws IOException {
        String bad = block("json", "pf_plan", "a.dat").replace("\"left\":1", "\"left\":-1");
        Reports.Result result = show(Format.TABLE, "json", bad + block("json", "pf_plan", "b.dat"));

        assertThat(result.status()).isEqualTo(3);
        assertThat(result.err()).contains("'left' is -1, no count");
        assertThat(result.out()).contains("b.dat: followed").doesNotContain("a.dat");
    }
}
