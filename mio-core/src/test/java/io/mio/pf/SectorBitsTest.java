package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SectorBitsTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 8, 63, 64, 65, 128, 200, 4096})
    void shouldHoldWhatABitSetHolds(int count) {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        SectorBits bits = new SectorBits(count);
        BitSet model = new BitSet();
        for (int i = 0; i < 3000; i++) {
            int from = random.nextInt(count);
            int to = from + random.nextInt(count - from + 1);
            switch (random.nextInt(8)) {
                case 0 -> {
                    bits.clear(from, to);
                    model.clear(from, to);
                }
                case 1 -> {
                    bits.clear(from);
                    model.clear(from);
                }
                case 2 -> {
                    bits.set(from);
                    model.set(from);
                }
                case 3 -> {
                    bits.clear();
                    model.clear();
                }
                default -> {
                    bits.set(from, to);
                    model.set(from, to);
                }
            }
            compare(bits, model, random.nextInt(count), "seed " + seed + ", step " + i);
        }
    }

    private static void compare(SectorBits bits, BitSet model, int at, String where) {
        assertThat(bits.get(at)).as(where).isEqualTo(model.get(at));
        assertThat(bits.nextSetBit(at)).as(where).isEqualTo(model.nextSetBit(at));
        assertThat(bits.nextClearBit(at)).as(where).isEqualTo(model.nextClearBit(at));
        assertThat(bits.previousSetBit(at)).as(where).isEqualTo(model.previousSetBit(at));
        assertThat(bits.isEmpty()).as(where).isEqualTo(model.isEmpty());
        assertThat(bits.length()).as(where).isEqualTo(model.length());
        assertThat(bits.cardinality()).as(where).isEqualTo(model.cardinality());
    }
}
