package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.mio.cli.top.SortKey;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

class TopCommandTest {
    @TempDir Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(args);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "--interval, 0, --interval: from 0.1",
                "--interval, NaN, --interval: from 0.1",
                "--interval, 1e9, --interval: from 0.1",
                "--count, 0, --count: at least 1",
                "--sort, speed, is none of bytes",
                "--dir, /no/such, --dir: no directory /no/such",
                "--pid, x, 'x' is no whole number",
                "--interval, x, 'x' is no number",
                "--count, 1.5, '1.5' is no whole number",
                "--dir, \"\", '' is no name of a file"
            })
    void shouldRefuseWhatMakesNoSense(String option, String value, String message) {
        assertThat(run("top", option, value)).isEqualTo(2);
        assertThat(err.toString()).contains(message, "mio top --help");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldSayThatADirectoryIsOfOthers() throws Exception {
        assumeFalse(RunFixture.isRoot(), "root may read every directory");
        Path closed = Files.createDirectory(dir.resolve("closed"));
        Files.setPosixFilePermissions(closed, Set.of());
        assertThat(run("top", "--once", "--dir", closed.toString())).isEqualTo(1);
        assertThat(err.toString()).contains("--dir: " + closed + ": permission denied");
        assertThat(out.toString()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(SortKey.class)
    void shouldTakeEveryWordForAnOrder(SortKey key) {
        assertThat(run("top", "--dir", dir.toString(), "--sort", key.label())).isZero();
        assertThat(run("top", "--help")).isZero();
        assertThat(out.toString()).contains(key.label());
    }

    @Test
    void shouldSayThatNothingRuns() {
        assertThat(run("top", "--dir", dir.toString())).isZero();
        assertThat(out.toString()).isEqualTo("No program runs under MIO.\n");
    }

    @Test
    void shouldFailWhereAProcessIsWantedThatIsNotThere() {
        assertThat(run("top", "--dir", dir.toString(), "--pid", "1,2")).isEqualTo(1);
        assertThat(err.toString()).contains("no process with this number");
    }

    @Test
    void shouldPassOverFilesThatAreNone() throws Exception {
        Files.writeString(dir.resolve("77.live"), "MIOLIVE\nand then nothing");
        Files.createFile(dir.resolve("78.live"));
        Files.createDirectory(dir.resolve("79.live"));
        Files.createSymbolicLink(dir.resolve("80.live"), Path.of("/dev/zero"));
        assertThat(run("top", "--dir", dir.toString(), "--json")).isZero();
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.at("/processes")).isEmpty();
        assertThat(json.at("/files").isNull()).isTrue();
        assertThat(json.at("/decisions").isNull()).isTrue();
        assertThat(run("top", "--dir", dir.toString(), "--clean")).isZero();
        assertThat(dir.resolve("77.live")).exists();
    }

    @Test
    void shouldHaveOneKindOfRows() throws Exception {
        assertThat(run("top", "--dir", dir.toString(), "--json", "--decisions")).isZero();
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.at("/decisions").isArray()).isTrue();
        assertThat(json.at("/files").isNull()).isTrue();

        assertThat(run("top", "--dir", dir.toString(), "--files", "--decisions")).isEqualTo(2);
        assertThat(err.toString()).contains("--files").contains("--decisions");
    }
}
