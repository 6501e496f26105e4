package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.FileKey;
import io.mio.layer.FrameMemory;
import io.mio.layer.FrameRange;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.io.TempDir;

/** One file in memory, under a key of its own, whose pages are tested. */
abstract class PfCoherenceFixture {
    static final int PAGE = 4096;
    static final int SIZE = 40 * PAGE;
    static final String OPTIONS = "cache=64k/page=4k/private/pref=2";

    @TempDir Path directory;
    final FileKey key = PfFixture.newKey();
    final MemoryFile below = new MemoryFile(Runnable::run).holding(filled((byte) 'o', SIZE));
    final Counted memory = new Counted();

    /** Counts the frames that are taken, made and given back. */
    static final class Counted implements FrameMemory {
        int taken;
        int made;
        int given;

        private final class Range implements FrameRange {
            private final FrameRange all;

            Range(FrameRange all) {
                this.all = all;
            }

            @Override
            public int count() {
                return all.count();
            }

            @Override
            public int frameBytes() {
                return all.frameBytes();
            }

            @Override
            public ByteBuffer frame(int at) {
                made++;
                return all.frame(at);
            }
        }

        @Override
        public FrameRange take(int count, int bytes) {
            taken += count;
            return new Range(PfFixture.MEMORY.take(count, bytes));
        }

        @Override
        public void give(FrameRange frames) {
            given += frames.count();
        }
    }

    static byte[] filled(byte with, int length) {
        byte[] bytes = new byte[length];
        Arrays.fill(bytes, with);
        return bytes;
    }

    PfLayer open(String options) throws IOException {
        return open(options, 7);
    }

    PfLayer open(String options, long stamp) throws IOException {
        return open(options, below, key, stamp);
    }

    PfLayer open(String options, MemoryFile file, FileKey known, long stamp) throws IOException {
        PfLayer layer = PfFixture.open(options, file, known, OpenFlags.RDWR, 512, stamp, memory);
        file.calls();
        return layer;
    }

    void close(PfLayer layer) throws IOException {
        PfFixture.close(layer, key);
    }

    static void write(Layer layer, char with, long offset, int length) throws IOException {
        ByteBuffer src = ByteBuffer.wrap(filled((byte) with, length));
        assertThat(layer.write(src, offset)).isEqualTo(length);
    }

    static void reads(Layer layer, char with, long offset, int length) throws IOException {
        ByteBuffer dst = ByteBuffer.allocate(length);
        assertThat(layer.read(dst, offset)).isEqualTo(length);
        assertThat(dst.array()).isEqualTo(filled((byte) with, length));
    }

    byte[] content(int from, int length) {
        return Arrays.copyOfRange(below.content(), from, from + length);
    }
}
