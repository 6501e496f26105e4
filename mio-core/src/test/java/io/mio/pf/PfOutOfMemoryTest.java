package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.events.PageOperation;
import io.mio.layer.PageWatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * The heap has no memory while page requests are registered: nothing is lost, and nothing waits for
 * a request that was never made. Limits on time only end a test that would hang.
 */
@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
class PfOutOfMemoryTest {
    private static final String OPTIONS = "cache=64k/page=8k/replace=lru";

    /** Fails the {@code left}-th time that the operation is told, as making an object may. */
    private static final class NoMemory implements PageWatch {
        private final PageOperation operation;
        private int left;

        NoMemory(PageOperation operation, int left) {
            this.operation = operation;
            this.left = left;
        }

        @Override
        public void happened(PageOperation told, int frame, long offset, long bytes) {
            if (told == operation && --left == 0) {
                throw new OutOfMemoryError("a test");
            }
        }

        @Override
        public void ended(
                PageOperation told,
                int frame,
                long offset,
                long bytes,
                long delivered,
                Throwable error,
                boolean asynchronous,
                long began) {
            happened(told, frame, offset, bytes);
        }
    }

    private interface Call {
        void run() throws IOException;
    }

    private static void failsOnce(PfLayer layer, PageOperation operation, int time, Call call) {
        layer.watch(new NoMemory(operation, time));
        assertThatThrownBy(call::run).isInstanceOf(OutOfMemoryError.class).hasMessage("a test");
    }

    private static byte[] filled(int length, int value) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, (byte) value);
        return bytes;
    }

    private static void write(PfLayer layer, long offset, int length, int value)
            throws IOException {
        assertThat(layer.write(ByteBuffer.wrap(filled(length, value)), offset)).isEqualTo(length);
    }

    private static void reads(PfLayer layer, long offset, int length, int value)
            throws IOException {
        ByteBuffer dst = ByteBuffer.allocate(length);
        assertThat(layer.read(dst, offset)).isEqualTo(length);
        assertThat(dst.array()).isEqualTo(filled(length, value));
    }

    private static byte[] part(MemoryFile file, int offset, int length) {
        return Arrays.copyOfRange(file.content(), offset, offset + length);
    }

    @Test
    void shouldWriteLaterWhatASyncCouldNotRegister() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(65536, 9));
        PfLayer layer = PfFixture.open(OPTIONS, below);
        // Two parts of one page, and a page that the caller itself writes.
        write(layer, 0, 512, 1);
        write(layer, 2048, 512, 2);
        write(layer, 40960, 512, 3);
        failsOnce(layer, PageOperation.WRITE_BEHIND, 2, () -> layer.flush(false));
        assertThat(below.content()).isEqualTo(filled(65536, 9));
        layer.flush(false);
        assertThat(part(below, 0, 512)).isEqualTo(filled(512, 1));
        assertThat(part(below, 2048, 512)).isEqualTo(filled(512, 2));
        assertThat(part(below, 40960, 512)).isEqualTo(filled(512, 3));
        layer.close();
    }

    @Test
    void shouldWriteLaterWhatCouldNotGiveWay() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(262144, 9));
        PfLayer layer = PfFixture.open(OPTIONS, below);
        // Half of the frames hold dirty pages; reads take the others.
        int[] written = {6, 1, 4, 0};
        for (int page : written) {
            write(layer, page * 8192L, 512, 1 + page);
            write(layer, page * 8192L + 2048, 512, 1 + page);
        }
        layer.watch(new NoMemory(PageOperation.WRITE_BEHIND, 4));
        int failures = 0;
        for (int page : new int[] {30, 17, 25, 9, 21, 12, 28, 15}) {
            try {
                reads(layer, page * 8192L, 512, 9);
            } catch (OutOfMemoryError e) {
                failures++;
            }
        }
        assertThat(failures).isEqualTo(1);
        layer.close();
        for (int page : written) {
            assertThat(part(below, page * 8192, 512)).isEqualTo(filled(512, 1 + page));
            assertThat(part(below, page * 8192 + 2048, 512)).isEqualTo(filled(512, 1 + page));
        }
    }

    @Test
    void shouldReadAgainWhatCouldNotBeAskedFor() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(65536, 9));
        PfLayer layer = PfFixture.open(OPTIONS, below);
        failsOnce(layer, PageOperation.DEMAND_READ, 1, () -> reads(layer, 0, 512, 9));
        reads(layer, 0, 512, 9);
        layer.close();
    }

    @Test
    void shouldReadAgainWhatCouldNotBeReadAhead() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(65536, 9));
        PfLayer layer = PfFixture.open(OPTIONS + "/pref=3", below);
        failsOnce(layer, PageOperation.PREFETCH_ISSUED, 2, () -> reads(layer, 0, 32768, 9));
        reads(layer, 0, 65536, 9);
        layer.close();
    }

    @Test
    void shouldReadAgainTheRestOfAPageThatIsWrittenInPart() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(65536, 9));
        PfLayer layer = PfFixture.open(OPTIONS, below);
        failsOnce(layer, PageOperation.DEMAND_READ, 1, () -> write(layer, 100, 100, 1));
        write(layer, 100, 100, 1);
        reads(layer, 0, 100, 9);
        reads(layer, 100, 100, 1);
        layer.close();
        assertThat(part(below, 100, 101)).startsWith(filled(100, 1)).endsWith((byte) 9);
    }

    @Test
    void shouldEndARequestThatCannotBeTold() throws IOException {
        MemoryFile below = new MemoryFile(Runnable::run).holding(filled(65536, 9));
        PfLayer layer = PfFixture.open(OPTIONS, below);
        failsOnce(layer, PageOperation.ARRIVED, 1, () -> reads(layer, 0, 512, 9));
        reads(layer, 0, 512, 9);
        layer.close();
    }
}
