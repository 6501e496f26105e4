package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.FileKey;
import io.mio.layer.Layer;
import io.mio.layer.Layer.Bypass;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages and file agree around calls that the file itself answers: locks, transfers, mappings. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PfBypassTest extends PfCoherenceFixture {
    /** What the platform returns for a mapping of no bytes. */
    private final MappedByteBuffer nothing = (MappedByteBuffer) ByteBuffer.allocateDirect(0);

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

    /** Locks all of the file, and a part of it. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, 10})
    void shouldKnowTheSizeThatOthersGaveTheFileBeforeItWasLocked(long length) throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', 100, 50);
        below.write(ByteBuffer.wrap(filled((byte) 'x', 1000)), SIZE);
        layer.around(Bypass.LOCK, 0, length, () -> "lock");

        reads(layer, 'x', SIZE, 1000);
        assertThat(layer.size()).isEqualTo(SIZE + 1000);
        close(layer);
        assertThat(content(100, 50)).isEqualTo(filled((byte) 'n', 50));
    }

    /** The next write reports why the pages could not be written. */
    @Test
    void shouldBeLockedThoughItsPagesCannotBeWritten() throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', 100, 50);
        below.fault((write, offset, bytes) -> write ? new IOException("disk full") : null);
        assertThat(layer.<Object>around(Bypass.LOCK, 0, Long.MAX_VALUE, () -> "lock"))
                .isEqualTo("lock");
        reads(layer, 'n', 100, 50);
        below.fault((write, offset, bytes) -> null);

        assertThatThrownBy(() -> write(layer, 'm', 300, 10)).hasMessageContaining("disk full");
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

    /** The interrupt belongs to the program: the size is asked for without it. */
    @Test
    void shouldKeepAnInterruptWhileTheFileIsLocked() throws IOException {
        PfLayer layer = open(OPTIONS);
        Thread.currentThread().interrupt();
        layer.around(Bypass.LOCK, 0, 10, () -> "lock");

        assertThat(Thread.interrupted()).isTrue();
        close(layer);
    }

    @ParameterizedTest
    @EnumSource(names = {"MAP_READ", "MAP_WRITE", "TRANSFER_OUT"})
    void shouldNotBeginWhatNeedsPagesThatCannotBeWritten(Bypass kind) throws IOException {
        PfLayer layer = open(OPTIONS);
        write(layer, 'n', 100, 50);
        below.fault((write, offset, bytes) -> write ? new IOException("disk full") : null);
        below.calls();
        assertThatThrownBy(
                        () ->
                                layer.around(
                                        kind,
                                        0,
                                        SIZE,
                                        () -> {
                                            below.flush(false);
                                            return nothing;
                                        }))
                .isInstanceOf(IOException.class);

        assertThat(below.calls()).containsExactly("write 0+512");
        below.fault((write, offset, bytes) -> null);
        reads(layer, 'n', 100, 50);
        assertThatThrownBy(() -> layer.flush(false)).hasMessageContaining("disk full");
        close(layer);
        assertThat(content(100, 50)).isEqualTo(filled((byte) 'n', 50));
    }

    /** SQLite does so with the index of its log. Twin of preload/shared.c. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldAgreeWithOtherProcessesInAllFilesWhereTheySharePartsOfAMapping(boolean given)
            throws IOException {
        FileKey sharedKey = PfFixture.newKey();
        MemoryFile sharedBelow = new MemoryFile(Runnable::run).holding(filled((byte) 's', PAGE));
        PfLayer shared = PfFixture.open(OPTIONS, sharedBelow, sharedKey, OpenFlags.RDWR);
        PfLayer layer = open(OPTIONS);
        shared.around(Bypass.MAP_WRITE, 0, PAGE, () -> "mapping");
        reads(layer, 'o', 2 * PAGE, PAGE);
        write(layer, 'd', 100, 50);
        below.write(ByteBuffer.wrap(filled((byte) 'x', PAGE)), 2 * PAGE);
        below.write(ByteBuffer.wrap(filled((byte) 'y', 10)), SIZE);
        reads(layer, 'o', 2 * PAGE, PAGE);
        try {
            String lock = given ? "lock" : null;
            assertThat(shared.<Object>around(Bypass.LOCK, 0, 1, () -> lock)).isEqualTo(lock);

            assertThat(content(100, 50)).isEqualTo(filled((byte) 'd', 50));
            reads(layer, 'x', 2 * PAGE, PAGE);
            reads(layer, 'y', SIZE, 10);
            // The file must have the bytes before the lock is given back.
            write(layer, 'n', 100, 50);
            assertThat(content(100, 50)).isEqualTo(filled((byte) 'n', 50));
        } finally {
            CachedFiles.shareNoMore();
        }
        close(layer);
        close(shared);
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
}
