package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.config.StackSpec;
import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rare orders of events, one at a time. Limits on time only end a test that would hang; where a
 * test waits for a thread, it waits until that thread waits.
 */
class PfReviewTest {
    private static final AtomicInteger GLOBAL = new AtomicInteger(100);

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static int write(PfLayer layer, long offset, int length, int value) throws IOException {
        return layer.write(ByteBuffer.wrap(filled(length, value)), offset);
    }

    private static byte[] read(PfLayer layer, long offset, int length) throws IOException {
        ByteBuffer dst = ByteBuffer.allocate(length);
        int bytes = layer.read(dst, offset);
        return Arrays.copyOf(dst.array(), Math.max(0, bytes));
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldLetOtherFilesWriteWhilePagesOfOneCannotBeWritten() throws IOException {
        String options = "cache=16k/page=8k/global=" + GLOBAL.incrementAndGet();
        MemoryFile bad = new MemoryFile(Runnable::run);
        MemoryFile good = new MemoryFile(Runnable::run);
        PfLayer failing = PfFixture.open(options, bad);
        PfLayer working = PfFixture.open(options, good);
        write(failing, 0, 512, 1);
        bad.fault((write, offset, length) -> write ? new IOException("full") : null);
        assertThatThrownBy(() -> failing.flush(false)).hasMessageContaining("full");
        assertThat(write(working, 0, 512, 2)).isEqualTo(512);
        working.flush(false);
        assertThat(good.content()).isEqualTo(filled(512, 2));
        bad.fault((write, offset, length) -> null);
        failing.flush(false);
        assertThat(bad.content()).isEqualTo(filled(512, 1));
        failing.close();
        working.close();
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldLetAWriteEndWhileAnotherFileWaitsForItsPage() throws Exception {
        String options = "cache=16k/page=8k/global=" + GLOBAL.incrementAndGet();
        MemoryFile below = new MemoryFile(Runnable::run);
        FileKey key = PfFixture.newKey();
        PfLayer copying = PfFixture.open(options, below, key, OpenFlags.RDWR);
        PfLayer other = PfFixture.open(options, new MemoryFile(Runnable::run));
        write(copying, 0, 512, 1);
        CachedFile file = CachedFiles.find(key);
        PageCache cache = file.cache();
        Page page = beginsToCopy(cache, file);
        Thread writes = thread(() -> write(other, 0, 512, 2));
        untilItWaits(cache, writes);
        endsCopying(cache, page);
        writes.join();
        other.close();
        copying.close();
        assertThat(below.content()).isEqualTo(filled(512, 1));
    }

    @Test
    void shouldNotTouchFramesThatOtherFilesTookWhileAFileCloses() throws Exception {
        String options = "cache=32k/page=8k/replace=lru/global=" + GLOBAL.incrementAndGet();
        FileKey key = PfFixture.newKey();
        MemoryFile first = new MemoryFile(Runnable::run).holding(filled(16384, 1));
        MemoryFile second = new MemoryFile(Runnable::run);
        PfLayer closing = PfFixture.open(options, first, key, OpenFlags.RDWR);
        PfLayer staying = PfFixture.open(options, second);
        read(closing, 0, 100);
        read(closing, 8192, 100);
        CachedFile file = CachedFiles.find(key);
        PageCache cache = file.cache();
        // As another thread that has just written the page to make room.
        Page page = beginsToCopy(cache, file);
        Thread closes = thread(closing::close);
        untilItWaits(cache, closes);
        for (int i = 0; i < 3; i++) {
            write(staying, i * 8192L, 512, 2);
        }
        endsCopying(cache, page);
        closes.join();
        staying.flush(false);
        assertThat(Arrays.copyOfRange(second.content(), 16384, 16896)).isEqualTo(filled(512, 2));
        assertThat(Arrays.copyOfRange(second.content(), 8192, 8704)).isEqualTo(filled(512, 2));
        assertThat(Arrays.copyOf(second.content(), 512)).isEqualTo(filled(512, 2));
        staying.close();
    }

    /** Keeps asynchronous requests until somebody waits for them. */
    private static final class Held extends ForwardingLayer {
        private final Set<IoRequest> held = new LinkedHashSet<>();

        Held(MemoryFile below) {
            super("os", below);
        }

        @Override
        public void submit(IoRequest request) {
            held.add(request);
        }

        @Override
        public void await(IoRequest request, Waiting waiting) throws InterruptedException {
            if (held.remove(request)) {
                ((MemoryFile) next()).submit(request);
            }
            waiting.run();
        }
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldWaitForEveryWriteOfAPageThatIsOnItsWay() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[16384]);
        PfLayer layer =
                PfFixture.open(
                        "cache=64k/page=8k/private",
                        new Held(below),
                        PfFixture.newKey(),
                        OpenFlags.RDWR,
                        512);
        // Two parts of the first page with a gap between; then on, which writes it behind.
        write(layer, 0, 512, 1);
        write(layer, 4096, 4096, 1);
        write(layer, 8192, 512, 1);
        layer.flush(false);
        assertThat(Arrays.copyOf(below.content(), 512)).isEqualTo(filled(512, 1));
        assertThat(Arrays.copyOfRange(below.content(), 4096, 8704)).isEqualTo(filled(4608, 1));
        layer.close();
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldWriteNothingWhileTheFileIsBeingCut() throws Exception {
        FileKey key = PfFixture.newKey();
        AtomicReference<Runnable> duringCut = new AtomicReference<>(() -> {});
        MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[16384]);
        Layer cutting =
                new ForwardingLayer("os", below) {
                    @Override
                    public void truncate(long size) throws IOException {
                        super.truncate(size);
                        duringCut.get().run();
                    }
                };
        PfLayer layer =
                PfFixture.open("cache=64k/page=8k/private", cutting, key, OpenFlags.RDWR, 512);
        write(layer, 0, 512, 1);
        CachedFile file = CachedFiles.find(key);
        PageCache cache = file.cache();
        Page page = beginsToCopy(cache, file);
        Thread publishes = thread(file::publish);
        untilItWaits(cache, publishes);
        duringCut.set(
                () -> {
                    endsCopying(cache, page);
                    untilItWaits(cache, publishes);
                });
        layer.truncate(0);
        publishes.join();
        layer.close();
        assertThat(below.content()).isEmpty();
    }

    @Test
    void shouldForgetWhatATransferChangedBeforeItFailed() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        PfLayer layer = PfFixture.open("cache=64k/page=8k/private", below);
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
    void shouldKeepWhatIsWrittenInAFileThatWasCutWhileItGotPages() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        PfLayer layer = PfFixture.open("cache=64k/page=8k/private", below, key, OpenFlags.RDWR);
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

    /** The open that cuts it finds a file without pages. */
    @Test
    void shouldKnowTheSizeOfAFileThatWasCutJustBeforeItHadPages() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        Descriptors cuts =
                () -> {
                    below.truncate(0);
                    return new Descriptors.Count(0, 0);
                };
        String options = "cache=64k/page=8k/private";
        PfLayer layer = PfFixture.open(options, below, key, OpenFlags.RDWR, cuts);
        write(layer, 0, 10, 3);
        assertThat(layer.size()).isEqualTo(10);
        PfFixture.close(layer, key);
        assertThat(below.content()).isEqualTo(filled(10, 3));
    }

    /** As a buffer does whose memory is gone. */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldLetAPageGoThatCannotBeCopiedToTheProgram() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        PfLayer layer = PfFixture.open("cache=64k/page=8k/private", below, key, OpenFlags.RDWR);
        ByteBuffer broken = ByteBuffer.allocate(512).asReadOnlyBuffer();
        assertThatThrownBy(() -> layer.read(broken, 0)).isInstanceOf(ReadOnlyBufferException.class);
        assertThat(firstPage(key).isPinned()).isFalse();
        assertThat(read(layer, 0, 512)).isEqualTo(filled(512, 1));
        assertThatThrownBy(() -> layer.read(broken, 512))
                .isInstanceOf(ReadOnlyBufferException.class);
        assertThat(firstPage(key).isPinned()).isFalse();
        PfFixture.close(layer, key);
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

    @Test
    void shouldNotWriteOldBytesOverWhatATransferBringsMeanwhile() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        PfLayer layer = PfFixture.open("cache=64k/page=8k/private", below);
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
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(100, 1));
        PfLayer layer = PfFixture.open("cache=64k/page=8k/private", below);
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

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldLetAFileGetPagesWhileATransferBringsBytes() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        CachedFile file = CachedFiles.enter(key);
        AttachedLayer plain = new AttachedLayer(file, below);
        String options = "cache=64k/page=8k/private";
        PfLayer layer =
                plain.around(
                        Layer.Bypass.TRANSFER_IN,
                        1000,
                        1000,
                        () -> {
                            PfLayer made = PfFixture.open(options, below, key, OpenFlags.RDWR);
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
    void shouldCutWhatAnotherProcessAddedThroughAnOpenWithoutCache() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(100, 1));
        PfLayer layer = PfFixture.open("cache=64k/page=8k/private", below, key, OpenFlags.RDWR);
        AttachedLayer plain = new AttachedLayer(CachedFiles.find(key), below);
        below.holding(filled(200, 1));
        plain.truncate(150);
        assertThat(below.size()).isEqualTo(150);
        layer.close();
    }

    @Test
    void shouldSeeAWriteThatWasOnItsWayWhenTheFileGotItsPages() throws IOException {
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        AtomicReference<PfLayer> opened = new AtomicReference<>();
        Layer slow =
                new ForwardingLayer("os", below) {
                    @Override
                    public int write(ByteBuffer src, long offset) throws IOException {
                        opened.set(openAndRead());
                        return super.write(src, offset);
                    }

                    @Override
                    public void submit(IoRequest request) throws IOException {
                        opened.set(openAndRead());
                        super.submit(request);
                    }

                    private PfLayer openAndRead() throws IOException {
                        PfLayer layer =
                                PfFixture.open(
                                        "cache=64k/page=8k/private", below, key, OpenFlags.RDWR);
                        PfReviewTest.read(layer, 0, 512);
                        return layer;
                    }
                };
        AttachedLayer plain = new AttachedLayer(CachedFiles.enter(key), slow);
        plain.write(ByteBuffer.wrap(filled(512, 2)), 0);
        assertThat(read(opened.get(), 0, 512)).isEqualTo(filled(512, 2));
        opened.get().close();
        plain.submit(IoRequest.write(ByteBuffer.wrap(filled(512, 3)), 0, done -> {}));
        assertThat(read(opened.get(), 0, 512)).isEqualTo(filled(512, 3));
        opened.get().close();
    }

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
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        PfLayer layer = PfFixture.open("cache=64k/page=8k/private", below, key, OpenFlags.RDWR);
        PageReader reader = new PageReader(CachedFiles.find(key), layer);
        assertThat(reader.read(ByteBuffer.allocate(100), 4096, 100)).isEqualTo(100);
        ByteBuffer dst = ByteBuffer.allocate(100);
        assertThat(reader.readRecent(dst, 4096, Integer.MAX_VALUE)).isFalse();
        layer.close();
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldNotReadOverBytesThatAreBeingCopied() throws Exception {
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        PfLayer layer =
                PfFixture.open("cache=64k/page=8k/private/pref=1", below, key, OpenFlags.RDWR);
        CachedFile file = CachedFiles.find(key);
        PageCache cache = file.cache();
        cache.lock.lock();
        try {
            cache.obtain(file, 0).unpin();
        } finally {
            cache.lock.unlock();
        }
        // With cio a write of the first sector shares the file with requests beside it.
        Page page = beginsToCopy(cache, file);
        page.frame.put(0, filled(512, 2));
        Thread reads = thread(() -> read(layer, 4096, 4096));
        untilItWaits(cache, reads);
        Thread writes = thread(() -> write(layer, 1000, 100, 3));
        untilItWaits(cache, writes);
        assertThat(page.frame.get(0)).isEqualTo((byte) 2);
        endsCopying(cache, page);
        reads.join();
        writes.join();
        layer.close();
        assertThat(Arrays.copyOfRange(below.content(), 1000, 1100)).isEqualTo(filled(100, 3));
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

    /** An open that keeps its pages, of a file whose change time does not move. */
    private static PfLayer openRetaining(String options, MemoryFile below, FileKey key, int sector)
            throws IOException {
        OpenRequest.Place place =
                new OpenRequest.Place() {
                    @Override
                    public String type() {
                        return "memory";
                    }

                    @Override
                    public long sectorBytes() {
                        return sector;
                    }

                    @Override
                    public long changeStamp() {
                        return 1;
                    }
                };
        return PfLayers.over(
                StackSpec.parse("test", "pf/retain/norelease/" + options).layers().get(1),
                below,
                CachedFiles.enter(key),
                new OpenRequest(
                        "test", OpenFlags.RDWR, 0644, 0, 0, 0, place, key, null, true, true, false),
                PfFixture.MEMORY,
                () -> "memory");
    }

    private static void close(PfLayer layer, FileKey key) throws IOException {
        CachedFile file = CachedFiles.find(key);
        layer.close();
        CachedFiles.leave(file);
    }

    @Test
    void shouldNotTakePagesBackWhoseSectorsHadAnotherSize() throws IOException {
        String options = "cache=128k/page=64k/pref=1/global=" + GLOBAL.incrementAndGet();
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(65536, 1));
        PfLayer layer = openRetaining(options, below, key, 512);
        assertThat(read(layer, 4096, 8192)).isEqualTo(filled(8192, 1));
        close(layer, key);
        layer = openRetaining(options, below, key, 4096);
        assertThat(read(layer, 32768, 4096)).isEqualTo(filled(4096, 1));
        close(layer, key);
    }

    @Test
    void shouldNotTakePagesBackThatAnOpenWithoutCacheChanged() throws IOException {
        String options = "cache=64k/page=8k/global=" + GLOBAL.incrementAndGet();
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        PfLayer layer = openRetaining(options, below, key, 512);
        assertThat(read(layer, 0, 512)).isEqualTo(filled(512, 1));
        close(layer, key);
        CachedFile file = CachedFiles.enter(key);
        AttachedLayer plain = new AttachedLayer(file, below);
        plain.write(ByteBuffer.wrap(filled(512, 2)), 0);
        CachedFiles.leave(file);
        layer = openRetaining(options, below, key, 512);
        assertThat(read(layer, 0, 512)).isEqualTo(filled(512, 2));
        close(layer, key);
    }

    @Test
    void shouldNotTakePagesBackOfAFileThatWasCutAndFilledMeanwhile() throws IOException {
        String options = "cache=64k/page=8k/global=" + GLOBAL.incrementAndGet();
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(8192, 1));
        PfLayer layer = openRetaining(options, below, key, 512);
        assertThat(read(layer, 0, 512)).isEqualTo(filled(512, 1));
        close(layer, key);
        CachedFile file = CachedFiles.enter(key);
        file.truncating(
                () -> {
                    below.holding(filled(8192, 2));
                    return null;
                });
        CachedFiles.leave(file);
        layer = openRetaining(options, below, key, 512);
        assertThat(read(layer, 0, 512)).isEqualTo(filled(512, 2));
        close(layer, key);
    }

    /** As a writer that is about to copy into the first page. */
    private static Page beginsToCopy(PageCache cache, CachedFile file) {
        cache.lock.lock();
        try {
            Page page = cache.find(file, 0);
            page.pin();
            page.writers++;
            return page;
        } finally {
            cache.lock.unlock();
        }
    }

    private static void endsCopying(PageCache cache, Page page) {
        cache.lock.lock();
        try {
            page.writers--;
            page.unpin();
            cache.changed.signalAll();
        } finally {
            cache.lock.unlock();
        }
    }

    /** Returns when the thread waits for a change of the cache, or has ended. */
    private static void untilItWaits(PageCache cache, Thread thread) {
        while (thread.isAlive() && !isWaiting(cache)) {
            Thread.onSpinWait();
        }
    }

    private static boolean isWaiting(PageCache cache) {
        cache.lock.lock();
        try {
            return cache.lock.hasWaiters(cache.changed);
        } finally {
            cache.lock.unlock();
        }
    }

    /** A piece of a test. */
    private interface Work {
        void run() throws Exception;
    }

    private static Thread thread(Work work) {
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                work.run();
                            } catch (Exception e) {
                                throw new AssertionError(e);
                            }
                        });
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
