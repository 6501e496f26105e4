package io.mio.os;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.TwinProgram;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What kinds of file systems both doors know, by the type names of mounts. */
class FileSystemTypesTwinTest {
    @Test
    void shouldKnowTheSameAsTheNativeDoor() {
        List<String> rows = new ArrayList<>();
        for (FileSystemTypes.Row row : FileSystemTypes.TABLE) {
            rows.add(row.type() + "\t" + row.place());
        }
        assertThat(TwinProgram.rows("twin_tables", "file system")).isEqualTo(rows);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"nfs", "nfs4", "fuse", "fuse.sshfs", "fuseblk", "smb3", "afs", "beegfs"})
    void shouldKnowThoseOfOtherMachinesAndOfPrograms(String type) {
        int place = FileSystemTypes.place(type);
        assertThat(place).isEqualTo(NativeCalls.PLACE_REMOTE);
        assertThat(FileSystemTypes.isElsewhere(place)).isTrue();
        assertThat(FileSystemTypes.isBuffered(place)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lustre", "gpfs", "gfs2", "ocfs2"})
    void shouldLeaveDirectIoToThoseThatMachinesShareByLocks(String type) {
        int place = FileSystemTypes.place(type);
        assertThat(place).isEqualTo(NativeCalls.PLACE_SHARED);
        assertThat(FileSystemTypes.isElsewhere(place)).isTrue();
        assertThat(FileSystemTypes.isBuffered(place)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "xfs", "btrfs", "overlay", "cephx", "n", ""})
    void shouldTakeAllOthersForDisksOfThisMachine(String type) {
        int place = FileSystemTypes.place(type);
        assertThat(place).isZero();
        assertThat(FileSystemTypes.isElsewhere(place)).isFalse();
        assertThat(FileSystemTypes.isBuffered(place)).isFalse();
    }
}
