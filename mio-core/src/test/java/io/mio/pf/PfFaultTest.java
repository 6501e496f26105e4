package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.FileKey;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What happens to pages when the layer below fails: errors are told, bytes kept, nothing hangs. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PfFaultTest {
    private static final int PAGE = 4096;
    private static final String OPTIONS = "cache=64k/page=4k/private/pref=2";
    private static final int PAGES = 64;

    private final FileKey key = PfFixture.newKey();
    private final MemoryFile below =
            new MemoryFile(Runnable::run).holding(filled((byte) 'o', PAGES * PAGE));

    private static byte[] filled(byte with, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, with);
        return bytes;
    }

    private PfLayer open() throws IOException {
        return PfFixture.open(OPTIONS, below, key, OpenFlags.RDWR);
    }

    private static void write(Layer layer, char with, long offset, int length) throws IOException {
        ByteBuffer src = ByteBuffer.wrap(filled((byte) with, length));
        assertThat(layer.write(src, offset)).isEqualTo(length);
    }

    private static byte[] read(Layer layer, long offset, int length) throws IOException {
        ByteBuffer dst = ByteBuffer.allocate(length);
        assertThat(layer.read(dst, offset)).isEqualTo(length);
        return dst.array();
    }

    private void writesFail() {
        below.fault((write, offset, length) -> write ? new IOException("disk full") : null);
    }

    private void nothingFails() {
        below.fault((write, offset, length) -> null);
    }

    private byte[] content(int from, int length) {
        return Arrays.copyOfRange(below.content(), from, from + length);
    }

    private void call(String what, PfLayer layer) throws IOException {
        switch (what) {
            case "write" -> write(layer, 'x', 20 * PAGE, 10);
            case "flush" -> layer.flush(false);
            case "truncate" -> layer.truncate(50 * PAGE);
            default -> PfFixture.close(layer, key);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "flush", "truncate", "close"})
    void shouldTellEachOpenOnceOfAWriteThatFailedBehindItsBack(String next) throws IOException {
        PfLayer writer = open();
        PfLayer other = open();
        writesFail();
        write(writer, 'n', 0, PAGE);
        nothingFails();

        for (PfLayer told : new PfLayer[] {writer, other}) {
            assertThatThrownBy(() -> call(next, told))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("disk full")
                    .hasRootCauseMessage("disk full");
        }
        if (!next.equals("close")) {
            for (PfLayer told : new PfLayer[] {writer, other}) {
                call(next, told);
                PfFixture.close(told, key);
            }
        }
        assertThat(content(0, PAGE)).isEqualTo(filled((byte) 'n', PAGE));
    }

    @Test
    void shouldKeepWhatCouldNotBeWrittenUntilItCan() throws IOException {
        PfLayer layer = open();
        writesFail();
        write(layer, 'n', 0, PAGE);

        assertThatThrownBy(() -> layer.flush(false)).hasMessageContaining("disk full");
        assertThat(read(layer, 0, PAGE)).isEqualTo(filled((byte) 'n', PAGE));
        assertThatThrownBy(() -> layer.flush(false)).hasMessageContaining("disk full");
        assertThat(content(0, PAGE)).isEqualTo(filled((byte) 'o', PAGE));
        nothingFails();
        layer.flush(false);

        assertThat(content(0, PAGE)).isEqualTo(filled((byte) 'n', PAGE));
        assertThat(PfFixture.counters(layer).details().writeErrors()).isEqualTo(3);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldCloseTheFileEvenIfItCannotBeWritten() throws IOException {
        PfLayer layer = open();
        writesFail();
        write(layer, 'n', 0, 100);
        below.calls();

        assertThatThrownBy(() -> PfFixture.close(layer, key)).hasMessageContaining("disk full");
        assertThat(below.calls()).containsExactly("write 0+512", "close");
        assertThat(CachedFiles.find(key)).isNull();
        PfLayer again = open();
        assertThat(read(again, 0, PAGE)).isEqualTo(filled((byte) 'o', PAGE));
        PfFixture.close(again, key);
    }

    @Test
    void shouldHaveALockGivenBackEvenIfThePagesCannotBeWritten() throws IOException {
        PfLayer layer = open();
        Layer.IoCall<Object> givesBack =
                () -> {
                    below.flush(false);
                    throw new IOException("no lock");
                };
        writesFail();
        write(layer, 'n', 0, 100);
        below.calls();

        assertThatThrownBy(() -> layer.around(Layer.Bypass.UNLOCK, 0, PAGE, givesBack))
                .hasMessage("disk full")
                .satisfies(e -> assertThat(e.getSuppressed()[0]).hasMessage("no lock"));
        assertThat(below.calls()).containsExactly("write 0+512", "flush");
        nothingFails();
        assertThatThrownBy(() -> layer.around(Layer.Bypass.UNLOCK, 0, PAGE, givesBack))
                .hasMessage("no lock");
        assertThat(content(0, 100)).isEqualTo(filled((byte) 'n', 100));
        assertThatThrownBy(() -> PfFixture.close(layer, key)).hasMessageContaining("disk full");
    }

    @Test
    void shouldTellAnErrorOfAPageThatTheProgramWants() throws IOException {
        PfLayer layer = open();
        below.fault((write, offset, length) -> new IOException("bad sector"));

        assertThatThrownBy(() -> layer.read(ByteBuffer.allocate(10), 5 * PAGE))
                .isInstanceOf(IOException.class)
                .hasMessage("bad sector");
        nothingFails();
        assertThat(read(layer, 5 * PAGE, 10)).isEqualTo(filled((byte) 'o', 10));
        PfFixture.close(layer, key);
    }

    /** A bad place is reported once, and keeps nobody from writing elsewhere. */
    @Test
    void shouldWriteElsewhereWhileAPageCannotBeWritten() throws IOException {
        PfLayer layer = open();
        below.fault(
                (write, offset, length) ->
                        offset < 3 * PAGE && offset + length > 2 * PAGE
                                ? new IOException("bad sector")
                                : null);
        write(layer, 'n', 2 * PAGE, PAGE);
        assertThatThrownBy(() -> write(layer, 'x', 20 * PAGE, 10))
                .hasRootCauseMessage("bad sector");
        for (int i = 20; i < 23; i++) {
            write(layer, 'x', (long) i * PAGE, 10);
        }
        assertThat(content(20 * PAGE, 10)).isEqualTo(filled((byte) 'x', 10));
        assertThat(content(22 * PAGE, 10)).isEqualTo(filled((byte) 'x', 10));
        assertThatThrownBy(() -> write(layer, 'm', 2 * PAGE + 100, 10))
                .hasMessageContaining("bad sector");
        assertThat(read(layer, 2 * PAGE, PAGE)).isEqualTo(filled((byte) 'n', PAGE));
        assertThatThrownBy(() -> layer.flush(false)).hasRootCauseMessage("bad sector");
        nothingFails();
        layer.flush(false);
        assertThat(content(2 * PAGE, PAGE)).isEqualTo(filled((byte) 'n', PAGE));
        PfFixture.close(layer, key);
    }

    @Test
    void shouldSayNothingOfAnErrorInWhatNobodyAskedFor() throws IOException {
        PfLayer layer = open();
        int bad = 6 * PAGE;
        below.fault((write, offset, length) -> offset == bad ? new IOException("bad") : null);
        for (int i = 0; i < 6; i++) {
            assertThat(read(layer, (long) i * PAGE, PAGE)).isEqualTo(filled((byte) 'o', PAGE));
        }

        assertThat(below.calls()).contains("aread " + bad + "+" + PAGE);
        assertThatThrownBy(() -> layer.read(ByteBuffer.allocate(PAGE), bad)).hasMessage("bad");
        nothingFails();
        assertThat(read(layer, bad, PAGE)).isEqualTo(filled((byte) 'o', PAGE));
        layer.flush(false);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldDeliverWhatLiesBeforeABadPage() throws IOException {
        PfLayer layer = open();
        int bad = 2 * PAGE;
        below.fault((write, offset, length) -> offset >= bad ? new IOException("bad") : null);
        ByteBuffer dst = ByteBuffer.allocate(4 * PAGE);

        assertThat(layer.read(dst, 100)).isEqualTo(bad - 100);
        PfFixture.close(layer, key);
    }

    /** Makes sectors bad: like a disk, the file delivers what lies before them, and then fails. */
    private void badSectors(long from, long to) {
        below.limit(
                (write, offset, length) -> {
                    if (offset >= to || offset + length <= from) {
                        return length;
                    }
                    if (offset >= from) {
                        throw new IOException("bad");
                    }
                    return (int) (from - offset);
                });
    }

    private void isBad(Layer layer, long offset, int length) {
        assertThatThrownBy(() -> layer.read(ByteBuffer.allocate(length), offset))
                .isInstanceOf(IOException.class)
                .hasMessage("bad");
    }

    private static void isOld(Layer layer, long offset, int length) throws IOException {
        assertThat(read(layer, offset, length)).isEqualTo(filled((byte) 'o', length));
    }

    @Test
    void shouldNeverTakeABadSectorForZeros() throws IOException {
        String options = "cache=256k/page=64k/private/pref=2";
        PfLayer layer = PfFixture.open(options, below, key, OpenFlags.RDWR);
        int bad = 5 * PAGE + 1024;
        badSectors(bad, bad + 512);

        // The page is read up to the bad sector, and beyond it.
        isOld(layer, 0, 100);
        isOld(layer, 100, 5 * PAGE);
        isBad(layer, bad, 10);
        isOld(layer, bad + 512, 4 * PAGE);
        isBad(layer, bad + 500, 512);
        badSectors(0, 0);
        isOld(layer, 0, 16 * PAGE);
        PfFixture.close(layer, key);

        PfLayer ahead = PfFixture.open(options, below, key, OpenFlags.RDWR);
        int far = 40 * PAGE;
        badSectors(far, far + 512);
        for (int i = 0; i < 40; i++) {
            isOld(ahead, (long) i * PAGE, PAGE);
        }
        isBad(ahead, far, PAGE);
        badSectors(0, 0);
        isOld(ahead, far, PAGE);
        PfFixture.close(ahead, key);
    }

    @Test
    void shouldReadBehindABadSectorOfAPageThatIsReadWhole() throws IOException {
        PfLayer layer =
                PfFixture.open("cache=64k/page=16k/private/pref=2", below, key, OpenFlags.RDWR);
        badSectors(1024, 1536);

        isOld(layer, 3 * PAGE, 100);
        isOld(layer, 1536, 2 * PAGE);
        isOld(layer, 0, 1024);
        isBad(layer, 1024, 10);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldTellThatAnInterruptClosedTheFile() throws IOException {
        PfLayer layer =
                PfFixture.open("cache=64k/page=16k/private/pref=2", below, key, OpenFlags.RDWR);
        below.fault((write, offset, length) -> new ClosedByInterruptException());

        assertThatThrownBy(() -> layer.read(ByteBuffer.allocate(10), 5 * PAGE))
                .isInstanceOf(ClosedByInterruptException.class);
        assertThat(below.calls()).containsExactly("read 16384+16384");
        nothingFails();
        PfFixture.close(layer, key);
    }

    /** An interrupt in a read of this page closes the file; all later calls find it closed. */
    private void closesAt(long page) {
        below.fault(
                (write, offset, length) -> {
                    if (offset == page * PAGE) {
                        below.fault((any, from, bytes) -> new ClosedChannelException());
                        return new ClosedByInterruptException();
                    }
                    return null;
                });
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTellThatAnInterruptClosedTheFileWhileItReadAhead(boolean hasFirst)
            throws IOException {
        PfLayer layer = PfFixture.open(OPTIONS + "/synchronous", below, key, OpenFlags.RDWR);
        if (hasFirst) {
            read(layer, 5 * PAGE, 10);
        }
        closesAt(6);

        assertThatThrownBy(() -> layer.read(ByteBuffer.allocate(2 * PAGE), 5 * PAGE))
                .isInstanceOf(ClosedByInterruptException.class);
        nothingFails();
        PfFixture.close(layer, key);
    }

    /** Without the error, the file would seem to be open. */
    @Test
    void shouldTellThatAnInterruptClosedTheFileThoughThePageIsThere() throws IOException {
        PfLayer layer = PfFixture.open(OPTIONS + "/synchronous", below, key, OpenFlags.RDWR);
        for (int page = 5; page < 9; page++) {
            read(layer, (long) page * PAGE, PAGE);
        }
        below.fault((write, offset, length) -> new ClosedByInterruptException());

        assertThatThrownBy(() -> layer.read(ByteBuffer.allocate(PAGE), 9 * PAGE))
                .isInstanceOf(ClosedByInterruptException.class);
        nothingFails();
        PfFixture.close(layer, key);
    }

    /** The cache has one frame, so that nothing is read ahead. */
    @Test
    void shouldTellThatAnInterruptClosedTheFileInTheMiddleOfARead() throws IOException {
        String options = "cache=16k/page=16k/private/synchronous";
        PfLayer layer = PfFixture.open(options, below, key, OpenFlags.RDWR);
        closesAt(8);

        assertThatThrownBy(() -> layer.read(ByteBuffer.allocate(8 * PAGE), 4 * PAGE))
                .isInstanceOf(ClosedByInterruptException.class);
        nothingFails();
        assertThat(read(layer, 4 * PAGE, 8 * PAGE)).isEqualTo(filled((byte) 'o', 8 * PAGE));
        PfFixture.close(layer, key);
    }

    @Test
    void shouldWriteIntoASectorBehindABadOne() throws IOException {
        PfLayer layer =
                PfFixture.open("cache=64k/page=16k/private/pref=2", below, key, OpenFlags.RDWR);
        badSectors(1024, 1536);

        write(layer, 'n', 2 * PAGE + 100, 300);
        layer.flush(false);
        assertThat(content(2 * PAGE + 100, 300)).isEqualTo(filled((byte) 'n', 300));
        assertThat(content(2 * PAGE, 100)).isEqualTo(filled((byte) 'o', 100));
        assertThat(content(2 * PAGE + 400, 112)).isEqualTo(filled((byte) 'o', 112));
        ByteBuffer src = ByteBuffer.wrap(filled((byte) 'n', 10));
        assertThatThrownBy(() -> layer.write(src, 1100)).hasMessage("bad");
        PfFixture.close(layer, key);
        assertThat(content(0, 2 * PAGE)).isEqualTo(filled((byte) 'o', 2 * PAGE));
    }

    @Test
    void shouldGoOnAfterShortCounts() throws IOException {
        PfLayer layer = open();
        below.limit((write, offset, length) -> 700);
        for (int i = 0; i < PAGES; i++) {
            isOld(layer, (long) i * PAGE, PAGE);
        }
        write(layer, 'n', 10 * PAGE + 100, 3000);
        layer.flush(false);
        assertThat(content(10 * PAGE + 100, 3000)).isEqualTo(filled((byte) 'n', 3000));

        // A short write behind the program's back counts as failed, and is made again.
        write(layer, 'm', 20 * PAGE, PAGE);
        assertThatThrownBy(() -> layer.flush(false))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("700 of 4096 bytes written");
        layer.flush(false);
        assertThat(content(20 * PAGE, PAGE)).isEqualTo(filled((byte) 'm', PAGE));
        PfFixture.close(layer, key);
    }

    @Test
    void shouldFailARequestThatNoPageCanMakeRoomFor() throws IOException {
        PfLayer layer = PfFixture.open("cache=16k/page=16k/private", below, key, OpenFlags.RDWR);
        writesFail();
        write(layer, 'n', 0, 16 << 10);

        assertThatThrownBy(() -> layer.read(ByteBuffer.allocate(10), 10 * PAGE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("disk full");
        assertThatThrownBy(() -> layer.write(ByteBuffer.allocate(10), 10 * PAGE))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("disk full");
        nothingFails();
        write(layer, 'x', 10 * PAGE, 10);
        assertThat(read(layer, 10 * PAGE, 10)).isEqualTo(filled((byte) 'x', 10));
        PfFixture.close(layer, key);
        assertThat(content(0, 16 << 10)).isEqualTo(filled((byte) 'n', 16 << 10));
    }

    @Test
    void shouldReadAgainWhenThePageInTheWayCanBeWritten() throws IOException {
        PfLayer layer = PfFixture.open("cache=16k/page=16k/private", below, key, OpenFlags.RDWR);
        writesFail();
        write(layer, 'n', 0, 16 << 10);
        nothingFails();

        assertThat(read(layer, 10 * PAGE, 10)).isEqualTo(filled((byte) 'o', 10));
        assertThat(content(0, 16 << 10)).isEqualTo(filled((byte) 'n', 16 << 10));
        assertThatThrownBy(() -> PfFixture.close(layer, key)).hasMessageContaining("disk full");
    }

    @Test
    void shouldWriteAtOnceWhereSpaceCannotBeSetAside() throws IOException {
        below.reserves(false);
        PfLayer layer = open();
        write(layer, 'n', 100, 10);

        assertThat(below.calls()).contains("write 100+10");
        assertThat(content(100, 10)).isEqualTo(filled((byte) 'n', 10));
        writesFail();
        assertThatThrownBy(() -> layer.write(ByteBuffer.allocate(10), 200)).hasMessage("disk full");
        nothingFails();
        layer.flush(false);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldLetTheWriteItselfTellThatSpaceIsOut() throws IOException {
        Layer full =
                new ForwardingLayer("os", below) {
                    @Override
                    public boolean reserve(long offset, long bytes) throws IOException {
                        throw new IOException("no room to set aside");
                    }
                };
        PfLayer layer = PfFixture.open(OPTIONS, full, key, OpenFlags.RDWR, 512);
        writesFail();

        assertThatThrownBy(() -> layer.write(ByteBuffer.allocate(10), 100)).hasMessage("disk full");
        nothingFails();
        write(layer, 'n', 100, 10);
        assertThat(content(100, 10)).isEqualTo(filled((byte) 'n', 10));
        PfFixture.close(layer, key);
    }

    @Test
    void shouldKeepAPageThatCannotBeWrittenWhenItShouldGiveWay() throws IOException {
        PfLayer layer = open();
        write(layer, 'n', 0, 100);
        writesFail();
        for (int i = PAGES - 1; i > 0; i--) {
            assertThat(read(layer, (long) i * PAGE, PAGE)).isEqualTo(filled((byte) 'o', PAGE));
        }

        assertThat(PfFixture.counters(layer).details().dirtyEvictions()).isEqualTo(1);
        assertThat(read(layer, 0, 100)).isEqualTo(filled((byte) 'n', 100));
        assertThatThrownBy(() -> layer.flush(false)).hasMessageContaining("disk full");
        nothingFails();
        layer.flush(false);
        assertThat(content(0, 100)).isEqualTo(filled((byte) 'n', 100));
        PfFixture.close(layer, key);
    }

    @Test
    void shouldHaveItsPagesAsBeforeWhenTheFileCannotBeCut() throws IOException {
        Layer uncut =
                new ForwardingLayer("os", below) {
                    @Override
                    public void truncate(long size) throws IOException {
                        throw new IOException("not to be cut");
                    }
                };
        PfLayer layer = PfFixture.open(OPTIONS, uncut, key, OpenFlags.RDWR, 512);
        read(layer, 2 * PAGE, PAGE);
        write(layer, 'n', PAGE, 100);
        write(layer, 'e', PAGES * PAGE, 100);

        assertThatThrownBy(() -> layer.truncate(50)).hasMessage("not to be cut");
        assertThat(layer.size()).isEqualTo(PAGES * PAGE + 100);
        assertThat(read(layer, PAGE, 100)).isEqualTo(filled((byte) 'n', 100));
        PfFixture.close(layer, key);
        assertThat(below.content()).hasSize(PAGES * PAGE + 100);
        assertThat(content(PAGE, 100)).isEqualTo(filled((byte) 'n', 100));
        assertThat(content(PAGES * PAGE, 100)).isEqualTo(filled((byte) 'e', 100));
    }

    @Test
    void shouldTellAWriteOnceThatACutCouldNotMake() throws IOException {
        PfLayer layer = open();
        writesFail();
        write(layer, 'n', (PAGES + 5) * PAGE, 100);
        // Between the end below and the one in pages: all is written before.
        assertThatThrownBy(() -> layer.truncate((PAGES + 2) * PAGE))
                .hasMessageContaining("disk full");
        nothingFails();

        write(layer, 'w', 0, 10);
        layer.flush(false);

        PfFixture.close(layer, key);
        assertThat(content((PAGES + 5) * PAGE, 100)).isEqualTo(filled((byte) 'n', 100));
    }

    @Test
    void shouldLeaveItsPagesToAnotherOpenThatCanWrite() throws IOException {
        PfLayer leaving = open();
        PfLayer staying = open();
        writesFail();
        write(leaving, 'n', 0, PAGE);
        assertThatThrownBy(() -> PfFixture.close(leaving, key)).hasMessageContaining("disk full");
        assertThat(read(staying, 0, PAGE)).isEqualTo(filled((byte) 'n', PAGE));
        nothingFails();

        assertThatThrownBy(() -> staying.flush(false)).hasMessageContaining("disk full");
        staying.flush(false);
        assertThat(content(0, PAGE)).isEqualTo(filled((byte) 'n', PAGE));
        PfFixture.close(staying, key);
    }

    @Test
    void shouldGiveUpPagesThatNoOtherOpenCanWrite() throws IOException {
        PfLayer leaving = open();
        PfLayer reader = PfFixture.open(OPTIONS, below, key, OpenFlags.RDONLY);
        writesFail();
        write(leaving, 'n', 0, PAGE);
        assertThatThrownBy(() -> PfFixture.close(leaving, key)).hasMessageContaining("disk full");

        assertThat(read(reader, 0, PAGE)).isEqualTo(filled((byte) 'o', PAGE));
        nothingFails();
        assertThatThrownBy(() -> PfFixture.close(reader, key)).hasMessageContaining("disk full");
        assertThat(content(0, PAGE)).isEqualTo(filled((byte) 'o', PAGE));
    }

    @Test
    void shouldTakeAWriteThoughAnotherFileOfTheCacheCannotBeWritten() throws IOException {
        String shared = "cache=16k/page=8k/global=71";
        MemoryFile sound = new MemoryFile(Runnable::run).holding(filled((byte) 'o', 8 * PAGE));
        FileKey soundKey = PfFixture.newKey();
        PfLayer failing = PfFixture.open(shared, below, key, OpenFlags.RDWR);
        PfLayer layer = PfFixture.open(shared, sound, soundKey, OpenFlags.RDWR);
        writesFail();
        write(failing, 'n', 0, 2 * PAGE);

        write(layer, 'x', 100, 3 * PAGE);
        assertThat(read(layer, 100, 3 * PAGE)).isEqualTo(filled((byte) 'x', 3 * PAGE));
        PfFixture.close(layer, soundKey);
        assertThat(Arrays.copyOfRange(sound.content(), 100, 100 + 3 * PAGE))
                .isEqualTo(filled((byte) 'x', 3 * PAGE));
        assertThat(read(failing, 0, 2 * PAGE)).isEqualTo(filled((byte) 'n', 2 * PAGE));
        assertThatThrownBy(() -> PfFixture.close(failing, key)).hasMessageContaining("disk full");
    }
}
