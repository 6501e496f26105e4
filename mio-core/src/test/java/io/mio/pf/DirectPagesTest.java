package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.LayerSpec;
import io.mio.config.StackSpec;
import io.mio.layer.FileKey;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.stats.AutoSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code pf/auto} over a file that does not fit memory, with page requests held back. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DirectPagesTest {
    private static final int PAGE = 4096;
    private static final int SIZE = 256 * PAGE;
    private static final int REQUEST = 3 * PAGE;
    private static final String NOT_SMALL =
            "no-pages: only 0 of 64 requests were small and near each other";

    /** With these figures, the first look at a stream that goes on decides. */
    private static final DirectSizes SIZES =
            new DirectSizes(
                    1, 0, 1, 1, 1, PAGE, 16 * PAGE, 16 * PAGE, 1 << 20, 64 * PAGE, 2, 4 * PAGE);

    private static final String REASON =
            "the file (1 MiB) is more than twice the memory that could keep it (0 MiB), and 0 MiB"
                    + " of it in a row were not there";

    /** Holds single requests until they are let go; all others run at once. */
    private static final class Held implements Executor {
        private final Deque<Runnable> waiting = new ArrayDeque<>();
        private int toHold;

        @Override
        public void execute(Runnable request) {
            synchronized (this) {
                if (toHold > 0) {
                    toHold--;
                    waiting.add(request);
                    return;
                }
            }
            request.run();
        }

        /** Holds the next request. */
        synchronized void hold() {
            toHold = 1;
        }

        synchronized int count() {
            return waiting.size();
        }

        void letGo() {
            for (Runnable each = next(); each != null; each = next()) {
                each.run();
            }
        }

        private synchronized Runnable next() {
            return waiting.poll();
        }
    }

    /** A kernel's page cache that has nothing of the file, unless a test says so. */
    private static final class Cold implements KernelCache {
        private int there;
        private long room = 40 * PAGE;
        private int told;
        private int rooms;
        private boolean unseen;
        private long changed;
        private long nanos;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public long changedNanos() {
            return changed;
        }

        @Override
        public int has(long offset, long bytes) {
            return there;
        }

        @Override
        public boolean sees(long offset) {
            return !unseen;
        }

        @Override
        public boolean nudge(long offset, long bytes) {
            return !unseen;
        }

        @Override
        public boolean readAhead(long offset, long bytes) {
            told++;
            return true;
        }

        @Override
        public long reachBytes() {
            return 0;
        }

        @Override
        public long roomBytes() {
            rooms++;
            return room;
        }
    }

    /** Makes pages over the memory file. */
    private final class Made implements AutoLayer.Cache {
        private String whyNot;
        private PfLayer pages;
        private int givenUp;
        private long asked;
        private DirectSizes sizes = SIZES;

        @Override
        public PfLayer make(Layer below) {
            return null;
        }

        @Override
        public DirectSizes sizes() {
            return sizes;
        }

        @Override
        public String openDirect(long roomBytes) {
            asked = roomBytes;
            return whyNot;
        }

        @Override
        public PfLayer makeDirect(Layer below) throws IOException {
            pages =
                    PfLayers.pastKernel(
                            SPEC,
                            below,
                            CachedFiles.enter(key),
                            request(OpenFlags.RDWR),
                            PfFixture.MEMORY,
                            () -> "memory",
                            SIZES.cacheMost(),
                            PAGE);
            return pages;
        }

        @Override
        public void used(PfLayer made, String why) {}

        @Override
        public void giveUp() {
            givenUp++;
        }
    }

    private static final LayerSpec SPEC = StackSpec.parse("test", "pf/auto").layers().get(1);

    private final Held held = new Held();
    private final MemoryFile file = new MemoryFile(held);
    private final Cold kernel = new Cold();
    private final Made made = new Made();
    private final FileKey key = PfFixture.newKey();
    private byte[] content;
    private AutoLayer layer;

    @BeforeEach
    void fill() {
        content = new byte[SIZE];
        new Random(5).nextBytes(content);
        file.holding(content);
        layer = open(OpenFlags.RDWR);
    }

    private AutoLayer open(int oflags) {
        return (AutoLayer) AutoLayer.over(file, SPEC, request(oflags), made);
    }

    private OpenRequest request(int oflags) {
        OpenRequest.Place place =
                new OpenRequest.Place() {
                    @Override
                    public String type() {
                        return "memory";
                    }

                    @Override
                    public long sectorBytes() {
                        return 512;
                    }
                };
        return PfFixture.request(oflags, SIZE, place, key, kernel);
    }

    private void check(long offset, int bytes) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(bytes);
        if (layer.wantsGate()) {
            layer.settle();
        }
        assertThat(layer.read(read, offset)).isEqualTo(bytes);
        assertThat(read.flip()).isEqualTo(ByteBuffer.wrap(content, (int) offset, bytes));
    }

    /** Reads on until the layer wants its pages; returns the offset where it stopped. */
    private long readOn() throws IOException {
        long at = 0;
        while (!layer.wantsGate()) {
            check(at, REQUEST);
            at += REQUEST;
        }
        return at;
    }

    private long paged() throws IOException {
        long at = readOn();
        layer.settle();
        assertThat(made.pages).isNotNull();
        return at;
    }

    private List<String> decisions() {
        AutoSnapshot report = (AutoSnapshot) layer.source().snapshot(Event.INTER);
        return report.decisions().stream()
                .filter(one -> one.what().contains("pages"))
                .map(one -> one.what() + ": " + one.reason())
                .toList();
    }

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

    /** Reads single bytes here and there; a page is read for each of them. */
    private void scatter() throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < 500 && made.givenUp == 0; i++) {
            check(SIZE / 2 + random.nextInt(SIZE / 2), 1);
        }
        assertThat(made.givenUp).isEqualTo(1);
    }

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
