package io.mio.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.os.OsLayer;
import io.mio.os.PlatformFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.channels.Channel;
import java.nio.channels.FileChannel;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is still open is closed with its file system; what is not open costs no memory. */
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

    /** Does not tell whether it is open, as streams do not. */
    private static final class OpenStream implements Closeable {
        private int closes;

        @Override
        public void close() {
            closes++;
        }
    }

    @Test
    void shouldForgetChannelsThatAreClosed() throws IOException {
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
    void shouldRememberAChannelUntilItsCloseIsOver(@TempDir Path directory) throws Exception {
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        FileChannel inner =
                FileChannel.open(
                        directory.resolve("file"),
                        StandardOpenOption.CREATE,
                        StandardOpenOption.WRITE);
        PlatformFile file = new PlatformFile(inner);
        Layer slow =
                new ForwardingLayer("slow", OsLayer.ofChannel(file, "os", true)) {
                    @Override
                    public void close() throws IOException {
                        closing.countDown();
                        try {
                            mayEnd.await();
                        } catch (InterruptedException e) {
                            throw new InterruptedIOException();
                        }
                        super.close();
                    }
                };
        FileChannel channel = MioFileChannel.over(file, slow, OpenFlags.WRONLY);
        objects.add(channel);
        Thread close = started(channel::close);
        closing.await();
        assertThat(channel.isOpen()).isFalse();
        addClosed(MANY);

        assertThat(objects.remembers(channel)).isTrue();

        mayEnd.countDown();
        close.join();
        assertThat(inner.isOpen()).isFalse();
        addClosed(MANY);
        assertThat(objects.remembers(channel)).isFalse();
    }

    private interface Closing {
        void close() throws IOException;
    }

    private static Thread started(Closing closing) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                closing.close();
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        thread.start();
        return thread;
    }

    private void addClosed(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            OpenChannel channel = new OpenChannel();
            channel.close();
            objects.add(channel);
        }
    }

    @Test
    void shouldCloseAllThatAreOpenAmongMany() throws IOException {
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
    void shouldCloseTheOthersWhenOneFails() throws IOException {
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
    void shouldCloseWhatComesTooLate() {
        OpenStream late = new OpenStream();

        assertThat(objects.close()).isTrue();
        assertThat(objects.close()).isFalse();

        assertThatThrownBy(() -> objects.add(late)).isInstanceOf(ClosedFileSystemException.class);
        assertThat(late.closes).isEqualTo(1);
    }
}
