package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.Layer;
import io.mio.os.OsLayer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pages of a file to which a stream writes that does not tell how much of a write it did. */
class StreamPlaceTest extends PfCoherenceFixture {
    private CachedFile file;
    private final Partly stream = new Partly();

    @BeforeEach
    void enter() {
        file = CachedFiles.enter(key);
    }

    @AfterEach
    void leave() {
        CachedFiles.leave(file);
        assertThat(CachedFiles.find(key)).isNull();
    }

    /** The platform's stream, on a disk that becomes full during a write. */
    private final class Partly extends OutputStream {
        private int position;
        private int room = Integer.MAX_VALUE;

        @Override
        public void write(int b) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            int done = Math.min(count, room);
            below.write(ByteBuffer.wrap(bytes, from, done), position);
            position += done;
            if (done < count) {
                room = Integer.MAX_VALUE;
                throw new IOException("full");
            }
        }
    }

    private OsLayer stream(LongSupplier size) {
        return OsLayer.ofOutput(stream, "os", below.content().length, size);
    }

    private long sizeBytes() {
        return below.content().length;
    }

    /** Checks that the pages show what the file holds. */
    private void agrees(PfLayer pages) throws IOException {
        byte[] content = below.content();
        ByteBuffer dst = ByteBuffer.allocate(content.length + 100);
        int at = 0;
        while (dst.hasRemaining() && at >= 0) {
            at = pages.read(dst, dst.position());
        }
        assertThat(Arrays.copyOf(dst.array(), dst.position())).isEqualTo(content);
    }

    private void failsAfter(int bytes, Layer plain, long offset) {
        stream.room = bytes;
        ByteBuffer src = ByteBuffer.wrap(filled((byte) 'p', 1000));
        assertThatThrownBy(() -> plain.write(src, offset)).hasMessage("full");
    }

    @Test
    void shouldShowWhatAStreamWritesAfterItFailedInTheMiddle() throws IOException {
        AttachedLayer plain = new AttachedLayer(file, stream(this::sizeBytes));
        PfLayer pages = open("cache=1m/page=4k/private");
        agrees(pages);
        write(plain, 'a', 0, 1000);
        agrees(pages);
        failsAfter(300, plain, 1000);
        agrees(pages);
        write(plain, 'b', 1000, 500);
        agrees(pages);
        // The dirty bytes are older than what the stream writes.
        write(pages, 'd', 1500, 3000);
        write(plain, 'c', 1500, 700);
        agrees(pages);
        assertThat(content(1300, 1300)).startsWith('b').endsWith('d').contains('c');
        close(pages);
    }

    @Test
    void shouldShowItToPagesThatCameAfterTheFailure() throws IOException {
        AttachedLayer plain = new AttachedLayer(file, stream(this::sizeBytes));
        failsAfter(300, plain, 0);
        PfLayer pages = open("cache=1m/page=4k/private");
        agrees(pages);
        write(plain, 'b', 0, 500);
        agrees(pages);
        close(pages);
    }

    @Test
    void shouldTellTheSizeThatTheFileHas() throws IOException {
        stream.position = SIZE;
        OsLayer os = stream(this::sizeBytes);
        AttachedLayer plain = new AttachedLayer(file, os);
        PfLayer pages = open("cache=1m/page=4k/private");
        write(plain, 'a', Layer.APPEND, 10);
        failsAfter(300, plain, Layer.APPEND);
        assertThat(os.size()).isEqualTo(SIZE + 310);
        assertThat(file.sizeBytes()).isEqualTo(SIZE + 310);
        agrees(pages);
        write(plain, 'b', Layer.APPEND, 20);
        assertThat(file.sizeBytes()).isEqualTo(SIZE + 330);
        agrees(pages);
        close(pages);
        // Nothing leads to the file any more, but what the stream wrote is known.
        OsLayer unnamed = stream(() -> -1);
        write(unnamed, 'c', Layer.APPEND, 5);
        assertThat(unnamed.size()).isEqualTo(SIZE + 335);
    }
}
