package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.FileKey;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests of several buffers: what goes down in one piece, and what a failure halfway leaves. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PfVectorTest {
    private static final int PAGE = 4096;
    private static final int SIZE = 8 * PAGE;
    private static final String BEHIND = "cache=64k/page=4k/private/pref=2/synchronous";
    private static final String THROUGH = BEHIND + "/through";

    private final FileKey key = PfFixture.newKey();
    private byte[] content = random(1, SIZE);
    private final MemoryFile below = new MemoryFile(Runnable::run).holding(content);

    private static byte[] random(int seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private PfLayer open(String options) throws IOException {
        return PfFixture.open(options, below, key, OpenFlags.RDWR);
    }

    /** Buffers of these lengths with space around their bytes, and one more at either end. */
    private static ByteBuffer[] buffers(int... lengths) {
        ByteBuffer[] buffers = new ByteBuffer[lengths.length + 2];
        buffers[0] = ByteBuffer.allocate(7);
        buffers[lengths.length + 1] = ByteBuffer.allocate(9);
        for (int i = 0; i < lengths.length; i++) {
            byte[] bytes = random(lengths[i], lengths[i] + 8);
            buffers[i + 1] = ByteBuffer.wrap(bytes).position(5).limit(5 + lengths[i]);
        }
        return buffers;
    }

    /** Writes all buffers but the first and the last; {@code content} gets the bytes taken, too. */
    private long write(Layer layer, ByteBuffer[] srcs, long offset) throws IOException {
        int[] starts = Arrays.stream(srcs).mapToInt(ByteBuffer::position).toArray();
        long taken = layer.write(srcs, 1, srcs.length - 2, offset);
        int at = offset == Layer.APPEND ? content.length : (int) offset;
        content = Arrays.copyOf(content, Math.max(content.length, at + (int) taken));
        long sum = 0;
        for (int i = 0; i < srcs.length; i++) {
            int bytes = srcs[i].position() - starts[i];
            srcs[i].get(starts[i], content, at, bytes);
            at += bytes;
            sum += bytes;
        }
        assertThat(sum).as("by the positions").isEqualTo(taken);
        assertThat(srcs[0].position() + srcs[srcs.length - 1].position()).isZero();
        return taken;
    }

    private void check(Layer layer, int offset, int length) throws IOException {
        ByteBuffer dst = ByteBuffer.allocate(length);
        assertThat(layer.read(dst, offset)).isEqualTo(length);
        assertThat(dst.flip()).isEqualTo(ByteBuffer.wrap(content, offset, length));
    }

    private void checkAll(Layer layer) throws IOException {
        for (int at = 0; at < content.length; at += PAGE) {
            check(layer, at, Math.min(PAGE, content.length - at));
        }
    }

    @Test
    void shouldAppendInOnePiece() throws IOException {
        PfLayer layer = open(BEHIND);
        checkAll(layer);
        below.calls();
        assertThat(write(layer, buffers(10, 0, 5000, 300), Layer.APPEND)).isEqualTo(5310);
        assertThat(below.calls()).containsExactly("appendv+10+0+5000+300");
        assertThat(PfFixture.counters(layer).child().writes()).isEqualTo(1);
        // Into the sector in which the appended bytes end, about which nobody has asked.
        assertThat(write(layer, buffers(50), content.length + 20)).isEqualTo(50);
        assertThat(layer.size()).isEqualTo(content.length);
        checkAll(layer);
        assertThat(PfFixture.counters(layer).program().writes()).isEqualTo(2);
        PfFixture.close(layer, key);
        assertThat(below.content()).isEqualTo(content);
    }

    @Test
    void shouldWriteThroughInOnePieceAndBringPagesUpToDate() throws IOException {
        PfLayer layer = open(THROUGH);
        checkAll(layer);
        below.calls();
        assertThat(write(layer, buffers(100, 5000, 0, 1), 3000)).isEqualTo(5101);
        assertThat(write(layer, buffers(1000, 1000), SIZE - 1500)).isEqualTo(2000);
        assertThat(below.calls())
                .containsExactly("writev 3000+100+5000+0+1", "writev 31268+1000+1000");
        check(layer, 0, 3 * PAGE);
        assertThat(below.calls()).as("reads of pages that are there").isEmpty();
        checkAll(layer);
        PfFixture.close(layer, key);
        assertThat(below.content()).isEqualTo(content);
    }

    @Test
    void shouldBringUpToDateNoMoreThanWasTaken() throws IOException {
        PfLayer layer = open(THROUGH);
        checkAll(layer);
        below.limit((write, offset, length) -> write ? 700 : length);
        assertThat(write(layer, buffers(600, 300, 50), 4000)).isEqualTo(700);
        checkAll(layer);
        PfFixture.close(layer, key);
        assertThat(below.content()).isEqualTo(content);
    }

    @Test
    void shouldForgetWhatAFailedWriteMayHaveChanged() throws IOException {
        PfLayer layer = open(THROUGH);
        checkAll(layer);
        below.fault((write, offset, length) -> write ? new IOException("disk full") : null);
        ByteBuffer[] srcs = buffers(600, 6000, 50);
        assertThatThrownBy(() -> layer.write(srcs, 1, 3, 4000)).hasMessage("disk full");
        below.fault((write, offset, length) -> null);
        below.calls();
        check(layer, PAGE, PAGE);
        check(layer, 2 * PAGE, PAGE);
        assertThat(below.calls()).hasSize(2);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldWriteInOnePieceByAnOpenWithoutPages() throws IOException {
        PfLayer cached = open(BEHIND);
        AttachedLayer plain = new AttachedLayer(CachedFiles.find(key), below);
        checkAll(cached);
        cached.write(ByteBuffer.wrap(content, 0, 10), 0);
        below.calls();
        assertThat(write(plain, buffers(10, 2000, 3000), 2500)).isEqualTo(5010);
        assertThat(write(plain, buffers(10, 20), Layer.APPEND)).isEqualTo(30);
        assertThat(below.calls())
                .containsExactly("write 0+512", "writev 2500+10+2000+3000", "appendv+10+20");
        checkAll(cached);
        PfFixture.close(cached, key);
        assertThat(below.content()).isEqualTo(content);
    }

    private void failsFrom(long from, String words) {
        below.fault((write, at, length) -> at + length > from ? new IOException(words) : null);
    }

    private void nothingFails() {
        below.fault((write, at, length) -> null);
    }

    private void tells(PfLayer layer, String words) {
        assertThatThrownBy(() -> layer.write(buffers(1, 1), 1, 2, 0)).hasMessageContaining(words);
    }

    @Test
    void shouldTellOfAPageThatFailedBetweenTwoBuffersWithTheNextWrite() throws IOException {
        PfLayer layer = open(BEHIND);
        below.fault(
                (write, at, length) -> {
                    if (write) {
                        nothingFails();
                    }
                    return write ? new IOException("disk full") : null;
                });
        assertThat(write(layer, buffers(PAGE, 100), 0)).isEqualTo(PAGE + 100);
        tells(layer, "disk full");
        assertThat(write(layer, buffers(1, 2), 0)).isEqualTo(3);
        layer.flush(false);
        checkAll(layer);
        PfFixture.close(layer, key);
        assertThat(below.content()).isEqualTo(content);
    }

    @Test
    void shouldTellOfAPageThatFailsOnWithTheNextWriteAndNotWithWhatWasTaken() throws IOException {
        PfLayer layer = open(BEHIND);
        PfLayer other = open(BEHIND);
        failsFrom(0, "disk full");
        // Bytes behind a failing page go down at once, which cannot be before that page does.
        assertThat(write(layer, buffers(PAGE, 100), 0)).isEqualTo(PAGE);
        nothingFails();
        tells(layer, "disk full");
        tells(other, "disk full");
        assertThat(write(layer, buffers(1, 2), 0)).isEqualTo(3);
        assertThat(write(other, buffers(3, 4), 10)).isEqualTo(7);
        PfFixture.close(other, key);
        PfFixture.close(layer, key);
        assertThat(below.content()).isEqualTo(content);
    }

    @Test
    void shouldTellWhatWasTakenBeforeALaterBufferFailed() throws IOException {
        PfLayer layer = open(BEHIND + "/passthru=8k:64k");
        checkAll(layer);
        failsFrom(2 * PAGE + 100, "disk full");
        ByteBuffer[] srcs = buffers(PAGE, 50, 200);
        assertThat(write(layer, srcs, PAGE)).isEqualTo(PAGE + 50);
        assertThat(srcs[3].remaining()).isEqualTo(200);
        assertThatThrownBy(() -> layer.write(srcs, 3, 1, 2 * PAGE + 50)).hasMessage("disk full");
        nothingFails();
        layer.flush(false);
        checkAll(layer);
        PfFixture.close(layer, key);
        assertThat(below.content()).isEqualTo(content);
    }

    @Test
    void shouldGiveWhatWasReadBeforeALaterBufferFailed() throws IOException {
        PfLayer layer = open(BEHIND);
        failsFrom(2 * PAGE, "bad sector");
        ByteBuffer[] dsts = buffers(100, 2 * PAGE - 100, 10);
        assertThat(layer.read(dsts, 1, 3, 0)).isEqualTo(2 * PAGE);
        assertThat(dsts[3].remaining()).isEqualTo(10);
        assertThat(dsts[2].flip().position(5))
                .isEqualTo(ByteBuffer.wrap(content, 100, 2 * PAGE - 100));
        assertThatThrownBy(() -> layer.read(dsts, 3, 1, 2 * PAGE)).hasMessage("bad sector");
        nothingFails();
        checkAll(layer);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldEndAtTheEndOfTheFile() throws IOException {
        PfLayer layer = open(BEHIND);
        assertThat(layer.read(buffers(10, 20), 1, 2, SIZE)).isEqualTo(-1);
        assertThat(layer.read(buffers(10, 20), 1, 2, SIZE - 10)).isEqualTo(10);
        assertThat(layer.read(buffers(10, 20), 1, 2, SIZE - 15)).isEqualTo(15);
        assertThat(PfFixture.counters(layer).program().reads()).isEqualTo(5);
        PfFixture.close(layer, key);
    }

    @Test
    void shouldGiveWhatWasReadBeforeAPartPastThePagesFailed() throws IOException {
        PfLayer layer = open(BEHIND + "/passthru=8k:64k");
        failsFrom(2 * PAGE, "bad sector");
        ByteBuffer dst = ByteBuffer.allocate(PAGE);
        assertThat(layer.read(dst, 2 * PAGE - 100)).isEqualTo(100);
        assertThat(dst.position()).isEqualTo(100);
        PfFixture.close(layer, key);
    }
}
