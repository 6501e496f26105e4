package io.mio.info;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineFactsTest {
    @TempDir Path root;
    private FakeSystem system;

    @BeforeEach
    void make() {
        system = new FakeSystem(root);
    }

    @Test
    void shouldUseARingWhereTheKernelGivesOne() throws IOException {
        system.file("/proc/sys/kernel/io_uring_disabled", "0")
                .file("/proc/self/status", "Name:\tjava", "Seccomp:\t0");

        List<Fact> facts = facts();
        assertThat(FakeSystem.told(facts, "engine")).isEqualTo("io_uring");
        assertThat(FakeSystem.told(facts, "io_uring")).isEqualTo("true");
        assertThat(FakeSystem.told(facts, "io_uring_disabled")).isEqualTo("0");
        assertThat(FakeSystem.told(facts, "seccomp")).isEqualTo("none");
        assertThat(FakeSystem.told(facts, "native_helper")).isEqualTo("a test");
    }

    @Test
    void shouldNotKnowWithoutTheHelper() {
        system.without("JNA is missing");

        List<Fact> facts = facts();
        assertThat(FakeSystem.told(facts, "engine")).isEqualTo("threads (no io_uring)");
        assertThat(FakeSystem.told(facts, "io_uring"))
                .isEqualTo("null (no native helper (JNA is missing))");
        assertThat(FakeSystem.told(facts, "native_helper")).isEqualTo("null (JNA is missing)");
    }

    @Test
    void shouldBlameTheSysctlForEverybody() throws IOException {
        system.refusing(1)
                .file("/proc/sys/kernel/io_uring_disabled", "2")
                .file("/proc/self/status", "Seccomp:\t2");

        assertThat(FakeSystem.told(facts(), "io_uring"))
                .startsWith("false (kernel.io_uring_disabled is 2, off for everybody;");
    }

    @Test
    void shouldBlameTheSysctlForAllButAGroup() throws IOException {
        system.refusing(1).file("/proc/sys/kernel/io_uring_disabled", "1");

        assertThat(FakeSystem.told(facts(), "io_uring"))
                .startsWith("false (kernel.io_uring_disabled is 1, for root and the group ");
    }

    @Test
    void shouldBlameTheFilterWhereTheSysctlAllowsIt() throws IOException {
        system.file("/proc/sys/kernel/io_uring_disabled", "0")
                .file("/proc/self/status", "Seccomp:\t2");

        for (int errno : new int[] {1, 38}) {
            system.refusing(errno);
            assertThat(FakeSystem.told(facts(), "io_uring"))
                    .startsWith("false (a seccomp filter forbids it (error " + errno + ");");
        }
        assertThat(FakeSystem.told(facts(), "seccomp")).isEqualTo("filter");
    }

    @Test
    void shouldBlameTheKernelWithoutAFilter() {
        system.refusing(38);

        assertThat(FakeSystem.told(facts(), "io_uring"))
                .isEqualTo(
                        "false (the kernel has none (error 38); Linux 5.1 or later, built with"
                                + " it)");
        assertThat(FakeSystem.told(facts(), "io_uring_disabled"))
                .startsWith("null (no such sysctl");
        assertThat(FakeSystem.told(facts(), "seccomp"))
                .isEqualTo("null (the system does not tell)");
    }

    @Test
    void shouldGiveTheSystemsWordsForAnythingElse() {
        system.refusing(24);
        assertThat(FakeSystem.told(facts(), "io_uring")).isEqualTo("false (error 24)");
        system.refusing(12);
        assertThat(FakeSystem.told(facts(), "io_uring")).contains("error 12; the memlock limit");
    }

    private List<Fact> facts() {
        FactList facts = new FactList();
        EngineFacts.add(facts, system.files(), system);
        return facts.list();
    }
}
