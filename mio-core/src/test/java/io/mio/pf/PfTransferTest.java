package io.mio.pf;

import static io.mio.pf.PfFixture.filled;
import static io.mio.pf.PfFixture.read;
import static io.mio.pf.PfFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pages of a file whose bytes or size change without them: by a transfer, a cut, or an open without
 * a cache.
 */
class PfTransferTest {
    private static final String OPTIONS = "cache=64k/page=8k/private";

    private static MemoryFile holding(int bytes) {
        return new MemoryFile(Runnable::run).holding(filled(bytes, 1));
    }

    private static PfLayer open(MemoryFile below, FileKey key) throws IOException {
        return PfFixture.open(OPTIONS, below, key, OpenFlags.RDWR);
    }

    @Test
    void shouldForgetWhatATransferChangedBeforeItFailed() throws IOException {
        MemoryFile below = holding(8192);
        PfLayer layer = PfFixture.open(OPTIONS, below);
        assertThat(read(layer, 0, 512)).isEqualTo(filled(512, 1));
        Layer.IoCall<Long> transfer =
                () -> {
                    below.write(ByteBuffer.wrap(filled(512, 2)), 0);
                    throw new IOException("source");
                };
        assertThatThrownBy(() -> layer.around(Layer.Bypass.TRANSFER_IN, 0, 1024, transfer))
                .hasMessage("source");
        assertThat(read(layer, 0, 512)).isEqualTo(filled(512, 2));
        layer.close();
    }

    @Test
    void shouldNotWriteOldBytesOverWhatATransferBringsMeanwhile() throws IOException {
        MemoryFile below = holding(8192);
        PfLayer layer = PfFixture.open(OPTIONS, below);
        assertThat(read(layer, 0, 8192)).isEqualTo(filled(8192, 1));
        Layer.IoCall<Integer> transfer =
                () -> {
                    int bytes = below.write(ByteBuffer.wrap(filled(1000, 2)), 1000);
                    write(layer, 1100, 10, 3);
                    return bytes;
                };
        assertThat(layer.around(Layer.Bypass.TRANSFER_IN, 1000, 3000, transfer)).isEqualTo(1000);
        assertThat(read(layer, 1000, 100)).isEqualTo(filled(100, 2));
        assertThat(read(layer, 1100, 10)).isEqualTo(filled(10, 3));
        write(layer, 0, 10, 4);
        assertThat(below.content()[0]).as("written behind again").isEqualTo((byte) 1);
        layer.close();
        assertThat(Arrays.copyOfRange(below.content(), 1000, 1100)).isEqualTo(filled(100, 2));
        assertThat(Arrays.copyOfRange(below.content(), 1100, 1110)).isEqualTo(filled(10, 3));
        assertThat(Arrays.copyOfRange(below.content(), 1110, 2000)).isEqualTo(filled(890, 2));
        assertThat(Arrays.copyOf(below.content(), 10)).isEqualTo(filled(10, 4));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldKnowHowLongATransferMadeTheFile(boolean fails) throws IOException {
        MemoryFile below = holding(100);
        PfLayer layer = PfFixture.open(OPTIONS, below);
        Layer.IoCall<Integer> transfer =
                () -> {
                    int bytes = below.write(ByteBuffer.wrap(filled(9000, 2)), 100);
                    write(layer, 0, 10, 3);
                    if (fails) {
                        throw new IOException("source");
                    }
                    return bytes;
                };
        if (fails) {
            assertThatThrownBy(() -> layer.around(Layer.Bypass.TRANSFER_IN, 100, 9000, transfer))
                    .hasMessage("source");
        } else {
            layer.around(Layer.Bypass.TRANSFER_IN, 100, 9000, transfer);
        }
        write(layer, 10, 10, 4);
        assertThat(layer.size()).isEqualTo(9100);
        assertThat(read(layer, 8900, 200)).isEqualTo(filled(200, 2));
        layer.close();
        assertThat(below.content()).hasSize(9100);
    }

    /**
     * Another thread closes the channel after the transfer, and another open writes into the sector
     * of the old end.
     */
    @Test
    void shouldKnowHowLongATransferMadeTheFileThoughItsChannelWasClosed() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = holding(100);
        AtomicBoolean closed = new AtomicBoolean();
        Layer closing =
                new ForwardingLayer("os", below) {
                    @Override
                    public long size() throws IOException {
                        if (closed.get()) {
                            throw new AsynchronousCloseException();
                        }
                        return super.size();
                    }
                };
        PfLayer other = open(below, key);
        PfLayer layer = PfFixture.open(OPTIONS, closing, key, OpenFlags.RDWR, 512);
        Thread.currentThread().interrupt();
        layer.around(
                Layer.Bypass.TRANSFER_IN,
                100,
                100,
                () -> {
                    closed.set(true);
                    return below.write(ByteBuffer.wrap(filled(100, 2)), 100);
                });
        assertThat(Thread.interrupted()).isTrue();
        PfFixture.close(layer, key);
        write(other, 0, 150, 3);
        write(other, 300, 10, 3);
        PfFixture.close(other, key);
        assertThat(Arrays.copyOfRange(below.content(), 150, 200)).isEqualTo(filled(50, 2));
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldLetAFileGetPagesWhileATransferBringsBytes() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = holding(8192);
        CachedFile file = CachedFiles.enter(key);
        AttachedLayer plain = new AttachedLayer(file, below);
        PfLayer layer =
                plain.around(
                        Layer.Bypass.TRANSFER_IN,
                        1000,
                        1000,
                        () -> {
                            PfLayer made = open(below, key);
                            assertThat(read(made, 0, 8192)).isEqualTo(filled(8192, 1));
                            below.write(ByteBuffer.wrap(filled(8000, 2)), 1000);
                            write(made, 1100, 10, 3);
                            return made;
                        });
        write(layer, 0, 10, 4);
        assertThat(layer.size()).isEqualTo(9000);
        assertThat(read(layer, 1110, 100)).isEqualTo(filled(100, 2));
        PfFixture.close(layer, key);
        CachedFiles.leave(file);
        assertThat(below.content()).hasSize(9000);
        assertThat(Arrays.copyOfRange(below.content(), 1110, 2000)).isEqualTo(filled(890, 2));
    }

    @Test
    void shouldKeepWhatIsWrittenInAFileThatWasCutWhileItGotPages() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = holding(8192);
        PfLayer layer = open(below, key);
        assertThat(read(layer, 0, 8192)).isEqualTo(filled(8192, 1));
        write(layer, 0, 512, 2);
        below.truncate(0);
        CachedFiles.wasCut(key);
        write(layer, 0, 10, 3);
        assertThat(layer.size()).isEqualTo(512);
        assertThat(read(layer, 0, 8192)).hasSize(512).startsWith(filled(10, 3));
        PfFixture.close(layer, key);
        assertThat(Arrays.copyOfRange(below.content(), 10, 8192)).startsWith(filled(502, 2));
        assertThat(below.content()).hasSize(512);
    }

    /** The open that cuts the file finds it without pages. */
    @Test
    void shouldKnowTheSizeOfAFileThatWasCutJustBeforeItHadPages() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = holding(8192);
        Descriptors cuts =
                others -> {
                    below.truncate(0);
                    return new Descriptors.Count(0, 0);
                };
        PfLayer layer = PfFixture.open(OPTIONS, below, key, OpenFlags.RDWR, cuts);
        write(layer, 0, 10, 3);
        assertThat(layer.size()).isEqualTo(10);
        PfFixture.close(layer, key);
        assertThat(below.content()).isEqualTo(filled(10, 3));
    }

    @Test
    void shouldCutWhatAnotherProcessAddedThroughAnOpenWithoutCache() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = holding(100);
        PfLayer layer = open(below, key);
        AttachedLayer plain = new AttachedLayer(CachedFiles.find(key), below);
        below.holding(filled(200, 1));
        plain.truncate(150);
        assertThat(below.size()).isEqualTo(150);
        layer.close();
    }

    @FunctionalInterface
    private interface Event {
        void happen() throws IOException;
    }

    /** A layer in which the event happens while a write is on its way. */
    private static Layer beforeEachWrite(Layer below, Event event) {
        return new ForwardingLayer("os", below) {
            @Override
            public int write(ByteBuffer src, long offset) throws IOException {
                event.happen();
                return super.write(src, offset);
            }

            @Override
            public void submit(IoRequest request) throws IOException {
                event.happen();
                super.submit(request);
            }
        };
    }

    @Test
    void shouldSeeAWriteThatWasOnItsWayWhenTheFileGotItsPages() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = holding(8192);
        AtomicReference<PfLayer> opened = new AtomicReference<>();
        Layer slow =
                beforeEachWrite(
                        below,
                        () -> {
                            opened.set(open(below, key));
                            read(opened.get(), 0, 512);
                        });
        AttachedLayer plain = new AttachedLayer(CachedFiles.enter(key), slow);
        plain.write(ByteBuffer.wrap(filled(512, 2)), 0);
        assertThat(read(opened.get(), 0, 512)).isEqualTo(filled(512, 2));
        opened.get().close();
        plain.submit(IoRequest.write(ByteBuffer.wrap(filled(512, 3)), 0, done -> {}));
        assertThat(read(opened.get(), 0, 512)).isEqualTo(filled(512, 3));
        opened.get().close();
    }

    /** The change adds bytes beyond the end that the pages know: a write there must keep them. */
    @Test
    void shouldKnowTheEndThatAChangeOnItsWayGaveTheFile() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = holding(1000);
        AtomicReference<PfLayer> opened = new AtomicReference<>();
        Layer slow = beforeEachWrite(below, () -> opened.set(open(below, key)));
        AttachedLayer plain = new AttachedLayer(CachedFiles.enter(key), slow);
        plain.write(ByteBuffer.wrap(filled(1048, 2)), 1000);
        writesBehindTheOldEnd(opened.get(), below);
        below.holding(filled(1000, 1));
        plain.submit(IoRequest.write(ByteBuffer.wrap(filled(1048, 2)), 1000, done -> {}));
        writesBehindTheOldEnd(opened.get(), below);
    }

    private static void writesBehindTheOldEnd(PfLayer layer, MemoryFile below) throws IOException {
        layer.write(ByteBuffer.wrap(filled(10, 3)), 1500);
        layer.close();
        byte[] content = below.content();
        assertThat(content).hasSize(2048);
        assertThat(Arrays.copyOfRange(content, 1000, 1500)).isEqualTo(filled(500, 2));
        assertThat(Arrays.copyOfRange(content, 1500, 1510)).isEqualTo(filled(10, 3));
        assertThat(Arrays.copyOfRange(content, 1510, 2048)).isEqualTo(filled(538, 2));
    }
}
