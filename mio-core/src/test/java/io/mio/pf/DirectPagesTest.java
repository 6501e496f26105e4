package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.KernelCache;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which files {@code pf/auto} reads past the kernel's cache, and what is read then. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DirectPagesTest extends DirectPagesFixture {
    @Test
    void shouldReadWhatAnotherProcessHasMadeOfTheFile() throws IOException {
        long at = paged() - REQUEST;
        check(at, REQUEST);
        byte before = content[(int) at];
        content[(int) at] = (byte) (before + 1);
        file.holding(content);
        // Nothing shows the change yet, so the bytes of the pages are delivered.
        content[(int) at] = before;
        check(at, REQUEST);
        content[(int) at] = (byte) (before + 1);
        kernel.changed = 1;
        check(at, REQUEST);
        assertThat(decisions()).last().isEqualTo("no-pages: the file keeps changing");
        content[(int) at] = (byte) (before + 2);
        file.holding(content);
        check(at, REQUEST);
    }

    @Test
    void shouldWaitUntilNoOtherProcessCanBeWriting() throws IOException {
        for (long at = 0; at + REQUEST <= SIZE; at += REQUEST) {
            kernel.changed = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis());
            kernel.nanos += 20_000_000;
            check(at, REQUEST);
        }
        assertThat(made.pages).isNull();
        assertThat(decisions()).containsExactly(NOT_SMALL);
        kernel.changed = 0;
        kernel.nanos += 20_000_000;
        check(0, REQUEST);
        assertThat(made.pages).isNotNull();
    }

    @Test
    void shouldLeaveAFileToTheKernelThatOthersWriteAgainAndAgain() throws IOException {
        kernel.changed = Long.MAX_VALUE;
        for (int i = 0; i < 1000; i++) {
            check(i * (long) REQUEST % (SIZE - REQUEST), REQUEST);
            kernel.nanos += 20_000_000;
        }
        kernel.changed = 0;
        kernel.nanos += 20_000_000;
        check(0, REQUEST);
        assertThat(made.pages).isNull();
        assertThat(decisions()).containsExactly(NOT_SMALL, "no-pages: the file keeps changing");
    }

    @Test
    void shouldReadPastTheKernelOnce() throws IOException {
        long at = paged();
        assertThat(decisions()).containsExactly("pages: past the kernel's cache: " + REASON);
        // The three are at the open, before the choice, and before pages are made.
        assertThat(kernel.rooms).as("questions about memory").isEqualTo(3);
        int told = kernel.told;
        file.calls();
        for (; at + REQUEST <= SIZE; at += REQUEST) {
            check(at, REQUEST);
        }
        assertThat(file.calls())
                .filteredOn(call -> call.startsWith("aread"))
                .hasSizeGreaterThan(100);
        assertThat(kernel.told).as("what it is told of what it does not read").isEqualTo(told);
        layer.close();
        assertThat(file.calls()).containsOnlyOnce("close");
    }

    /** What is ahead of the program is no waste, however much of the memory it takes. */
    @Test
    void shouldGoOnWhereMuchIsAhead() throws IOException {
        long judged = 3 * PAGE;
        made.sizes =
                new DirectSizes(
                        1, 0, 1, 1, 1, PAGE, 16 * PAGE, 16 * PAGE, 1 << 20, judged, 2, 4 * PAGE);
        for (long at = paged(); at + 100 <= SIZE; at += 100) {
            check(at, 100);
        }
        assertThat(decisions()).containsExactly("pages: past the kernel's cache: " + REASON);
    }

    @Test
    void shouldSayWhyThereAreNone() throws IOException {
        made.whyNot = "the file system takes no direct I/O";
        readOn();
        layer.settle();
        assertThat(layer.wantsGate()).isFalse();
        assertThat(decisions())
                .containsExactly("no-pages: the file system takes no direct I/O, though " + REASON);
        check(100, 100);
    }

    @Test
    void shouldLeaveWhatFitsToTheKernel() throws IOException {
        kernel.room = SIZE / 2 + 1;
        layer = open(OpenFlags.RDONLY);
        for (long at = 0; at + REQUEST <= SIZE; at += REQUEST) {
            check(at, REQUEST);
            assertThat(layer.wantsGate()).isFalse();
        }
        for (int i = 0; i < 64; i++) {
            check(i * 64L, 8192);
        }
        assertThat(layer.mayTakePages()).isFalse();
    }

    @Test
    void shouldLeaveWhatIsThereToTheKernel() throws IOException {
        kernel.there = 1;
        for (long at = 0; at + REQUEST <= SIZE; at += REQUEST) {
            check(at, REQUEST);
            assertThat(layer.wantsGate()).isFalse();
        }
    }

    @Test
    void shouldLeaveToTheKernelWhatItDoesNotShow() throws IOException {
        kernel.unseen = true;
        for (long at = 0; at + REQUEST <= SIZE; at += REQUEST) {
            check(at, REQUEST);
            assertThat(layer.wantsGate()).isFalse();
        }
    }

    /** A file that may be written can become one that does not fit, until its reads rest. */
    @Test
    void shouldSettleForTheKernelWhenReadsRest() throws IOException {
        kernel.room = SIZE;
        layer = open(OpenFlags.RDWR);
        for (int i = 0; i < 64; i++) {
            check(0, 8192);
        }
        assertThat(layer.mayTakePages()).isTrue();
        int rests = 0;
        for (long at = 0; at + REQUEST <= SIZE && rests == 0; at += REQUEST) {
            check(at, REQUEST);
            rests = layer.rest();
        }
        assertThat(rests).isPositive();
        assertThat(layer.mayTakePages()).isFalse();
    }

    @Test
    void shouldNotRestWhereTheFileDoesNotFit() throws IOException {
        kernel.there = KernelCache.UNKNOWN;
        for (int i = 0; i < 64; i++) {
            check(0, 8192);
        }
        for (long at = 0; at + REQUEST <= SIZE; at += REQUEST) {
            check(at, REQUEST);
            assertThat(layer.rest()).isZero();
        }
        assertThat(layer.mayTakePages()).isTrue();
    }
}
