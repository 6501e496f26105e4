package io.mio.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class TraceStripesTest {
    @Test
    void shouldMakeNoMoreSharesThanThreadsThatMeet() throws Exception {
        TraceStripes stripes = new TraceStripes(null);
        CountDownLatch end = new CountDownLatch(1);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            List<Future<?>> alive = new ArrayList<>();
            for (int t = 0; t < 8; t++) {
                CountDownLatch counted = new CountDownLatch(1);
                alive.add(
                        threads.submit(
                                () -> {
                                    stripes.own().release();
                                    counted.countDown();
                                    end.await();
                                    return null;
                                }));
                counted.await();
            }
            end.countDown();
            for (Future<?> each : alive) {
                each.get();
            }
            assertThat(stripes.count()).isEqualTo(1);
        } finally {
            end.countDown();
            threads.shutdownNow();
        }
    }

    @Test
    void shouldGiveAThreadItsOwnWhereOthersAreInUse() {
        TraceStripes stripes = new TraceStripes(null);
        var first = stripes.own();
        var second = stripes.own();
        assertThat(second).isNotSameAs(first);
        assertThat(stripes.count()).isEqualTo(2);
    }
}
