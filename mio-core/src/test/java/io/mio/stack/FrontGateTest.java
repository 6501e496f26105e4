package io.mio.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.config.StackSpec;
import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.IoRequest;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.NoKernelCache;
import io.mio.layer.OpenRequest;
import io.mio.layer.PlatformObjects;
import io.mio.pf.AutoLayer;
import io.mio.pf.CachedFile;
import io.mio.pf.CachedFiles;
import io.mio.pf.FileGate;
import java.io.Closeable;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.file.FileSystems;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which calls may be below the front layer together, and how a file is closed or forgotten. */
class FrontGateTest {
    private static final AtomicLong INODES = new AtomicLong();

    private final FileKey key = new FileKey(-1, INODES.incrementAndGet());
    private final GatedOs os = new GatedOs();
    private final StackBuilder builder =
            StackBuilder.load(Map.of("files", ""), FileSystems.getDefault());
    private final List<FutureTask<Void>> calls = new ArrayList<>();

    private interface Call {
        void on(Layer layer) throws Exception;
    }

    @AfterEach
    void letAllGo() throws Exception {
        os.leave.release(100);
        for (FutureTask<Void> call : calls) {
            call.get();
        }
    }

    private Layer open(String modules) throws IOException {
        return open(modules, null, false);
    }

    private Layer open(String modules, Executor executor, boolean cacheable) throws IOException {
        return open(modules, executor, cacheable, PlatformObjects.NONE);
    }

    private Layer open(
            String modules, Executor executor, boolean cacheable, PlatformObjects platform)
            throws IOException {
        return open(modules, executor, cacheable, platform, NoKernelCache.PLAIN);
    }

    private Layer open(
            String modules,
            Executor executor,
            boolean cacheable,
            PlatformObjects platform,
            KernelCache kernel)
            throws IOException {
        OpenRequest request =
                new OpenRequest(
                        "file",
                        2,
                        -1,
                        0,
                        0,
                        0,
                        new Sector(),
                        key,
                        executor,
                        true,
                        cacheable,
                        false,
                        false,
                        platform,
                        Descriptors.NONE,
                        kernel);
        return builder.open(StackSpec.parse("test", modules), request, os);
    }

    private record Sector() implements OpenRequest.Place {
        @Override
        public String type() {
            return "test";
        }

        @Override
        public long sectorBytes() {
            return 4096;
        }
    }

    private Thread start(Layer layer, Call call) {
        FutureTask<Void> task =
                new FutureTask<>(
                        () -> {
                            call.on(layer);
                            return null;
                        });
        calls.add(task);
        Thread thread = new Thread(task);
        thread.start();
        return thread;
    }

    private void startAndEnter(Layer layer, Call call) {
        start(layer, call);
        os.entered.acquireUninterruptibly();
    }

    /** Starts a call and returns once it waits at the gate. */
    private Thread startAndWait(Layer layer, Call call) {
        Thread thread = start(layer, call);
        while (!waitsAtTheGate(thread)) {
            assertThat(os.entered.availablePermits()).as("calls that came in").isZero();
            assertThat(thread.isAlive()).isTrue();
            Thread.onSpinWait();
        }
        return thread;
    }

    private static boolean waitsAtTheGate(Thread thread) {
        if (thread.getState() != Thread.State.WAITING) {
            return false;
        }
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (frame.getClassName().equals(FileGate.class.getName())) {
                return true;
            }
        }
        return false;
    }

    private static ByteBuffer bytes(int count) {
        return ByteBuffer.allocate(count);
    }

    private static ByteBuffer[] two() {
        return new ByteBuffer[] {bytes(10), bytes(10)};
    }

    @Test
    void shouldLetReadsInTogetherAndAWriteAlone() throws IOException {
        Layer layer = open("mio/nocio | trace");
        startAndEnter(layer, l -> l.read(bytes(10), 0));
        startAndEnter(layer, l -> l.read(two(), 0, 2, 0));
        startAndEnter(layer, l -> l.flush(true));
        assertThat(os.inside.get()).isEqualTo(3);
        startAndWait(layer, l -> l.write(bytes(10), 0));
        os.leave.release(3);
        os.entered.acquireUninterruptibly();
        assertThat(os.inside.get()).isEqualTo(1);
        startAndWait(layer, l -> l.read(bytes(10), 0));
        startAndWait(layer, l -> l.read(bytes(10), 0));
        os.leave.release(1);
        os.entered.acquireUninterruptibly(2);
        assertThat(os.inside.get()).isEqualTo(2);
    }

    @Test
    void shouldLetNobodyOvertakeAWriteThatWaits() throws IOException {
        Layer layer = open("mio/nocio | trace");
        startAndEnter(layer, l -> l.read(bytes(10), 0));
        Thread write = startAndWait(layer, l -> l.write(bytes(10), 0));
        startAndWait(layer, l -> l.read(bytes(10), 0));
        os.leave.release(1);
        os.entered.acquireUninterruptibly();
        assertThat(os.inside.get()).isEqualTo(1);
        assertThat(waitsAtTheGate(write)).isFalse();
    }

    @Test
    void shouldHoldOneGateForAllOpensOfAFile() throws IOException {
        Layer one = open("mio/nocio | trace");
        Layer other = open("mio/direct");
        startAndEnter(one, l -> l.write(two(), 0, 2, 0));
        startAndWait(other, l -> l.read(bytes(10), 0));
        startAndWait(other, l -> l.truncate(5));
        startAndWait(other, l -> l.flush(false));
    }

    @Test
    void shouldLetWritesInTogetherWithConcurrentIo() throws IOException {
        Layer layer = open("mio/cio");
        startAndEnter(layer, l -> l.write(bytes(10), 0));
        startAndEnter(layer, l -> l.write(two(), 0, 2, 8172));
        startAndEnter(layer, l -> l.read(bytes(10), 0));
        assertThat(os.inside.get()).isEqualTo(3);
    }

    /** A kernel's page cache that holds nothing of the file. */
    private static final class Cold implements KernelCache {
        @Override
        public int has(long offset, long bytes) {
            return 0;
        }

        @Override
        public boolean readAhead(long offset, long bytes) {
            return true;
        }

        @Override
        public long reachBytes() {
            return 0;
        }
    }

    /** A kernel's page cache that holds the whole file. */
    private static final class Warm implements KernelCache {
        @Override
        public int has(long offset, long bytes) {
            return 1;
        }

        @Override
        public boolean readAhead(long offset, long bytes) {
            return true;
        }

        @Override
        public long reachBytes() {
            return 0;
        }
    }

    /** Writes exclude an open that takes pages, but not each other. */
    @Test
    void shouldLetWritesInTogetherWhilePagesMayCome() throws Exception {
        Layer layer = open("pf/auto", null, false, PlatformObjects.NONE, new Cold());
        startAndEnter(layer, l -> l.write(bytes(10), 0));
        startAndEnter(layer, l -> l.write(two(), 0, 2, 0));
        startAndEnter(layer, l -> l.read(bytes(10), 0));
        startAndEnter(layer, l -> l.truncate(5));
        assertThat(os.inside.get()).isEqualTo(4);
        String pages = "pf/cache=64k/page=4k/private/synchronous";
        startAndWait(layer, l -> open(pages, null, true));
        os.leave.release(4);
        calls.get(calls.size() - 1).get();
        startAndEnter(layer, l -> l.read(bytes(10), 0));
        startAndWait(layer, l -> l.write(bytes(10), 0));
    }

    /** Whether forward reads of a file that is all in memory go past the layers in the end. */
    private boolean restsAtLast(String modules) throws IOException {
        Layer layer = open(modules, null, false, PlatformObjects.NONE, new Warm());
        os.leave.release(1000);
        boolean rests = false;
        for (int i = 0; i < 500 && !rests; i++) {
            layer.read(bytes(8192), i * 8192L);
            rests = layer.rests();
        }
        layer.close();
        return rests;
    }

    @Test
    void shouldLetNoReadGoByTheGateThatTheRuleAsksFor() throws IOException {
        assertThat(restsAtLast("pf/auto")).isTrue();
        assertThat(restsAtLast("mio/nocio | pf/auto")).isFalse();
        assertThat(restsAtLast("mio/cio | pf/auto")).isFalse();
        assertThat(restsAtLast("mio/direct | pf/auto")).isFalse();
    }

    /** Whether some layer of such an open may take pages later. */
    private boolean mayTakePages(String modules) throws IOException {
        Layer layer = open(modules, null, false, PlatformObjects.NONE, new Cold());
        boolean may = false;
        for (Layer each = layer; each != null; each = each.next()) {
            may |= each instanceof AutoLayer auto && auto.mayTakePages();
        }
        layer.close();
        return may;
    }

    @Test
    void shouldTakePagesOnlyWhereTheRuleLeavesThatToIt() throws IOException {
        assertThat(mayTakePages("pf/auto")).isTrue();
        assertThat(mayTakePages("mio/nocio | pf/auto")).isTrue();
        assertThat(mayTakePages("mio/cio | pf/auto")).isFalse();
        assertThat(mayTakePages("mio/cio | trace | pf/auto | trace")).isFalse();
        assertThat(mayTakePages("mio/direct | pf/auto")).isFalse();
    }

    /** An open that was read forward out of memory takes no pages any more: it excludes nobody. */
    @Test
    void shouldKeepNobodyOutForPagesThatCannotComeAnyMore() throws IOException {
        for (String modules : List.of("pf/auto", "trace | pf/auto", "trace | pf/auto | trace")) {
            Layer layer = open(modules, null, false, PlatformObjects.NONE, new Warm());
            os.leave.release(1000);
            for (int i = 0; i < 500; i++) {
                layer.read(bytes(8192), i * 8192L);
            }
            os.leave.drainPermits();
            os.entered.drainPermits();
            startAndEnter(layer, l -> l.write(bytes(10), 0));
            startAndEnter(layer, l -> l.read(bytes(10), 0));
            CachedFile file = CachedFiles.enter(key);
            long stamp = file.gate().alone();
            file.gate().leave(stamp);
            CachedFiles.leave(file);
            os.leave.release(2);
        }
    }

    /** A sync takes long: calls do not wait for that of an open without pages, nor it for them. */
    @Test
    void shouldSyncBesideWhoeverIsAloneWhileThereAreNoPages() throws IOException {
        Layer layer = open("trace | pf/auto", null, false, PlatformObjects.NONE, new Cold());
        CachedFile file = CachedFiles.enter(key);
        long stamp = file.gate().alone();
        startAndEnter(layer, l -> l.flush(true));
        file.gate().leave(stamp);
        os.leave.release(1);
        CachedFiles.leave(file);
    }

    @Test
    void shouldHoldTheGateRoundAsynchronousRequestsOfOpensWithoutPages() throws Exception {
        Layer cached = open("pf/cache=64k/page=4k/private/synchronous", null, true);
        Layer joined = open("trace");
        IoRequest write = IoRequest.write(bytes(10), 0, done -> {});
        startAndEnter(cached, l -> l.read(bytes(10), 0));
        startAndWait(joined, l -> l.submit(write));
        letAllGo();
        assertThat(write.error()).isNull();
        assertThat(write.isDone()).isTrue();
        joined.close();
        cached.close();
        // No open has pages any more: the request goes down as it came.
        Layer alone = open("trace");
        IoRequest read = IoRequest.read(bytes(10), 0, done -> {});
        alone.submit(read);
        assertThat(read.delivered()).isEqualTo(10);
        alone.close();
    }

    @Test
    void shouldKeepWritesThatChangeTheSizeAloneWithConcurrentIo() throws IOException {
        for (Call call :
                List.<Call>of(
                        l -> l.write(bytes(10), 8183),
                        l -> l.write(two(), 0, 2, 8173),
                        l -> l.write(bytes(10), Layer.APPEND),
                        l -> l.truncate(1))) {
            Layer layer = open("mio/cio");
            startAndEnter(layer, l -> l.read(bytes(10), 0));
            startAndWait(layer, call);
            os.leave.release(1);
            os.entered.acquireUninterruptibly();
            os.leave.release(1);
        }
    }

    @Test
    void shouldKeepWritesThatDirectIoCannotDoAlone() throws IOException {
        Layer layer = open("mio/cio/direct");
        startAndEnter(layer, l -> l.write(bytes(4096), 4096));
        startAndEnter(layer, l -> l.write(bytes(4096), 0));
        startAndWait(layer, l -> l.write(bytes(4096), 512));
        os.leave.release(2);
        os.entered.acquireUninterruptibly();
        startAndWait(layer, l -> l.write(bytes(512), 4096));
    }

    @Test
    void shouldTakeNoGateWhereTheRuleSaysNothingOfIt() throws IOException {
        Layer layer = open("trace");
        startAndEnter(layer, l -> l.write(bytes(10), 0));
        startAndEnter(layer, l -> l.write(bytes(10), 0));
        startAndEnter(layer, l -> l.truncate(0));
        assertThat(os.inside.get()).isEqualTo(3);
    }

    /** These calls take no gate: a transfer takes two files, a wait for a lock may never end. */
    @Test
    void shouldTakeNoGateRoundCallsThatGoPastTheLayers() throws IOException {
        Layer layer = open("mio/nocio");
        startAndEnter(layer, l -> l.write(bytes(10), 0));
        startAndEnter(layer, l -> l.around(Layer.Bypass.LOCK, 0, 1, () -> null));
        assertThat(os.inside.get()).isEqualTo(2);
        assertThat(layer.size()).isEqualTo(8192);
    }

    @Test
    void shouldCloseAloneAndTellThoseWhoWaited() throws Exception {
        Layer layer = open("mio/nocio");
        Layer other = open("mio/nocio");
        startAndEnter(layer, l -> l.read(bytes(10), 0));
        startAndWait(layer, Layer::close);
        FutureTask<Void> late =
                new FutureTask<>(
                        () -> {
                            layer.read(bytes(10), 0);
                            return null;
                        });
        Thread thread = new Thread(late);
        thread.start();
        while (!waitsAtTheGate(thread)) {
            Thread.onSpinWait();
        }
        assertThat(os.closed).isFalse();
        os.leave.release(1);
        assertThatThrownBy(late::get).hasCauseInstanceOf(AsynchronousCloseException.class);
        assertThat(os.closed).isTrue();
        assertThat(os.entered.availablePermits()).isZero();
        startAndEnter(other, l -> l.write(bytes(10), 0));
    }

    @Test
    void shouldCompleteRequestsOnTheExecutorAfterLeavingTheGate() throws Exception {
        List<Runnable> tasks = new ArrayList<>();
        Layer layer = open("trace", tasks::add, true);
        List<String> results = new ArrayList<>();
        os.leave.release(100);
        for (boolean write : new boolean[] {true, false}) {
            IoRequest.Completion handler =
                    request -> {
                        // Inside the gate, this write would wait for itself.
                        try {
                            layer.write(bytes(3), 0);
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                        results.add(request.delivered() + " " + request.error());
                    };
            IoRequest request =
                    write
                            ? IoRequest.write(bytes(7), 0, handler)
                            : IoRequest.read(bytes(7), 0, handler);
            layer.submit(request);
            assertThat(request.isDone()).isFalse();
        }
        assertThat(os.entered.availablePermits()).isZero();
        FutureTask<Void> runs = new FutureTask<>(() -> tasks.forEach(Runnable::run), null);
        start(layer, l -> runs.run());
        runs.get();
        assertThat(results).containsExactly("7 null", "7 null");
        IoRequest late = IoRequest.read(bytes(7), 0, done -> {});
        layer.submit(late);
        layer.close();
        tasks.get(2).run();
        assertThat(late.error()).isInstanceOf(AsynchronousCloseException.class);
    }

    @Test
    void shouldLeaveTheFileWhenItsLayersCannotBeMade() throws IOException {
        CachedFile file = CachedFiles.enter(key);
        OpenRequest.Place broken =
                new OpenRequest.Place() {
                    @Override
                    public String type() {
                        return "test";
                    }

                    @Override
                    public long sectorBytes() {
                        throw new IllegalStateException("on purpose");
                    }
                };
        OpenRequest request =
                new OpenRequest("file", 2, -1, 0, 0, 0, broken, key, null, true, false, false);
        StackSpec spec = StackSpec.parse("test", "mio/cio/direct");
        assertThatThrownBy(() -> builder.open(spec, request, os)).hasMessage("on purpose");
        checkLast(file);
    }

    @Test
    void shouldLeaveTheFileAtItsClose() throws IOException {
        CachedFile file = CachedFiles.enter(key);
        Layer layer = open("trace");
        layer.close();
        layer.close();
        checkLast(file);
    }

    @Test
    void shouldCloseWhatThePlatformOpenedAloneOnTheFile() throws IOException {
        Layer other = open("mio/nocio | trace");
        List<Thread> waiting = new ArrayList<>();
        Closeable opened = () -> waiting.add(startAndWait(other, l -> l.write(bytes(1), 0)));
        PlatformObjects platform = new PlatformObjects(true, opened);
        try {
            open("trace", null, false, platform).close();
        } finally {
            Reference.reachabilityFence(opened);
        }
        assertThat(waiting).hasSize(1);
        os.entered.acquireUninterruptibly();
    }

    /** Checks that this is the only open left. */
    private void checkLast(CachedFile file) {
        assertThat(CachedFiles.enter(key)).isSameAs(file);
        CachedFiles.leave(file);
        CachedFiles.leave(file);
        CachedFile next = CachedFiles.enter(key);
        assertThat(next).isNotSameAs(file);
        CachedFiles.leave(next);
    }

    @Test
    void shouldCloseAForgottenFileThatPageRequestsWereMadeFor() throws IOException {
        open("trace", null, true);
        CachedFile file = CachedFiles.enter(key);
        waitWithCollections(() -> os.closed);
        waitWithCollections(() -> isLast(file));
    }

    @Test
    void shouldOnlyLeaveAForgottenFileThatIsThePlatforms() throws IOException {
        open("trace");
        CachedFile file = CachedFiles.enter(key);
        waitWithCollections(
                () -> {
                    openAnother();
                    return isLast(file);
                });
        assertThat(os.closed).isFalse();
    }

    /** Opens another file: MIO finds forgotten opens whenever something is opened. */
    private void openAnother() {
        OpenRequest other = new OpenRequest("other", 0, -1, 0, 0, 0, new Sector());
        try {
            builder.open(StackSpec.parse("test", "trace"), other, new GatedOs()).close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Whether the test's own entry is the only one: the file goes when its last entry leaves. */
    private boolean isLast(CachedFile file) {
        CachedFiles.leave(file);
        CachedFile now = CachedFiles.enter(key);
        return now != file;
    }

    private static void waitWithCollections(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("given up").isLessThan(end);
            System.gc();
        }
    }
}
