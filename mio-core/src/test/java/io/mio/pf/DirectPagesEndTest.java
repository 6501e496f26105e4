package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When {@code pf/auto} gives up the pages by which it reads past the kernel's cache. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DirectPagesEndTest extends DirectPagesFixture {
    @Test
    void shouldGiveThemUpForGood() throws IOException {
        paged();
        scatter();
        assertThat(decisions()).hasSize(2);
        assertThat(decisions().get(1))
                .matches(
                        "no-pages: no longer read at length: \\d+ MiB took \\d+ MiB of page reads");
        assertThat(CachedFiles.find(key)).isNotNull();
        layer.settle();
        assertThat(CachedFiles.find(key)).as("pages of the file").isNull();
        assertThat(layer.mayTakePages()).isFalse();
        for (long at = 0; at + REQUEST <= SIZE; at += REQUEST) {
            check(at, REQUEST);
        }
        assertThat(layer.wantsGate()).isFalse();
        layer.close();
        assertThat(file.calls()).containsOnlyOnce("close");
    }

    @Test
    void shouldGiveThemUpWhenTheMemoryIsNeeded() throws IOException {
        kernel.room = 32 * PAGE;
        layer = open(OpenFlags.RDWR);
        long at = paged();
        while (made.givenUp == 0 && at + REQUEST <= SIZE) {
            check(at, REQUEST);
            at += REQUEST;
        }
        assertThat(made.givenUp).isZero();
        kernel.room = 16 * PAGE;
        for (at = SIZE - REQUEST; at >= 0; at -= REQUEST) {
            check(at, REQUEST);
        }
        assertThat(made.givenUp).isZero();
        kernel.room = 16 * PAGE - 1;
        for (at = SIZE - REQUEST; at >= 0; at -= REQUEST) {
            check(at, REQUEST);
        }
        assertThat(decisions())
                .last()
                .isEqualTo("no-pages: the memory is needed: 0 MiB are left for files");
        assertThat(CachedFiles.find(key)).isNull();
    }

    @Test
    void shouldGiveThemUpWhileTheyAreFilledWhereTheMemoryIsNeeded() throws IOException {
        long at = paged();
        kernel.room = 18 * PAGE;
        for (long end = at + 8 * PAGE; at < end; at += REQUEST) {
            check(at, REQUEST);
        }
        assertThat(decisions())
                .last()
                .isEqualTo("no-pages: the memory is needed: 0 MiB are left for files");
    }

    @Test
    void shouldTakeNoMoreThanWhatIsLeftWhenTheyAreMade() throws IOException {
        readOn();
        kernel.room = 30 * PAGE;
        layer.settle();
        assertThat(made.asked).isEqualTo(30 * PAGE);
    }

    @Test
    void shouldNotTakeThemWhereTheFileFitsByThen() throws IOException {
        kernel.there = 1;
        check(0, REQUEST);
        check(REQUEST, REQUEST);
        kernel.there = 0;
        kernel.room = SIZE;
        for (long at = 2 * REQUEST; at + REQUEST <= SIZE; at += REQUEST) {
            check(at, REQUEST);
            assertThat(layer.wantsGate()).isFalse();
        }
    }

    @Test
    void shouldKeepThemWhileItIsNotKnownHowMuchMemoryThereIs() throws IOException {
        long at = paged();
        kernel.room = -1;
        for (; at + REQUEST <= SIZE; at += REQUEST) {
            check(at, REQUEST);
        }
        for (at = SIZE - REQUEST; at >= 0; at -= REQUEST) {
            check(at, REQUEST);
        }
        assertThat(made.givenUp).isZero();
    }

    @Test
    void shouldNotChooseThemWhereItIsNotKnownHowMuchMemoryThereIs() throws IOException {
        kernel.room = -1;
        layer = open(OpenFlags.RDWR);
        for (long at = 0; at + REQUEST <= SIZE; at += REQUEST) {
            check(at, REQUEST);
            assertThat(layer.wantsGate()).isFalse();
        }
    }

    @Test
    void shouldGiveThemUpWhenTheFileFits() throws IOException {
        long at = paged();
        kernel.room = SIZE - 1;
        for (; at + REQUEST <= SIZE; at += REQUEST) {
            check(at, REQUEST);
        }
        assertThat(made.givenUp).isZero();
        kernel.room = SIZE;
        for (at = SIZE - REQUEST; at >= 0; at -= REQUEST) {
            check(at, REQUEST);
        }
        assertThat(decisions())
                .last()
                .isEqualTo(
                        "no-pages: the file (1 MiB) fits the memory that could keep it by now"
                                + " (1 MiB)");
    }

    private static FutureTask<Void> start(Layer.IoCall<Void> work) {
        return new FutureTask<>(work::call);
    }

    private static void awaitWaiting(Thread thread) {
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    /** Runs {@code work} while page requests are on their way, and ends these once it waits. */
    private void runAmongPageRequests(Layer.IoCall<Void> work) throws Exception {
        FutureTask<Void> task = start(work);
        Thread thread = new Thread(task);
        thread.start();
        awaitWaiting(thread);
        assertThat(task.isDone()).isFalse();
        held.letGo();
        task.get();
    }

    private long withRequestsOnTheirWay() throws IOException {
        long at = paged();
        check(at, REQUEST);
        at += REQUEST;
        held.hold();
        while (held.count() == 0) {
            check(at, 1);
            at += PAGE;
        }
        assertThat(at).isLessThan(SIZE / 2 - 10 * PAGE);
        return at;
    }

    @Test
    void shouldCloseWhilePagesAreBeingRead() throws Exception {
        withRequestsOnTheirWay();
        runAmongPageRequests(
                () -> {
                    layer.close();
                    return null;
                });
        assertThat(CachedFiles.find(key)).isNull();
        assertThat(file.calls()).containsOnlyOnce("close");
    }

    @Test
    void shouldGiveUpWhilePagesAreBeingRead() throws Exception {
        withRequestsOnTheirWay();
        scatter();
        assertThat(held.count()).isPositive();
        runAmongPageRequests(
                () -> {
                    layer.settle();
                    return null;
                });
        assertThat(CachedFiles.find(key)).isNull();
        check(500, 5000);
    }

    @Test
    void shouldKeepAnInterruptOfAReaderThatWaits() throws Exception {
        long at = withRequestsOnTheirWay();
        boolean[] interrupted = new boolean[1];
        FutureTask<Void> task =
                start(
                        () -> {
                            check(at, 4 * PAGE);
                            interrupted[0] = Thread.interrupted();
                            return null;
                        });
        Thread thread = new Thread(task);
        thread.start();
        awaitWaiting(thread);
        thread.interrupt();
        held.letGo();
        task.get();
        assertThat(interrupted[0]).isTrue();
    }
}
