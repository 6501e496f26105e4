package io.mio.info;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryFactsTest {
    private static final String V2 = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw";
    private static final String V1 = "35 31 0:32 / /cg/memory rw - cgroup cgroup rw,memory";

    @TempDir Path root;
    private FakeSystem system;

    @BeforeEach
    void make() {
        system = new FakeSystem(root);
    }

    @Test
    void shouldReadMemoryHugePagesAndLimits() throws IOException {
        system.file(
                        "/proc/meminfo",
                        "MemTotal:       24683656 kB",
                        "MemAvailable:   24000000 kB",
                        "HugePages_Total:      12",
                        "Hugepagesize:       2048 kB")
                .file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never")
                .file(
                        "/proc/self/limits",
                        "Limit                     Soft Limit           Hard Limit           Units",
                        "Max open files            1024                 524288               files",
                        "Max locked memory         unlimited            unlimited           "
                                + " bytes");

        List<Fact> facts = facts();
        assertThat(FakeSystem.told(facts, "memory_bytes")).isEqualTo("25276063744");
        assertThat(FakeSystem.told(facts, "available_bytes")).isEqualTo("24576000000");
        assertThat(FakeSystem.told(facts, "huge_pages_reserved")).isEqualTo("12");
        assertThat(FakeSystem.told(facts, "huge_page_bytes")).isEqualTo("2097152");
        assertThat(FakeSystem.told(facts, "transparent_huge_pages")).isEqualTo("madvise");
        assertThat(FakeSystem.told(facts, "memlock_limit_bytes")).isEqualTo("unlimited");
        assertThat(FakeSystem.told(facts, "descriptor_limit"))
                .isEqualTo("1024 (can be raised to 524288)");
    }

    @Test
    void shouldTakeTheLeastLimitOfTheGroupsAroundInVersion2() throws IOException {
        system.file("/proc/self/mountinfo", V2)
                .file("/proc/self/cgroup", "0::/all/job/step")
                .file("/sys/fs/cgroup/all/memory.max", "max")
                .file("/sys/fs/cgroup/all/job/step/memory.max", "3000000")
                .file("/sys/fs/cgroup/all/job/memory.max", "1000000")
                .file("/sys/fs/cgroup/all/job/memory.current", "5000");

        List<Fact> facts = facts();
        assertThat(FakeSystem.told(facts, "cgroup")).isEqualTo("v2 /all/job/step");
        assertThat(FakeSystem.told(facts, "cgroup_limit_bytes"))
                .isEqualTo("1000000 (by /sys/fs/cgroup/all/job)");
        assertThat(FakeSystem.told(facts, "cgroup_used_bytes")).isEqualTo("5000");
    }

    @Test
    void shouldReadVersion1WhereMemoryHasAHierarchyOfItsOwn() throws IOException {
        system.file("/proc/self/mountinfo", V2, V1)
                .file("/proc/self/cgroup", "4:cpu,memory:/job", "0::/other")
                .file("/cg/memory/job/memory.limit_in_bytes", "600000")
                .file("/cg/memory/job/memory.usage_in_bytes", "1")
                .file("/cg/memory/memory.limit_in_bytes", "9223372036854771712");

        List<Fact> facts = facts();
        assertThat(FakeSystem.told(facts, "cgroup")).isEqualTo("v1 /job");
        assertThat(FakeSystem.told(facts, "cgroup_limit_bytes")).isEqualTo("600000");
        assertThat(FakeSystem.told(facts, "cgroup_used_bytes")).isEqualTo("1");
    }

    @Test
    void shouldCallALimitThatIsNoneUnlimited() throws IOException {
        system.file("/proc/self/mountinfo", V1)
                .file("/proc/self/cgroup", "4:memory:/")
                .file("/cg/memory/memory.limit_in_bytes", "9223372036854771712");

        assertThat(FakeSystem.told(facts(), "cgroup_limit_bytes")).isEqualTo("unlimited");
        assertThat(FakeSystem.told(facts(), "cgroup_used_bytes")).isEqualTo("no fact");
    }

    @Test
    void shouldFindTheGroupWhereAContainerSeesAPartOnly() throws IOException {
        system.file(
                        "/proc/self/mountinfo",
                        "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw")
                .file("/proc/self/cgroup", "0::/docker/abc")
                .file("/sys/fs/cgroup/memory.max", "70000");

        assertThat(FakeSystem.told(facts(), "cgroup_limit_bytes")).isEqualTo("70000");
    }

    @Test
    void shouldKnowNothingWhereNothingIsSeen() {
        assertThat(facts())
                .isNotEmpty()
                .allSatisfy(
                        fact -> {
                            assertThat(fact.value()).isNull();
                            assertThat(fact.note()).isNotEmpty();
                        });
    }

    @Test
    void shouldNotTakeRubbishForNumbers() throws IOException {
        system.file("/proc/meminfo", "MemTotal: many", "MemTotal", ": 5", "MemAvailable:")
                .file("/proc/self/limits", "Max open files", "Max locked memory x y z")
                .file("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise")
                .file("/proc/self/cgroup", "0", "a:b", "");

        assertThat(facts()).allSatisfy(fact -> assertThat(fact.value()).isNull());
        assertThat(SystemFiles.numberOf("99999999999999999999")).isNull();
    }

    private List<Fact> facts() {
        FactList facts = new FactList();
        MemoryFacts.add(facts, system.files(), MountTable.read(system.files()));
        return facts.list();
    }
}
