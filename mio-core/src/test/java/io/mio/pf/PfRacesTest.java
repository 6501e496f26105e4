package io.mio.pf;

import static io.mio.pf.PfFixture.filled;
import static io.mio.pf.PfFixture.read;
import static io.mio.pf.PfFixture.write;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.FileKey;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.Layer.Bypass;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Rare orders of events in several threads, one order in each test. Limits on time only end a test
 * that would hang; where a test waits for a thread, it waits until that thread waits.
 */
class PfRacesTest {
    private static final AtomicInteger GLOBAL = new AtomicInteger(100);

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

    /** Of the two pages, one cannot be written and the other is being read. */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldWaitForAPageThatSomebodyReadsWhereNoOtherMayGiveWay() throws Exception {
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(65536, 1));
        PfLayer layer = PfFixture.open("cache=16k/page=8k/private", below, key, OpenFlags.RDWR);
        read(layer, 0, 512);
        write(layer, 24576, 512, 2);
        below.fault((write, offset, length) -> write ? new IOException("full") : null);
        assertThatThrownBy(() -> layer.flush(false)).hasMessageContaining("full");
        CachedFile file = CachedFiles.find(key);
        PageCache cache = file.cache();
        Page page = page(cache, file);
        page.pin();
        AtomicReference<byte[]> found = new AtomicReference<>();
        Thread reads = thread(() -> found.set(read(layer, 49152, 512)));
        untilItWaits(cache, reads);
        page.unpin();
        reads.join();
        assertThat(found.get()).isEqualTo(filled(512, 1));
        below.fault((write, offset, length) -> null);
        layer.flush(false);
        layer.close();
        assertThat(Arrays.copyOfRange(below.content(), 24576, 25088)).isEqualTo(filled(512, 2));
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
        // Acts as another thread that has just written the page to make room.
        Page page = beginsToCopy(cache, file);
        Thread closes = thread(closing::close);
        untilItWaits(cache, closes);
        for (int i = 0; i < 3; i++) {
            write(staying, i * 8192L, 512, 2);
        }
        endsCopying(cache, page);
        closes.join();
        assertThat(file.pages().count()).isZero();
        staying.flush(false);
        assertThat(Arrays.copyOfRange(second.content(), 16384, 16896)).isEqualTo(filled(512, 2));
        assertThat(Arrays.copyOfRange(second.content(), 8192, 8704)).isEqualTo(filled(512, 2));
        assertThat(Arrays.copyOf(second.content(), 512)).isEqualTo(filled(512, 2));
        staying.close();
    }

    /** Holds asynchronous requests until somebody waits for them. */
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
        // Two parts of the first page, with a gap between; the third write leaves the page behind.
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
        // With cio, a write of the first sector shares the file with other requests.
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

    /** Asynchronous reads fetch their bytes at once, and complete when somebody waits for them. */
    private static final class Late extends ForwardingLayer {
        private final List<Runnable> ends = new ArrayList<>();

        Late(MemoryFile below) {
            super("os", below);
        }

        @Override
        public void submit(IoRequest request) {
            try {
                int bytes = next().read(request.buffer(), request.offset());
                ends.add(() -> request.complete(bytes, null));
            } catch (IOException e) {
                request.complete(0, e);
            }
        }

        @Override
        public void submitAll(List<IoRequest> requests) {
            requests.forEach(this::submit);
        }

        void end() {
            ends.forEach(Runnable::run);
            ends.clear();
        }

        @Override
        public void await(IoRequest request, Waiting waiting) throws InterruptedException {
            end();
            waiting.run();
        }
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldNotKeepWhatWasBeingReadWhenTheFileWasLocked() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(65536, 1));
        Late late = new Late(below);
        String options = "cache=64k/page=8k/private/pref=2";
        FileKey key = PfFixture.newKey();
        PfLayer layer = PfFixture.open(options, late, key, OpenFlags.RDWR, 512);
        read(layer, 0, 8192);
        read(layer, 8192, 8192);
        assertThat(late.ends).hasSize(2);
        below.holding(filled(65536, 2));
        layer.around(Bypass.LOCK, 0, Long.MAX_VALUE, () -> "lock");
        late.end();

        assertThat(read(layer, 0, 65536)).isEqualTo(filled(65536, 2));
        layer.close();
    }

    /** Reads ahead that were handed down complete, even if the read before them fails. */
    @ParameterizedTest
    @ValueSource(strings = {"", "/listio"})
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldKeepWhatIsBeingReadAheadOfAReadThatFails(String how) throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(65536, 1));
        Late late = new Late(below);
        String options = "cache=64k/page=8k/private/pref=2" + how;
        FileKey key = PfFixture.newKey();
        PfLayer layer = PfFixture.open(options, late, key, OpenFlags.RDWR, 512);
        read(layer, 0, 8192);
        below.fault((write, offset, bytes) -> offset < 16384 ? new IOException("bad") : null);
        assertThatThrownBy(() -> read(layer, 8192, 8192)).hasMessage("bad");
        assertThat(late.ends).hasSize(2);
        below.calls();
        late.end();
        assertThat(read(layer, 16384, 512)).isEqualTo(filled(512, 1));
        assertThat(read(layer, 24576, 512)).isEqualTo(filled(512, 1));

        assertThat(below.calls()).doesNotContain("read 16384+8192", "read 24576+8192");
        layer.close();
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldKeepWhatWasBeingWrittenWhenTheFileWasLocked() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[65536]);
        FileKey key = PfFixture.newKey();
        PfLayer layer =
                PfFixture.open(
                        "cache=64k/page=8k/private", new Held(below), key, OpenFlags.RDWR, 512);
        write(layer, 8192, 8192, 1);
        below.fault((write, offset, length) -> write ? new IOException("disk full") : null);
        layer.around(Bypass.LOCK, 0, Long.MAX_VALUE, () -> "lock");
        below.fault((write, offset, length) -> null);

        assertThat(read(layer, 8192, 8192)).isEqualTo(filled(8192, 1));
        assertThatThrownBy(() -> layer.flush(false)).hasMessageContaining("disk full");
        layer.close();
        assertThat(Arrays.copyOfRange(below.content(), 8192, 16384)).isEqualTo(filled(8192, 1));
    }

    /** A page that others copy into comes twice among those that are to be written. */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldWriteEachPageOnceThoughItHasToWait() throws Exception {
        MemoryFile below = new MemoryFile(Runnable::run).holding(new byte[65536]);
        FileKey key = PfFixture.newKey();
        String options = "cache=256k/page=8k/private";
        PfLayer layer = PfFixture.open(options, below, key, OpenFlags.RDWR);
        // The second page is written when the writes leave it.
        for (int at : new int[] {65536, 16384, 0, 40960}) {
            write(layer, at, 512, 1);
        }
        CachedFile file = CachedFiles.find(key);
        PageCache cache = file.cache();
        below.calls();
        Page page = beginsToCopy(cache, file);
        Thread flushes = thread(() -> layer.flush(false));
        untilItWaits(cache, flushes);
        cache.wake();
        untilItWaits(cache, flushes);
        endsCopying(cache, page);
        flushes.join();

        assertThat(below.calls())
                .containsExactly("awrite 65536+512", "awrite 0+512", "write 40960+512", "flush");
        layer.close();
    }

    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void shouldReadForAWriteOnlyWhatIsNotOnItsWay() throws Exception {
        List<Runnable> held = new ArrayList<>();
        MemoryFile below = new MemoryFile(held::add).holding(filled(1 << 20, 1));
        FileKey key = PfFixture.newKey();
        String options = "cache=1m/page=64k/private/pref=2";
        PfLayer layer = PfFixture.open(options, below, key, OpenFlags.RDWR);
        int step = 96 << 10;
        for (int i = 0; i < 3; i++) {
            read(layer, 4096 + (long) i * step, 512);
        }
        // A place in the page at 384k.
        long at = 4096 + 4L * step;
        assertThat(below.calls()).contains("aread " + at + "+512");
        write(layer, at - 1000, 100, 2);
        write(layer, at + 1000, 100, 2);
        held.forEach(Runnable::run);

        assertThat(below.calls())
                .containsExactly(
                        "read " + (at - 4096) + "+4096",
                        "read " + (at + 512) + "+" + ((60 << 10) - 512));
        assertThat(read(layer, at - 900, 1900)).isEqualTo(filled(1900, 1));
        layer.close();
    }

    /** Acts as a writer that is about to copy into the first page. */
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

    private static Page page(PageCache cache, CachedFile file) {
        cache.lock.lock();
        try {
            return cache.find(file, 0);
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

    /** The part of a test that runs in a thread of its own. */
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
