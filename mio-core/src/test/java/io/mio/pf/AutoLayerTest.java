package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.LayerSpec;
import io.mio.config.StackSpec;
import io.mio.layer.Descriptors;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.layer.PlatformObjects;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AutoLayerTest {
    private static final int BLOCK = 4096;
    private static final long SIZE = 64L << 20;

    /** Notes what it is told. */
    private static final class Told implements KernelCache {
        private final BitSet blocks = new BitSet();
        private final List<String> calls = new ArrayList<>();
        private int there;
        private boolean refuses;
        private int looks;

        @Override
        public int has(long offset, long bytes) {
            looks++;
            return there;
        }

        @Override
        public boolean readAhead(long offset, long bytes) {
            calls.add(offset + "+" + bytes);
            blocks.set((int) (offset / BLOCK), (int) ((offset + bytes + BLOCK - 1) / BLOCK));
            return !refuses;
        }

        @Override
        public long reachBytes() {
            return 0;
        }
    }

    private final Told kernel = new Told();
    private final MemoryFile file = new MemoryFile(Runnable::run);

    private Layer open(int oflags, long sizeBytes) {
        LayerSpec spec = StackSpec.parse("test", "pf/auto").layers().get(1);
        OpenRequest request =
                new OpenRequest(
                        "test",
                        oflags,
                        0644,
                        sizeBytes,
                        0,
                        0,
                        null,
                        null,
                        null,
                        true,
                        false,
                        false,
                        PlatformObjects.NONE,
                        Descriptors.NONE,
                        kernel);
        return AutoLayer.over(file, spec, request, null);
    }

    private static void read(Layer layer, long offset, int bytes) throws IOException {
        layer.read(ByteBuffer.allocate(bytes), offset);
    }

    @Test
    void shouldTellTheKernelOfABackwardReaderBeforeItComes() throws IOException {
        Layer layer = open(0, SIZE);
        int untold = 0;
        for (int block = 4096; block-- > 0; ) {
            untold += kernel.blocks.get(block) ? 0 : 1;
            read(layer, (long) block * BLOCK, BLOCK);
        }
        assertThat(untold).isEqualTo(2);
        assertThat(kernel.calls).hasSizeLessThan(100);
    }

    @Test
    void shouldTellHardlyAnythingOfRandomReads() throws IOException {
        Layer layer = open(0, SIZE);
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            read(layer, (long) random.nextInt(1 << 18) * BLOCK, BLOCK);
        }
        // Two may be neighbours by chance.
        assertThat(kernel.calls).hasSizeLessThan(3);
    }

    @Test
    void shouldLookSeldomWhereTheKernelHasAll() throws IOException {
        kernel.there = 1;
        Layer layer = open(0, SIZE);
        for (int block = 0; block < 16384; block++) {
            read(layer, (long) block * BLOCK, BLOCK);
        }
        assertThat(kernel.calls).isEmpty();
        assertThat(kernel.looks).isBetween(2, 20);
    }

    @Test
    void shouldGoByTimeWhereItCannotLook() throws IOException {
        // What is told comes back at once here, as for bytes that are there.
        kernel.there = KernelCache.UNKNOWN;
        Layer layer = open(0, SIZE);
        for (int block = 0; block < 16384; block++) {
            read(layer, (long) block * BLOCK, BLOCK);
        }
        assertThat(kernel.looks).isEqualTo(1);
        assertThat(kernel.calls).hasSizeBetween(2, 100);
    }

    @Test
    void shouldStopWhenItIsRefused() throws IOException {
        kernel.refuses = true;
        Layer layer = open(0, SIZE);
        for (int block = 0; block < 4096; block++) {
            read(layer, (long) block * BLOCK, BLOCK);
        }
        assertThat(kernel.calls).hasSize(1);
    }

    @Test
    void shouldBeLeftOutWhereThereIsNothingToGain() {
        assertThat(open(0, 1000)).as("small and only read").isSameAs(file);
        assertThat(open(OpenFlags.RDWR, 1000)).as("may grow").isNotSameAs(file);
        assertThat(open(OpenFlags.WRONLY, SIZE)).as("only written").isSameAs(file);
        assertThat(open(OpenFlags.DIRECT, SIZE)).as("direct").isSameAs(file);
    }
}
