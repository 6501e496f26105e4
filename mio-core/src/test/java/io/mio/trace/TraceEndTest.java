package io.mio.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What a trace layer counts of calls that end in another way than the caller asked for. Twin of
 * {@code trace_end_test.c}.
 */
class TraceEndTest {
    @Test
    void shouldCountACloseThatFails() {
        Layer failing =
                new ForwardingLayer("os", new NullOs()) {
                    @Override
                    public void close() throws IOException {
                        throw new IOException("No space left on device");
                    }
                };
        TraceLayer trace = Traced.over(failing, OpenFlags.RDWR, 0);
        assertThatThrownBy(trace::close).hasMessage("No space left on device");

        TraceSnapshot counted = Traced.snapshot(trace);
        assertThat(counted.of(TraceOperation.CLOSE).count()).isEqualTo(1);
        assertThat(counted.of(TraceOperation.CLOSE).errors()).isEqualTo(1);
        assertThat(counted.distributions().errors()).isEqualTo(Map.of("ENOSPC", 1L));
    }

    @Test
    void shouldNotTakeTheFileForCutWhereTruncationsAreLeftOut() throws IOException {
        NullOs os = new NullOs();
        os.size = 1000;
        Layer leavesOut =
                new ForwardingLayer("os", os) {
                    @Override
                    public void truncate(long size) {}

                    @Override
                    public boolean truncates() {
                        return false;
                    }
                };
        TraceLayer trace = Traced.over(leavesOut, OpenFlags.RDWR, 1000);
        trace.truncate(0);
        trace.write(ByteBuffer.allocate(8), 100);

        TraceSnapshot counted = Traced.snapshot(trace);
        assertThat(counted.of(TraceOperation.TRUNC).count()).isEqualTo(1);
        assertThat(counted.extensions()).isZero();
        trace.close();
    }

    @Test
    void shouldCountEveryCallOnceAndNoMoreTimeThanThereWas() throws IOException {
        NullOs os = new NullOs();
        os.size = 10_000;
        long began = System.nanoTime();
        TraceLayer trace = Traced.over(os, OpenFlags.RDWR, os.size);
        ByteBuffer[] two = {ByteBuffer.allocate(10), ByteBuffer.allocate(10)};
        trace.read(ByteBuffer.allocate(10), 0);
        trace.read(two, 0, 2, 0);
        trace.write(ByteBuffer.allocate(10), 0);
        trace.write(two, 0, 2, 0);
        trace.size();
        trace.truncate(9000);
        trace.flush(true);
        trace.around(Layer.Bypass.LOCK, 0, Long.MAX_VALUE, () -> "lock");
        trace.around(Layer.Bypass.MAP_READ, 0, 10, () -> "map");
        trace.submit(IoRequest.read(ByteBuffer.allocate(10), 0, done -> {}));
        trace.submitAll(
                List.of(
                        IoRequest.read(ByteBuffer.allocate(10), 0, done -> {}),
                        IoRequest.write(ByteBuffer.allocate(10), 0, done -> {}),
                        IoRequest.write(ByteBuffer.allocate(10), 0, done -> {})));
        trace.submitAll(List.of());
        trace.close();
        long passed = System.nanoTime() - began;

        TraceSnapshot counted = Traced.snapshot(trace);
        for (TraceOperation operation : TraceOperation.values()) {
            assertThat(counted.of(operation).nanos()).as("%s", operation).isBetween(0L, passed);
        }
        for (TraceOperation twice :
                List.of(
                        TraceOperation.READ,
                        TraceOperation.WRITE,
                        TraceOperation.AREAD,
                        TraceOperation.AWRITE)) {
            assertThat(counted.of(twice).count()).as("%s", twice).isEqualTo(2);
        }
        for (TraceOperation once :
                List.of(
                        TraceOperation.FSTAT,
                        TraceOperation.TRUNC,
                        TraceOperation.FSYNC,
                        TraceOperation.FCNTL,
                        TraceOperation.MMAP,
                        TraceOperation.CLOSE)) {
            assertThat(counted.of(once).count()).as("%s", once).isEqualTo(1);
        }
        // The file's time stops with the close.
        assertThat(Traced.snapshot(trace).nowNanos()).isEqualTo(counted.nowNanos());
    }

    @Test
    void shouldKnowTheSizeThatTheProgramWasTold() throws IOException {
        NullOs os = new NullOs();
        TraceLayer trace = Traced.over(os, OpenFlags.RDWR, 0);
        os.size = 5000;
        trace.size();
        trace.write(ByteBuffer.allocate(8), 100);

        TraceSnapshot counted = Traced.snapshot(trace);
        assertThat(counted.currentSize()).isEqualTo(5000);
        assertThat(counted.maxSize()).isEqualTo(5000);
        assertThat(counted.extensions()).isZero();
        trace.close();
    }
}
