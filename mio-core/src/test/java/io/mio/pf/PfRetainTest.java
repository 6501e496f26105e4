package io.mio.pf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.StackSpec;
import io.mio.layer.FileKey;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.stats.PfSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which pages of a file stay from a close to the next open; scratch files; memory of frames. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PfRetainTest extends PfCoherenceFixture {
    // ---- over closes

    @Test
    void shouldFindItsPagesAgainIfNobodyChangedTheFile() throws IOException {
        String options = "cache=64k/page=4k/global=91/norelease/retain";
        PfLayer first = open(options, 7);
        reads(first, 'o', 10 * PAGE, PAGE);
        write(first, 'n', 10 * PAGE, 100);
        close(first);
        PfLayer second = open(options, 7);
        reads(second, 'n', 10 * PAGE, 100);
        reads(second, 'o', 10 * PAGE + 100, PAGE - 100);

        assertThat(below.calls()).isEmpty();
        assertThat(PfFixture.counters(second).retainedPages()).isEqualTo(1);
        close(second);
        giveUp(91);
    }

    @Test
    void shouldForgetRetainedPagesIfTheFileWasChanged() throws IOException {
        String options = "cache=64k/page=4k/global=92/norelease/retain";
        PfLayer first = open(options, 7);
        reads(first, 'o', 10 * PAGE, PAGE);
        close(first);
        below.write(ByteBuffer.wrap(filled((byte) 'x', PAGE)), 10 * PAGE);
        PfLayer second = open(options, 8);

        assertThat(PfFixture.counters(second).retainedPages()).isZero();
        reads(second, 'x', 10 * PAGE, PAGE);
        close(second);
        giveUp(92);
    }

    /** The change comes so soon that the time of the last change does not show it. */
    @Test
    void shouldForgetRetainedPagesIfAnOpenWithoutACacheChangesTheFile() throws IOException {
        String options = "cache=64k/page=4k/global=98/norelease/retain";
        PfLayer first = open(options, 7);
        reads(first, 'o', 10 * PAGE, PAGE);
        CachedFile file = CachedFiles.enter(key);
        close(first);
        write(new AttachedLayer(file, below), 'x', 10 * PAGE, PAGE);
        PfLayer second = open(options, 7);

        assertThat(PfFixture.counters(second).retainedPages()).isZero();
        reads(second, 'x', 10 * PAGE, PAGE);
        close(second);
        CachedFiles.leave(file);
        giveUp(98);
    }

    /** A cache keeps pages of at most as many closed files as it has frames. */
    @Test
    void shouldForgetFilesThatAreClosedLongestOfMoreThanThereAreFrames() throws IOException {
        String options = "cache=64k/page=4k/global=96/norelease/retain";
        List<FileKey> keys = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            keys.add(PfFixture.newKey());
            PfLayer each = open(options, below, keys.get(i), 7);
            reads(each, 'o', 0, PAGE);
            PfFixture.close(each, keys.get(i));
        }
        assertThat(keys).filteredOn(CachedFiles::knows).isEqualTo(keys.subList(24, 40));
        PfLayer again = open(options, below, keys.get(39), 7);
        assertThat(PfFixture.counters(again).retainedPages()).isEqualTo(1);
        PfFixture.close(again, keys.get(39));
        giveUp(96);
        assertThat(keys).noneMatch(CachedFiles::knows);
    }

    /** A closed file of which the cache has no page is forgotten, too. */
    @Test
    void shouldForgetAFileWithoutPages() throws IOException {
        FileKey other = PfFixture.newKey();
        String options = "cache=64k/page=4k/global=97/norelease/retain";
        PfFixture.close(open(options, below, other, 7), other);
        assertThat(CachedFiles.knows(other)).isFalse();
        giveUp(97);
    }

    /** Makes an open that gives the cache's memory back when it closes. */
    private void giveUp(int global) throws IOException {
        FileKey other = PfFixture.newKey();
        MemoryFile empty = new MemoryFile(Runnable::run);
        PfFixture.close(open("global=" + global, empty, other, -1), other);
        assertThat(memory.given).isEqualTo(memory.taken);
        assertThat(memory.taken).isEqualTo(16);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldNotWriteAScratchFileWhenItCloses(boolean named) throws IOException {
        Path scratch = Files.writeString(directory.resolve("scratch"), "", UTF_8);
        OpenRequest.Place place =
                new OpenRequest.Place() {
                    @Override
                    public String type() {
                        return "memory";
                    }

                    @Override
                    public long sectorBytes() {
                        return 512;
                    }

                    @Override
                    public long changeStamp() {
                        return named ? 7 : -1;
                    }
                };
        OpenRequest request =
                new OpenRequest(
                        scratch.toString(),
                        OpenFlags.RDWR,
                        0644,
                        0,
                        0,
                        0,
                        place,
                        key,
                        null,
                        true,
                        true,
                        false);
        PfLayer layer =
                PfLayers.over(
                        StackSpec.parse("test", "pf/scratch/" + OPTIONS).layers().get(1),
                        below,
                        CachedFiles.enter(key),
                        request,
                        memory,
                        () -> "memory");
        write(layer, 'n', 100, 50);
        close(layer);

        assertThat(content(100, 50)).isEqualTo(filled((byte) 'o', 50));
        assertThat(Files.exists(scratch)).as("another file has its name").isEqualTo(!named);
    }

    @Test
    void shouldWriteAScratchFileThatOthersStillRead() throws IOException {
        PfLayer reader = PfFixture.open("scratch/" + OPTIONS, below, key, OpenFlags.RDONLY);
        PfLayer writer = PfFixture.open("scratch/" + OPTIONS, below, key, OpenFlags.WRONLY);
        write(writer, 'n', 0, 512);
        write(writer, 'l', SIZE, 512);
        close(writer);

        reads(reader, 'n', 0, 512);
        reads(reader, 'l', SIZE, 512);
        close(reader);
    }

    private static final AtomicInteger GLOBAL = new AtomicInteger(100);

    /** Makes an open that keeps its pages, of a file whose change time does not move. */
    private static PfLayer openRetaining(String options, MemoryFile below, FileKey key, int sector)
            throws IOException {
        String all = "retain/norelease/" + options;
        return PfFixture.open(all, below, key, OpenFlags.RDWR, sector, 1, PfFixture.MEMORY);
    }

    @Test
    void shouldNotTakePagesBackWhoseSectorsHadAnotherSize() throws IOException {
        String options = "cache=128k/page=64k/pref=1/global=" + GLOBAL.incrementAndGet();
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(PfFixture.filled(65536, 1));
        PfLayer layer = openRetaining(options, below, key, 512);
        assertThat(PfFixture.read(layer, 4096, 8192)).isEqualTo(PfFixture.filled(8192, 1));
        PfFixture.close(layer, key);
        layer = openRetaining(options, below, key, 4096);
        assertThat(PfFixture.read(layer, 32768, 4096)).isEqualTo(PfFixture.filled(4096, 1));
        PfFixture.close(layer, key);
    }

    @Test
    void shouldNotTakePagesBackThatAnOpenWithoutCacheChanged() throws IOException {
        String options = "cache=64k/page=8k/global=" + GLOBAL.incrementAndGet();
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(PfFixture.filled(8192, 1));
        PfLayer layer = openRetaining(options, below, key, 512);
        assertThat(PfFixture.read(layer, 0, 512)).isEqualTo(PfFixture.filled(512, 1));
        PfFixture.close(layer, key);
        CachedFile file = CachedFiles.enter(key);
        AttachedLayer plain = new AttachedLayer(file, below);
        plain.write(ByteBuffer.wrap(PfFixture.filled(512, 2)), 0);
        CachedFiles.leave(file);
        layer = openRetaining(options, below, key, 512);
        assertThat(PfFixture.read(layer, 0, 512)).isEqualTo(PfFixture.filled(512, 2));
        PfFixture.close(layer, key);
    }

    @Test
    void shouldNotTakePagesBackOfAFileThatWasCutAndFilledMeanwhile() throws IOException {
        String options = "cache=64k/page=8k/global=" + GLOBAL.incrementAndGet();
        FileKey key = PfFixture.newKey();
        MemoryFile below = new MemoryFile(Runnable::run).holding(PfFixture.filled(8192, 1));
        PfLayer layer = openRetaining(options, below, key, 512);
        assertThat(PfFixture.read(layer, 0, 512)).isEqualTo(PfFixture.filled(512, 1));
        PfFixture.close(layer, key);
        CachedFile file = CachedFiles.enter(key);
        file.truncating(
                () -> {
                    below.holding(PfFixture.filled(8192, 2));
                    return null;
                },
                opened -> true);
        CachedFiles.leave(file);
        layer = openRetaining(options, below, key, 512);
        assertThat(PfFixture.read(layer, 0, 512)).isEqualTo(PfFixture.filled(512, 2));
        PfFixture.close(layer, key);
    }

    // ---- memory

    @Test
    void shouldTakeAndGiveTheFramesOfAPrivateCacheOnce() throws IOException {
        PfLayer first = open(OPTIONS);
        PfLayer second = open(OPTIONS);
        assertThat(memory.taken).isEqualTo(16);
        close(first);
        assertThat(memory.given).isZero();
        close(second);

        assertThat(memory.given).isEqualTo(16);
        assertThat(memory.taken).isEqualTo(16);
    }

    @Test
    void shouldShareAGlobalCacheBetweenFiles() throws IOException {
        FileKey otherKey = PfFixture.newKey();
        MemoryFile otherFile = new MemoryFile(Runnable::run).holding(filled((byte) 'q', SIZE));
        PfLayer layer = open("cache=64k/page=4k/global=93");
        PfLayer other = open("cache=1m/page=8k/global=93", otherFile, otherKey, 7);
        assertThat(memory.taken).as("the first open says how large it is").isEqualTo(16);
        reads(layer, 'o', 10 * PAGE, PAGE);
        reads(other, 'q', 10 * PAGE, PAGE);
        reads(layer, 'o', 10 * PAGE, PAGE);
        close(layer);
        assertThat(memory.given).isZero();
        assertThat(layer.source().cache().snapshot(Event.CLOSE)).isNull();
        reads(other, 'q', 10 * PAGE, PAGE);
        PfFixture.close(other, otherKey);

        assertThat(memory.given).isEqualTo(16);
        PfSnapshot cache = (PfSnapshot) other.source().cache().snapshot(Event.CLOSE);
        assertThat(cache.program().reads()).isEqualTo(4);
        assertThat(cache.child().reads()).isEqualTo(2);
        assertThat(cache.pageBytes()).isEqualTo(PAGE);
    }

    @Test
    void shouldMakeThePageOfAFrameWhenItIsFirstWanted() throws IOException {
        PfLayer layer = open("cache=1g/page=4k/private/pref=1");
        assertThat(memory.taken).isEqualTo(1 << 18);
        assertThat(memory.made).isZero();

        reads(layer, 'o', 10 * PAGE, PAGE);
        reads(layer, 'o', 3 * PAGE, PAGE);
        reads(layer, 'o', 10 * PAGE, PAGE);

        assertThat(memory.made).isEqualTo(2);
        close(layer);
        assertThat(memory.given).isEqualTo(1 << 18);
    }

    @Test
    void shouldUseTheFrameOfAPageThatIsGoneBeforeANewOne() throws IOException {
        PfLayer layer = open("cache=1g/page=4k/private/pref=1");
        for (int i = 0; i < 5; i++) {
            write(layer, 'n', 0, 3 * PAGE);
            reads(layer, 'n', 0, 3 * PAGE);
            layer.truncate(0);
        }

        assertThat(memory.made).isLessThanOrEqualTo(4);
        close(layer);
    }
}
