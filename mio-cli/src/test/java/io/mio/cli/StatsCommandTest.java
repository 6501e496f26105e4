package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class StatsCommandTest {
    private static final String REPORT = "src/test/resources/io/mio/cli/stats/ledger.jsonl.gz";

    @TempDir Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** The standard output, for programs to read. */
    private final ByteArrayOutputStream data = new ByteArrayOutputStream();

    private int run(String... args) {
        PrintStream before = System.out;
        System.setOut(new PrintStream(data, true, StandardCharsets.US_ASCII));
        try {
            CommandLine commandLine = Main.commandLine();
            commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
            return commandLine.execute(args);
        } finally {
            System.setOut(before);
        }
    }

    private List<String> lines() {
        return data.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @ParameterizedTest
    @CsvSource({
        "'', Missing required parameter",
        "x --by nothing, 'nothing' is no row; there are file",
        "x --sort colour, 'colour' is no figure; there are time",
        "x --format xml, 'xml' is no form; there are table",
        "x --top ten, --top': 'ten' is no whole number",
        "x --width abc, --width': 'abc' is no whole number",
        "x --max-names all, --max-names': 'all' is no whole number",
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
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(1)).startsWith(first + ",python3,");
    }

    @Test
    void shouldTurnTheOrderRound() {
        assertThat(run("stats", REPORT, "-r", "--format", "csv")).isZero();
        assertThat(lines().get(1)).startsWith("index.dat,");
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
        String[] heading = lines().get(0).split(",");
        String[] values = lines().get(1).split(",");
        int writes = List.of(heading).indexOf("writes");
        assertThat(values[writes]).isEqualTo("20150");
    }

    @ParameterizedTest
    @CsvSource({
        "'--format csv', '\u00e4.dat,'",
        "'--format csv', '\u00f6.dat,'",
        "'--format openmetrics', 'mio_reads_total{file=\"\u00e4.dat\",program='",
        "'--format openmetrics', 'mio_reads_total{file=\"\u00f6.dat\",program='",
        "'--compare %s --format csv', '\u00e4.dat,'",
    })
    void shouldGiveProgramsUtf8InEveryLocale(String options, String begin) throws IOException {
        StringBuilder text = new StringBuilder();
        for (String name : List.of("\u00e4.dat", "\u00f6.dat")) {
            text.append(
                            "{\"type\":\"trace\",\"format\":1,\"pid\":1,\"event\":\"close\",\"file\":\"")
                    .append(name)
                    .append("\",\"above\":\"program\",\"below\":\"os\",\"operations\":{}}\n");
        }
        String report = Files.writeString(dir.resolve("r.jsonl"), text).toString();
        String words = "stats " + report + " " + options.formatted(report);
        assertThat(run(words.split(" "))).isZero();
        assertThat(lines()).filteredOn(line -> line.startsWith(begin)).hasSize(1);
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldSayThatNoFileFits() {
        assertThat(run("stats", REPORT, "--files", "absent*")).isEqualTo(1);
        assertThat(err.toString()).contains("no file in the report fits --files absent*");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldNotTakeAnEmptyNameForTheWorkingDirectory() {
        assertThat(run("stats", "", REPORT)).isEqualTo(3);
        assertThat(err.toString()).isEqualTo("mio stats: '': no name of a file; left out\n");
        assertThat(run("stats", "")).isEqualTo(1);
        assertThat(run("stats", REPORT, "--compare", "")).isEqualTo(1);
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
