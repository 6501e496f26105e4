package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.counters.CounterLayout;
import io.mio.layer.FileKey;
import io.mio.layer.Layer.IoCall;
import io.mio.layer.OpenFlags;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the counters show others of a program that waits for pages. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PfWaitsTest {
    private static final int PAGE = 4096;

    private final FileKey key = PfFixture.newKey();
    private final BlockingQueue<Runnable> held = new LinkedBlockingQueue<>();
    private final MemoryFile below = new MemoryFile(held::add).holding(new byte[64 * PAGE]);

    /** Runs a call that waits for pages on their way; returns how many waits are counted then. */
    private long waits(IoCall<Integer> call) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(call::call);
        long began = System.nanoTime();
        Thread thread = new Thread(task);
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        PfCounters counters = CachedFiles.find(key).counters();
        PfCounters all = CachedFiles.find(key).cache().counters;
        assertThat(counters.get(CounterLayout.WAITING)).isEqualTo(1);
        assertThat(all.get(CounterLayout.WAITING)).isEqualTo(1);
        while (!held.isEmpty()) {
            held.take().run();
        }
        assertThat(task.get()).isEqualTo(100);
        assertThat(counters.get(CounterLayout.WAITING)).isZero();
        assertThat(all.get(CounterLayout.WAITING)).isZero();
        long nanos = System.nanoTime() - began;
        assertThat(counters.get(CounterLayout.WAIT_NANOS)).isBetween(0L, nanos);
        assertThat(all.get(CounterLayout.WAIT_NANOS))
                .isEqualTo(counters.get(CounterLayout.WAIT_NANOS));
        return counters.get(CounterLayout.WAITS);
    }

    @Test
    void shouldShowWhoWaitsAndCountReaders() throws Exception {
        PfLayer layer =
                PfFixture.open("cache=64k/page=4k/private/pref=1", below, key, OpenFlags.RDWR);
        layer.read(ByteBuffer.allocate(PAGE), 0);
        layer.read(ByteBuffer.allocate(PAGE), PAGE);
        assertThat(held).as("pages on their way").isNotEmpty();
        ByteBuffer record = ByteBuffer.allocate(100);
        assertThat(waits(() -> layer.write(record, 2 * PAGE + 7))).isZero();
        layer.read(ByteBuffer.allocate(PAGE), 2 * PAGE);
        assertThat(held).as("pages on their way").isNotEmpty();
        record.clear();
        assertThat(waits(() -> layer.read(record, 3 * PAGE + 7))).isEqualTo(1);
        while (!held.isEmpty()) {
            held.take().run();
        }
        PfFixture.close(layer, key);
    }
}
