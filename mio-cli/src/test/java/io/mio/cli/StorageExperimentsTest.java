package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.demo.PageCache;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Experiments on kinds of storage and of opens, so small that the figures mean nothing. */
class StorageExperimentsTest {
    @TempDir Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Runs an experiment; skips the test, with the reason, where that cannot be done. */
    private JsonNode measured(String name) throws IOException {
        assumeThat(PageCache.isInMemory(dir)).as("temporary directory in memory").isFalse();
        Path place = Files.createDirectory(dir.resolve("place"));
        Path results = dir.resolve("results");
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        String[] args = {
            "bench",
            "experiment",
            name,
            "--scale",
            "small",
            "--json",
            "--dir",
            place.toString(),
            "-o",
            results.toString()
        };
        assertThat(commandLine.execute(args)).as(err.toString()).isZero();
        assertThat(place).as("nothing is left behind").isEmptyDirectory();
        assumeThat(err.toString()).as(err.toString()).doesNotContain(name + ": left out: ");
        assertThat(results.resolve(name + ".md")).content().contains("# Experiment `" + name);
        return new ObjectMapper().readTree(out.toString());
    }

    private static JsonNode table(JsonNode all, String id) {
        for (JsonNode table : all.get("tables")) {
            if (table.get("id").asText().equals(id)) {
                return table;
            }
        }
        throw new AssertionError("no table " + id + " in " + all);
    }

    private static JsonNode cell(JsonNode table, String row, String column) {
        for (JsonNode cells : table.get("rows")) {
            for (int i = 1; i < cells.size(); i++) {
                if (cells.get(0).get("text").asText().equals(row)
                        && table.get("columns").get(i).asText().equals(column)) {
                    return cells.get(i);
                }
            }
        }
        throw new AssertionError("no " + row + ", " + column + " in " + table);
    }

    @Test
    void shouldCompareProcessorsForBufferedAndDirectReads() throws IOException {
        JsonNode all = measured("direct");
        for (String id : List.of("sequential_1m", "sequential_100k", "random_4k")) {
            for (String row : List.of("2 buffered", "2 direct", "2 pf_direct")) {
                JsonNode cpu = cell(table(all, id), row, "CPU s/GB");
                assertThat(cpu.get("median").asDouble()).as(id + row).isPositive();
            }
        }
        JsonNode direct = cell(table(all, "sequential_1m"), "2 direct", "document CPU, gain");
        assertThat(direct.get("times").asDouble()).isBetween(6.66, 6.67);
        JsonNode functions = table(all, "functions");
        // Without direct I/O nothing was found out.
        JsonNode align = cell(table(all, "offers"), "alignment of offsets, bytes (statx)", "here");
        assumeThat(align.get("text").asText()).as("direct I/O here").isNotEqualTo("?");
        String keeps = "kept in the page cache";
        assertThat(cell(functions, keeps, "read/write").get("text").asText()).isEqualTo("yes +");
        assertThat(cell(functions, keeps, "O_DIRECT").get("text").asText()).isEqualTo("no +");
        assertThat(cell(functions, keeps, "pf/direct").get("text").asText()).isEqualTo("no +");
    }

    @Test
    void shouldReadByTheIncrementsOfTheDocument() throws IOException {
        JsonNode all = measured("table2");
        JsonNode device = table(all, "device");
        // Each byte of 4 KB costs one block.
        assertThat(cell(device, "1b", "direct").get("median").asLong()).isEqualTo(4 * 4096);
        assertThat(cell(device, "1b", "direct, times").get("median").asDouble()).isEqualTo(4096);
        assertThat(cell(device, "4k", "direct").get("median").asLong()).isEqualTo(10 * 1024);
        // The whole file came from the device, whoever read it.
        for (String column : List.of("cached", "direct", "pf")) {
            assertThat(cell(device, "10m", column).get("median").asLong())
                    .isGreaterThanOrEqualTo(10 * 1024);
        }
        JsonNode elapsed = table(all, "elapsed");
        assertThat(cell(elapsed, "1b", "document gain direct").get("times").asDouble())
                .isBetween(0.0085, 0.0087);
        assertThat(cell(elapsed, "10m", "document gain direct").get("times").asDouble())
                .isBetween(3.02, 3.03);
    }

    @Test
    void shouldReadAheadFixedAndDoubling() throws IOException {
        JsonNode all = measured("readahead");
        JsonNode local = table(all, "local");
        assertThat(local.get("rows")).hasSize(8);
        for (String column : List.of("4k, MiB/s", "10m, MiB/s")) {
            assertThat(cell(local, "4k_2:8", column).get("median").asDouble()).isPositive();
        }
        assumeThat(all.get("tables").size()).as(all.get("notes").toString()).isEqualTo(2);
        assertThat(table(all, "latency").get("rows")).hasSize(8);
    }

    @Test
    void shouldCountTransactionsAndWaitsForLocks() throws IOException {
        JsonNode all = measured("cio");
        JsonNode waits = table(all, "response");
        String locks = "in locks, % of all threads' time";
        for (String row : List.of("direct_exclusive", "pf")) {
            assertThat(cell(waits, row, locks).get("median").asDouble())
                    .as(row)
                    .isBetween(0.0, 100.0);
        }
        // Waits for locks in the kernel are not counted.
        assertThat(cell(waits, "direct", locks).get("kind").asText()).isEqualTo("none");
        JsonNode rates = table(all, "transactions");
        for (String row : List.of("buffered", "direct_exclusive", "direct", "pf", "pf_cio")) {
            assertThat(cell(rates, row, "1/s").get("median").asDouble()).as(row).isPositive();
        }
        assertThat(cell(rates, "direct", "document gain").get("times").asDouble())
                .isBetween(2.96, 2.97);
    }

    @Test
    void shouldReadFromStorageWithLatency() throws IOException {
        JsonNode all = measured("latency");
        JsonNode mount = table(all, "mount");
        for (String row : List.of("read 100k", "backward 100k", "random-read 100k")) {
            assertThat(cell(mount, row, "plain").get("median").asDouble()).as(row).isPositive();
            assertThat(cell(mount, row, "gain pf").get("may_be_chance").asBoolean()).isTrue();
        }
        // 100 KB backward: nothing is read ahead, so that one request is on its way at a time.
        assertThat(cell(mount, "backward 100k", "KB / in flight plain").get("text").asText())
                .isEqualTo("100 / 1");
    }
}
