package io.mio.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.stats.ByteUnit;
import io.mio.stats.ProcessFacts;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What a trace layer counts of calls that end in another way than asked for. Twin of {@code
 * trace_end_test.c}.
 */
class TraceEndTest {
    private static TraceLayer over(Layer below, long size) {
        OpenRequest.Place place =
                new OpenRequest.Place() {
                    @Override
                    public String type() {
                        return "ext4";
                    }

                    @Override
                    public long sectorBytes() {
                        return 4096;
                    }
                };
        return new TraceLayer(
                "trace",
                below,
                "program",
                ByteUnit.KBYTES,
                new OpenRequest(
                        "test.dat",
                        OpenFlags.RDWR,
                        0640,
                        size,
                        ProcessFacts.START_NANOS,
                        0,
                        place));
    }

    private static TraceSnapshot snapshot(TraceLayer trace) {
        return (TraceSnapshot) trace.source().snapshot(Event.CLOSE);
    }

    @Test
    void shouldCountACloseThatFails() {
        Layer failing =
                new ForwardingLayer("os", new NullOs()) {
                    @Override
                    public void close() throws IOException {
                        throw new IOException("No space left on device");
                    }
                };
        TraceLayer trace = over(failing, 0);
        assertThatThrownBy(trace::close).hasMessage("No space left on device");

        TraceSnapshot counted = snapshot(trace);
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
        TraceLayer trace = over(leavesOut, 1000);
        trace.truncate(0);
        trace.write(ByteBuffer.allocate(8), 100);

        TraceSnapshot counted = snapshot(trace);
        assertThat(counted.of(TraceOperation.TRUNC).count()).isEqualTo(1);
        assertThat(counted.extensions()).isZero();
        trace.close();
    }
}
