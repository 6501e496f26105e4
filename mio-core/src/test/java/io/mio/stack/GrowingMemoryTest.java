package io.mio.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.FrameRange;
import org.junit.jupiter.api.Test;

class GrowingMemoryTest {
    private static final int PAGE = 64 << 10;

    @Test
    void shouldCountWhatCachesGrowByUntilTheyGiveItBack() {
        GrowingMemory memory = new GrowingMemory(new SmallMemory.Empty(Long.MAX_VALUE));
        FrameRange first = memory.take(32, PAGE);
        assertThat(GrowingMemory.grownBytes()).isZero();

        FrameRange more = memory.take(96, PAGE);
        assertThat(more.count()).isEqualTo(96);
        assertThat(GrowingMemory.grownBytes()).isEqualTo(96L * PAGE);

        memory.give(first);
        memory.give(more);
        assertThat(GrowingMemory.grownBytes()).isZero();
    }

    @Test
    void shouldLeaveMemoryToOthers() {
        GrowingMemory memory = new GrowingMemory(new SmallMemory.Empty(40L << 20));
        FrameRange first = memory.take(32, PAGE);
        FrameRange more = memory.take(160, PAGE);

        assertThatThrownBy(() -> memory.take(1, PAGE)).isInstanceOf(OutOfMemoryError.class);

        memory.give(more);
        more = memory.take(160, PAGE);
        memory.give(more);
        memory.give(first);
        assertThat(GrowingMemory.grownBytes()).isZero();
    }

    @Test
    void shouldBeginHoweverLittleRoomThereIs() {
        GrowingMemory memory = new GrowingMemory(new SmallMemory.Empty(0));

        FrameRange first = memory.take(32, PAGE);

        assertThat(first.count()).isEqualTo(32);
        assertThatThrownBy(() -> memory.take(96, PAGE)).isInstanceOf(OutOfMemoryError.class);
        memory.give(first);
        assertThat(GrowingMemory.grownBytes()).isZero();
    }
}
