package io.mio.stack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.Mio;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reports of a whole program: at exit, on demand, on a signal, and where they cannot be written.
 */
class ReportForkTest {
    private static final String[] PATHS = {
        pathOf(Mio.class), pathOf(ReportProgram.class),
    };

    @TempDir private Path directory;

    @ParameterizedTest
    @CsvSource({"return,0", "exit,3", "throw,1"})
    void shouldReportAtExitWhatWasNeverClosed(String how, int status) throws Exception {
        Process program = start(how, "stats", "* [ trace/stats ]");
        assertThat(program.waitFor()).isEqualTo(status);

        assertThat(blocks()).hasSize(1).first().asString().startsWith("Trace exit : ");
        assertThat(Files.readString(directory.resolve("stats")))
                .containsPattern("  write             1 +[0-9.]+ +100 +100 +100 +100\n");
    }

    @Test
    void shouldReportAtExitAfterTheTasksBeforeIt() throws Exception {
        Process program = start("before", "stats", "* [ trace/stats ]");
        assertThat(program.waitFor()).isZero();

        assertThat(blocks()).hasSize(1).first().asString().startsWith("Trace exit : ");
        assertThat(Files.readString(directory.resolve("stats")))
                .containsPattern("  write             2 +[0-9.]+ +111 +111 +11 +100\n");
    }

    @Test
    void shouldReportInFullWhenAShutdownHookClosesTheFile() throws Exception {
        Process program = start("hook", "stats", "* [ trace/stats ]");
        assertThat(program.waitFor()).isZero();

        // Hooks run side by side: the block of the exit may or may not come first.
        assertThat(blocks()).last().asString().startsWith("Trace close : ").contains(": (111/");
    }

    @Test
    void shouldReportOnDemandAndGoOn() throws Exception {
        Process program = start("demand", "stats", "* [ trace/stats ]");
        assertThat(program.waitFor()).isZero();

        assertThat(blocks())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("Trace inter : "),
                        line -> assertThat(line).startsWith("Trace close : "));
    }

    @Test
    void shouldReportOnASignalLayersWithTheOptionInter() throws Exception {
        Process program = start("signal", "stats", "* [ trace/stats/inter | trace/stats ]");
        String pid = program.inputReader().readLine();
        assertThat(new ProcessBuilder("kill", "-USR1", pid).start().waitFor()).isZero();
        while (program.isAlive() && !Files.exists(directory.resolve("stats"))) {
            Thread.onSpinWait();
        }
        program.getOutputStream().close();
        assertThat(program.waitFor()).isZero();

        assertThat(blocks())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("Trace inter : program <-> trace"),
                        line -> assertThat(line).startsWith("Trace exit : trace <-> os"),
                        line -> assertThat(line).startsWith("Trace exit : program <-> trace"));
    }

    @Test
    void shouldWarnOnceWhereReportsCannotBeWrittenAndChangeNothing() throws Exception {
        Process program = start("return", "missing/sta\nts", "* [ trace/stats | trace/stats ]");
        String out = new String(program.getInputStream().readAllBytes(), UTF_8);
        String err = new String(program.getErrorStream().readAllBytes(), UTF_8);
        assertThat(program.waitFor()).isZero();

        assertThat(out).isEqualTo("done\n");
        assertThat(err.lines())
                .singleElement()
                .asString()
                .startsWith("mio: cannot write statistics to ")
                .contains("missing/sta\\012ts", "the program runs on");
        assertThat(directory.resolve("left-open.dat")).hasSize(100);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "."})
    void shouldSayThatADirectoryIsOneWhenReportsAreToGoThere(String name) throws Exception {
        Process program = start("return", name, "* [ trace/stats ]");
        String err = new String(program.getErrorStream().readAllBytes(), UTF_8);
        assertThat(program.waitFor()).isZero();

        assertThat(err.lines())
                .singleElement()
                .asString()
                .startsWith("mio: cannot write statistics to ")
                .contains("Is a directory");
    }

    @Test
    void shouldWarnAndRunOnWhereNobodyReadsThePipe() throws Exception {
        pipe();
        Process program = start("return", "pipe", "* [ trace/stats ]");
        if (!program.waitFor(60, TimeUnit.SECONDS)) {
            program.destroyForcibly();
        }
        assertThat(program.waitFor()).isZero();

        assertThat(program.errorReader().lines())
                .singleElement()
                .asString()
                .startsWith("mio: cannot write statistics to ")
                .contains("Broken pipe");
    }

    @Test
    void shouldReportToWhoReadsThePipe() throws Exception {
        pipe();
        Process program = start("return", "pipe", "* [ trace/stats ]");
        String read = Files.readString(directory.resolve("pipe"));
        assertThat(program.waitFor()).isZero();

        assertThat(read).startsWith("MIO statistics file : ").contains("Trace exit : ");
    }

    private void pipe() throws Exception {
        Path pipe = directory.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    }

    @Test
    void shouldWarnAndRunOnWhenTheDeviceOfTheReportsIsFull() throws Exception {
        Process program = start("return", "/dev/full", "* [ trace/stats ]");
        String err = new String(program.getErrorStream().readAllBytes(), UTF_8);
        assertThat(program.waitFor()).isZero();

        assertThat(err.lines()).singleElement().asString().contains("No space left on device");
        assertThat(directory.resolve("left-open.dat")).hasSize(100);
    }

    @Test
    void shouldWriteReportsToTheStreamsByName() throws Exception {
        Process program = start("return", "stdout", "* [ trace/stats ]");
        String out = new String(program.getInputStream().readAllBytes(), UTF_8);
        assertThat(program.waitFor()).isZero();

        assertThat(out).startsWith("done\nMIO statistics file").contains("Trace exit : ");
    }

    private List<String> blocks() throws IOException {
        return Files.readAllLines(directory.resolve("stats")).stream()
                .filter(line -> line.startsWith("Trace "))
                .toList();
    }

    private Process start(String how, String stats, String files) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(String.join(File.pathSeparator, PATHS));
        command.add("-Dmio.stats=" + stats);
        command.add("-Dmio.files=" + files);
        command.add(ReportProgram.class.getName());
        command.add(how);
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
        // A JVM writes a line to stderr when this variable is set.
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        process.onExit().orTimeout(60, TimeUnit.SECONDS).exceptionally(late -> end(process));
        return process;
    }

    private static Process end(Process process) {
        return process.destroyForcibly();
    }

    private static String pathOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .getPath();
    }
}
