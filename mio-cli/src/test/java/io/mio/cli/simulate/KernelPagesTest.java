package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class KernelPagesTest {
    private static final int PAGE = KernelPages.PAGE_BYTES;

    private final KernelPages pages = new KernelPages();

    @Test
    void shouldKnowWhenWhatItWasToldOfHasCome() {
        pages.comes(3, 500);
        pages.comes(4, 700);

        assertThat(pages.has(3 * PAGE, 2 * PAGE)).isTrue();
        assertThat(pages.has(3 * PAGE, 2 * PAGE + 1)).isFalse();
        assertThat(pages.read(3 * PAGE + 1, PAGE)).isEqualTo(700);
        // Both pages are there by now, and since when is not known.
        assertThat(pages.read(3 * PAGE, 2 * PAGE)).isEqualTo(-1);
        assertThat(pages.has(3 * PAGE, 2 * PAGE)).isTrue();
    }

    @Test
    void shouldNotPromiseMoreThanItWasTold() {
        pages.comes(0, 500);

        assertThat(pages.read(0, PAGE + 1)).isEqualTo(-1);
        assertThat(pages.has(0, 2 * PAGE)).isTrue();
        assertThat(pages.has(2)).isFalse();
    }

    @Test
    void shouldTakeWhatIsTooFarBehindAsThere() {
        long far = Long.MAX_VALUE / PAGE - 1;
        pages.comes(far, 500);

        assertThat(pages.has(far)).isTrue();
        assertThat(pages.read(far * PAGE, PAGE)).isEqualTo(-1);
    }

    @Test
    void shouldTakeNoMoreMemoryFarBehindInAFile() {
        long far = 4L << 40;
        long heap = Runtime.getRuntime().maxMemory();
        // A bit for each page before this one would take 128 MB.
        List<KernelPages> files = new ArrayList<>();
        for (long i = 0; i <= heap / (128 << 20); i++) {
            KernelPages file = new KernelPages();
            assertThat(file.read(far - PAGE, PAGE)).isEqualTo(-1);
            assertThat(file.has(far - PAGE, PAGE)).isTrue();
            assertThat(file.has(far - 2 * PAGE, PAGE)).isFalse();
            files.add(file);
        }

        assertThat(files).allMatch(file -> file.has(far - PAGE, PAGE));
    }
}
