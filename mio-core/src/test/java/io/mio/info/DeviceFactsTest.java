package io.mio.info;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeviceFactsTest {
    @TempDir Path root;
    private FakeSystem system;

    @BeforeEach
    void make() {
        system = new FakeSystem(root);
    }

    @Test
    void shouldReadTheQueueOfADevice() throws IOException {
        queue("/sys/devices/pci/sda");
        link("8:0", "/sys/devices/pci/sda");
        system.file("/sys/devices/pci/sda/device/queue_depth", "32");

        List<Fact> facts = facts(8, 0);
        assertThat(FakeSystem.told(facts, "name")).isEqualTo("sda");
        assertThat(FakeSystem.told(facts, "rotational")).isEqualTo("true");
        assertThat(FakeSystem.told(facts, "queue_depth")).isEqualTo("32");
        assertThat(FakeSystem.told(facts, "logical_block_bytes")).isEqualTo("512");
        assertThat(FakeSystem.told(facts, "physical_block_bytes")).isEqualTo("4096");
        assertThat(FakeSystem.told(facts, "request_max_bytes")).isEqualTo("1310720");
        assertThat(FakeSystem.told(facts, "read_ahead_bytes")).isEqualTo("131072");
    }

    @Test
    void shouldReadTheQueueOfAPartitionsDevice() throws IOException {
        queue("/sys/devices/pci/sda");
        system.file("/sys/devices/pci/sda/sda1/partition", "1");
        link("8:1", "/sys/devices/pci/sda/sda1");

        List<Fact> facts = facts(8, 1);
        assertThat(FakeSystem.told(facts, "name")).isEqualTo("sda1 (part of sda)");
        assertThat(FakeSystem.told(facts, "queue_depth")).isEqualTo("256");
    }

    @Test
    void shouldSayWhatAMappedDeviceLiesOn() throws IOException {
        system.file("/sys/devices/virtual/dm-0/dm/name", "vg-home")
                .file("/sys/devices/virtual/dm-0/slaves/sdb2/x")
                .file("/sys/devices/virtual/dm-0/slaves/sda2/x")
                .file("/sys/devices/virtual/loop3/loop/backing_file", "/images/a\u001bb");
        link("253:0", "/sys/devices/virtual/dm-0");
        link("7:3", "/sys/devices/virtual/loop3");

        assertThat(FakeSystem.told(facts(253, 0), "name"))
                .isEqualTo("dm-0 (vg-home, on sda2, sdb2)");
        assertThat(FakeSystem.told(facts(7, 3), "name"))
                .isEqualTo("loop3 (shows the file /images/a\u001bb)");
        assertThat(FakeSystem.told(facts(7, 3), "rotational"))
                .isEqualTo("null (the system does not tell)");
    }

    @Test
    void shouldSayWhyThereIsNone() {
        assertThat(FakeSystem.told(facts(0, 45), "name"))
                .isEqualTo("null (the file system has none)");
        assertThat(FakeSystem.told(facts(8, 0), "name"))
                .isEqualTo("null (not seen in /sys/dev/block)");
    }

    private void queue(String dir) throws IOException {
        system.file(dir + "/queue/rotational", "1")
                .file(dir + "/queue/nr_requests", "256")
                .file(dir + "/queue/logical_block_size", "512")
                .file(dir + "/queue/physical_block_size", "4096")
                .file(dir + "/queue/max_sectors_kb", "1280")
                .file(dir + "/queue/read_ahead_kb", "128");
    }

    private void link(String number, String dir) throws IOException {
        Path links = Files.createDirectories(root.resolve("sys/dev/block"));
        Files.createSymbolicLink(links.resolve(number), root.resolve(dir.substring(1)));
    }

    private List<Fact> facts(long major, long minor) {
        FactList facts = new FactList();
        DeviceFacts.add(facts, system.files(), major, minor);
        return facts.list();
    }
}
