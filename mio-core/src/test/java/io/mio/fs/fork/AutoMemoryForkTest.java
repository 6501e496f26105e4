package io.mio.fs.fork;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.mio.fs.DirectSupport;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A JVM under {@code pf/auto} in a memory cgroup that is far smaller than its file. Twin of {@code
 * auto_memory_test.sh}. The file has 2 GiB of holes; with {@code MIO_TEST_FULL}, 10 GiB.
 */
class AutoMemoryForkTest {
    private static final long LIMIT_BYTES = 256L << 20;
    private static final long FULL_BYTES = 10L << 30;

    @TempDir Path directory;

    @Test
    void shouldReadAFileLargerThanItsMemoryAndKeepWithinTheLimit() throws Exception {
        assumeTrue(
                DirectSupport.isThere(Files.createFile(directory.resolve("probe"))),
                "the file system takes no direct I/O");
        Path file = directory.resolve("large");
        try (RandomAccessFile made = new RandomAccessFile(file.toFile(), "rw")) {
            made.setLength(System.getenv("MIO_TEST_FULL") == null ? 2L << 30 : FULL_BYTES);
        }
        Optional<MemoryGroup> made = MemoryGroup.make(LIMIT_BYTES);
        assumeTrue(made.isPresent(), "no memory cgroup can be made");
        Path report = directory.resolve("report");
        long swapped = swappedOut();
        try (MemoryGroup group = made.orElseThrow()) {
            Process process = start(group.enter(), file, report);
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            assertThat(group.killed()).as("processes that were killed").isZero();
            assertThat(group.mostUsed()).as("bytes used").isPositive().isLessThan(LIMIT_BYTES + 1);
        }
        assertThat(report).content().contains("past the kernel's cache: the file");
        if (hasSwap()) {
            assertThat(swappedOut()).as("pages swapped out").isEqualTo(swapped);
        }
    }

    private static Process start(String shell, Path file, Path report) throws IOException {
        List<String> command = new ArrayList<>(List.of("bash", "-c", shell + "exec \"$@\"", "x"));
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx64m", "-XX:-UsePerfData"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        if (Runtime.version().feature() >= 22) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.add("-Djava.nio.file.spi.DefaultFileSystemProvider=io.mio.fs.DefaultMioProvider");
        command.add("-Dmio.files=" + file.getFileName() + " [ pf/auto/stats={" + report + "} ]");
        command.add(LargeFileProgram.class.getName());
        command.add(file.toString());
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("MIO_"));
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        process.onExit()
                .orTimeout(300, TimeUnit.SECONDS)
                .exceptionally(late -> process.destroyForcibly());
        return process;
    }

    /** The number of pages that the machine has swapped out since it started. */
    private static long swappedOut() throws IOException {
        return Files.readAllLines(Path.of("/proc/vmstat")).stream()
                .filter(line -> line.startsWith("pswpout "))
                .mapToLong(line -> Long.parseLong(line.substring("pswpout ".length())))
                .sum();
    }

    /** Whether the machine has any swap space. */
    private static boolean hasSwap() throws IOException {
        return Files.readAllLines(Path.of("/proc/swaps")).size() > 1;
    }
}
