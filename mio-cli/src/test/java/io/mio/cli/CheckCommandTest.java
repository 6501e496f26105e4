package io.mio.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class CheckCommandTest {
    @TempDir Path dir;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... args) {
        CommandLine commandLine = Main.commandLine();
        commandLine.setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        return commandLine.execute(args);
    }

    @Test
    void shouldPutTheMarkBelowTheMistakeWhateverStandsBefore() {
        String text = "\u0007\u009b\u202e\u00e9 [ trac ]";
        assertThat(run("check", "--files", text)).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        "--files, column 8: there is no layer 'trac'; did you mean 'trace'?"
                                + " (layers: mio, trace, pf, recov, os, aix, posix, auto)",
                        "   ??\u00e9 [ trac ]",
                        "         ^");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    void shouldNameTheFileWithAMistake() throws Exception {
        Path file = dir.resolve("x.conf");
        Files.writeString(file, "filse=* [ trace ]\n");
        assertThat(run("check", "--config", file.toString())).isEqualTo(1);
        assertThat(err.toString())
                .startsWith("file " + file + " key filse: there is no such setting; did you mean");
    }

    @Test
    void shouldSayThatTheFileCannotBeRead() {
        assertThat(run("check", "--config", dir + "/absent")).isEqualTo(1);
        assertThat(err.toString()).startsWith("--config: cannot read " + dir + "/absent");
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldNotWaitForWhoeverWritesToAPipe() throws Exception {
        Path pipe = dir.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        String said =
                "--config: cannot read "
                        + pipe
                        + " (a pipe, socket or device); name a readable file";
        assertThat(run("check", "--config", pipe.toString(), "--json")).isEqualTo(1);
        assertThat(err.toString().lines()).containsExactly(said);
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.at("/mistake/message").asText()).isEqualTo(said);
    }

    @Test
    void shouldTellProgramsEverything() throws Exception {
        Path file = dir.resolve("x.conf");
        Files.writeString(file, "files=*.dat [ os ]\nstats=stdout\n");
        int status =
                run(
                        "check",
                        "--json",
                        "--config",
                        file.toString(),
                        "--files",
                        "* [ trace ] *.x [ os ]",
                        "--explain",
                        "/a",
                        "--explain",
                        "/b");
        assertThat(status).isZero();
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.at("/ok").asBoolean()).isTrue();
        assertThat(json.at("/settings/0/key").asText()).isEqualTo("files");
        assertThat(json.at("/settings/0/origin").asText()).isEqualTo("--files");
        assertThat(json.at("/settings/0/overridden/0").asText())
                .isEqualTo("file " + file + " key files");
        assertThat(json.at("/rules/0/stack").toString()).isEqualTo("[\"mio\",\"trace\",\"os\"]");
        assertThat(json.at("/explanations")).hasSize(2);
        assertThat(json.at("/explanations/1/path").asText()).isEqualTo("/b");
        assertThat(json.at("/explanations/1/layers/1/options/0/from").asText())
                .isEqualTo("built-in");
        assertThat(json.at("/warnings/0/id").asText()).isEqualTo("rule_never_matches");
    }

    @Test
    void shouldTellProgramsOfAMistake() throws Exception {
        assertThat(run("check", "--json", "--files", "* [ trace/x ]")).isEqualTo(1);
        JsonNode json = new ObjectMapper().readTree(out.toString());
        assertThat(json.at("/ok").asBoolean()).isFalse();
        assertThat(json.at("/mistake/origin").asText()).isEqualTo("--files");
        assertThat(json.at("/mistake/column").asInt()).isEqualTo(11);
        assertThat(json.at("/mistake/message").asText()).contains("trace has no option 'x'");
    }

    @Test
    void shouldShowNamesSafely() {
        assertThat(
                        run(
                                "check",
                                "--files",
                                "{*\033[2J.dat} [ trace ]",
                                "--stats",
                                "stdout",
                                "--explain",
                                "/\033]0;x\007.txt"))
                .isZero();
        assertThat(out.toString()).contains("\\033[2J.dat", "/\\033]0;x\\007.txt");
        assertThat(out.toString()).doesNotContain("\033", "\007");
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() {
        assertThat(run("check", "--explian", "/a")).isEqualTo(2);
        assertThat(err.toString()).contains("--explian", "mio check --help");
    }
}
