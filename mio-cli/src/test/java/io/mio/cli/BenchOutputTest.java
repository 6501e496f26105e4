package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.demo.PageCache;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where {@code mio bench} writes what it has measured, and what it prints. */
class BenchOutputTest extends BenchFixture {
    @Test
    void shouldWriteReportsWhereTheyAreWanted() throws IOException {
        Path report = dir.resolve("report.csv");
        Path columns = dir.resolve("columns.dat");
        Path stats = dir.resolve("stats");
        Path picture = dir.resolve("picture.svg");
        output(
                dir.toString(),
                "-i",
                "write",
                "-s",
                "64k",
                "-r",
                "4k,16k,1m",
                "--warm",
                "--runs",
                "1",
                "--config",
                "plain=",
                "--config",
                "t=[ trace/stats ]",
                "--csv",
                "-o",
                report.toString(),
                "--gnuplot",
                columns.toString(),
                "--plot",
                picture.toString(),
                "--reports",
                stats.toString());
        assertThat(out.toString()).isEmpty();
        assertThat(Files.readAllLines(report)).hasSize(5);
        assertThat(Files.readString(columns)).contains("# t, file 64k\nreclen write write_least");
        assertThat(stats.resolve("t-64k-16k-1.stats")).content().contains("bench.dat");
        assertThat(left()).containsExactlyInAnyOrder(report, columns, stats, picture);
    }

    @Test
    void shouldNeverReplaceWhatHasTheNameOfAReport() throws IOException {
        Path victim = Files.writeString(dir.resolve("victim"), "of the user");
        Path reports = Files.createDirectory(dir.resolve("reports"));
        Path second = reports.resolve("t-64k-16k-2.stats");
        String[] common = {
            dir.toString(),
            "-i",
            "write",
            "-s",
            "64k",
            "-r",
            "16k",
            "--warm",
            "--runs",
            "2",
            "--config",
            "t=[ trace/stats ]",
            "--reports",
            reports.toString()
        };
        Files.createSymbolicLink(second, victim);
        assertThat(run(common)).isEqualTo(2);
        Files.delete(second);
        Files.createSymbolicLink(second, dir.resolve("nowhere"));
        assertThat(run(common)).isEqualTo(2);
        Files.delete(second);
        Files.writeString(second, "of the user");
        assertThat(run(common)).isEqualTo(2);
        assertThat(second).hasContent("of the user");
        Path process = reports.resolve("t-64k-16k-1.stats.1");
        Files.move(second, process);
        assertThat(run(with(common, "-t", "2", "--processes"))).isEqualTo(2);
        assertThat(err.toString().lines().filter(line -> line.startsWith("mio bench: ")))
                .hasSize(4)
                .allMatch(line -> line.contains(" is there already; name another directory"));
        assertThat(left()).containsExactlyInAnyOrder(victim, reports);
        Files.delete(process);
        output(common);
        assertThat(reports.resolve("t-64k-16k-1.stats")).content().contains("bench.dat");
        assertThat(second).content().contains("bench.dat");
        assertThat(victim).hasContent("of the user");
        assertThat(left()).containsExactlyInAnyOrder(victim, reports);
    }

    @Test
    void shouldShowADirectoryWithoutItsDot() throws IOException {
        JsonNode all =
                measured(dir + "/./", "-i", "write", "-s", "4k", "--warm", "--runs", "1", "--json");
        assertThat(all.get("files").get(0).asText())
                .startsWith(dir + "/mio-bench-")
                .endsWith("/bench.dat");
    }

    @Test
    void shouldLoseNothingWithAnOutputThatFails() throws IOException {
        Path full = Path.of("/dev/full");
        assumeThat(Files.isWritable(full)).isTrue();
        Path columns = dir.resolve("columns");
        Path picture = dir.resolve("picture.svg");
        assertThat(
                        run(
                                dir.toString(),
                                "-i",
                                "write",
                                "-s",
                                "16k",
                                "--warm",
                                "--runs",
                                "1",
                                "-o",
                                full.toString(),
                                "--plot",
                                picture.toString(),
                                "--gnuplot",
                                columns.toString()))
                .isEqualTo(1);
        assertThat(out.toString()).contains("write ", "16k");
        assertThat(err.toString().lines().filter(line -> line.startsWith("mio bench: /dev/full")))
                .singleElement()
                .asString()
                .contains("/dev/full: cannot be written: ");
        assertThat(columns).content().contains("reclen");
        assertThat(left()).containsExactlyInAnyOrder(columns, picture);
    }

    @Test
    void shouldRefuseReportsThatWouldReplaceWhatIsMeasured() throws IOException {
        Path data = Files.write(dir.resolve("data"), new byte[10_000]);
        Path link = Files.createSymbolicLink(dir.resolve("link"), data);
        Path hard = Files.createLink(dir.resolve("hard.svg"), data);
        Path around = Files.createSymbolicLink(dir.resolve("around"), dir);
        for (Path name : List.of(data, link, hard, around.resolve("data"))) {
            assertThat(run("-f", data.toString(), "-i", "read", "-o", name.toString()))
                    .isEqualTo(2);
            assertThat(run("-f", data.toString(), "-i", "read", "--gnuplot", name.toString()))
                    .isEqualTo(2);
        }
        assertThat(run("-f", data.toString(), "-i", "read", "--plot", hard.toString()))
                .isEqualTo(2);
        // Names under which there is nothing yet are refused, too.
        assertThat(run("-f", dir + "/new", "-t", "2", "-o", around + "/new.1")).isEqualTo(2);
        assertThat(err.toString().lines().filter(line -> line.startsWith("mio bench: ")))
                .hasSize(10)
                .allMatch(line -> line.endsWith("is the file that is measured; name another one"));
        assertThat(run(dir.toString(), "-o", dir + "/same", "--gnuplot", around + "/same"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("is the same file as -o ");
        assertThat(run(dir.toString(), "--plot", dir + "/a.svg", "--plot", dir + "/a.svg"))
                .isEqualTo(2);
        Path reports = dir.resolve("reports");
        assertThat(run("--reports", reports.toString(), "-o", reports + "/pf-64m-4k-1.stats"))
                .isEqualTo(2);
        assertThat(err.toString()).contains("may be the name of a report of MIO");
        assertThat(data).hasBinaryContent(new byte[10_000]);
        assertThat(left()).containsExactlyInAnyOrder(data, link, hard, around, reports);
    }

    @Test
    void shouldTryOutputsBeforeItMeasures() throws IOException {
        Path data = Files.write(dir.resolve("data"), new byte[10_000]);
        for (String option : List.of("-o", "--gnuplot", "--plot")) {
            assertThat(run("-f", data.toString(), option, dir + "/absent/out.svg", "-i", "read"))
                    .isEqualTo(1);
        }
        assertThat(err.toString().lines())
                .hasSize(3)
                .allMatch(line -> line.contains("absent/out.svg: cannot be written"));
        assertThat(out.toString()).isEmpty();
        assertThat(left()).containsExactly(data);
    }

    /** The report names the file system of the file behind a link, not that of the link. */
    @Test
    void shouldTellTheFileSystemOfTheFile() throws IOException {
        Path memory = Path.of("/dev/shm");
        assumeThat(Files.isWritable(memory) && PageCache.isInMemory(memory)).isTrue();
        assumeThat(PageCache.isInMemory(dir)).as("%s is in memory", dir).isFalse();
        Path file = Files.write(Files.createTempFile(memory, "bench", ""), new byte[10_000]);
        try {
            Path link = Files.createSymbolicLink(dir.resolve("link"), file);
            assertThat(run(link.toString(), "-i", "read")).isEqualTo(2);
            assertThat(err.toString()).contains("files there are in memory and never cold");
            err.getBuffer().setLength(0);
            JsonNode all =
                    measured(link.toString(), "-i", "read", "--warm", "--runs", "1", "--json");
            assertThat(all.get("machine").get("file_system").asText()).isEqualTo("tmpfs");
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void shouldSayThatOneRunTellsNothingOfChance() throws IOException {
        String[] common = {
            dir.toString(),
            "-i",
            "write",
            "-s",
            "16k",
            "--warm",
            "--runs",
            "1",
            "--config",
            "a=",
            "--config",
            "b="
        };
        assertThat(output(common))
                .contains("One run of each: nothing is known of the spread")
                .containsPattern("write +16k +4k +b +[0-9.]+ +- +- +~[0-9.]+x")
                .containsPattern("write +16k +4k +b +[0-9.]+ +- +- +[0-9.]+ +[0-9.]+ [KM]?i?B");
        JsonNode rows = new ObjectMapper().readTree(output(with(common, "--json"))).get("rows");
        assertThat(rows.get(1).get("ratio_may_be_chance").asBoolean()).isTrue();
        assertThat(rows.get(1).get("spread_known").asBoolean()).isFalse();
        assertThat(output(with(common, "--csv")).lines().findFirst())
                .hasValueSatisfying(line -> assertThat(line).contains(",spread_known,"));
    }
}
