package io.mio.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryGroupTest {
    private static final long LIMIT = 400 << 20;

    @TempDir Path dir;

    private FakeHost host;

    @BeforeEach
    void makeHost() throws IOException {
        host = new FakeHost(dir);
    }

    private MemoryGroup open() throws InterruptedException {
        return MemoryGroup.open(host.root(), host, LIMIT);
    }

    private static String text(MemoryGroup group, String file) throws IOException {
        return Files.readString(group.directory().resolve(file)).trim();
    }

    @Test
    void shouldLimitAGroupBelowItsOwnInVersion1() throws Exception {
        host.memoryVersion1("4:cpuset,memory:/user/me", "/");
        Path own = host.group(host.mount1(), "user/me");
        MemoryGroup group = open();
        assertThat(group.directory()).hasParent(own);
        assertThat(text(group, "memory.limit_in_bytes")).isEqualTo(Long.toString(LIMIT));
        assertThat(text(group, "cgroup.procs")).matches("[0-9]+");
        group.close();
        assertThat(group.directory()).doesNotExist();
    }

    @Test
    void shouldTakeTheNearestGroupThatPassesMemoryOnInVersion2() throws Exception {
        host.memoryVersion2("0::/user.slice/service/app", "/");
        host.group(host.mount2(), "user.slice/service/app");
        Path service = host.mount2().resolve("user.slice/service");
        host.passOn(service, "memory pids");
        MemoryGroup group = open();
        assertThat(group.directory()).hasParent(service);
        assertThat(text(group, "memory.max")).isEqualTo(Long.toString(LIMIT));
    }

    @Test
    void shouldGoUpWhereItsOwnGroupAllowsNone() throws Exception {
        host.memoryVersion1("4:memory:/a/b", "/");
        host.refuse(host.group(host.mount1(), "a/b"));
        assertThat(open().directory()).hasParent(host.mount1().resolve("a"));
    }

    @Test
    void shouldFindItsGroupInAContainerThatSeesAPartOfTheTree() throws Exception {
        host.memoryVersion1("4:memory:/docker/1f/job", "/docker/1f");
        Path job = host.group(host.mount1(), "job");
        assertThat(open().directory()).hasParent(job);
        host.memoryVersion1("4:memory:/elsewhere", "/docker/1f");
        assertThat(open().directory()).hasParent(host.mount1());
        host.memoryVersion1("4:memory:/../../outside", "/");
        assertThat(open().directory()).hasParent(host.mount1());
    }

    @Test
    void shouldLeaveNothingWhereNoneIsAllowed() throws Exception {
        host.memoryVersion1("4:memory:/", "/");
        host.refuse(host.mount1());
        assertThat(open()).isNull();
        assertThat(host.made).isEmpty();
    }

    @Test
    void shouldRemoveAGroupNoProcessCanEnter() throws Exception {
        host.memoryVersion1("4:memory:/", "/");
        host.refuseEntering();
        assertThat(open()).isNull();
        assertThat(host.made).hasSize(1).allSatisfy(made -> assertThat(made).doesNotExist());
    }

    @Test
    void shouldFindNoneWithoutCgroups() throws Exception {
        assertThat(open()).isNull();
        host.write("proc/self/cgroup", "");
        host.write("proc/self/mountinfo", "1 0 8:1 / / rw - ext4 /dev/sda rw\nbroken\n");
        assertThat(open()).isNull();
    }

    @Test
    void shouldRunACommandInsideWithItsArgumentsAsTheyAre() throws Exception {
        host.memoryVersion2("0::/", "/");
        MemoryGroup group = open();
        List<String> command = group.wrap(List.of("printf", "%s|", "a b", "$HOME", "it's"));
        Process process = new ProcessBuilder(command).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        assertThat(output).isEqualTo("a b|$HOME|it's|");
        assertThat(text(group, "cgroup.procs")).isEqualTo(Long.toString(process.pid()));
    }

    @Test
    void shouldNameAGroupAfterTheCommandThatUsesIt() throws Exception {
        host.memoryVersion2("0::/", "/");
        MemoryGroup group = MemoryGroup.open(host.root(), host, "mio-bench", LIMIT);
        assertThat(group.directory().getFileName().toString())
                .startsWith("mio-bench-" + ProcessHandle.current().pid() + "-");
        assertThat(open().directory().getFileName().toString()).startsWith("mio-demo-");
    }

    @Test
    void shouldPutAProcessIntoAGroupOfThisMachine() throws Exception {
        MemoryGroup group =
                MemoryGroup.open(Path.of("/"), new MemoryGroup.KernelDirectories(), LIMIT);
        assumeTrue(group != null, "memory cgroups are not allowed here");
        try {
            Process process =
                    new ProcessBuilder(group.wrap(List.of("cat", "/proc/self/cgroup"))).start();
            String groups =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).isZero();
            assertThat(groups).contains(group.directory().getFileName().toString());
        } finally {
            group.close();
        }
        assertThat(group.directory()).doesNotExist();
    }
}
