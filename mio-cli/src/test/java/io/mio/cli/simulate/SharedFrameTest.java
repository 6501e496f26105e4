package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.FrameRange;
import java.util.List;
import org.junit.jupiter.api.Test;

class SharedFrameTest {
    private static FrameRange take(int count, int bytes) {
        return SharedFrame.MEMORY.take(count, bytes);
    }

    @Test
    void shouldHaveTheSameBytesForAllCaches() {
        FrameRange one = take(3, 1 << 20);
        List<FrameRange> others = List.of(take(2, 1 << 20), take(100, 1 << 16), take(1, 4096));

        one.frame(2).put(77, (byte) 1);

        assertThat(others).allMatch(each -> each.frame(0).get(77) == 1);
        one.frame(0).put(77, (byte) 2);
        assertThat(others).allMatch(each -> each.frame(0).get(77) == 2);
    }

    @Test
    void shouldHaveFramesOfTheSizeOfAPage() {
        for (int bytes : new int[] {4096, 1 << 16, 8192}) {
            FrameRange range = take(2, bytes);

            assertThat(range.count()).isEqualTo(2);
            assertThat(range.frameBytes()).isEqualTo(bytes);
            assertThat(range.frame(1).capacity()).isEqualTo(bytes);
            assertThat(range.frame(1).remaining()).isEqualTo(bytes);
        }
    }
}
