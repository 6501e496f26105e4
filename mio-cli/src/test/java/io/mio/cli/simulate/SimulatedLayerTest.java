package io.mio.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.IoRequest;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class SimulatedLayerTest {
    private static final long MS = 1_000_000;

    /** A device with a millisecond to the first byte, whose bytes take next to no time. */
    private final Timeline timeline =
            new Timeline(new DeviceQueue(Device.parse("latency=1ms,bandwidth=1000g")));

    private final SimulatedFile file = new SimulatedFile(null);
    private final SimulatedLayer layer = new SimulatedLayer(timeline, file);

    private IoRequest written(long offset) {
        IoRequest request = IoRequest.write(ByteBuffer.allocate(1000), offset, done -> {});
        layer.submit(request);
        return request;
    }

    private long millisWhenDone(IoRequest request) {
        timeline.await(request);
        return timeline.now() / MS;
    }

    @Test
    void shouldWriteInsideAFileSideBySide() {
        file.size = 3000;
        IoRequest first = written(0);
        IoRequest last = written(2000);

        assertThat(millisWhenDone(first)).isEqualTo(1);
        assertThat(millisWhenDone(last)).isEqualTo(1);
    }

    @Test
    void shouldWriteBehindTheEndOneAfterTheOther() {
        IoRequest first = written(0);
        IoRequest last = written(1000);

        assertThat(millisWhenDone(last)).isEqualTo(2);
        assertThat(first.isDone()).isTrue();
        assertThat(file.size).isEqualTo(2000);
    }

    @Test
    void shouldKeepWhoAsksForSpaceWaitingForAWriteBehindTheEnd() {
        file.size = 1000;
        written(0);
        layer.reserve(1000, 1000);
        assertThat(timeline.now()).isZero();

        written(1000);
        layer.reserve(2000, 1000);
        assertThat(timeline.now() / MS).isEqualTo(1);
        assertThat(timeline.stalls()).isEqualTo(1);
    }

    @Test
    void shouldTakeTheTimeOfTheThreadThatMakesRequestsAndOfTheCallerThatWaits() {
        file.size = 3000;
        Timeline handed =
                new Timeline(
                        new DeviceQueue(Device.parse("latency=1ms,bandwidth=1000g")), 0, 3 * MS);
        SimulatedLayer other = new SimulatedLayer(handed, file);
        IoRequest awaited = IoRequest.write(ByteBuffer.allocate(1000), 0, done -> {});
        IoRequest late = IoRequest.write(ByteBuffer.allocate(1000), 0, done -> {});

        other.submit(awaited);
        assertThat(handed.now()).isZero();
        handed.await(awaited);
        assertThat(handed.now() / MS).isEqualTo(3 + 1 + 3);

        // Nobody waits for this request.
        other.submit(late);
        handed.pass(5 * MS);
        handed.at(handed.now());
        handed.await(late);
        assertThat(handed.now() / MS).isEqualTo(7 + 5);
    }
}
