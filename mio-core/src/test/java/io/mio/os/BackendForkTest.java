package io.mio.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.os.OwnFiles.Way;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which backend is chosen in a JVM of its own when some of what it needs is missing. */
class BackendForkTest {
    private static final String BEST = OwnFiles.isPossible(Way.URING) ? "io_uring" : "threads";

    @TempDir private Path directory;

    private String run(List<String> before, List<String> options, String... arguments)
            throws Exception {
        List<String> command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(System.getProperty("java.class.path"));
        command.add(BackendProgram.class.getName());
        command.add(directory.resolve("file").toString());
        command.addAll(List.of(arguments));
        Path output = directory.resolve("output");
        Process process =
                new ProcessBuilder(command)
                        .redirectOutput(output.toFile())
                        .redirectError(directory.resolve("errors").toFile())
                        .start();
        if (!process.waitFor(2, TimeUnit.MINUTES)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("still running: " + command);
        }
        assertThat(process.exitValue()).as(Files.readString(directory.resolve("errors"))).isZero();
        return Files.readString(output);
    }

    private static void needHelper() {
        assumeTrue(NativeHelper.load().isAvailable(), "no helper was built");
    }

    @Test
    void shouldUseTheBestThereIs() throws Exception {
        needHelper();
        assertThat(run(List.of(), List.of()))
                .startsWith("before: sync\n")
                .endsWith("same: true 10000\nafter: " + BEST + "\n");
    }

    @Test
    void shouldDoTheSameUnderTheDefaultProvider() throws Exception {
        needHelper();
        String provider =
                "-Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider";
        assertThat(run(List.of(), List.of(provider)))
                .startsWith("before: sync\nswitched\n")
                .endsWith("same: true 10000\nafter: " + BEST + "\n");
    }

    @Test
    void shouldDoWithThreadsWithoutTheHelper() throws Exception {
        assertThat(run(List.of(), List.of("-Dmio.native.path=/nowhere")))
                .isEqualTo(
                        """
                        before: sync
                        file: io_uring: no file /nowhere; see mio.native.path; threads instead
                        same: true 10000
                        after: threads
                        """);
    }

    @Test
    void shouldDoWhatThePropertySays() throws Exception {
        for (String asked : List.of("threads", "sync")) {
            assertThat(run(List.of(), List.of("-Dmio.backend=" + asked)))
                    .isEqualTo("before: sync\nsame: true 10000\nafter: " + asked + "\n");
        }
    }

    @Test
    void shouldDoWithoutACacheWhileThereAreNoDescriptors() throws Exception {
        needHelper();
        Path prlimit = Path.of("/usr/bin/prlimit");
        assumeTrue(Files.isExecutable(prlimit), "no prlimit");
        assertThat(run(List.of(prlimit.toString(), "--nofile=200"), List.of(), "starved"))
                .endsWith(
                        """
                        same: true 10000
                        hoarded
                        file: no cache: Too many open files
                        no cache
                        same: true 10000
                        after: %s
                        """
                                .formatted(BEST));
    }

    @Test
    void shouldDoWithThreadsWhereNoMemoryMayBeLocked() throws Exception {
        needHelper();
        Path prlimit = Path.of("/usr/bin/prlimit");
        assumeTrue(Files.isExecutable(prlimit), "no prlimit");
        String output = run(List.of(prlimit.toString(), "--memlock=0"), List.of());
        assertThat(output).contains("same: true 10000\n");
        // Newer kernels do not apply the limit, nor do older ones to privileged users.
        assertThat(output).containsPattern("after: (io_uring|threads)\n");
    }

    /** Logging that starts too early would leave the program without its log manager. */
    @Test
    void shouldNotStartLoggingBeforeItsManagerIsToBeFound() throws Exception {
        String manager = "-Djava.util.logging.manager=";
        assertThat(run(List.of(), List.of(manager + "of.a.module.Manager")))
                .isEqualTo(
                        """
                        before: sync
                        file: io_uring: JNA would start java.util.logging, whose manager \
                        of.a.module.Manager is not to be found yet; threads instead
                        same: true 10000
                        after: threads
                        """);
        assertThat(directory.resolve("errors")).isEmptyFile();
        needHelper();
        assertThat(run(List.of(), List.of(manager + "java.util.logging.LogManager")))
                .endsWith("same: true 10000\nafter: " + BEST + "\n");
    }
}
