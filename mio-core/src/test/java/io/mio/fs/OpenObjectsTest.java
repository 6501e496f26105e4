package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.Channel;
import java.nio.file.ClosedFileSystemException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever is still open is closed with its file system; what is not costs no memory. */
class OpenObjectsTest {
    private static final int MANY = 10_000;

    private final OpenObjects objects = new OpenObjects();

    private static final class OpenChannel implements Channel {
        private boolean open = true;
        private int closes;

        @Override
        public boolean isOpen() {
            return open;
        }

        @Override
        public void close() {
            open = false;
            closes++;
        }
    }

    /** Does not tell whether it is open, as a stream does not. */
    private static final class OpenStream implements Closeable {
        private int closes;

        @Override
        public void close() {
            closes++;
        }
    }

    @Test
    void forgetsChannelsThatAreClosed() throws IOException {
        List<OpenChannel> kept = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            OpenChannel channel = new OpenChannel();
            objects.add(channel);
            kept.add(channel);
            channel.close();
        }

        assertThat(objects.size()).isLessThan(100);
        assertThat(kept).allMatch(channel -> channel.closes == 1);
    }

    @Test
    void closesAllThatAreOpenAmongMany() throws IOException {
        List<OpenChannel> open = new ArrayList<>();
        List<OpenStream> streams = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            OpenChannel channel = new OpenChannel();
            objects.add(channel);
            open.add(channel);
            if (i % 3 != 0) {
                channel.close();
            }
            OpenStream stream = new OpenStream();
            objects.add(stream);
            streams.add(stream);
        }

        objects.close();
        objects.closeAll();

        assertThat(open).allMatch(channel -> channel.closes >= 1 && !channel.isOpen());
        assertThat(streams).allMatch(stream -> stream.closes == 1);
    }

    @Test
    void closesTheOthersWhenOneFails() throws IOException {
        OpenStream first = new OpenStream();
        OpenStream last = new OpenStream();
        objects.add(first);
        Closeable failing =
                () -> {
                    throw new IOException("no space");
                };
        objects.add(failing);
        Closeable failingToo =
                () -> {
                    throw new IOException("no more space");
                };
        objects.add(failingToo);
        objects.add(last);

        assertThatThrownBy(objects::closeAll)
                .isInstanceOf(IOException.class)
                .hasMessage("no space")
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
        assertThat(first.closes).isEqualTo(1);
        assertThat(last.closes).isEqualTo(1);
    }

    @Test
    void closesWhatComesTooLate() {
        OpenStream late = new OpenStream();

        assertThat(objects.close()).isTrue();
        assertThat(objects.close()).isFalse();

        assertThatThrownBy(() -> objects.add(late)).isInstanceOf(ClosedFileSystemException.class);
        assertThat(late.closes).isEqualTo(1);
    }
}
