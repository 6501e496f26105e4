package io.mio.info;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountTableTest {
    @TempDir Path root;

    @Test
    void shouldFindTheInnermostFileSystem() throws IOException {
        MountTable table =
                table(
                        "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard",
                        "28 27 0:30 / /data rw shared:1 master:2 - btrfs /dev/sdb1 rw,subvol=/x",
                        "29 28 0:31 / /data/in rw - tmpfs tmpfs rw,size=10k");

        assertThat(table.of("/etc/passwd").type()).isEqualTo("ext4");
        assertThat(table.of("/database").type()).isEqualTo("ext4");
        assertThat(table.of("/data").type()).isEqualTo("btrfs");
        assertThat(table.of("/data/file").source()).isEqualTo("/dev/sdb1");
        assertThat(table.of("/data/in/file").type()).isEqualTo("tmpfs");
        assertThat(table.of("/data/file").options()).containsExactly("rw", "subvol=/x");
        assertThat(table.of("/etc").major()).isEqualTo(254);
    }

    @Test
    void shouldTakeTheLastOfSeveralAtOnePlace() throws IOException {
        MountTable table =
                table(
                        "1 1 8:1 / / rw - ext4 /dev/sda1 rw",
                        "2 1 8:2 / /mnt rw - xfs /dev/sda2 rw",
                        "3 2 8:3 / /mnt rw - ext3 /dev/sda3 rw");

        assertThat(table.of("/mnt/x").type()).isEqualTo("ext3");
    }

    @Test
    void shouldUndoTheKernelsEscapes() throws IOException {
        MountTable table = table("1 1 8:1 /a\\040b /a\\011\\134c rw - fuse.x some\\040thing rw");

        MountTable.Mount mount = table.of("/a\t\\c/file");
        assertThat(mount.root()).isEqualTo("/a b");
        assertThat(mount.source()).isEqualTo("some thing");
    }

    @Test
    void shouldPassOverLinesThatAreNone() throws IOException {
        MountTable table =
                table("", "x", "1 1 8:1 / / rw", "1 1 8 / / rw - a b c", "1 1 a:b / / rw - a b c");

        assertThat(table.all()).isEmpty();
        assertThat(table.of("/")).isNull();
        assertThat(MountTable.read(new SystemFiles(root.resolve("none").toFile())).all()).isEmpty();
    }

    private MountTable table(String... lines) throws IOException {
        return MountTable.read(new FakeSystem(root).file("/proc/self/mountinfo", lines).files());
    }
}
