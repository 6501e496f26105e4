package io.mio.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SizesTest {
    @Test
    void shouldReadListsAndRanges() {
        assertThat(Sizes.list("4k")).containsExactly(4096L);
        assertThat(Sizes.list("1b,4K,1m")).containsExactly(1L, 4096L, 1048576L);
        assertThat(Sizes.list("1k..8k")).containsExactly(1024L, 2048L, 4096L, 8192L);
        assertThat(Sizes.list("3k..8k,6k,1m")).containsExactly(3072L, 6144L, 1048576L);
        assertThat(Sizes.list("4k..4k")).containsExactly(4096L);
        assertThat(Sizes.list("4000000t..8000000t")).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "k",
                "x",
                "-1k",
                "+1k",
                "0k",
                "1.5m",
                "4q",
                "9999999999t",
                "4k,",
                "..",
                "1k..",
                // The Kelvin sign, and a wide digit.
                "4\u212a",
                "\uff14k"
            })
    void shouldSayHowSizesAreWritten(String text) {
        assertThatThrownBy(() -> Sizes.list(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4k, 64k, 1m");
    }

    @Test
    void shouldNotGuessWhatANumberWithoutAUnitIs() {
        assertThatThrownBy(() -> Sizes.list("4096"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write 4096k for KB, 4096b for bytes");
    }

    @Test
    void shouldRefuseARangeThatGoesDown() {
        assertThatThrownBy(() -> Sizes.list("8m..4k"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'8m..4k' goes down; write the smaller first");
    }

    @ParameterizedTest
    @CsvSource({"1, 1b", "1000, 1000b", "1024, 1k", "1536, 1536b", "67108864, 64m"})
    void shouldWriteSizesAsTheyAreRead(long bytes, String text) {
        assertThat(Sizes.text(bytes)).isEqualTo(text);
        assertThat(Sizes.size(text)).isEqualTo(bytes);
    }

    @Test
    void shouldKnowTestsByNameAndByNumber() {
        assertThat(Tests.list(List.of()))
                .hasSize(10)
                .allMatch(test -> test.number() >= 0)
                .isSorted();
        assertThat(Tests.list(List.of("3,0")))
                .containsExactly(BenchTest.WRITE, BenchTest.REWRITE, BenchTest.BACKWARD);
        assertThat(Tests.list(List.of("random-read", "8")))
                .containsExactly(BenchTest.RANDOM_READ, BenchTest.MIXED);
        assertThat(Tests.list(List.of("reread"))).containsExactly(BenchTest.READ, BenchTest.REREAD);
    }

    @ParameterizedTest
    @CsvSource({"6, stdio", "12, pread", "13, no such test", "'', no such test", "Read, strided"})
    void shouldSayWhichTestsThereAre(String name, String message) {
        assertThatThrownBy(() -> Tests.list(List.of(name)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
