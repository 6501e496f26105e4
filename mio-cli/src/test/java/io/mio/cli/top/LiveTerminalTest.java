package io.mio.cli.top;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.cli.term.Terminal;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mio top} in a real terminal, the one of tmux. */
class LiveTerminalTest {
    private static final long SECONDS_MAX = 60;

    @TempDir Path dir;

    private Path socket;

    @BeforeEach
    void begin() throws Exception {
        assumeTrue(isThere("tmux"), "tmux is not installed");
        // The name of a socket must be short.
        socket = Files.createTempDirectory(Path.of("/tmp"), "mio").resolve("t");
        FakeCounterFile.ofThisProcess(dir).file("/data/first.dat").reads(10, 4096).write();
        FakeCounterFile.killed(dir, "victim").file("v.dat").reads(1, 512).write();
        tmux(
                "-f",
                "/dev/null",
                "new-session",
                "-d",
                "-x",
                "100",
                "-y",
                "20",
                "env",
                "PS1=$ ",
                "sh");
        await(screen -> screen.contains("$"));
    }

    @AfterEach
    void end() throws Exception {
        if (socket != null) {
            tmux("kill-server");
            Files.deleteIfExists(socket);
            Files.deleteIfExists(socket.getParent());
        }
    }

    @Test
    void shouldShowResizeAndLeaveTheTerminalAsItWasAfterCtrlC() throws Exception {
        String before = startTop();
        assertThat(tmux("display", "-p", "#{alternate_on}#{cursor_flag}")).isEqualTo("10");
        assertThat(screen()).contains("1 killed", "victim (killed)", "self");

        type("d");
        await(screen -> screen.contains("No decisions") && screen.contains("p processes"));
        type("f");
        await(screen -> screen.contains("/data/first.dat") && screen.contains("p processes"));
        type("s");
        await(screen -> screen.contains("sort: read"));
        type("t");
        await(screen -> screen.contains("t rates") && screen.contains("4.00 KiB"));
        type("Space");
        await(screen -> screen.contains("paused"));

        tmux("resize-window", "-x", "60", "-y", "12");
        await(screen -> screen.lines().count() == 12 && keysAreLast(screen));
        assertThat(screen().lines()).allMatch(line -> line.length() <= 60);
        tmux("resize-window", "-x", "120", "-y", "30");
        await(screen -> screen.lines().count() == 30 && keysAreLast(screen));

        // Where the table just fits, its last column is complete.
        String heading = screen().lines().skip(3).findFirst().orElseThrow();
        tmux("resize-window", "-x", "" + heading.length(), "-y", "10");
        await(
                screen ->
                        screen.lines().count() == 10
                                && keysAreLast(screen)
                                && screen.lines().anyMatch(heading::equals));

        type("C-c");
        expectTerminalAsBefore(before, 130);
    }

    @Test
    void shouldLeaveTheTerminalAsItWasAfterItsKey() throws Exception {
        String before = startTop();
        type("q");
        expectTerminalAsBefore(before, 0);
    }

    @Test
    void shouldLeaveTheTerminalAsItWasAfterASignal() throws Exception {
        String before = startTop();
        long shell = Long.parseLong(tmux("display", "-p", "#{pane_pid}"));
        ProcessHandle top =
                ProcessHandle.of(shell).orElseThrow().children().findFirst().orElseThrow();
        assertThat(top.destroy()).isTrue();
        expectTerminalAsBefore(before, 143);
    }

    @Test
    void shouldFailWhereAProcessIsWantedThatIsNotThere() throws Exception {
        type("sh " + command(" --pid 4194305") + "; echo status $?", "Enter");
        await(screen -> screen.contains("status 1") && screen.contains("no process with this"));
    }

    /** Starts {@code mio top}; returns the terminal's settings from before that. */
    private String startTop() throws Exception {
        Path before = dir.resolve("before");
        type("stty -g > " + before, "Enter");
        awaitFile(before);
        type("sh " + command("") + "; echo status $?", "Enter");
        await(screen -> screen.contains("mio top") && keysAreLast(screen));
        return Files.readString(before);
    }

    /** Writes a script that starts {@code mio top}. */
    private Path command(String options) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return Files.writeString(
                dir.resolve("top.sh"),
                "exec '"
                        + java
                        + "' -XX:TieredStopAtLevel=1 -D"
                        + Terminal.OUT_PROPERTY
                        + "=true -cp '"
                        + classPath()
                        + "' io.mio.cli.Main top --interval 0.2 --dir '"
                        + dir
                        + "'"
                        + options
                        + "\n");
    }

    private static boolean keysAreLast(String screen) {
        return screen.stripTrailing().lines().reduce("", (a, b) -> b).startsWith("q quit");
    }

    private void expectTerminalAsBefore(String before, int status) throws Exception {
        await(screen -> screen.contains("status " + status) && !screen.contains("q quit"));
        assertThat(tmux("display", "-p", "#{alternate_on}#{cursor_flag}#{wrap_flag}"))
                .isEqualTo("011");
        Path after = dir.resolve("after");
        type("stty -g > " + after, "Enter");
        awaitFile(after);
        assertThat(Files.readString(after)).isEqualTo(before);
    }

    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> new File(entry).getAbsolutePath())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private void type(String... keys) throws Exception {
        List<String> command = new ArrayList<>(List.of("send-keys"));
        command.addAll(List.of(keys));
        tmux(command.toArray(String[]::new));
    }

    private String screen() throws Exception {
        return tmux("capture-pane", "-p");
    }

    private void await(Predicate<String> expected) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        String screen = screen();
        while (!expected.test(screen)) {
            assertThat(System.nanoTime() < end).as("the screen stays:%n%s", screen).isTrue();
            TimeUnit.MILLISECONDS.sleep(50);
            screen = screen();
        }
    }

    private static void awaitFile(Path file) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS_MAX);
        while (!Files.exists(file) || Files.size(file) == 0) {
            assertThat(System.nanoTime() < end).as("no %s", file).isTrue();
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private String tmux(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("tmux", "-u", "-S", socket.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().remove("TMUX");
        builder.environment().put("TERM", "xterm-256color");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output.endsWith("\n") ? output.substring(0, output.length() - 1) : output;
    }

    private static boolean isThere(String program) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }
}
