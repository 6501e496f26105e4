package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class DemoCommandTest {
    @TempDir Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(args);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "-1",
                "0",
                "1.5m",
                "12q",
                "m",
                "9999999999t",
                "+4k",
                "64\u212a",
                "\uff14m"
            })
    void shouldRefuseASizeThatIsNone(String size) {
        assertThat(run("demo", "--size", size)).isEqualTo(2);
        assertThat(err.toString()).contains("is no size", "64m", "mio demo --help");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "102400, 102400",
        "100k, 102400",
        "64M, 67108864",
        "14g, 15032385536",
        "1t, 1099511627776"
    })
    void shouldReadSizesInPowersOf1024(String text, long bytes) {
        assertThat(new SizeConverter().convert(text)).isEqualTo(bytes);
    }

    @Test
    void shouldRefuseAFileOfLessThanOneRecord() {
        assertThat(run("demo", "--size", "50k", "--dir", dir.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("--size", "less than one record of 102400 bytes");
    }

    @Test
    void shouldRefuseADirectoryThatIsMissing() {
        assertThat(run("demo", "--dir", dir.resolve("absent").toString())).isEqualTo(2);
        assertThat(err.toString()).contains("--dir", "no directory", "absent");
    }

    @Test
    void shouldSayHowMuchSpaceIsMissing() throws IOException {
        assertThat(run("demo", "--size", "4000t", "--dir", dir.toString())).isEqualTo(2);
        assertThat(err.toString()).contains("MiB needed", "MiB free", "smaller --size");
        try (Stream<Path> left = Files.list(dir)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldSayThatACommandIsMissingOrUnknown() {
        assertThat(run()).isEqualTo(2);
        assertThat(run("dmeo")).isEqualTo(2);
        assertThat(run("stat")).isEqualTo(2);
        assertThat(err.toString())
                .contains("a command is missing", "mio: there is no command 'dmeo'")
                .contains("mio: there is no command 'stat'; did you mean stats")
                .doesNotContain("Unmatched argument");
    }

    @Test
    void shouldNameTheOptionThatIsNearestToOneWithASlip() {
        assertThat(run("stats", "run.stats", "--compre", "x")).isEqualTo(2);
        assertThat(err.toString()).contains("Unknown option: '--compre'; did you mean --compare?");
        assertThat(run("stats", "run.stats", "--srot=time")).isEqualTo(2);
        assertThat(err.toString()).contains("Unknown option: '--srot=time'; did you mean --sort?");
        assertThat(run("plot", "--hieght", "3", "run.mio")).isEqualTo(2);
        assertThat(err.toString()).contains("'--hieght'; did you mean --height?");
        assertThat(run("plot", "-y", "run.mio")).isEqualTo(2);
        assertThat(err.toString()).contains("Unknown option: '-y'\n");
        assertThat(run("simulate", "run.mio", "--confg", "none")).isEqualTo(2);
        assertThat(err.toString())
                .as("the one that is missing is there")
                .contains("'--confg'; did you mean --config?")
                .doesNotContain("Missing");
        assertThat(run("simulate", "run.mio", "--qqq")).isEqualTo(2);
        assertThat(err.toString()).contains("Unknown option: '--qqq'\n");
        assertThat(run("simulate", "run.mio")).isEqualTo(2);
        assertThat(err.toString()).contains("Missing required option: '--config=RULE'");
    }

    @Test
    void shouldExplainItselfWithExamplesAndExitStatus() {
        assertThat(run("demo", "--help")).isZero();
        assertThat(out.toString()).contains("mio demo --size 4g", "Exit status:");
    }

    @Test
    void shouldRefuseAPlaceOfThePictureBeforeTheProgramRuns() throws IOException {
        String dir = this.dir.toString();
        assertThat(run("demo", "--dir", dir, "--plot", dir + "/x.svg")).isEqualTo(2);
        assertThat(err.toString()).contains("/x.svg: name a file that ends in .html");
        assertThat(run("demo", "--dir", dir, "--plot", dir + "/absent/x.html")).isEqualTo(1);
        assertThat(err.toString()).contains("/absent/x.html: cannot be written");
        assertThat(run("demo", "--dir", dir, "--plot", "")).isEqualTo(2);
        assertThat(err.toString()).contains("'--plot': '' is no name of a file");
        assertThat(out.toString()).isEmpty();
        try (Stream<Path> left = Files.list(this.dir)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void shouldRefuseAPictureThatIsBothWantedAndNot() {
        assertThat(run("demo", "--plot", "x.html", "--no-plot")).isEqualTo(2);
        assertThat(err.toString()).contains("--plot and --no-plot exclude each other");
    }
}
