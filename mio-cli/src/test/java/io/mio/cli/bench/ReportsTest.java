package io.mio.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.term.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is printed of known figures. {@code -Dmio.golden.update=true} writes it anew. */
class ReportsTest {
    private static final Path RESOURCES = Path.of("src/test/resources/io/mio/cli/bench");

    private static final List<Configuration> BOTH = List.of(Example.PLAIN, Example.PF);

    private static void check(String name, String text) throws IOException {
        if (Boolean.getBoolean("mio.golden.update")) {
            Files.createDirectories(RESOURCES);
            Files.writeString(RESOURCES.resolve(name), text);
        }
        try (InputStream in = Files.newInputStream(RESOURCES.resolve(name))) {
            assertThat(text).isEqualTo(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static String text(BenchReport report, boolean operations) {
        return String.join("\n", new TextReport(report, operations, Terminal.NONE).lines()) + "\n";
    }

    @Test
    void shouldPrintIozonesTablesAndTheSpreads() throws IOException {
        check("both.txt", text(Example.report(BOTH), false));
    }

    @Test
    void shouldPrintCallsPerSecondOfOneConfiguration() throws IOException {
        check("operations.txt", text(Example.report(List.of(Example.PLAIN)), true));
    }

    @Test
    void shouldPrintCsvAndColumnsForGnuplot() throws IOException {
        DataReport data = new DataReport(Example.report(BOTH));
        check("both.csv", data.csv());
        check("both.dat", data.gnuplot());
    }

    @Test
    void shouldDrawALineForEachConfigurationWithItsSpread() throws IOException {
        check("both.svg", drawn("svg", BOTH));
    }

    @Test
    void shouldDrawAPageThatNeedsNothingElse() throws IOException {
        String page = drawn("html", List.of(Example.PLAIN));
        assertThat(page)
                .startsWith("<!DOCTYPE html>")
                .contains("<svg", "random-read", "backward", "a\\012b.dat")
                .doesNotContain("<?xml", "src=", "href=");
    }

    @Test
    void shouldDrawPixels() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new BenchChart(Example.report(BOTH)).write("png", out);
        assertThat(out.toByteArray()).startsWith(0x89, 'P', 'N', 'G').hasSizeGreaterThan(10_000);
    }

    private static String drawn(String form, List<Configuration> configurations)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new BenchChart(Example.report(configurations)).write(form, out);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void shouldPrintEveryRunAsJson() throws IOException {
        JsonNode all = new ObjectMapper().readTree(new DataReport(Example.report(BOTH)).json());
        assertThat(all.get("type").asText()).isEqualTo("mio_bench");
        assertThat(all.get("settings").get("state").asText()).isEqualTo("cold");
        assertThat(all.get("settings").get("flush").asBoolean()).isTrue();
        assertThat(all.get("machine").get("file_system").asText()).isEqualTo("ext4");
        assertThat(all.get("rows")).hasSize(2 * 3 * 2);
        JsonNode row = all.get("rows").get(5);
        assertThat(row.get("configuration").asText()).isEqualTo("pf");
        assertThat(row.get("test").asText()).isEqualTo("backward");
        assertThat(row.get("ratio").asDouble()).isEqualTo(4);
        assertThat(row.get("ratio_may_be_chance").asBoolean()).isFalse();
        // 1 MiB in 110 ms
        assertThat(row.get("kb_per_second").asDouble()).isEqualTo(1024 / 0.11);
        assertThat(row.get("kb_per_second_least").asDouble()).isEqualTo(1024 / 0.12);
        assertThat(row.get("kb_per_second_most").asDouble()).isEqualTo(1024 / 0.10);
        assertThat(row.get("cpu_seconds_per_gb").asDouble()).isEqualTo(1024 * 0.055);
        assertThat(row.get("samples")).hasSize(3);
        JsonNode sample = row.get("samples").get(0);
        assertThat(sample.get("calls").asLong()).isEqualTo(256);
        assertThat(sample.get("elapsed_ns").asLong()).isEqualTo(100_000_000);
        long inBuckets = 0;
        for (JsonNode count : sample.get("call_ns_buckets")) {
            inBuckets += count.asLong();
        }
        assertThat(inBuckets).isEqualTo(256);
        // A configuration compared with itself has no ratio.
        assertThat(all.get("rows").get(4).has("ratio")).isFalse();
    }
}
