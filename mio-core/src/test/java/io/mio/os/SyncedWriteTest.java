package io.mio.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.FileKey;
import io.mio.layer.IoRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Writes of a file that the program opened with SYNC or DSYNC. */
class SyncedWriteTest {
    private static final int ENOSPC = 28;

    /** Takes {@code room} bytes and then none; syncs {@code syncs} times and then fails. */
    private static final class Disk extends Descriptor {
        private int room;
        private final int syncs;
        private int synced;

        Disk(int room, int syncs) {
            this.room = room;
            this.syncs = syncs;
        }

        @Override
        int number() {
            return -1;
        }

        @Override
        int read(ByteBuffer memory, int at, int length, long offset, int alignBytes, int flags) {
            return 0;
        }

        @Override
        int write(ByteBuffer memory, int at, int length, long offset, int alignBytes, int flags) {
            int bytes = Math.min(length, room);
            room -= bytes;
            return bytes == 0 ? -ENOSPC : bytes;
        }

        @Override
        long size() {
            return 0;
        }

        @Override
        void truncate(long size) {}

        @Override
        void sync(boolean metadata) throws IOException {
            if (synced == syncs) {
                throw new IOException("Input/output error");
            }
            synced++;
        }

        @Override
        boolean reserve(long offset, long bytes) {
            return false;
        }

        @Override
        void close() {}
    }

    private static OwnFile file(Disk disk) {
        OwnFile.Parts parts = new OwnFile.Parts();
        parts.shared = SharedFile.enter(new FileKey(-1, -1));
        parts.buffered = disk;
        parts.writable = true;
        parts.synced = true;
        parts.backend = new SyncBackend();
        parts.name = "file";
        parts.debug = line -> {};
        return new OwnFile(parts);
    }

    private static int write(OwnFile file, ByteBuffer src) throws IOException {
        return OsLayer.ofBackend(file, null, "os", true).write(src, 0);
    }

    @Test
    void shouldNotCallWrittenWhatTheDeviceDoesNotHave() throws Exception {
        OwnFile file = file(new Disk(100, 0));
        ByteBuffer src = ByteBuffer.allocateDirect(10);
        assertThatThrownBy(() -> write(file, src)).hasMessage("Input/output error");
        assertThat(src.position()).isZero();
        IoRequest request = IoRequest.write(src, 0, done -> {});
        file.submit(request);
        request.await();
        assertThat(request.error()).hasMessage("Input/output error");
        file.close();
    }

    @Test
    void shouldSyncWhatWasWrittenBeforeItFailed() throws Exception {
        Disk disk = new Disk(7, 1);
        OwnFile file = file(disk);
        ByteBuffer src = ByteBuffer.allocateDirect(10);
        assertThat(write(file, src)).isEqualTo(7);
        assertThat(disk.synced).isEqualTo(1);
        assertThatThrownBy(() -> write(file, src)).isInstanceOf(IOException.class);
        file.close();
    }
}
