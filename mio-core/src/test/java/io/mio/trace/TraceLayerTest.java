package io.mio.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.counters.CounterStripe;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.Layer.Bypass;
import io.mio.layer.OpenFlags;
import io.mio.stats.FileReport;
import io.mio.stats.OperationStats;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import io.mio.stats.TraceSnapshot.Pattern;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** What a trace layer counts, on the original's workloads where the documents give figures. */
class TraceLayerTest {
    private static final int RECORD = 102400;
    private static final int RECORDS = 140000;
    private static final int PAGE = 2 * 1024 * 1024;

    private final NullOs os = new NullOs();

    @Test
    void shouldCountTheOriginalsWorkloadAsTheOriginalDid() throws IOException {
        TraceLayer trace = trace(OpenFlags.RDWR);
        ByteBuffer buffer = ByteBuffer.allocate(RECORD);
        trace.seek(0);
        for (int i = 0; i < RECORDS; i++) {
            trace.write(buffer.clear(), (long) i * RECORD);
        }
        trace.seek(0);
        for (int i = 0; i < RECORDS; i++) {
            trace.read(buffer.clear(), (long) i * RECORD);
        }
        trace.seek((long) RECORDS * RECORD);
        for (int i = RECORDS - 1; i >= 0; i--) {
            trace.seek((long) i * RECORD);
            trace.read(buffer.clear(), (long) i * RECORD);
        }

        TraceSnapshot counted = Traced.snapshot(trace);
        assertThat(counted.classic())
                .containsPattern("  write        140000 .{8}   14000000   14000000     102400")
                .containsPattern("  read         280000 .{8}   28000000   28000000     102400")
                .containsPattern("  seek         140003     0.00 average seek delta=-307192\n")
                .contains("  size         140000\n")
                .contains("current size=14000000   max_size=14000000\n");
        // The return to the start and the turn at the end are jumps.
        assertThat(counted.distributions().patternBytes())
                .containsExactly(
                        (2L * RECORDS - 1) * RECORD, (RECORDS - 1L) * RECORD, 0L, 2L * RECORD);
    }

    @Test
    void shouldCountASeekForEveryRequestOfTheLayerAboveItself() throws Exception {
        TraceLayer trace = trace(OpenFlags.RDWR);
        int pages = 6836;
        int tail = 1966080;
        ByteBuffer page = ByteBuffer.allocate(PAGE);
        for (int i = 0; i < pages - 1; i++) {
            IoRequest request = IoRequest.write(page.clear(), (long) i * PAGE, done -> {});
            trace.seek(request.offset());
            trace.submit(request);
            trace.await(request, request::await);
        }
        trace.seek((long) (pages - 1) * PAGE);
        trace.write(page.clear().limit(tail), (long) (pages - 1) * PAGE);
        // Reads all pages forward, then backward all but the 50 still cached; 3 reads block.
        List<Integer> reads = new ArrayList<>();
        for (int i = 0; i < pages; i++) {
            reads.add(i);
        }
        for (int i = pages - 51; i >= 0; i--) {
            reads.add(i);
        }
        for (int n = 0; n < reads.size(); n++) {
            long offset = (long) reads.get(n) * PAGE;
            page.clear().limit(reads.get(n) == pages - 1 ? tail : PAGE);
            if (n < 2 || n == pages) {
                trace.seek(offset);
                trace.read(page, offset);
            } else {
                IoRequest request = IoRequest.read(page, offset, done -> {});
                trace.seek(offset);
                trace.submit(request);
                trace.await(request, request::await);
            }
        }

        TraceSnapshot counted = Traced.snapshot(trace);
        assertThat(counted.of(TraceOperation.SEEK).count()).isEqualTo(20458);
        assertThat(counted.averageSeekDelta()).isEqualTo(-2097036);
        assertThat(counted.extensions()).isEqualTo(6836);
        assertThat(counted.classic())
                .containsPattern("  awrite         6835 .{8}   13998080   13998080    2097152")
                .containsPattern("\n   suspend       6835 .{8} +[0-9.]+ kbytes/s\n")
                .containsPattern("  read              3 .{8}       6144       6144    2097152")
                .containsPattern("  aread         13619 .{8}   27891584   27891584    1966080");
    }

    @Test
    void shouldHaveCountedTheSubmissionWhenTheCompletionReportsTheFile() throws IOException {
        TraceLayer trace = trace(OpenFlags.RDWR);
        List<TraceSnapshot> seen = new ArrayList<>();
        ByteBuffer buffer = ByteBuffer.allocate(100);
        trace.submit(IoRequest.write(buffer, 0, done -> seen.add(Traced.snapshot(trace))));

        OperationStats writes = seen.get(0).of(TraceOperation.AWRITE);
        assertThat(writes.count()).isEqualTo(1);
        assertThat(writes.requested()).isEqualTo(100);
        assertThat(writes.delivered()).isEqualTo(100);
        assertThat(Traced.snapshot(trace).of(TraceOperation.AWRITE).count()).isEqualTo(1);
    }

    @Test
    void shouldCountARefusedRequestOnceThoughItsMakerCompletesIt() throws IOException {
        IOException refusal = new IOException("refused");
        ForwardingLayer refusing =
                new ForwardingLayer("os", os) {
                    @Override
                    public void submit(IoRequest request) throws IOException {
                        throw refusal;
                    }
                };
        TraceLayer trace = trace(refusing, OpenFlags.RDWR);
        List<Throwable> told = new ArrayList<>();
        IoRequest request =
                IoRequest.read(ByteBuffer.allocate(100), 0, done -> told.add(done.error()));
        assertThatThrownBy(() -> trace.submit(request)).isSameAs(refusal);
        request.complete(0, refusal);

        assertThat(told).containsExactly(refusal);
        OperationStats reads = Traced.snapshot(trace).of(TraceOperation.AREAD);
        assertThat(reads.count()).isEqualTo(1);
        assertThat(reads.errors()).isEqualTo(1);
        assertThat(Traced.snapshot(trace).distributions().errors())
                .containsExactly(Map.entry("IOException", 1L));
    }

    @Test
    void shouldCountOnAfterThreadsThatDiedWhileCounting() throws IOException {
        TraceCounters counters = (TraceCounters) trace(OpenFlags.RDWR).source();
        for (int i = 0; i < 40; i++) {
            // The stripe is never given back, as by a thread whose stack overflowed while counting.
            counters.own().call(TraceOperation.READ, 0);
        }
        counters.timed(TraceOperation.FSYNC, 0);

        CounterStripe sum = counters.sum();
        assertThat(sum.stats(TraceOperation.READ).count()).isEqualTo(40);
        assertThat(sum.stats(TraceOperation.FSYNC).count()).isEqualTo(1);
    }

    @Test
    void shouldSeeEveryAppendOfSeveralThreadsLengthenTheFile() throws Exception {
        TraceLayer trace = trace(OpenFlags.WRONLY | OpenFlags.APPEND);
        CyclicBarrier start = new CyclicBarrier(4);
        Callable<Void> appends =
                () -> {
                    ByteBuffer buffer = ByteBuffer.allocate(10);
                    start.await();
                    for (int i = 0; i < 50_000; i++) {
                        trace.write(buffer.clear(), Layer.APPEND);
                    }
                    return null;
                };
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            for (Future<Void> one :
                    threads.invokeAll(List.of(appends, appends, appends, appends))) {
                one.get();
            }
        } finally {
            threads.shutdown();
        }

        assertThat(Traced.snapshot(trace).extensions()).isEqualTo(200_000);
        assertThat(Traced.snapshot(trace).currentSize()).isEqualTo(2_000_000);
        assertThat(Traced.snapshot(trace).maxSize()).isEqualTo(2_000_000);
    }

    @Test
    void shouldKeepNoLayerFromTheCollectorByItsReport() throws Exception {
        TraceLayer trace = trace(0);
        WeakReference<TraceLayer> layer = new WeakReference<>(trace);
        FileReport.Source source = trace.source();
        trace = null;
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (layer.get() != null && System.nanoTime() < end) {
            System.gc();
        }

        assertThat(layer.get()).isNull();
        assertThat(source).isNotNull();
    }

    @Test
    void shouldCountRequestedAndDeliveredApart() throws IOException {
        os.size = 150;
        TraceLayer trace = trace(0);
        ByteBuffer buffer = ByteBuffer.allocate(100);
        assertThat(trace.read(buffer.clear(), 0)).isEqualTo(100);
        assertThat(trace.read(buffer.clear(), 100)).isEqualTo(50);
        assertThat(trace.read(buffer.clear(), 150)).isEqualTo(-1);
        assertThat(trace.read(buffer.clear().limit(0), 150)).isEqualTo(0);

        OperationStats reads = Traced.snapshot(trace).of(TraceOperation.READ);
        assertThat(reads.count()).isEqualTo(4);
        assertThat(reads.requested()).isEqualTo(300);
        assertThat(reads.delivered()).isEqualTo(150);
        assertThat(reads.smallest()).isEqualTo(0);
        assertThat(reads.largest()).isEqualTo(100);
    }

    @Test
    void shouldTellPatternsApart() throws IOException {
        os.size = 1 << 20;
        TraceLayer trace = trace(0);
        ByteBuffer buffer = ByteBuffer.allocate(10);
        long[] offsets = {0, 10, 20, 10, 0, 500, 700, 900, 1100, 3, 77777};
        for (long offset : offsets) {
            trace.read(buffer.clear(), offset);
        }

        long[] bytes = Traced.snapshot(trace).distributions().patternBytes();
        assertThat(bytes[Pattern.SEQUENTIAL.ordinal()]).isEqualTo(30);
        assertThat(bytes[Pattern.BACKWARD.ordinal()]).isEqualTo(20);
        assertThat(bytes[Pattern.STRIDED.ordinal()]).isEqualTo(20);
        assertThat(bytes[Pattern.RANDOM.ordinal()]).isEqualTo(40);
    }

    @Test
    void shouldCountErrorsByNameAndPassThemOnUnchanged() {
        TraceLayer trace = trace(OpenFlags.RDWR);
        os.failure = new IOException("No space left on device");
        ByteBuffer buffer = ByteBuffer.allocate(10);

        assertThatThrownBy(() -> trace.write(buffer.clear(), 0)).isSameAs(os.failure);
        assertThatThrownBy(() -> trace.flush(true)).isSameAs(os.failure);
        os.failure = new IOException("strange");
        assertThatThrownBy(() -> trace.read(buffer.clear(), 0)).isSameAs(os.failure);

        TraceSnapshot counted = Traced.snapshot(trace);
        assertThat(counted.distributions().errors())
                .containsEntry("ENOSPC", 2L)
                .containsEntry("IOException", 1L);
        assertThat(counted.of(TraceOperation.WRITE).errors()).isEqualTo(1);
        assertThat(counted.of(TraceOperation.WRITE).count()).isEqualTo(1);
        assertThat(counted.of(TraceOperation.WRITE).requested()).isEqualTo(10);
        assertThat(counted.of(TraceOperation.WRITE).delivered()).isEqualTo(0);
    }

    @Test
    void shouldCountTransfersAsReadsAndWritesOfWhatTheyMoved() throws IOException {
        os.size = 1000;
        TraceLayer trace = trace(OpenFlags.RDWR);
        trace.around(Bypass.TRANSFER_OUT, 200, Long.MAX_VALUE, () -> 800L);
        trace.around(Bypass.TRANSFER_IN, 1000, Long.MAX_VALUE, () -> 24L);
        trace.around(Bypass.LOCK, 0, Long.MAX_VALUE, () -> "lock");
        trace.around(Bypass.MAP_READ, 0, 10, () -> "map");

        TraceSnapshot counted = Traced.snapshot(trace);
        assertThat(counted.of(TraceOperation.READ).requested()).isEqualTo(800);
        assertThat(counted.of(TraceOperation.READ).delivered()).isEqualTo(800);
        assertThat(counted.of(TraceOperation.WRITE).delivered()).isEqualTo(24);
        assertThat(counted.currentSize()).isEqualTo(1024);
        assertThat(counted.of(TraceOperation.FCNTL).count()).isEqualTo(1);
        assertThat(counted.of(TraceOperation.MMAP).count()).isEqualTo(1);
    }

    @Test
    void shouldNotTakeAFailedTransferForARequestOfNothing() throws IOException {
        os.size = 1000;
        TraceLayer trace = trace(OpenFlags.RDWR);
        Layer.IoCall<Long> failing =
                () -> {
                    throw new IOException("Input/output error");
                };
        assertThatThrownBy(() -> trace.around(Bypass.TRANSFER_IN, 0, 500, failing))
                .hasMessage("Input/output error");
        assertThatThrownBy(() -> trace.around(Bypass.TRANSFER_OUT, 0, 500, failing))
                .hasMessage("Input/output error");
        trace.around(Bypass.TRANSFER_IN, 0, 500, () -> 500L);
        trace.around(Bypass.TRANSFER_OUT, 0, 500, () -> 500L);

        TraceSnapshot counted = Traced.snapshot(trace);
        for (TraceOperation operation : List.of(TraceOperation.READ, TraceOperation.WRITE)) {
            assertThat(counted.of(operation).count()).isEqualTo(2);
            assertThat(counted.of(operation).smallest()).isEqualTo(500);
            assertThat(counted.of(operation).errors()).isEqualTo(1);
        }
        assertThat(counted.of(TraceOperation.READ).requested()).isEqualTo(1000);
        assertThat(counted.of(TraceOperation.WRITE).requested()).isEqualTo(500);
    }

    @Test
    void shouldKnowTheLargestSizeAfterTruncation() throws IOException {
        TraceLayer trace = trace(OpenFlags.RDWR);
        trace.write(ByteBuffer.allocate(5000), 0);
        trace.truncate(1000);
        trace.truncate(3000);
        trace.write(ByteBuffer.allocate(10), Layer.APPEND);

        TraceSnapshot counted = Traced.snapshot(trace);
        assertThat(counted.currentSize()).isEqualTo(1010);
        assertThat(counted.maxSize()).isEqualTo(5000);
        assertThat(counted.extensions()).isEqualTo(2);
        assertThat(counted.of(TraceOperation.TRUNC).count()).isEqualTo(2);
    }

    @Test
    void shouldCountIllFormedAndMisalignedRequestsOfDirectFiles() throws IOException {
        os.size = 1 << 20;
        TraceLayer trace = trace(OpenFlags.RDWR | OpenFlags.DIRECT);
        ByteBuffer aligned = ByteBuffer.allocateDirect(3 * 4096).alignedSlice(4096);
        trace.read(aligned.clear().limit(4096), 0);
        trace.read(aligned.clear().limit(4096), 100);
        trace.read(aligned.clear().limit(100), 4096);
        trace.read(aligned.clear().limit(4096 + 8).position(8), 8192);
        ByteBuffer misaligned = aligned.duplicate().limit(4096 + 8).position(8);
        trace.read(new ByteBuffer[] {null, aligned.clear().limit(4096), misaligned}, 1, 2, 16384);
        trace.submit(IoRequest.read(aligned.clear().limit(4096), 100, done -> {}));

        assertThat(Traced.snapshot(trace).classic())
                .contains("  ill form          3   mem misaligned 2\n");
    }

    @Test
    void shouldKeepActivityOverAnyTime() {
        CounterStripe stripe = CounterStripe.make();
        long millisecond = 1L << 20;
        stripe.delivered(TraceOperation.READ, 1, Pattern.RANDOM, 0);
        stripe.delivered(TraceOperation.READ, 2, Pattern.RANDOM, 63 * millisecond);
        stripe.delivered(TraceOperation.READ, 4, Pattern.RANDOM, 64 * millisecond);
        stripe.delivered(TraceOperation.WRITE, 8, Pattern.RANDOM, 1000 * millisecond);
        CounterStripe other = CounterStripe.make();
        other.delivered(TraceOperation.READ, 16, Pattern.RANDOM, 3 * millisecond);
        CounterStripe sum = CounterStripe.make();
        other.addTo(sum);
        stripe.addTo(sum);

        assertThat(sum.binNanos()).isEqualTo(16 * millisecond);
        assertThat(Arrays.stream(sum.activity(false)).sum()).isEqualTo(23);
        assertThat(sum.activity(false)[0]).isEqualTo(17);
        assertThat(sum.activity(false)[3]).isEqualTo(2);
        assertThat(sum.activity(false)[4]).isEqualTo(4);
        assertThat(sum.activity(true)[62]).isEqualTo(8);
    }

    @Test
    void shouldLoseNoCountWhenManyThreadsShareAFile() throws Exception {
        os.size = Long.MAX_VALUE / 2;
        TraceLayer trace = trace(0);
        int threads = 8;
        int calls = 20_000;
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<Void>> work = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                work.add(
                        () -> {
                            ByteBuffer buffer = ByteBuffer.allocate(7);
                            start.await();
                            for (int i = 0; i < calls; i++) {
                                trace.seek(i);
                                trace.read(buffer.clear(), i);
                                if (i % 1000 == 0) {
                                    Traced.snapshot(trace);
                                }
                            }
                            return null;
                        });
            }
            for (Future<Void> one : pool.invokeAll(work)) {
                one.get();
            }
        } finally {
            pool.shutdown();
        }

        TraceSnapshot counted = Traced.snapshot(trace);
        long total = (long) threads * calls;
        assertThat(counted.of(TraceOperation.READ).count()).isEqualTo(total);
        assertThat(counted.of(TraceOperation.READ).delivered()).isEqualTo(7 * total);
        assertThat(counted.of(TraceOperation.SEEK).count()).isEqualTo(total);
        assertThat(Arrays.stream(counted.distributions().readNanos()).sum()).isEqualTo(total);
        assertThat(Arrays.stream(counted.distributions().readBytes()).sum()).isEqualTo(total);
        assertThat(Arrays.stream(counted.distributions().activityRead()).sum())
                .isEqualTo(7 * total);
    }

    private TraceLayer trace(int oflags) {
        return trace(os, oflags);
    }

    private TraceLayer trace(Layer below, int oflags) {
        return Traced.over(below, oflags, os.size);
    }
}
