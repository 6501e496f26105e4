package io.mio.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What a trace layer counts of calls that end in another way than asked for. Twin of {@code
 * trace_end_test.c}.
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
}
