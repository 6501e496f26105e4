package io.mio.pf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.FileKey;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** What is written when a file or a page is written out. Twin of {@code pf_writeout_test.c}. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WriteOutTest {
    private static final int PAGE = 8192;
    private static final int SECTOR = 512;
    private static final String OPTIONS = "cache=64k/page=8k/private/pref=2";

    @TempDir Path directory;
    private final Queue<Runnable> held = new ArrayDeque<>();
    private final FileKey key = PfFixture.newKey();
    private final MemoryFile below =
            new MemoryFile(held::add).holding(PfCoherenceFixture.filled((byte) 'o', 16 * PAGE));

    private PageCache cache() {
        return CachedFiles.find(key).cache();
    }

    private void behind() {
        PageCache cache = cache();
        cache.lock.lock();
        try {
            WriteOut.behind(cache.find(CachedFiles.find(key), 0));
        } finally {
            cache.lock.unlock();
        }
    }

    private byte at(int offset) {
        return below.content()[offset];
    }

    /** Two parts of a page are written behind; the first fails while the second is on its way. */
    @Test
    void shouldWriteWhatFailedWhileAnotherPartIsOnItsWay() throws Exception {
        PfLayer layer = PfFixture.open(OPTIONS, below, key, OpenFlags.RDWR);
        PfCoherenceFixture.write(layer, 'n', 0, SECTOR);
        PfCoherenceFixture.write(layer, 'n', 4 * SECTOR, SECTOR);
        behind();
        assertThat(held).hasSize(2);
        below.fault((write, offset, length) -> offset == 0 ? new IOException("broken") : null);
        held.remove().run();
        below.fault((write, offset, length) -> null);
        ByteBuffer more = ByteBuffer.allocate(10);
        assertThatThrownBy(() -> layer.write(more, 5 * PAGE)).hasMessageContaining("broken");

        FutureTask<Void> flush =
                new FutureTask<>(
                        () -> {
                            layer.flush(false);
                            return null;
                        });
        Thread flushes = new Thread(flush);
        flushes.start();
        while (flushes.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        held.remove().run();
        flush.get(30, TimeUnit.SECONDS);

        assertThat(at(0)).isEqualTo((byte) 'n');
        assertThat(at(4 * SECTOR)).isEqualTo((byte) 'n');
        PfFixture.close(layer, key);
    }

    /** Another open may just be writing what lies between, past the pages. */
    @Test
    void shouldWriteNoCleanSectorWhereWritesMayMeet() throws IOException {
        PfLayer layer = PfFixture.open(OPTIONS, below, key, OpenFlags.RDWR);
        PfCoherenceFixture.reads(layer, 'o', 0, PAGE);
        CachedFiles.find(key).writesMeet();
        PfCoherenceFixture.write(layer, 'n', 0, SECTOR);
        PfCoherenceFixture.write(layer, 'n', 5 * SECTOR, SECTOR);
        below.write(ByteBuffer.wrap(PfCoherenceFixture.filled((byte) 'p', SECTOR)), 2 * SECTOR);
        behind();
        while (!held.isEmpty()) {
            held.remove().run();
        }

        assertThat(at(0)).isEqualTo((byte) 'n');
        assertThat(at(2 * SECTOR)).isEqualTo((byte) 'p');
        assertThat(at(5 * SECTOR)).isEqualTo((byte) 'n');
        PfFixture.close(layer, key);
    }

    /** Other files may have very many dirty pages. */
    @Test
    void shouldFindDirtyPagesOfAFileAmongThoseOfOthers() throws IOException {
        String shared = "cache=256k/page=8k/global=105";
        FileKey others = PfFixture.newKey();
        PfLayer other =
                PfFixture.open(shared, new MemoryFile(Runnable::run), others, OpenFlags.RDWR);
        PfLayer layer = PfFixture.open(shared, new MemoryFile(Runnable::run), key, OpenFlags.RDWR);
        for (int page : new int[] {9, 2, 7, 4}) {
            PfCoherenceFixture.write(other, 'x', (long) page * PAGE, SECTOR);
            PfCoherenceFixture.write(layer, 'n', (long) page * PAGE, SECTOR);
        }

        PageCache cache = cache();
        cache.lock.lock();
        try {
            assertThat(CachedFiles.find(key).pages().dirty())
                    .extracting(page -> page.index)
                    .containsExactly(9L, 2L, 7L, 4L);
            assertThat(CachedFiles.find(others).pages().dirty()).hasSize(4);
        } finally {
            cache.lock.unlock();
        }
        PfFixture.close(layer, key);
        PfFixture.close(other, others);
    }

    /**
     * The program's buffer is a mapping of a file that somebody has cut. Earlier JDKs report the
     * fault some time after the copy.
     */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void shouldShowNothingOfAWriteWhoseMemoryWentAwayMeanwhile() throws IOException {
        PfLayer layer = PfFixture.open(OPTIONS, below, key, OpenFlags.RDWR);
        PfCoherenceFixture.reads(layer, 'o', 0, PAGE);
        Path gone = Files.writeString(directory.resolve("gone"), "x".repeat(PAGE), UTF_8);
        MappedByteBuffer mapped;
        try (FileChannel channel =
                FileChannel.open(gone, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, PAGE);
            channel.truncate(PAGE / 2);
        }
        assertThatThrownBy(() -> layer.write(mapped, 0)).isInstanceOf(InternalError.class);

        ByteBuffer found = ByteBuffer.allocate(PAGE);
        layer.read(found, 0);
        assertThat(found.array()).isEqualTo(Arrays.copyOf(below.content(), PAGE));
        PfFixture.close(layer, key);
    }
}
