package io.mio.recov;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.recov.RecovCommand.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands: what they are given, and that no wait for a command outlives its reason. */
class RecovCommandTest {
    @TempDir private Path directory;
    private Path started;
    private Path never;

    /** Makes named pipes: to open one waits for the other side. */
    @BeforeEach
    void makePipes() throws Exception {
        started = directory.resolve("started");
        never = directory.resolve("never");
        Process mkfifo = new ProcessBuilder("mkfifo", started.toString(), never.toString()).start();
        assertThat(mkfifo.waitFor()).isZero();
    }

    /** A command that reports its process number, and then waits for something that never comes. */
    private String waiting() {
        return "echo $$ > " + started + "; read x < " + never + "; exit 0";
    }

    private ProcessHandle whenStarted() throws IOException {
        long pid = Long.parseLong(Files.readString(started).trim());
        return ProcessHandle.of(pid).orElseThrow();
    }

    @Test
    void shouldGiveTheCommandItsVariablesAndNothingToRead() throws IOException {
        Path log = directory.resolve("log");
        String command =
                "read x; echo \"$A,$MIO_ENABLED,$x\" > " + log + "; echo out; echo err >&2";

        assertThat(new RecovCommand(true).run(command, Map.of("A", "b c"))).isEqualTo(Outcome.RAN);
        assertThat(log).hasContent("b c,0,\n");
    }

    @Test
    void shouldNotCareHowTheCommandEnds() {
        assertThat(new RecovCommand(true).run("exit 3", Map.of())).isEqualTo(Outcome.RAN);
        assertThat(new RecovCommand(true).run("no-such-program", Map.of())).isEqualTo(Outcome.RAN);
    }

    @Test
    void shouldEndTheCommandWhenItsThreadIsInterrupted() throws Exception {
        RecovCommand commands = new RecovCommand(true);
        CompletableFuture<String> result = new CompletableFuture<>();
        Thread thread =
                new Thread(
                        () -> {
                            Outcome outcome = commands.run(waiting(), Map.of());
                            result.complete(outcome + " " + Thread.currentThread().isInterrupted());
                        });
        thread.start();
        ProcessHandle shell = whenStarted();
        thread.interrupt();

        assertThat(result.get()).isEqualTo("STOPPED true");
        shell.onExit().get();
        assertThat(shell.isAlive()).isFalse();
    }

    @Test
    void shouldEndTheCommandWhenTheFileIsClosed() throws Exception {
        RecovCommand commands = new RecovCommand(true);
        CompletableFuture<Outcome> result =
                CompletableFuture.supplyAsync(() -> commands.run(waiting(), Map.of()));
        ProcessHandle shell = whenStarted();
        commands.stop();

        assertThat(result.get()).isEqualTo(Outcome.STOPPED);
        shell.onExit().get();
        assertThat(commands.run("true", Map.of())).isEqualTo(Outcome.STOPPED);
    }

    /** Stops the command while it starts more and more processes. */
    @RepeatedTest(4)
    void shouldEndAllThatTheCommandIsJustStarting() throws Exception {
        RecovCommand commands = new RecovCommand(true);
        String mark = "MIO_TEST_MARK=" + directory;
        String many =
                "echo $$ > "
                        + started
                        + "; i=0; while [ $i -lt 150 ]; do i=$((i+1)); sleep 600 & done; read x < "
                        + never;
        CompletableFuture<Outcome> result =
                CompletableFuture.supplyAsync(
                        () -> commands.run(many, Map.of("MIO_TEST_MARK", directory.toString())));
        whenStarted();
        while (marked(mark) < 4) {
            Thread.onSpinWait();
        }
        commands.stop();

        assertThat(result.get()).isEqualTo(Outcome.STOPPED);
        // Processes that are told to end do so soon; the others would run for ten minutes.
        long deadline = System.nanoTime() + 10_000_000_000L;
        while (marked(mark) > 0 && System.nanoTime() < deadline) {
            Thread.onSpinWait();
        }
        assertThat(marked(mark)).isZero();
    }

    /** The number of processes with this among their variables; one that has ended has none. */
    private static long marked(String mark) {
        return ProcessHandle.allProcesses().filter(one -> isMarked(one.pid(), mark)).count();
    }

    private static boolean isMarked(long pid, String mark) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/environ"), ISO_8859_1)
                    .contains(mark);
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void shouldStartNothingInAnInterruptedThread() {
        Path log = directory.resolve("log");
        Thread.currentThread().interrupt();
        Outcome outcome = new RecovCommand(true).run("echo x > " + log, Map.of());

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isEqualTo(Outcome.STOPPED);
        assertThat(log).doesNotExist();
    }

    @Test
    void shouldRunNothingWithRaisedRights() {
        Path log = directory.resolve("log");

        assertThat(new RecovCommand(false).run("echo x > " + log, Map.of()))
                .isEqualTo(Outcome.NOT_RUN);
        assertThat(log).doesNotExist();
    }
}
