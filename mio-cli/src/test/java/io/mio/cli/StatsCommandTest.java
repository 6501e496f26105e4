package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class StatsCommandTest {
    private static final String REPORT = "src/test/resources/io/mio/cli/stats/ledger.jsonl.gz";

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(args);
    }

    @ParameterizedTest
    @CsvSource({
        "'', Missing required parameter",
        "x --by nothing, nothing",
        "x --sort colour, colour",
        "x --top 0, --top: at least 1",
        "x --width 10, --width: at least 40",
        "x --max-names 0, --max-names: at least 1",
        "x --json --format csv, --json and --format",
        "x --compare y --format openmetrics, no openmetrics",
        "x --compare y --by process, --by",
        "- -, once only",
    })
    void shouldRefuseArgumentsThatMakeNoSense(String args, String message) {
        assertThat(run(("stats " + args).trim().split(" "))).isEqualTo(2);
        assertThat(err.toString()).contains(message, "mio stats --help");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "time, ledger.dat",
        "bytes, matrix.dat",
        "calls, ledger.dat",
        "rate, matrix.dat",
        "reads, ledger.dat",
        "writes, ledger.dat",
        "read, matrix.dat",
        "written, matrix.dat",
        "request, matrix.dat",
        "opens, index.dat",
        "seeks, ledger.dat",
        "errors, matrix.dat",
        "name, index.dat"
    })
    void shouldSortByAnyFigureLargestFirst(String figure, String first) {
        assertThat(run("stats", REPORT, "--sort", figure, "--top", "1", "--format", "csv"))
                .isZero();
        assertThat(out.toString().lines().toList()).hasSize(2);
        assertThat(out.toString().lines().toList().get(1)).startsWith(first + ",python3,");
    }

    @Test
    void shouldTurnTheOrderRound() {
        assertThat(run("stats", REPORT, "-r", "--format", "csv")).isZero();
        assertThat(out.toString().lines().toList().get(1)).startsWith("index.dat,");
    }

    @Test
    void shouldChooseFilesAsRulesDoAndCountTheseOnly() {
        assertThat(
                        run(
                                "stats",
                                REPORT,
                                "--files",
                                "led*",
                                "--files",
                                "ind?x.dat",
                                "--by",
                                "total",
                                "--format",
                                "csv"))
                .isZero();
        String[] heading = out.toString().lines().toList().get(0).split(",");
        String[] values = out.toString().lines().toList().get(1).split(",");
        int writes = java.util.List.of(heading).indexOf("writes");
        assertThat(values[writes]).isEqualTo("20150");
    }

    @Test
    void shouldSayThatNoFileFits() {
        assertThat(run("stats", REPORT, "--files", "absent*")).isEqualTo(1);
        assertThat(err.toString()).contains("no file in the report fits --files absent*");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldCutColumnsAndNamesToTheWidth() {
        for (int width : new int[] {40, 60, 80, 100}) {
            out.getBuffer().setLength(0);
            assertThat(run("stats", REPORT, "--width", "" + width)).isZero();
            assertThat(out.toString().lines())
                    .filteredOn(line -> line.contains(".dat  "))
                    .hasSize(3)
                    .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(width));
        }
    }
}
