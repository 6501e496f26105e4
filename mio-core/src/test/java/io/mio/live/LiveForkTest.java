package io.mio.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.Mio;
import io.mio.TwinProgram;
import io.mio.live.LiveProcess.State;
import io.mio.stats.OperationStats;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters of whole programs, seen from outside: JVMs, and native programs under the library. */
class LiveForkTest {
    private static final String RULE = "*.dat [ trace ]";

    @TempDir private Path directory;

    private Path live;
    private String file;

    @BeforeEach
    void place() {
        live = directory.resolve("live");
        file = directory.resolve("work.dat").toString();
    }

    // ---- JVM

    private Process jvm(String how, String rule, String setting) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-cp");
        command.add(pathOf(Mio.class) + File.pathSeparator + pathOf(LiveProgram.class));
        command.add("-Dmio.live=" + setting);
        command.add("-Dmio.files=" + rule);
        command.add(LiveProgram.class.getName());
        command.add(file);
        command.add(how);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        return started(builder.redirectError(ProcessBuilder.Redirect.INHERIT));
    }

    private static String pathOf(Class<?> type) {
        return new File(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .getPath();
    }

    private static Process started(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        process.onExit()
                .orTimeout(120, TimeUnit.SECONDS)
                .exceptionally(late -> process.destroyForcibly());
        return process;
    }

    /** Returns what the program prints until it is ready. */
    private static List<String> untilReady(Process process) throws IOException {
        List<String> said = new ArrayList<>();
        BufferedReader lines = process.inputReader();
        String line = lines.readLine();
        while (line != null && !line.equals("ready")) {
            said.add(line);
            line = lines.readLine();
        }
        assertThat(line).isEqualTo("ready");
        return said;
    }

    private LiveProcess only() {
        List<LiveProcess> all = LiveReader.read(live);
        assertThat(all).hasSize(1);
        return all.get(0);
    }

    private static void assertWork(TraceSnapshot trace, long writes, long reads) {
        assertWork(trace, writes, reads, 0);
    }

    /** {@code failed} is the number of reads that brought nothing. */
    private static void assertWork(TraceSnapshot trace, long writes, long reads, long failed) {
        OperationStats write = trace.of(TraceOperation.WRITE);
        OperationStats read = trace.of(TraceOperation.READ);
        assertThat(trace.of(TraceOperation.OPEN).count()).isEqualTo(1);
        assertThat(write.count()).isEqualTo(writes);
        assertThat(write.delivered()).isEqualTo(writes * 4096);
        assertThat(read.count()).isEqualTo(reads + failed);
        assertThat(read.delivered()).isEqualTo(reads * 100);
        assertThat(trace.currentSize()).isEqualTo(writes * 4096);
        assertThat(trace.above()).isEqualTo("program");
    }

    @Test
    void shouldShowWhatAJvmCountsWhileItRunsAndAfterItWasKilled() throws Exception {
        Process program = jvm("sit", RULE, live.toString());
        untilReady(program);

        LiveProcess running = only();
        assertThat(running.state()).isEqualTo(State.RUNS);
        assertThat(running.pid()).isEqualTo(program.pid());
        assertThat(running.door()).isEqualTo(LiveProcess.Door.JVM);
        assertThat(running.program()).isEqualTo(LiveProgram.class.getName());
        assertThat(running.traces()).hasSize(1);
        assertWork(running.traces().get(0), 100, 7);
        assertThat(running.traces().get(0).file()).isEqualTo(file);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(running.path())))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(live)))
                .isEqualTo("rwx------");

        program.destroyForcibly().waitFor();
        assertThat(only().state()).isEqualTo(State.GONE);
        assertWork(only().traces().get(0), 100, 7);
        assertThat(LiveReader.clean(live)).isEqualTo(1);
        assertThat(live).isEmptyDirectory();
    }

    @Test
    void shouldShowThePagesOfAJvm() throws Exception {
        Process program =
                jvm("sit", "*.dat [ trace | pf/cache=64k/page=4k/pref=2 ]", live.toString());
        untilReady(program);
        program.destroyForcibly().waitFor();

        LiveProcess killed = only();
        assertWork(killed.traces().get(0), 100, 7);
        assertThat(killed.pages()).hasSize(2);
        for (LivePages pages : killed.pages()) {
            assertThat(pages.counters().program().writes()).isEqualTo(100);
            assertThat(pages.counters().program().bytesRead()).isEqualTo(700);
            assertThat(pages.residentPages()).isEqualTo(16);
            assertThat(pages.counters().pages()).isEqualTo(16);
        }
    }

    @Test
    void shouldLoseNoCallOfSeveralThreadsOfAJvm() throws Exception {
        Process program = jvm("threads", RULE, live.toString());
        untilReady(program);
        program.destroyForcibly().waitFor();
        assertWork(only().traces().get(0), 100, 4007);
    }

    @Test
    void shouldShowManyFilesOfAJvmAndNoneThatIsClosed() throws Exception {
        Process program = jvm("many", RULE, live.toString());
        untilReady(program);
        program.destroyForcibly().waitFor();

        LiveProcess killed = only();
        assertThat(killed.unrecorded()).isZero();
        assertThat(killed.traces()).hasSize(301);
        for (TraceSnapshot trace : killed.traces()) {
            String number = trace.file().substring(file.length());
            if (!number.isEmpty()) {
                long bytes = Long.parseLong(number.substring(0, number.length() - 4));
                assertThat(bytes % 2).isEqualTo(1);
                assertThat(trace.of(TraceOperation.WRITE).delivered()).isEqualTo(bytes);
                assertThat(trace.of(TraceOperation.WRITE).count()).isEqualTo(1);
            }
        }
    }

    @Test
    void shouldShowNothingOfAFileThatAJvmHasClosed() throws Exception {
        Process program = jvm("close", RULE, live.toString());
        untilReady(program);
        assertThat(only().traces()).isEmpty();
        program.getOutputStream().close();
        assertThat(program.waitFor()).isZero();
        assertThat(live).isEmptyDirectory();
    }

    @Test
    void shouldKeepAnInterruptOfTheThreadThatMakesTheFile() throws Exception {
        Process program = jvm("interrupted", RULE, live.toString());
        assertThat(untilReady(program)).containsExactly("true");
        assertWork(only().traces().get(0), 100, 7);
        program.destroyForcibly().waitFor();
    }

    @Test
    void shouldTakeThePlaceThatTheFirstFileSystemWithRulesSays() throws Exception {
        Process program = jvm("unruled", RULE, live.toString());
        untilReady(program);
        assertWork(only().traces().get(0), 100, 7);
        program.destroyForcibly().waitFor();
    }

    @Test
    void shouldLeaveNothingOfAJvmThatEnds() throws Exception {
        assertThat(jvm("exit", RULE, live.toString()).waitFor()).isZero();
        assertThat(live).isEmptyDirectory();
    }

    @Test
    void shouldRunAJvmWithoutWhereThereIsNoPlace() throws Exception {
        assertThat(jvm("exit", RULE, "off").waitFor()).isZero();
        assertThat(live).doesNotExist();
        Files.createDirectory(live);
        Files.setPosixFilePermissions(live, PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(jvm("exit", RULE, live.toString()).waitFor()).isZero();
        assertThat(jvm("exit", RULE, "/proc/none").waitFor()).isZero();
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory);
        assertThat(jvm("exit", RULE, link.toString()).waitFor()).isZero();
        assertThat(live).isEmptyDirectory();
        assertThat(directory.toFile().list()).doesNotContain(".live");
    }

    // ---- native programs

    private Process start(String how, String rule) throws IOException {
        Path program = TwinProgram.path("twin_live");
        Path natives = program.getParent().getParent().getParent().getParent().resolve("natives");
        Path library =
                natives.resolve(program.getParent().getParent().getFileName())
                        .resolve("libmio_preload.so");
        assumeTrue(Files.exists(library), "libmio_preload.so was not built");
        ProcessBuilder builder = new ProcessBuilder(program.toString(), "work", file, how);
        builder.environment().put("LD_PRELOAD", library.toString());
        builder.environment().put("MIO_FILES", rule);
        builder.environment().put("MIO_LIVE", live.toString());
        return started(builder.redirectError(ProcessBuilder.Redirect.INHERIT));
    }

    @Test
    void shouldShowWhatANativeProgramCountsWhileItRuns() throws Exception {
        Process program = start("sit", RULE);
        untilReady(program);
        LiveProcess running = only();
        assertThat(running.state()).isEqualTo(State.RUNS);
        assertThat(running.pid()).isEqualTo(program.pid());
        assertThat(running.door()).isEqualTo(LiveProcess.Door.NATIVE);
        assertThat(running.program()).isEqualTo("twin_live");
        assertWork(running.traces().get(0), 100, 7, 1);
        assertThat(running.traces().get(0).distributions().errors()).containsEntry("EFAULT", 1L);

        program.getOutputStream().close();
        assertThat(program.waitFor()).isZero();
        assertThat(live).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {RULE, "*.dat [ trace | trace ]", "*.dat [ trace | pf/cache=64k/page=4k ]"})
    void shouldKeepWhatANativeProgramCountedWhenItIsKilled(String rule) throws Exception {
        start("kill", rule).waitFor();
        LiveProcess killed = only();
        assertThat(killed.state()).isEqualTo(State.GONE);
        assertWork(killed.traces().get(0), 100, 7, 1);
        assertThat(killed.traces()).hasSize(rule.contains("| trace") ? 2 : 1);
        assertThat(killed.pages()).hasSize(rule.contains("pf") ? 2 : 0);
        for (LivePages pages : killed.pages()) {
            assertThat(pages.counters().program().writes()).isEqualTo(100);
            assertThat(pages.counters().program().bytesRead()).isEqualTo(700);
            assertThat(pages.residentPages()).isEqualTo(16);
        }
    }

    @Test
    void shouldLoseNoCallOfSeveralThreads() throws Exception {
        start("threads", RULE).waitFor();
        assertWork(only().traces().get(0), 100, 4007, 1);
    }

    @Test
    void shouldGiveAForkedChildAFileOfItsOwn() throws Exception {
        Process program = start("fork", "** [ trace ]");
        long pid = program.pid();
        program.waitFor();
        List<LiveProcess> all = LiveReader.read(live);
        assertThat(all).hasSize(2);
        for (LiveProcess one : all) {
            boolean parent = one.pid() == pid;
            assertThat(one.traces()).hasSize(1);
            assertThat(one.traces().get(0).file()).isEqualTo(parent ? file : file + ".child");
            assertWork(one.traces().get(0), parent ? 100 : 3, 7, 1);
        }
    }

    @Test
    void shouldTakeItsFileAwayWhenItExecutesAnotherProgram() throws Exception {
        Process program = start("exec", RULE);
        untilReady(program);
        assertThat(live).isEmptyDirectory();
        program.getOutputStream().close();
        assertThat(program.waitFor()).isZero();
    }

    @Test
    void shouldCountOnWhereAProgramCannotBeExecuted() throws Exception {
        start("exec-fails", RULE).waitFor();
        assertWork(only().traces().get(0), 100, 8, 1);
    }
}
