package io.mio.pf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.StackSpec;
import io.mio.layer.FileKey;
import io.mio.layer.FrameMemory;
import io.mio.layer.Layer;
import io.mio.layer.Layer.Bypass;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.stats.PfSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages and file agree: past the cache, with others who change the file, over closes. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PfCoherenceTest {
    private static final int PAGE = 4096;
    private static final int SIZE = 40 * PAGE;
    private static final String OPTIONS = "cache=64k/page=4k/private/pref=2";

    @TempDir Path directory;
    private final FileKey key = PfFixture.newKey();
    private final MemoryFile below =
            new MemoryFile(Runnable::run).holding(filled((byte) 'o', SIZE));
    private final Counted memory = new Counted();

    /** What the platform gives for a mapping of no bytes. */
    private final MappedByteBuffer nothing = (MappedByteBuffer) ByteBuffer.allocateDirect(0);

    /** Counts frames that are taken and given. */
    private static final class Counted implements FrameMemory {
        private int taken;
        private int given;

        @Override
        public ByteBuffer[] take(int count, int bytes) {
            taken += count;
            return PfFixture.MEMORY.take(count, bytes);
        }

        @Override
        public void give(ByteBuffer[] frames) {
            given += frames.length;
        }
    }

    private static byte[] filled(byte with, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, with);
        return bytes;
    }

    private PfLayer open(String options) throws IOException {
        return open(options, 7);
    }

    private PfLayer open(String options, long stamp) throws IOException {
        return open(options, below, key, stamp);
    }

    private PfLayer open(String options, MemoryFile file, FileKey known, long stamp)
            throws IOException {
        PfLayer layer = PfFixture.open(options, file, known, OpenFlags.RDWR, 512, stamp, memory);
        file.calls();
        return layer;
    }

    private void close(PfLayer layer) throws IOException {
        PfFixture.close(layer, key);
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

    // ---- past the cache

    @Test
    void shouldHonourPagesInLargeRequestsThatGoPastThem() throws IOException {
        PfLayer layer = open(OPTIONS + "/discovered_direct=16k");
        write(layer, 'n', 10 * PAGE + 100, 50);
        below.calls();
        ByteBuffer large = ByteBuffer.allocate(16 << 10);
        assertThat(layer.read(large, 9 * PAGE)).isEqualTo(16 << 10);
        assertThat(large.get(PAGE + 99)).isEqualTo((byte) 'o');
        assertThat(large.get(PAGE + 100)).isEqualTo((byte) 'n');
        assertThat(large.get(PAGE + 150)).isEqualTo((byte) 'o');
        assertThat(below.calls()).contains("read " + 9 * PAGE + "+16384");

        write(layer, 'L', 9 * PAGE, 16 << 10);
        assertThat(below.calls()).containsExactly("write " + 9 * PAGE + "+16384");
        reads(layer, 'L', 10 * PAGE, PAGE);
        assertThat(below.calls()).as("the page that was there was brought up to date").isEmpty();
        close(layer);
    }

    /** Below there may be direct I/O, which writes zeros to memory for what lies behind the end. */
    @Test
    void shouldReadPastThePagesNoFurtherThanToTheEnd() throws IOException {
        PfLayer layer = open(OPTIONS + "/discovered_direct=4k");
        write(layer, 'n', SIZE, 100);
        below.calls();
        ByteBuffer bytes = ByteBuffer.allocate(8192);
        assertThat(layer.read(bytes, SIZE - 1024)).isEqualTo(1124);
        assertThat(bytes.limit()).isEqualTo(8192);
        assertThat(below.calls()).contains("read " + (SIZE - 1024) + "+1124");
        assertThat(layer.read(bytes.clear(), SIZE + 100)).isEqualTo(-1);
        below.write(ByteBuffer.wrap(filled((byte) 'o', 50)), SIZE + 100);
        assertThat(layer.read(bytes.clear(), SIZE + 100)).isEqualTo(50);
        close(layer);
    }

    @Test
    void shouldNeverKeepAPartThatIsNotToBeCached() throws IOException {
        PfLayer layer = open(OPTIONS + "/passthru={5000:6000}");
        write(layer, 'n', 5200, 100);
        assertThat(below.calls()).containsExactly("write 5200+100");
        reads(layer, 'n', 5200, 100);
        below.write(ByteBuffer.wrap(filled((byte) 'x', 100)), 5200);
        reads(layer, 'x', 5200, 100);

        write(layer, 'w', 4000, 4000);
        reads(layer, 'w', 4000, 4000);
        assertThat(content(5000, 1000)).isEqualTo(filled((byte) 'w', 1000));
        close(layer);
        assertThat(content(4000, 4000)).isEqualTo(filled((byte) 'w', 4000));
    }

    @Test
    void shouldAgreeWithAnOpenWithoutACache() throws IOException {
        PfLayer layer = open(OPTIONS);
        CachedFile file = CachedFiles.enter(key);
        AttachedLayer plain = new AttachedLayer(file, below);
        write(layer, 'n', 100, 50);
        write(layer, 'e', SIZE, 10);

        assertThat(plain.size()).isEqualTo(SIZE + 10);
        reads(plain, 'n', 100, 50);
        write(plain, 'p', 120, 10);
        reads(layer, 'p', 120, 10);
        plain.truncate(125);
        assertThat(layer.size()).isEqualTo(125);
        close(layer);
        CachedFiles.leave(file);
        assertThat(below.content()).hasSize(125);
    }

    // ---- others change the file

    @Test
    void shouldSeeThatOthersMadeTheFileLonger() throws IOException {
        below.truncate(PAGE + 100);
        PfLayer layer = open(OPTIONS);
        reads(layer, 'o', PAGE, 100);
        below.write(ByteBuffer.wrap(filled((byte) 'x', 1000)), PAGE + 100);

        assertThat(layer.size()).isEqualTo(PAGE + 1100);
        reads(layer, 'x', PAGE + 100, 1000);
        close(layer);
    }

    @Test
    void shouldSeeThatOthersMadeTheFileLongerWhenItReadsThere() throws IOException {
        below.truncate(PAGE + 100);
        PfLayer layer = open(OPTIONS);
        reads(layer, 'o', PAGE, 100);
        assertThat(layer.read(ByteBuffer.allocate(10), PAGE + 100)).isEqualTo(-1);
        below.write(ByteBuffer.wrap(filled((byte) 'x', 1000)), PAGE + 100);

        reads(layer, 'x', PAGE + 100, 1000);
        close(layer);
    }

    @Test
    void shouldSeeThatOthersCutTheFile() throws IOException {
        PfLayer layer = open(OPTIONS);
        reads(layer, 'o', 10 * PAGE, PAGE);
        below.truncate(10 * PAGE + 100);

        assertThat(layer.size()).isEqualTo(10 * PAGE + 100);
        assertThat(layer.read(ByteBuffer.allocate(PAGE), 10 * PAGE)).isEqualTo(100);
        assertThat(layer.read(ByteBuffer.allocate(PAGE), 11 * PAGE)).isEqualTo(-1);
        close(layer);
    }

    @Test
    void shouldAskForSpaceAgainOnceOthersHaveCutTheFile() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', SIZE, PAGE);
        layer.flush(false);
        below.truncate(PAGE);
        below.reserves(false);
        assertThat(layer.size()).isEqualTo(PAGE);
        write(layer, 'm', SIZE, 100);

        assertThat(below.content()).as("without space it is not kept").hasSize(SIZE + 100);
        close(layer);
    }

    @Test
    void shouldWriteAtOnceWherePagesCannotBeRead() throws IOException {
        PfLayer layer = PfFixture.openBlind(OPTIONS, below, key);
        below.fault((write, at, length) -> write ? null : new IOException("Bad file descriptor"));
        write(layer, 'n', 100, 50);
        below.fault((write, at, length) -> null);
        assertThat(content(100, 50)).isEqualTo(filled((byte) 'n', 50));
        close(layer);
    }

    // ---- others who write between two sectors of ours

    @ParameterizedTest
    @ValueSource(strings = {"discovered_direct=1m", "passthru={512:1k}"})
    void shouldWriteNoSectorThatMayHaveBeenWrittenPastItsPage(String option) throws IOException {
        PfLayer layer = open("cache=64k/page=16k/private/pref=1/" + option);
        reads(layer, 'o', 0, 16 << 10);
        write(layer, 'n', 0, 512);
        write(layer, 'n', 1024, 512);
        below.write(ByteBuffer.wrap(filled((byte) 'x', 512)), 512);
        layer.flush(false);

        assertThat(content(0, 512)).isEqualTo(filled((byte) 'n', 512));
        assertThat(content(512, 512)).isEqualTo(filled((byte) 'x', 512));
        assertThat(content(1024, 512)).isEqualTo(filled((byte) 'n', 512));
        close(layer);
    }

    // ---- calls on the file itself

    @ParameterizedTest
    @EnumSource(names = {"UNLOCK", "TRANSFER_OUT", "TRANSFER_IN", "MAP_READ", "MAP_WRITE"})
    void shouldBringTheFileUpToDateBeforeACallOnItself(Bypass kind) throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', 100, 50);
        byte[] seen = layer.around(kind, 0, SIZE, () -> content(100, 50));

        assertThat(seen).isEqualTo(filled((byte) 'n', 50));
        close(layer);
    }

    @ParameterizedTest
    @EnumSource(names = {"LOCK", "TRANSFER_IN", "MAP_WRITE"})
    void shouldSeeWhatChangedDuringACallOnTheFileItself(Bypass kind) throws IOException {
        PfLayer layer = open(OPTIONS);
        reads(layer, 'o', 2 * PAGE, PAGE);
        write(layer, 'n', 100, 50);
        layer.around(
                kind,
                0,
                SIZE,
                () -> below.write(ByteBuffer.wrap(filled((byte) 'x', PAGE)), 2 * PAGE));

        reads(layer, 'x', 2 * PAGE, PAGE);
        reads(layer, 'n', 100, 50);
        close(layer);
        assertThat(content(100, 50)).isEqualTo(filled((byte) 'n', 50));
    }

    @Test
    void shouldKeepItsPagesWhereALockWasNotGiven() throws IOException {
        PfLayer layer = open(OPTIONS);
        reads(layer, 'o', 2 * PAGE, PAGE);
        below.calls();
        assertThat(layer.<Object>around(Bypass.LOCK, 0, 10, () -> null)).isNull();

        reads(layer, 'o', 2 * PAGE, PAGE);
        assertThat(below.calls()).isEmpty();
        close(layer);
    }

    @Test
    void shouldWriteAtOnceFromTheFirstLockOfAPartOn() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'b', 200, 10);
        layer.around(Bypass.LOCK, 0, Long.MAX_VALUE, () -> "lock");
        write(layer, 'w', 300, 10);
        assertThat(content(300, 10)).as("nobody else writes").isEqualTo(filled((byte) 'o', 10));
        layer.around(Bypass.LOCK, 0, 1, () -> "lock");
        assertThat(content(300, 10)).isEqualTo(filled((byte) 'w', 10));
        reads(layer, 'o', 100, 10);
        // Another process has locked the next bytes.
        below.write(ByteBuffer.wrap(filled((byte) 'x', 10)), 110);
        write(layer, 'n', 100, 10);
        assertThat(content(100, 10)).isEqualTo(filled((byte) 'n', 10));
        close(layer);

        assertThat(content(110, 10)).isEqualTo(filled((byte) 'x', 10));
    }

    @Test
    void shouldKeepNothingOnceTheFileIsMappedForWriting() throws IOException {
        PfLayer layer = open(OPTIONS);
        layer.around(Bypass.MAP_WRITE, 0, SIZE, () -> "mapping");
        for (char with : new char[] {'1', '2'}) {
            below.write(ByteBuffer.wrap(filled((byte) with, 10)), 100);
            reads(layer, with, 100, 10);
        }
        write(layer, 'n', 100, 10);
        assertThat(content(100, 10)).isEqualTo(filled((byte) 'n', 10));
        close(layer);

        PfLayer later = open(OPTIONS);
        reads(later, 'n', 100, 10);
        below.write(ByteBuffer.wrap(filled((byte) 'x', 10)), 100);
        reads(later, 'x', 100, 10);
        close(later);
    }

    @ParameterizedTest
    @EnumSource(names = {"MAP_READ", "MAP_WRITE"})
    void shouldKeepItsPagesWhereNoByteOfTheFileIsMapped(Bypass kind) throws IOException {
        PfLayer layer = open(OPTIONS);
        reads(layer, 'o', 100, 10);
        layer.around(kind, 0, 0, () -> nothing);
        write(layer, 'n', 200, 10);
        assertThat(content(200, 10)).isEqualTo(filled((byte) 'o', 10));
        reads(layer, 'n', 200, 10);
        close(layer);

        assertThat(CachedFiles.isMapped(key)).isFalse();
        assertThat(CachedFiles.isMappedForReading(key)).isFalse();
    }

    @Test
    void shouldKnowAFileThatWasMadeSinceFromOneThatWasMappedForGood() {
        FileKey key = PfFixture.newKey();
        CachedFiles.mapped(key, new Object());
        CachedFiles.mappedForReading(key, new Object(), true);
        CachedFiles.isNew(PfFixture.newKey());
        assertThat(CachedFiles.isMapped(key)).isTrue();
        assertThat(CachedFiles.isMappedForReading(key)).isTrue();
        CachedFiles.isNew(key);
        assertThat(CachedFiles.isMapped(key)).isFalse();
        assertThat(CachedFiles.isMappedForReading(key)).isFalse();
    }

    @Test
    void shouldHandWritesDownAtOnceOnceTheFileIsMappedForReading() throws IOException {
        PfLayer layer = open(OPTIONS);
        layer.around(Bypass.MAP_READ, 0, SIZE, () -> "mapping");
        write(layer, 'n', 100, 10);

        assertThat(content(100, 10)).isEqualTo(filled((byte) 'n', 10));
        close(layer);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldHandWritesDownAtOnceWhileAnEarlierMappingReadsTheFile(boolean cached)
            throws IOException {
        MappedByteBuffer mapping = mapping();
        try {
            checkMapped(cached, () -> mapping);
        } finally {
            Reference.reachabilityFence(mapping);
        }
    }

    private void checkMapped(boolean cached, Layer.IoCall<MappedByteBuffer> maps)
            throws IOException {
        CachedFile file = CachedFiles.enter(key);
        if (cached) {
            PfLayer layer = open(OPTIONS);
            layer.around(Bypass.MAP_READ, 0, SIZE, maps);
            close(layer);
        } else {
            new AttachedLayer(file, below).around(Bypass.MAP_READ, 0, SIZE, maps);
        }
        PfLayer later = open(OPTIONS);
        write(later, 'n', 100, 10);

        assertThat(content(100, 10)).isEqualTo(filled((byte) 'n', 10));
        close(later);
        CachedFiles.leave(file);
    }

    private MappedByteBuffer mapping() throws IOException {
        Path mapped = Files.write(directory.resolve("mapped"), new byte[1]);
        try (FileChannel channel = FileChannel.open(mapped)) {
            return channel.map(FileChannel.MapMode.READ_ONLY, 0, 1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"MAP_READ", "MAP_WRITE"})
    void shouldAgreeWithAMappingThatWasMadeWhileTheFileGotItsPages(Bypass kind) throws IOException {
        CachedFile file = CachedFiles.enter(key);
        PfLayer layer =
                new AttachedLayer(file, below)
                        .around(
                                kind,
                                0,
                                SIZE,
                                () -> {
                                    PfLayer made = open(OPTIONS);
                                    reads(made, 'o', 100, 10);
                                    write(made, 'a', 200, 10);
                                    return made;
                                });

        assertThat(content(200, 10)).isEqualTo(filled((byte) 'a', 10));
        write(layer, 'n', 300, 10);
        assertThat(content(300, 10)).isEqualTo(filled((byte) 'n', 10));
        if (kind == Bypass.MAP_WRITE) {
            below.write(ByteBuffer.wrap(filled((byte) 'x', 10)), 100);
            reads(layer, 'x', 100, 10);
        }
        close(layer);
        CachedFiles.leave(file);
    }

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

    /** As many as a cache has frames have pages there, one each. */
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

    /** Nor one that has no page left there. */
    @Test
    void shouldForgetAFileWithoutPages() throws IOException {
        FileKey other = PfFixture.newKey();
        String options = "cache=64k/page=4k/global=97/norelease/retain";
        PfFixture.close(open(options, below, other, 7), other);
        assertThat(CachedFiles.knows(other)).isFalse();
        giveUp(97);
    }

    /** An open that gives the memory back when it closes. */
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
}
