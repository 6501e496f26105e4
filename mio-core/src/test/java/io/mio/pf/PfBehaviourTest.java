package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.FileKey;
import io.mio.layer.Layer;
import io.mio.layer.Layer.Bypass;
import io.mio.layer.OpenFlags;
import io.mio.stats.PfSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests a cache makes for which: sectors, write-behind, readahead, and its bypasses. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PfBehaviourTest {
    private static final int PAGE = 4096;
    private static final int SECTOR = 512;
    private static final int SIZE = 40 * PAGE;
    private static final String OPTIONS = "cache=64k/page=4k/private/pref=2";

    private final FileKey key = PfFixture.newKey();
    private final MemoryFile below =
            new MemoryFile(Runnable::run).holding(filled((byte) 'o', SIZE));
    private final List<PfLayer> opens = new ArrayList<>();

    private static byte[] filled(byte with, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, with);
        return bytes;
    }

    private PfLayer open(String options) throws IOException {
        return open(options, OpenFlags.RDWR);
    }

    private PfLayer open(String options, int oflags) throws IOException {
        PfLayer layer = PfFixture.open(options, below, key, oflags);
        opens.add(layer);
        below.calls();
        return layer;
    }

    @AfterEach
    void close() throws IOException {
        for (PfLayer layer : opens) {
            PfFixture.close(layer, key);
        }
        assertThat(below.sawUnstableWrites()).as("a write changed on its way").isFalse();
    }

    private static void write(Layer layer, char with, long offset, int length) throws IOException {
        ByteBuffer src = ByteBuffer.wrap(filled((byte) with, length));
        assertThat(layer.write(src, offset)).isEqualTo(length);
    }

    private static void reads(Layer layer, char with, long offset, int length) throws IOException {
        ByteBuffer dst = ByteBuffer.allocate(length);
        assertThat(layer.read(dst, offset)).isEqualTo(length);
        assertThat(dst.array()).isEqualTo(filled((byte) with, length));
    }

    private byte[] content(int from, int length) {
        return Arrays.copyOfRange(below.content(), from, from + length);
    }

    // ---- sectors

    @Test
    void shouldNeedNothingFromTheFileForAWriteOfWholeSectors() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', 10 * PAGE + SECTOR, 2 * SECTOR);
        reads(layer, 'n', 10 * PAGE + SECTOR, 2 * SECTOR);
        assertThat(below.calls()).isEmpty();

        reads(layer, 'o', 10 * PAGE + 6 * SECTOR, SECTOR);
        layer.flush(false);
        assertThat(below.calls())
                .containsExactly(
                        "read " + (10 * PAGE + 3 * SECTOR) + "+" + 5 * SECTOR,
                        "write " + (10 * PAGE + SECTOR) + "+" + 2 * SECTOR,
                        "flush");
        PfSnapshot counted = PfFixture.counters(layer);
        assertThat(counted.notPreread()).isEqualTo(1);
        assertThat(counted.notPrereadForWrite()).isEqualTo(1);
        assertThat(counted.forcedSyncs()).isZero();
        assertThat(counted.details().partialReads()).isEqualTo(1);
    }

    @Test
    void shouldReadThePageForAWriteOfPartOfASector() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', 10 * PAGE + 700, 10);

        assertThat(below.calls()).containsExactly("read " + 10 * PAGE + "+" + PAGE);
        reads(layer, 'o', 10 * PAGE, 700);
        reads(layer, 'n', 10 * PAGE + 700, 10);
        reads(layer, 'o', 10 * PAGE + 710, PAGE - 710);
        PfSnapshot counted = PfFixture.counters(layer);
        assertThat(counted.notPreread()).as("it had to be read after all").isZero();
        assertThat(counted.notPrereadForWrite()).isEqualTo(1);
        assertThat(counted.forcedSyncs()).as("nothing was dirty").isZero();
    }

    @Test
    void shouldCountAnIllFormedWriteIntoADirtyPage() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', 10 * PAGE, SECTOR);
        write(layer, 'm', 10 * PAGE + 2000, 10);

        assertThat(PfFixture.counters(layer).forcedSyncs()).isEqualTo(1);
        layer.flush(false);
        assertThat(content(10 * PAGE, SECTOR)).isEqualTo(filled((byte) 'n', SECTOR));
        assertThat(content(10 * PAGE + SECTOR, 2000 - SECTOR))
                .isEqualTo(filled((byte) 'o', 2000 - SECTOR));
        assertThat(content(10 * PAGE + 2000, 10)).isEqualTo(filled((byte) 'm', 10));
    }

    @Test
    void shouldTakeWhatLiesBehindTheEndForZeros() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', SIZE + 700, 10);

        assertThat(below.calls()).isEmpty();
        reads(layer, '\0', SIZE, 700);
        assertThat(layer.size()).isEqualTo(SIZE + 710);
        layer.flush(false);
        assertThat(below.content()).hasSize(SIZE + 710);
        assertThat(content(SIZE, 700)).isEqualTo(new byte[700]);
    }

    @Test
    void shouldPrereadForAWriteIfAskedTo() throws IOException {
        PfLayer layer = open(OPTIONS + "/pffw");
        write(layer, 'n', 10 * PAGE, SECTOR);
        write(layer, 'n', 10 * PAGE + SECTOR, SECTOR);

        assertThat(below.calls())
                .containsExactly(
                        "aread " + 11 * PAGE + "+" + PAGE, "aread " + 12 * PAGE + "+" + PAGE);
        assertThat(PfFixture.counters(layer).notPrereadForWrite()).isZero();
    }

    // ---- writes

    @Test
    void shouldWriteAFullPageBehindTheProgramsBack() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', 10 * PAGE, PAGE - SECTOR);
        assertThat(below.calls()).isEmpty();
        write(layer, 'n', 11 * PAGE - SECTOR, SECTOR);

        assertThat(below.calls()).containsExactly("awrite " + 10 * PAGE + "+" + PAGE);
        assertThat(PfFixture.counters(layer).writeBehinds()).isEqualTo(1);
    }

    /** The requests may bring the last sector of a page in parts, too. */
    @Test
    void shouldWriteAFullPageOnceWhateverTheRequests() throws IOException {
        PfLayer layer = open(OPTIONS);
        for (int at = 0; at < 2 * PAGE; at += 100) {
            write(layer, 'n', 50 * PAGE + at, Math.min(100, 2 * PAGE - at));
        }
        assertThat(below.calls())
                .containsExactly(
                        "awrite " + 50 * PAGE + "+" + PAGE, "awrite " + 51 * PAGE + "+" + PAGE);
        assertThat(PfFixture.counters(layer).writeBehinds()).isEqualTo(2);
    }

    @Test
    void shouldWriteWhatGivesWayNextBesideWhatGivesWay() throws IOException {
        PfLayer layer = open("cache=32k/page=4k/private/pref=1");
        for (int i = 0; i < 3; i++) {
            write(layer, 'n', (2 + 2 * ReplacementRun.scattered(i)) * PAGE, SECTOR);
        }
        for (int i = 0; i < 5; i++) {
            reads(layer, 'o', (12 + 2 * ReplacementRun.scattered(i)) * PAGE, SECTOR);
        }
        below.calls();
        reads(layer, 'o', 39L * PAGE, SECTOR);

        assertThat(below.calls())
                .containsExactly(
                        "awrite " + 4 * PAGE + "+" + SECTOR,
                        "awrite " + 8 * PAGE + "+" + SECTOR,
                        "write " + 2 * PAGE + "+" + SECTOR,
                        "read " + 39 * PAGE + "+" + PAGE);
        assertThat(PfFixture.counters(layer).writeBehinds()).isEqualTo(2);
    }

    @Test
    void shouldWriteAPageThatTheStreamHasLeft() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', 10 * PAGE + SECTOR, SECTOR);
        write(layer, 'n', 10 * PAGE + 2 * SECTOR, 6 * SECTOR);
        assertThat(below.calls()).isEmpty();
        write(layer, 'n', 11 * PAGE, SECTOR);

        assertThat(below.calls())
                .containsExactly("awrite " + (10 * PAGE + SECTOR) + "+" + 7 * SECTOR);
        assertThat(PfFixture.counters(layer).writeBehinds()).isEqualTo(1);
    }

    /** An eighth of the file at a time, one megabyte at most: the file system gets few calls. */
    @Test
    void shouldAskForSpaceAheadOfAStream() throws IOException {
        int size = 16 << 20;
        PfLayer layer = open(OPTIONS);
        for (long at = SIZE; at < size; at += PAGE) {
            write(layer, 'n', at, PAGE);
            long end = at + PAGE;
            assertThat(below.reserved()).isBetween(end, end + Math.min(end / 8, 1 << 20));
        }
        assertThat(below.reserveCalls()).isLessThan(50);
    }

    /** Asks for no more space than the stream has, so that a file with holes keeps them. */
    @Test
    void shouldAskForLittleSpaceBehindAShortStream() throws IOException {
        long start = 16 << 20;
        PfLayer layer = open(OPTIONS);
        for (long at = start; at < start + 5 * PAGE; at += PAGE) {
            write(layer, 'n', at, PAGE);
            long end = at + PAGE;
            assertThat(below.reserved()).isBetween(end, end + end - start);
        }
        assertThat(below.reserveCalls()).isLessThan(5);
    }

    /** Writes by columns, with fewer frames than a column has pages. */
    @Test
    void shouldAskForTheSpaceOfASectorOnce() throws IOException {
        PfLayer layer = open(OPTIONS);
        for (long column = 0; column < SECTOR; column += 16) {
            for (long row = 0; row < 40; row++) {
                write(layer, 'c', row * row * PAGE + column, 16);
            }
        }
        assertThat(below.reserveCalls()).isLessThanOrEqualTo(40);

        // What was cut off must be had again, and what was not is still set aside.
        layer.truncate(4 * PAGE + SECTOR / 2);
        int calls = below.reserveCalls();
        write(layer, 'k', PAGE, 16);
        assertThat(below.reserveCalls()).isEqualTo(calls);
        write(layer, 'k', 4 * PAGE, 16);
        write(layer, 'k', 9 * PAGE, 16);
        assertThat(below.reserveCalls()).isEqualTo(calls + 2);

        // Others may have made holes while the file was not locked.
        layer.around(Bypass.LOCK, 0, Long.MAX_VALUE, () -> "locked");
        write(layer, 'l', PAGE, 16);
        write(layer, 'l', 4 * PAGE, 16);
        assertThat(below.reserveCalls()).isEqualTo(calls + 4);
    }

    /** Space that was set aside takes long to give back. */
    @Test
    void shouldSetNoSpaceAsideWhereAFileIsCutTimeAndAgain() throws IOException {
        long start = 100 * PAGE;
        PfLayer layer = open(OPTIONS);
        layer.truncate(start);
        for (int cut = 1; cut <= 4; cut++) {
            int before = below.reserveCalls();
            write(layer, 'c', start, PAGE);
            assertThat(below.reserveCalls()).as("cut %d", cut).isEqualTo(before + 1);
            layer.truncate(start);
        }

        int calls = below.reserveCalls();
        below.calls();
        write(layer, 'd', start, PAGE);
        assertThat(below.calls()).containsExactly("write " + start + "+" + PAGE);
        assertThat(below.reserveCalls()).isEqualTo(calls);

        // Far beyond the cut, and before it, space is set aside as anywhere.
        write(layer, 'e', start + (1 << 20), PAGE);
        write(layer, 'f', 0, PAGE);
        assertThat(below.reserveCalls()).isEqualTo(calls + 2);

        // A large cut does not mean that more will follow.
        layer.truncate(start);
        write(layer, 'g', start, PAGE);
        assertThat(below.reserveCalls()).isEqualTo(calls + 3);
    }

    @Test
    void shouldWriteAtOnceWhereRequestsAreSynchronous() throws IOException {
        PfLayer layer = open(OPTIONS + "/synchronous");
        write(layer, 'n', 10 * PAGE, PAGE);

        assertThat(below.calls()).containsExactly("write " + 10 * PAGE + "+" + PAGE);
        assertThat(PfFixture.counters(layer).writeBehinds()).isZero();
    }

    @Test
    void shouldNeverHaveMoreThanHalfOfTheFramesDirty() throws IOException {
        PfLayer layer = open(OPTIONS);
        for (int i = 0; i < 20; i++) {
            // No two are neighbours and no three are evenly spaced, so they make no stream.
            long page = 2 * Long.parseLong(Integer.toString(i, 2), 3);
            write(layer, 'n', page * PAGE, SECTOR);

            long dirty = i + 1 - PfFixture.counters(layer).child().writes();
            assertThat(dirty).isBetween(1L, 8L);
        }
        assertThat(PfFixture.counters(layer).child().writes()).isEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(strings = {"through", "O_APPEND", "O_DSYNC"})
    void shouldHandAWriteDownAtOnceAndKeepThePageRight(String why) throws IOException {
        int oflags =
                switch (why) {
                    case "O_APPEND" -> OpenFlags.RDWR | OpenFlags.APPEND;
                    case "O_DSYNC" -> OpenFlags.RDWR | OpenFlags.DSYNC;
                    default -> OpenFlags.RDWR;
                };
        PfLayer layer = open(OPTIONS + (why.equals("through") ? "/through" : ""), oflags);
        reads(layer, 'o', 10 * PAGE, PAGE);
        below.calls();
        write(layer, 'n', 10 * PAGE + 700, 100);

        assertThat(below.calls()).containsExactly("write " + (10 * PAGE + 700) + "+100");
        reads(layer, 'o', 10 * PAGE, 700);
        reads(layer, 'n', 10 * PAGE + 700, 100);
        assertThat(below.calls()).as("the page was there").isEmpty();
    }

    @Test
    void shouldAppendBehindWhatOnlyPagesKnow() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', SIZE, 100);
        write(layer, 'a', Layer.APPEND, 50);

        assertThat(layer.size()).isEqualTo(SIZE + 150);
        reads(layer, 'n', SIZE, 100);
        reads(layer, 'a', SIZE + 100, 50);
        assertThat(content(SIZE + 100, 50)).isEqualTo(filled((byte) 'a', 50));
    }

    @Test
    void shouldNotReadAPageWhileSomebodyCopiesIntoIt() throws Exception {
        PfLayer layer = open(OPTIONS);
        CachedFile file = CachedFiles.find(key);
        PageCache cache = file.cache();
        Page page;
        cache.lock.lock();
        try {
            page = cache.obtain(file, 10);
            page.writers++;
        } finally {
            cache.lock.unlock();
        }
        byte[] seen = new byte[PAGE];
        FutureTask<Integer> read =
                new FutureTask<>(() -> layer.read(ByteBuffer.wrap(seen), 10 * PAGE));
        Thread reader = new Thread(read);
        reader.start();
        while (reader.getState() != Thread.State.WAITING && !read.isDone()) {
            Thread.onSpinWait();
        }
        page.frame.put(0, filled((byte) 'n', SECTOR));
        cache.lock.lock();
        try {
            page.writers--;
            page.valid.set(0);
            page.validChanged(SECTOR);
            page.unpin();
            cache.changed.signalAll();
        } finally {
            cache.lock.unlock();
        }

        assertThat(read.get()).isEqualTo(PAGE);
        assertThat(Arrays.copyOf(seen, SECTOR)).isEqualTo(filled((byte) 'n', SECTOR));
        assertThat(Arrays.copyOfRange(seen, SECTOR, PAGE))
                .isEqualTo(filled((byte) 'o', PAGE - SECTOR));
    }

    // ---- reads ahead

    @Test
    void shouldReadAheadToTheEndOfTheFileAndNotPastIt() throws IOException {
        below.truncate(6 * PAGE - 3 * SECTOR);
        PfLayer layer = open("cache=64k/page=4k/private/pref=8");
        reads(layer, 'o', 0, PAGE);
        reads(layer, 'o', PAGE, PAGE);

        assertThat(below.calls())
                .containsExactly(
                        "read 0+" + PAGE,
                        "aread " + 2 * PAGE + "+" + PAGE,
                        "aread " + 3 * PAGE + "+" + PAGE,
                        "aread " + 4 * PAGE + "+" + PAGE,
                        "aread " + 5 * PAGE + "+" + (PAGE - 3 * SECTOR),
                        "read " + PAGE + "+" + PAGE);
        ByteBuffer rest = ByteBuffer.allocate(SIZE);
        assertThat(layer.read(rest, PAGE)).isEqualTo(5 * PAGE - 3 * SECTOR);
        assertThat(layer.read(rest, 6 * PAGE)).isEqualTo(-1);
        assertThat(below.calls()).isEmpty();
    }

    @Test
    void shouldReadAheadBackwardToTheFirstPageAndNotPastIt() throws IOException {
        PfLayer layer = open("cache=64k/page=4k/private/pref=8");
        reads(layer, 'o', 3 * PAGE, PAGE);
        reads(layer, 'o', 2 * PAGE, PAGE);

        assertThat(below.calls())
                .containsExactly(
                        "read " + 3 * PAGE + "+" + PAGE,
                        "aread " + PAGE + "+" + PAGE,
                        "aread 0+" + PAGE,
                        "read " + 2 * PAGE + "+" + PAGE);
    }

    /**
     * Of ten frames replace=auto may keep eight for pages that are read again: readahead must not
     * push out its own pages.
     */
    @Test
    void shouldUseAllThatItReadsAheadOfRequestsAcrossPages() throws IOException {
        int length = 700;
        PfLayer layer = open("cache=40k/page=4k/private/pref=8");
        for (long at = (long) SIZE - length; at >= 0; at -= length) {
            reads(layer, 'o', at, length);
        }
        assertThat(PfFixture.counters(layer).unusedPrefetches()).isZero();
        assertThat(PfFixture.counters(layer).child().reads()).isEqualTo(SIZE / PAGE);
    }

    /**
     * A stream that reads on in its page has not read the page again just because other streams
     * came in between.
     */
    @Test
    void shouldUseAllThatStreamsInTurnsReadAhead() throws IOException {
        long part = SIZE / 4;
        PfLayer layer = open("cache=64k/page=4k/private/pref=2");
        for (long at = 0; at < part; at += SECTOR) {
            for (int i = 0; i < 4; i++) {
                reads(layer, 'o', i * part + at, SECTOR);
            }
        }
        assertThat(PfFixture.counters(layer).unusedPrefetches()).isZero();
        // At first single sectors are read, until the stream is recognised.
        assertThat(PfFixture.counters(layer).child().reads())
                .isLessThanOrEqualTo(SIZE / PAGE + 4 * 3);
    }

    @Test
    void shouldReadAheadIntoNoMoreFramesThanKeptPagesLeave() throws IOException {
        PfLayer layer = open("cache=40k/page=4k/private/pref=8");
        readEight(layer);
        readEight(layer);
        for (int i = 11; i >= 0; i--) {
            reads(layer, 'o', (long) i * PAGE, PAGE);
        }
        assertThat(PfFixture.counters(layer).unusedPrefetches()).isZero();
        below.calls();
        readEight(layer);
        assertThat(below.calls()).isEmpty();
    }

    /** A page that was read just before is found at once, but counts as used all the same. */
    @Test
    void shouldKnowThatPagesReadInTurnsWereUsed() throws IOException {
        PfLayer layer = open("cache=16k/page=4k/private/pref=1/replace=lru");
        reads(layer, 'o', 3 * PAGE, 100);
        reads(layer, 'o', 10 * PAGE, 100);
        reads(layer, 'o', 3 * PAGE + 1000, 100);
        reads(layer, 'o', 20 * PAGE, 100);
        reads(layer, 'o', 33 * PAGE, 100);
        // The page at 10 was used longest ago, though it came after the page at 3.
        reads(layer, 'o', 39 * PAGE, 100);
        below.calls();
        reads(layer, 'o', 3 * PAGE + 2000, 100);
        assertThat(below.calls()).isEmpty();
        reads(layer, 'o', 10 * PAGE + 2000, 100);
        assertThat(below.calls()).isNotEmpty();
    }

    private static void readEight(PfLayer layer) throws IOException {
        for (int i = 0; i < 8; i++) {
            reads(layer, 'o', (12 + 2 * ReplacementRun.scattered(i)) * PAGE, SECTOR);
        }
    }

    @Test
    void shouldReadOnlyTheSectorsThatAStridedReaderWants() throws IOException {
        int page = 64 << 10;
        int step = 96 << 10;
        below.holding(filled((byte) 'o', 10 * page));
        PfLayer layer = open("cache=512k/page=64k/private/pref=2");
        for (int i = 0; i < 4; i++) {
            reads(layer, 'o', PAGE + (long) i * step, SECTOR);
        }

        assertThat(below.calls())
                .containsExactly(
                        "read " + PAGE + "+" + SECTOR,
                        "read " + (PAGE + step) + "+" + SECTOR,
                        "aread " + (PAGE + 3 * step) + "+" + SECTOR,
                        "aread " + (PAGE + 4 * step) + "+" + SECTOR,
                        "read " + (PAGE + 2 * step) + "+" + SECTOR,
                        "aread " + (PAGE + 5 * step) + "+" + SECTOR);
    }
}
