package io.mio.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The kernel reports a write that failed once to each open of the program. */
class FlushTest {
    private static final Backends.Wish WISH = new Backends.Wish(false, false, false);

    @TempDir Path directory;

    @Test
    void shouldTellEachOpenOfAFailedWriteOnce() throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[100]);
        try (Failed first = new Failed(file);
                Failed second = new Failed(file)) {
            BackendFile one = open(first, file);
            BackendFile other = open(second, file);
            assertThatThrownBy(() -> one.flush(true)).hasMessage("Input/output error");
            assertThatThrownBy(() -> other.flush(false)).hasMessage("Input/output error");
            one.flush(false);
            other.flush(true);
            assertThat(first.forced).isEqualTo(2);
            assertThat(second.forced).isEqualTo(2);
            one.close();
            other.close();
        }
    }

    /** An interrupt closes the program's channel, as it does without MIO, and nothing of MIO. */
    @Test
    void shouldFlushByTheChannelOfTheProgram() throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[100]);
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            BackendFile own = open(channel, file);
            own.flush(true);
            assertThat(channel.isOpen()).isTrue();
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> own.flush(true))
                    .isInstanceOf(ClosedByInterruptException.class);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(channel.isOpen()).isFalse();
            assertThat(own.write(ByteBuffer.wrap(new byte[] {1}), 0)).isEqualTo(1);
            own.close();
        }
        assertThat(Files.readAllBytes(file)[0]).isEqualTo((byte) 1);
    }

    private static BackendFile open(Channel channel, Path file) {
        int oflags = OpenFlags.RDWR;
        return Backends.open(channel, file, oflags, WISH, line -> {}, kept -> {});
    }

    /** An open of a file of which the kernel could not write a part. */
    private static final class Failed extends OtherChannel {
        private int forced;

        Failed(Path file) throws IOException {
            super(file);
        }

        @Override
        public void force(boolean metadata) throws IOException {
            if (forced++ == 0) {
                throw new IOException("Input/output error");
            }
            platform.force(metadata);
        }
    }
}
