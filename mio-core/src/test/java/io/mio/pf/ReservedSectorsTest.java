package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReservedSectorsTest {
    private final ReservedSectors reserved = new ReservedSectors();

    @Test
    void shouldHaveWhatWasAddedAndNoMore() {
        assertThat(reserved.has(0, 1)).isFalse();
        reserved.add(60, 130);
        reserved.add(5, 5);
        assertThat(reserved.has(60, 130)).isTrue();
        assertThat(reserved.has(64, 128)).isTrue();
        assertThat(reserved.has(59, 61)).isFalse();
        assertThat(reserved.has(129, 131)).isFalse();
        assertThat(reserved.has(5, 6)).isFalse();
        reserved.add(130, 192);
        assertThat(reserved.has(60, 192)).isTrue();
        assertThat(reserved.has(60, 193)).isFalse();
        reserved.clear();
        assertThat(reserved.has(60, 61)).isFalse();
    }

    @Test
    void shouldForgetWhatIsBehindACut() {
        reserved.add(0, 300);
        reserved.cut(70);
        assertThat(reserved.has(0, 70)).isTrue();
        assertThat(reserved.has(70, 71)).isFalse();
        assertThat(reserved.has(128, 129)).isFalse();
        reserved.cut(64);
        assertThat(reserved.has(0, 64)).isTrue();
        assertThat(reserved.has(64, 65)).isFalse();
        reserved.cut(0);
        assertThat(reserved.has(0, 1)).isFalse();
    }

    @Test
    void shouldKeepOfManyThoseThatWereAddedLast() {
        long stretch = 64L << 15;
        long far = Long.MAX_VALUE / 512 / 64 * 64;
        reserved.add(0, 1);
        reserved.add(far, far + 64);
        assertThat(reserved.has(0, 1)).isTrue();
        assertThat(reserved.has(far, far + 64)).isTrue();
        reserved.add(0, 3 * stretch);
        assertThat(reserved.has(2 * stretch, 3 * stretch)).isTrue();
        assertThat(reserved.has(0, 1)).isFalse();
        assertThat(reserved.has(far, far + 1)).isFalse();
        reserved.add(65, 66);
        assertThat(reserved.has(65, 66)).isTrue();
        assertThat(reserved.has(64, 65)).isFalse();
        assertThat(reserved.has(2 * stretch + 65, 2 * stretch + 66)).isFalse();
        assertThat(reserved.has(2 * stretch + 128, 3 * stretch)).isTrue();
    }
}
