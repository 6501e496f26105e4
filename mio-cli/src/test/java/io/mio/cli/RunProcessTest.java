package io.mio.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code mio run} becomes the program: status, signals, streams and arguments are the program's.
 */
class RunProcessTest {
    @TempDir Path parent;

    private RunFixture mio;

    @BeforeEach
    void makeFixture() throws IOException {
        assumeTrue(RunFixture.library() != null, "no preload library: built without a C compiler");
        mio = RunFixture.in(parent);
    }

    /** The shells that are installed here. */
    static Stream<String> shells() {
        return Stream.of("sh", "dash", "bash --posix", "busybox sh", "ksh")
                .filter(shell -> isThere(shell.split(" ")[0]));
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv("PATH").split(":"))
                .anyMatch(dir -> Files.isExecutable(Path.of(dir, program)));
    }

    @ParameterizedTest
    @MethodSource("shells")
    void shouldEndWithTheStatusOfTheProgram(String shell) {
        RunFixture.Result result =
                mio.with("SHELL_WORDS", shell)
                        .script(
                                "i=0; while [ $i -le 255 ]; do $SHELL_WORDS \"$MIO\" run -- sh -c"
                                        + " \"exit $i\"; [ $? -eq $i ] || echo $i; i=$((i + 1));"
                                        + " done; echo end");

        assertThat(result.out()).isEqualTo("end\n");
        assertThat(result.err()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("shells")
    void shouldHandOnArgumentsAsTheyAre(String shell) {
        List<String> program =
                List.of("sh", "-c", "echo $#; for a; do printf '%s\\0' \"$a\"; done", "me");
        List<String> words = new ArrayList<>(program);
        words.addAll(
                List.of(
                        "",
                        " ",
                        "a b",
                        "a\nb\n",
                        "\n",
                        "'",
                        "\"",
                        "'\\''",
                        "$HOME",
                        "$(echo x)",
                        "`id`",
                        "*",
                        "?[a]",
                        "\\",
                        "\\n",
                        "--",
                        "-n",
                        "--trace",
                        "-",
                        "~",
                        "a=b",
                        "\u00e9",
                        "\t",
                        ";",
                        "&",
                        "|",
                        "#x",
                        "!"));
        String expected = mio.call(words, null).out();
        List<String> run = new ArrayList<>(List.of("--"));
        run.addAll(words);

        assertThat(mio.by(shell.split(" ")).run(run).out()).isEqualTo(expected).startsWith("28\n");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void shouldTakeTenThousandArguments(String shell) {
        List<String> run =
                new ArrayList<>(List.of("--", "sh", "-c", "echo $# \"$1\" \"${10000}\"", "me"));
        for (int i = 1; i <= 10_000; i++) {
            run.add("argument *" + i);
        }

        assertThat(mio.by(shell.split(" ")).run(run).out())
                .isEqualTo("10000 argument *1 argument *10000\n");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void shouldBeTheProcessOfTheProgramAndGetItsSignals(String shell) throws Exception {
        Process process =
                mio.by(shell.split(" "))
                        .prepare(
                                mio.command(
                                        List.of(
                                                "sh",
                                                "-c",
                                                "trap 'echo got; exit 7' USR1; echo $$; while :;"
                                                        + " do sleep 0.02; done")))
                        .start();
        try (BufferedReader lines = process.inputReader()) {
            assertThat(lines.readLine()).isEqualTo(Long.toString(process.pid()));
            assertThat(mio.script("kill -USR1 " + process.pid()).status()).isZero();
            assertThat(lines.readLine()).isEqualTo("got");
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(7);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void shouldDieOfTheSignalThatKillsTheProgram() {
        // What a shell prints of its child tells death from an exit with the same number.
        String script = "bash -c '\"$MIO\" run -- sh -c \"kill -%s \\$\\$\"; echo $?; exit 0' 2>&1";
        assumeTrue(isThere("bash"), "no bash");

        assertThat(mio.script(String.format(script, "TERM")).out())
                .contains("Terminated")
                .endsWith("143\n");
        assertThat(mio.script(String.format(script, "KILL")).out())
                .contains("Killed")
                .endsWith("137\n");
    }

    @Test
    void shouldLeaveSignalsIgnoredThatWereIgnored() {
        String program = "sed -n 's/^SigIgn:.//p' /proc/self/status";

        assertThat(mio.script("trap '' HUP PIPE; exec \"$MIO\" run -- " + program).out())
                .isEqualTo(mio.script("trap '' HUP PIPE; exec " + program).out());
    }

    @Test
    void shouldHandOnStandardInputAndOutput() {
        byte[] bytes = new byte[300_000];
        new Random(4).nextBytes(bytes);

        RunFixture.Result result = mio.call(mio.command(List.of("cat")), bytes);

        assertThat(result.out()).isEqualTo(new String(bytes, ISO_8859_1));
        assertThat(mio.script("echo hi | \"$MIO\" run cat | \"$MIO\" run tr h j").out())
                .isEqualTo("ji\n");
        assertThat(mio.script("\"$MIO\" run sh -c 'echo a; echo b >&2' 2>/dev/null").out())
                .isEqualTo("a\n");
    }

    @ParameterizedTest
    @MethodSource("shells")
    void shouldRunWithClosedStreamsAndOpenNone(String shell) {
        String program = "sh -c 'ls /proc/$$/fd; :' ";
        List<String> all = new ArrayList<>(List.of("<&-", "3</dev/null", "</dev/null"));
        if (!shell.startsWith("bash")) {
            // bash puts the script that it reads where standard error was, and leaves it there.
            all.addAll(List.of("2>&-", "<&- 2>&-"));
        }
        for (String streams : all) {
            assertThat(
                            mio.with("SHELL_WORDS", shell)
                                    .script("$SHELL_WORDS \"$MIO\" run " + program + streams)
                                    .out())
                    .as(streams)
                    .isEqualTo(mio.script(program + streams).out())
                    .isNotEmpty();
        }
        assertThat(mio.script(shell + " \"$MIO\" run sh -c 'exit 6' <&- >&- 2>&-").status())
                .isEqualTo(6);
    }

    @Test
    void shouldFindProgramsAsTheyAreFoundWithoutIt() throws IOException {
        mio.program("one/tool", "#!/bin/sh", "echo one");
        mio.program("two/tool", "#!/bin/sh", "echo two");
        mio.program("here", "#!/bin/sh", "echo here $0");
        mio.program("two/-n", "#!/bin/sh", "echo like an option $1");
        Files.setPosixFilePermissions(
                mio.dir().resolve("one/tool"), PosixFilePermissions.fromString("rw-r--r--"));
        mio.with("PATH", "one:two::/usr/bin:/bin");

        assertThat(mio.run("tool").out()).isEqualTo("two\n");
        assertThat(mio.run("here").out()).isEqualTo(mio.script("here").out()).startsWith("here ");
        assertThat(mio.run("./here").out()).isEqualTo("here ./here\n");
        assertThat(mio.run("--", "-n", "-q").out()).isEqualTo("like an option -q\n");
    }

    @Test
    void shouldSayWhatCannotBeExecuted() throws IOException {
        Path file = Files.writeString(mio.dir().resolve("text"), "no program");
        mio.with("PATH", mio.dir() + ":/usr/bin:/bin");

        for (String name : List.of(file.toString(), "./text", "text", mio.dir().toString())) {
            RunFixture.Result result = mio.run(name);
            assertThat(result.status()).as(name).isEqualTo(126);
            assertThat(result.err())
                    .isEqualTo(
                            "mio run: "
                                    + name
                                    + ": cannot be executed: a directory, or no right to (chmod"
                                    + " +x)\n");
        }
        for (String name : List.of("", "no-such-program", "./no-such-program", "/no/such")) {
            RunFixture.Result result = mio.run("--", name);
            assertThat(result.status()).as(name).isEqualTo(127);
            assertThat(result.err()).isEqualTo("mio run: " + name + ": not found\n");
        }
    }

    @Test
    void shouldRunAScriptWithoutAFirstLineForAnInterpreter() throws IOException {
        mio.program("plain", "echo plain $1");

        assertThat(mio.run("./plain", "x").out()).isEqualTo("plain x\n");
    }

    @Test
    void shouldPassNoControlCharactersOfNamesToTheTerminal() {
        assertThat(mio.run("--", "a\033[2Jb\nc\u009bd").err())
                .isEqualTo("mio run: a?[2Jb?c?d: not found\n");
    }
}
