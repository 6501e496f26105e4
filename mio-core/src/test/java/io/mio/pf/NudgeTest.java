package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.config.StackSpec;
import io.mio.layer.FileKey;
import io.mio.layer.IoRequest;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.stats.AutoSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Requests of which {@code pf/auto} reads one byte first (a nudge). The test plays the kernel: its
 * cache gets what is read, and by a nudge the MiB in which the byte lies.
 */
class NudgeTest {
    private static final int MIB = 1 << 20;
    private static final int STREAMS = 8;
    private static final int EACH = 4;

    private final MemoryFile file =
            new MemoryFile(Runnable::run).holding(new byte[STREAMS * EACH * MIB]);
    private final Kernel kernel = new Kernel();

    private class Kernel implements KernelCache {
        private final BitSet kept = new BitSet();
        private final List<String> before = new ArrayList<>();
        private long reach = MIB;
        private boolean blind;
        private boolean readsOn = true;
        private boolean folios;
        private boolean closed;
        private final List<String> told = new ArrayList<>();

        @Override
        public int has(long offset, long bytes) {
            int from = (int) (offset / MIB);
            int to = (int) ((offset + bytes + MIB - 1) / MIB);
            return blind ? UNKNOWN : kept.nextClearBit(from) >= to ? 1 : 0;
        }

        @Override
        public boolean readAhead(long offset, long bytes) {
            assertThat(folios).isFalse();
            return true;
        }

        @Override
        public boolean readFoliosAhead(long offset, long bytes) {
            assertThat(folios).isTrue();
            told.add(offset / MIB + "+" + bytes / MIB);
            kept.set((int) (offset / MIB), (int) ((offset + bytes) / MIB));
            return true;
        }

        @Override
        public boolean hasFolios() {
            return folios;
        }

        @Override
        public void close() {
            closed = true;
        }

        /** Notes the reads that came before. */
        @Override
        public boolean nudge(long offset, long bytes) {
            before.addAll(file.calls());
            before.add("nudge " + offset);
            kept.set((int) (offset / MIB), (int) (offset / MIB) + (readsOn ? 1 : 0));
            return readsOn;
        }

        @Override
        public long reachBytes() {
            return reach;
        }
    }

    private Layer open() {
        OpenRequest request =
                PfFixture.request(0, STREAMS * EACH * MIB, null, new FileKey(1, 2), kernel);
        return AutoLayer.over(
                file, StackSpec.parse("test", "pf/auto").layers().get(1), request, null);
    }

    private static long offset(int request) {
        return (request % STREAMS * EACH + request / STREAMS) * (long) MIB;
    }

    /** The way in which a request is made. */
    private interface Reading {
        void read(Layer layer, long offset) throws IOException;
    }

    private void read(Layer layer, long offset) throws IOException {
        assertThat(layer.read(ByteBuffer.allocate(MIB), offset)).isEqualTo(MIB);
    }

    /** Reads eight streams in turns. */
    private AutoSnapshot readAll(Reading reading) throws IOException {
        Layer layer = open();
        for (int i = 0; i < STREAMS * EACH; i++) {
            reading.read(layer, offset(i));
            kernel.kept.set((int) (offset(i) / MIB));
        }
        kernel.before.addAll(file.calls());
        return (AutoSnapshot) ((AutoLayer) layer).report().snapshot(Event.CLOSE);
    }

    private long nudges() {
        return kernel.before.stream().filter(call -> call.startsWith("nudge")).count();
    }

    @Test
    void shouldReadAByteFirstOfWhatGoesOnFromWhatTheKernelHas() throws IOException {
        AutoSnapshot report = readAll(this::read);
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < STREAMS * EACH; i++) {
            if (i >= STREAMS) {
                expected.add("nudge " + offset(i));
            }
            expected.add("read " + offset(i) + "+" + MIB);
        }
        assertThat(kernel.before).isEqualTo(expected);
        assertThat(report.state()).isEqualTo("hints");
        assertThat(report.decisions())
                .anyMatch(
                        one ->
                                one.what().equals("hints")
                                        && one.reason()
                                                .equals(
                                                        "requests of 1048576 bytes that go on from"
                                                            + " what the kernel has, with others in"
                                                            + " between: a byte is read first, so"
                                                            + " that it reads ahead"));
    }

    @Test
    void shouldReadItOfRequestsOfSeveralBuffersToo() throws IOException {
        readAll(
                (layer, offset) -> {
                    ByteBuffer[] halves = {
                        ByteBuffer.allocate(MIB / 2), ByteBuffer.allocate(MIB / 2)
                    };
                    assertThat(layer.read(halves, 0, 2, offset)).isEqualTo(MIB);
                });
        assertThat(nudges()).isEqualTo(STREAMS * (EACH - 1));
    }

    @Test
    void shouldKeepNobodyWaitingWhoDoesNotWait() throws IOException {
        AutoSnapshot report =
                readAll(
                        (layer, offset) ->
                                layer.submit(
                                        IoRequest.read(
                                                ByteBuffer.allocate(MIB), offset, request -> {})));
        assertThat(nudges()).isZero();
        assertThat(report.decisions()).noneMatch(one -> one.reason().contains("a byte is read"));
    }

    @Test
    void shouldTellOfLongRequestsAsAWholeWhereThereAreLargeFolios() throws IOException {
        kernel.folios = true;
        AutoSnapshot report = readAll(this::read);
        assertThat(report.decisions()).filteredOn(one -> one.what().equals("folios")).hasSize(1);
        // As above: a byte is read first, from the second request of a stream on.
        assertThat(nudges()).isEqualTo(STREAMS * (EACH - 1));
        assertThat(kernel.told).contains(EACH + "+1", 4 * EACH + "+1");
        assertThat(kernel.told).noneMatch(range -> range.endsWith("+0"));
    }

    @Test
    void shouldCloseWhatTheKernelIsToldBy() throws IOException {
        Layer layer = open();
        assertThat(kernel.closed).isFalse();
        layer.close();
        assertThat(kernel.closed).isTrue();
    }

    @Test
    void shouldReadNothingFirstOfWhatIsThere() throws IOException {
        kernel.kept.set(0, STREAMS * EACH);
        readAll(this::read);
        assertThat(nudges()).isZero();
    }

    @Test
    void shouldReadNothingFirstWhereItCannotLook() throws IOException {
        kernel.blind = true;
        readAll(this::read);
        assertThat(nudges()).isZero();
    }

    @Test
    void shouldStopWhereTheKernelDoesNotReadOn() throws IOException {
        kernel.readsOn = false;
        readAll(this::read);
        assertThat(nudges()).isEqualTo(1);
    }

    @Test
    void shouldReadNothingFirstWhereTheKernelDoesNotReadFarAhead() throws IOException {
        kernel.reach = 128 << 10;
        readAll(this::read);
        assertThat(nudges()).isZero();
    }
}
