package io.mio.cli.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeededHashTest {
    /** Numbers that meet with one seed do not meet with another. */
    @Test
    void shouldSpreadNumbersThatMeetWithAnotherSeed() {
        SeededHash known = new SeededHash();
        SeededHash hash = new SeededHash();
        Set<Long> slots = new HashSet<>();
        int met = 0;
        for (long number = 0; met < 1000; number++) {
            if ((known.of(1, number) & 255) == 0) {
                met++;
                slots.add(hash.of(1, number) & 0xfff);
            }
        }
        // 1000 numbers in 4096 slots, all equally likely: 887 slots in the mean.
        assertThat(slots).hasSizeGreaterThan(700);
    }

    @Test
    void shouldTellBothNumbersApart() {
        SeededHash hash = new SeededHash();
        Set<Long> hashes = new HashSet<>();
        for (long one = 0; one < 100; one++) {
            for (long other = 0; other < 100; other++) {
                hashes.add(hash.of(one, other));
            }
        }
        assertThat(hashes).hasSize(10_000);
        assertThat(hash.of(1, 2)).isEqualTo(hash.of(1, 2));
    }
}
