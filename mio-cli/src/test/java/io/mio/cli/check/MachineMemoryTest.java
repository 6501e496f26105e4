package io.mio.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MachineMemoryTest {
    @TempDir Path root;

    @Test
    void shouldBeThatOfTheMachineWithoutLimits() throws IOException {
        write("proc/meminfo", "MemFree:  1 kB\nMemTotal:       16384 kB\n");
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/a/b/memory.max", "max\n");
        assertThat(MachineMemory.of(root))
                .isEqualTo(new MachineMemory(16L << 20, "the machine's memory"));
    }

    @Test
    void shouldBeTheSmallestLimitOfAGroupAndThoseAroundIt() throws IOException {
        write("proc/meminfo", "MemTotal:       16384 kB\n");
        write("proc/self/cgroup", "0::/a/b\n");
        write("sys/fs/cgroup/a/b/memory.max", "9000000\n");
        write("sys/fs/cgroup/a/memory.max", "8000000\n");
        assertThat(MachineMemory.of(root))
                .isEqualTo(new MachineMemory(8_000_000, "its control group's limit"));
    }

    @Test
    void shouldReadGroupsOfTheFirstVersion() throws IOException {
        write("proc/meminfo", "MemTotal:       16384 kB\n");
        write("proc/self/cgroup", "3:cpu,memory:/a\n0::/\n");
        write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "5000000\n");
        assertThat(MachineMemory.of(root).bytes()).isEqualTo(5_000_000);
    }

    @Test
    void shouldNotBeKnownWhereNobodyTells() {
        assertThat(MachineMemory.of(root).bytes()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void shouldBeKnownHere() {
        assertThat(MachineMemory.ofProcess().bytes()).isBetween(1L << 24, 1L << 60);
    }

    private void write(String name, String text) throws IOException {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
