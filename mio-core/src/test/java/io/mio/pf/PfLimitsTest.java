package io.mio.pf;

import static io.mio.pf.PfFixture.filled;
import static io.mio.pf.PfFixture.read;
import static io.mio.pf.PfFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.FileKey;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** The largest offsets and requests; no thread, no space, and no memory to copy to. */
class PfLimitsTest {
    /** A file of any size with nothing in it. */
    private static final class Huge extends ForwardingLayer {
        private volatile long size;

        Huge(long size) {
            super("os", new MemoryFile(Runnable::run));
            this.size = size;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public int read(ByteBuffer dst, long offset) throws IOException {
            if (offset >= size) {
                return -1;
            }
            throw new IOException("read at " + offset);
        }

        @Override
        public int write(ByteBuffer src, long offset) throws IOException {
            throw new IOException("write at " + offset);
        }
    }

    private static PfLayer openHuge(Huge below, FileKey key) throws IOException {
        String options = "cache=64k/page=8k/private/synchronous";
        return PfFixture.open(options, below, key, OpenFlags.RDWR, 512);
    }

    /** A file of zeros, except for the last write, which may be anywhere. */
    private static final class Endless extends ForwardingLayer {
        private volatile long size;
        private long writtenFrom;
        private byte[] written = {};

        Endless(long size) {
            super("os", new MemoryFile(Runnable::run));
            this.size = size;
        }

        @Override
        public long size() {
            return size;
        }

        @Override
        public int read(ByteBuffer dst, long offset) {
            assertThat(offset).isBetween(0L, Long.MAX_VALUE - dst.remaining());
            int bytes = (int) Math.min(dst.remaining(), size - offset);
            for (int i = 0; i < bytes; i++) {
                long place = offset + i - writtenFrom;
                dst.put(place >= 0 && place < written.length ? written[(int) place] : 0);
            }
            return bytes <= 0 ? -1 : bytes;
        }

        @Override
        public int write(ByteBuffer src, long offset) {
            assertThat(offset).isBetween(0L, Long.MAX_VALUE - src.remaining());
            int bytes = src.remaining();
            size = Math.max(size, offset + bytes);
            written = new byte[bytes];
            writtenFrom = offset;
            src.get(written);
            return bytes;
        }
    }

    private static PfLayer openOnePage(FileKey key) throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        return PfFixture.open("cache=64k/page=8k/private", below, key, OpenFlags.RDWR);
    }

    @Test
    void shouldReadAndWriteUpToTheLargestOffset() throws IOException {
        String options = "cache=64k/page=8k/private/synchronous/through";
        FileKey key = PfFixture.newKey();
        Endless below = new Endless(Long.MAX_VALUE - 3000);
        PfLayer layer = PfFixture.open(options, below, key, OpenFlags.RDWR, 512);
        for (long offset = Long.MAX_VALUE - 50_000; offset < below.size(); offset += 1000) {
            assertThat(layer.read(ByteBuffer.allocate(1000), offset)).isPositive();
        }
        write(layer, Long.MAX_VALUE - 100, 100, 0);
        assertThat(layer.size()).isEqualTo(Long.MAX_VALUE);
        assertThat(layer.read(ByteBuffer.allocate(1000), Long.MAX_VALUE - 1000)).isEqualTo(1000);
        write(layer, Long.MAX_VALUE - 100, 100, 7);

        ByteBuffer found = ByteBuffer.allocate(150);
        layer.read(found, Long.MAX_VALUE - 150);
        assertThat(found.get(49)).isZero();
        assertThat(found.get(50)).isEqualTo((byte) 7);
        assertThat(found.get(149)).isEqualTo((byte) 7);
        Bypassed.forget(CachedFiles.find(key));
        layer.read(found.clear(), Long.MAX_VALUE - 150);
        assertThat(found.get(50)).isEqualTo((byte) 7);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldEndReadsAndRefuseWritesNearTheLargestOffset() throws IOException {
        PfLayer layer = openHuge(new Huge(1000), PfFixture.newKey());
        long last = Long.MAX_VALUE - 10;
        assertThat(layer.read(ByteBuffer.allocate(100), last)).isEqualTo(-1);
        assertThatThrownBy(() -> write(layer, last, 100, 1)).hasMessage("write at " + last);
        layer.close();
    }

    @Test
    void shouldReadNothingWhereTheFileWasCutFarBefore() throws IOException {
        Huge below = new Huge(6L << 30);
        PfLayer layer = openHuge(below, PfFixture.newKey());
        below.size = 0;
        assertThat(layer.read(ByteBuffer.allocate(100), 3L << 30)).isEqualTo(-1);
        layer.close();
    }

    @Test
    void shouldReadRequestsOfAlmostTwoGigabytes() throws IOException {
        FileKey key = PfFixture.newKey();
        Huge below = new Huge(6L << 30);
        PfLayer layer = openHuge(below, key);
        PageReader reader = new PageReader(CachedFiles.find(key), layer);
        ByteBuffer dst = ByteBuffer.allocate(100);
        assertThatThrownBy(() -> reader.read(dst, 4096, Integer.MAX_VALUE))
                .hasMessage("read at 4096");
        layer.close();
    }

    @Test
    void shouldNotTakeAPageForMoreThanItHolds() throws IOException {
        FileKey key = PfFixture.newKey();
        PfLayer layer = openOnePage(key);
        PageReader reader = new PageReader(CachedFiles.find(key), layer);
        assertThat(reader.read(ByteBuffer.allocate(100), 4096, 100)).isEqualTo(100);
        ByteBuffer dst = ByteBuffer.allocate(100);
        assertThat(reader.readRecent(dst, 4096, Integer.MAX_VALUE)).isFalse();
        layer.close();
    }

    /** The other pages are as far away, in both directions, as an {@code int} has values. */
    @Test
    void shouldNotTakeAPageForOneFarFromIt() throws IOException {
        Endless below = new Endless(12L << 30);
        String options = "cache=64k/page=8k/private/synchronous";
        PfLayer layer = PfFixture.open(options, below, PfFixture.newKey(), OpenFlags.RDWR, 512);
        write(layer, 4L << 30, 100, 7);
        for (long gigabytes : new long[] {4, 8, 4, 0, 4}) {
            byte[] found = read(layer, gigabytes << 30, 100);
            assertThat(found).isEqualTo(filled(100, gigabytes == 4 ? 7 : 0));
        }
        layer.close();
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldGoOnWhereNoThreadCanBeHadForAPageRequest() throws IOException {
        MemoryFile below =
                new MemoryFile(
                                task -> {
                                    throw new InternalError("no thread");
                                })
                        .holding(filled(65536, 1));
        PfLayer layer = PfFixture.open("cache=64k/page=4k/private/pref=4", below);
        for (int at = 0; at < 65536; at += 2048) {
            assertThat(read(layer, at, 2048)).isEqualTo(filled(2048, 1));
        }
        layer.close();
    }

    @Test
    void shouldTellOfBytesThatWereTakenBeforeAWriteFailed() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run);
        Layer full =
                new ForwardingLayer("os", below) {
                    @Override
                    public boolean reserve(long offset, long bytes) throws IOException {
                        if (offset + bytes > 8192) {
                            throw new IOException("no space");
                        }
                        return true;
                    }
                };
        below.fault(
                (write, offset, length) ->
                        offset + length > 8192 ? new IOException("no space") : null);
        FileKey key = PfFixture.newKey();
        PfLayer layer = PfFixture.open("cache=64k/page=8k/private", full, key, OpenFlags.RDWR, 512);
        ByteBuffer src = ByteBuffer.wrap(filled(10000, 1));
        assertThat(layer.write(src, 0)).isEqualTo(8192);
        assertThat(src.remaining()).isEqualTo(10000 - 8192);
        assertThatThrownBy(() -> layer.write(src, 8192)).hasMessage("no space");
        layer.close();
        assertThat(below.content()).isEqualTo(filled(8192, 1));
    }

    @Test
    void shouldTellAFailedWriteBehindOnce() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run);
        PfLayer layer = PfFixture.open("cache=64k/page=4k/private", below);
        below.fault((write, offset, length) -> write ? new IOException("full") : null);
        write(layer, 0, 4096, 1);
        assertThatThrownBy(() -> write(layer, 4096, 512, 1)).hasMessageContaining("full");
        assertThatThrownBy(() -> write(layer, 4096, 512, 1)).hasMessageContaining("full");
        below.fault((write, offset, length) -> null);
        assertThat(write(layer, 4096, 512, 1)).isEqualTo(512);
        layer.close();
        assertThat(below.content()).isEqualTo(filled(4608, 1));
    }

    /** Copying to this buffer fails, as it does for one whose memory is gone. */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldLetAPageGoThatCannotBeCopiedToTheProgram() throws IOException {
        FileKey key = PfFixture.newKey();
        PfLayer layer = openOnePage(key);
        ByteBuffer broken = ByteBuffer.allocate(512).asReadOnlyBuffer();
        assertThatThrownBy(() -> layer.read(broken, 0)).isInstanceOf(ReadOnlyBufferException.class);
        assertThat(firstPage(key).isPinned()).isFalse();
        assertThat(read(layer, 0, 512)).isEqualTo(filled(512, 1));
        assertThatThrownBy(() -> layer.read(broken, 512))
                .isInstanceOf(ReadOnlyBufferException.class);
        assertThat(firstPage(key).isPinned()).isFalse();
        PfFixture.close(layer, key);
    }

    /** Copying from the program fails when half of the bytes are copied. */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldKeepNothingOfAWriteThatCannotBeCopiedFromTheProgram() throws IOException {
        FileKey key = PfFixture.newKey();
        ByteBuffer broken = ByteBuffer.allocate(1536);
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        Layer breaking =
                new ForwardingLayer("os", below) {
                    @Override
                    public boolean reserve(long offset, long bytes) {
                        if (offset == 1024) {
                            firstPage(key).frame.put(1024, filled(512, 3));
                            broken.limit(0);
                        }
                        return true;
                    }
                };
        String options = "cache=64k/page=8k/private";
        PfLayer layer = PfFixture.open(options, breaking, key, OpenFlags.RDWR, 512);
        assertThat(read(layer, 0, 8192)).isEqualTo(filled(8192, 1));
        write(layer, 0, 512, 2);
        write(layer, 2048, 512, 2);
        assertThatThrownBy(() -> layer.write(broken, 1024))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThat(firstPage(key).isPinned()).isFalse();
        assertThat(read(layer, 512, 1536)).isEqualTo(filled(1536, 1));
        PfFixture.close(layer, key);

        assertThat(Arrays.copyOf(below.content(), 512)).isEqualTo(filled(512, 2));
        assertThat(Arrays.copyOfRange(below.content(), 512, 2048)).isEqualTo(filled(1536, 1));
        assertThat(Arrays.copyOfRange(below.content(), 2048, 2560)).isEqualTo(filled(512, 2));
    }

    @Test
    void shouldServeNobodyOnceItIsClosed() throws IOException {
        FileKey key = PfFixture.newKey();
        PfLayer layer = openOnePage(key);
        PfFixture.close(layer, key);
        for (ThrowingCallable call :
                List.<ThrowingCallable>of(
                        () -> read(layer, 0, 100),
                        () -> write(layer, 0, 100, 2),
                        () -> layer.write(new ByteBuffer[] {ByteBuffer.allocate(1)}, 0, 1, 0),
                        layer::size,
                        () -> layer.truncate(0),
                        () -> layer.flush(false))) {
            assertThatThrownBy(call).isInstanceOf(ClosedChannelException.class);
        }
    }

    private static Page firstPage(FileKey key) {
        CachedFile file = CachedFiles.find(key);
        PageCache cache = file.cache();
        cache.lock.lock();
        try {
            return cache.find(file, 0);
        } finally {
            cache.lock.unlock();
        }
    }
}
