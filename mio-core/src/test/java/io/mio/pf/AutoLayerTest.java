package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.mio.config.LayerSpec;
import io.mio.config.StackSpec;
import io.mio.layer.FileKey;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import io.mio.stats.AutoSnapshot;
import io.mio.stats.TraceSnapshot.Event;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AutoLayerTest {
    private static final int BLOCK = 4096;
    private static final long SIZE = 64L << 20;

    /** A kernel's page cache that notes what it is told. */
    private static final class Told implements KernelCache {
        private final BitSet blocks = new BitSet();
        private final List<String> calls = new ArrayList<>();
        private int there;
        private boolean refuses;
        private boolean unseen;
        private long reach;
        private int looks;
        private long room = Long.MAX_VALUE;
        private int rooms;
        private long call = UNKNOWN;
        private final List<Long> calledAt = new ArrayList<>();

        @Override
        public long callNanos(long offset) {
            calledAt.add(offset);
            return call;
        }

        @Override
        public int has(long offset, long bytes) {
            looks++;
            return there;
        }

        @Override
        public boolean sees(long offset) {
            return !unseen;
        }

        @Override
        public boolean readAhead(long offset, long bytes) {
            calls.add(offset + "+" + bytes);
            blocks.set((int) (offset / BLOCK), (int) ((offset + bytes + BLOCK - 1) / BLOCK));
            return !refuses;
        }

        @Override
        public long reachBytes() {
            return reach;
        }

        @Override
        public long roomBytes() {
            rooms++;
            return room;
        }
    }

    private final Told kernel = new Told();
    private final MemoryFile file = new MemoryFile(Runnable::run);

    private static LayerSpec spec() {
        return StackSpec.parse("test", "pf/auto").layers().get(1);
    }

    private OpenRequest request(int oflags, long sizeBytes) {
        return PfFixture.request(
                oflags, sizeBytes, PfFixture.place(512, -1), new FileKey(1, 2), kernel);
    }

    private Layer open(int oflags, long sizeBytes) {
        return AutoLayer.over(file, spec(), request(oflags, sizeBytes), null);
    }

    private static AutoSnapshot report(Layer layer) {
        return (AutoSnapshot) ((AutoLayer) layer).report().snapshot(Event.CLOSE);
    }

    private static List<String> decisions(Layer layer) {
        return report(layer).decisions().stream()
                .map(one -> one.what() + ": " + one.reason())
                .toList();
    }

    private static void read(Layer layer, long offset, int bytes) throws IOException {
        layer.read(ByteBuffer.allocate(bytes), offset);
    }

    @Test
    void shouldTellTheKernelOfABackwardReaderBeforeItComes() throws IOException {
        Layer layer = open(0, SIZE);
        int untold = 0;
        for (int block = 4096; block-- > 0; ) {
            untold += kernel.blocks.get(block) ? 0 : 1;
            read(layer, (long) block * BLOCK, BLOCK);
        }
        assertThat(untold).isEqualTo(2);
        assertThat(kernel.calls).hasSizeLessThan(100);
        assertThat(decisions(layer))
                .containsExactly("hints: it goes backward, where the kernel reads nothing ahead");
        AutoSnapshot report = report(layer);
        assertThat(report.state()).isEqualTo("hints");
        assertThat(report.hints()).isEqualTo(kernel.calls.size());
        assertThat(report.hintBytes())
                .isEqualTo(
                        kernel.calls.stream()
                                .mapToLong(call -> Long.parseLong(call.split("\\+")[1]))
                                .sum());
        assertThat(report.looks()).isEqualTo(kernel.looks + 1);
        assertThat(report.cached()).isZero();
    }

    @Test
    void shouldPassOnWhateverElseIsAskedOfTheFile() throws IOException {
        Layer layer = open(OpenFlags.RDWR, SIZE);
        layer.write(ByteBuffer.allocate(10), 0);
        layer.flush(true);
        layer.write(new ByteBuffer[] {ByteBuffer.allocate(10)}, 0, 1, 10);
        layer.truncate(15);
        assertThat(file.calls())
                .containsExactly("write 0+10", "flush", "writev 10+10", "truncate 15");
        assertThat(layer.size()).isEqualTo(15);
        layer.close();
        assertThat(file.calls()).containsExactly("close");
    }

    @Test
    void shouldTellNoFartherThanAPartOfMemoryBackward() throws IOException {
        kernel.room = 16 << 20;
        Layer layer = open(0, SIZE);
        for (int block = 4096; block-- > 0; ) {
            read(layer, (long) block * BLOCK, BLOCK);
        }
        List<Long> bytes =
                kernel.calls.stream().map(call -> Long.valueOf(call.split("\\+")[1])).toList();
        assertThat(kernel.rooms).isEqualTo(1);
        // The room is asked for after a MiB of hints. A 64th of it, 256 KiB, is hinted in halves.
        assertThat(bytes.subList(bytes.size() - 50, bytes.size()))
                .allMatch(each -> each <= 256 << 10);
        assertThat(bytes).anyMatch(each -> each > 256 << 10);
    }

    @Test
    void shouldTellHardlyAnythingOfRandomReads() throws IOException {
        Layer layer = open(0, 1L << 30);
        Random random = new Random(1);
        for (int i = 0; i < 1000; i++) {
            read(layer, (long) random.nextInt(1 << 18) * BLOCK, BLOCK);
        }
        // Two random reads may be neighbours by chance.
        assertThat(kernel.calls).hasSizeLessThan(3);
        assertThat(decisions(layer))
                .contains("random: 64 requests in a row were in no order: looked at less and less");
        assertThat(report(layer).looks()).isLessThan(400);
    }

    private static void readAtRandom(Layer layer, int requests) throws IOException {
        Random random = new Random(1);
        for (int i = 0; i < requests; i++) {
            read(layer, random.nextInt((int) (SIZE / BLOCK)) * (long) BLOCK, BLOCK);
        }
    }

    @Test
    void shouldTellOfWholeBlocksWhereRandomReadsComeBackToAFileThatIsNotThere() throws IOException {
        file.holding(new byte[(int) SIZE]);
        Layer layer = open(0, SIZE);
        readAtRandom(layer, 250);
        assertThat(kernel.calls).isEmpty();
        assertThat(kernel.looks).as("the first question was enough").isEqualTo(1);
        readAtRandom(layer, 20_000);
        assertThat(kernel.blocks.cardinality()).isGreaterThan((int) (SIZE / BLOCK) * 9 / 10);
        assertThat(decisions(layer))
                .contains(
                        "hints: 16 of 64 requests came back to blocks of 64 KiB that are not in"
                                + " the kernel's cache: hints of whole blocks");
    }

    @Test
    void shouldOnlyAskNowAndThenWhereRandomReadsFindAllThere() throws IOException {
        kernel.there = 1;
        Layer layer = open(0, SIZE);
        readAtRandom(layer, 20_000);
        assertThat(kernel.calls).isEmpty();
        assertThat(kernel.looks).isBetween(4, 100);
        assertThat(report(layer).looks()).isLessThan(2000);
    }

    @Test
    void shouldTellOfNoBlocksWhereItCannotLook() throws IOException {
        kernel.there = KernelCache.UNKNOWN;
        Layer layer = open(0, SIZE);
        readAtRandom(layer, 2000);
        assertThat(kernel.calls).hasSizeLessThan(20);
        assertThat(decisions(layer)).noneMatch(decision -> decision.contains("blocks"));
    }

    @Test
    void shouldLookSeldomWhereTheKernelHasAll() throws IOException {
        kernel.there = 1;
        Layer layer = open(0, SIZE);
        for (int block = 0; block < 16384; block++) {
            read(layer, (long) block * BLOCK, BLOCK);
        }
        assertThat(kernel.calls).isEmpty();
        assertThat(kernel.looks).isBetween(2, 20);
        assertThat(decisions(layer))
                .containsExactly("cached: what comes next is in the kernel's cache");
        assertThat(report(layer).state()).isEqualTo("cached");
        assertThat(report(layer).cached()).isEqualTo(kernel.looks);
        assertThat(report(layer).hints()).isZero();
    }

    /** On an overlay the kernel's page cache shows nothing, whatever was read. */
    @Test
    void shouldSeeThatItCannotLook() throws IOException {
        kernel.unseen = true;
        file.holding(new byte[(int) SIZE]);
        Layer layer = open(0, SIZE);
        for (int block = (int) (SIZE / BLOCK); block-- > 0; ) {
            read(layer, (long) block * BLOCK, BLOCK);
        }
        readAtRandom(layer, 2000);
        assertThat(kernel.looks).isEqualTo(1);
        assertThat(decisions(layer))
                .contains(
                        "unseen: what was just read is not in the kernel's cache as far as it"
                                + " tells: what is there shows by the time that hints take")
                .noneMatch(decision -> decision.contains("blocks"));
    }

    @Test
    void shouldGoByTimeWhereItCannotLook() throws IOException {
        // Hints return at once here, as for bytes that are there, so the file seems cached, unless
        // the machine was busy just then.
        kernel.there = KernelCache.UNKNOWN;
        int least = Integer.MAX_VALUE;
        for (int round = 0; round < 20 && least > 100; round++) {
            kernel.calls.clear();
            kernel.looks = 0;
            Layer layer = open(0, SIZE);
            for (int block = 0; block < 16384; block++) {
                read(layer, (long) block * BLOCK, BLOCK);
            }
            assertThat(kernel.looks).isEqualTo(1);
            least = Math.min(least, kernel.calls.size());
        }
        assertThat(least).isBetween(2, 100);
    }

    @Test
    void shouldStopWhenItIsRefused() throws IOException {
        kernel.refuses = true;
        Layer layer = open(0, SIZE);
        for (int block = 0; block < 4096; block++) {
            read(layer, (long) block * BLOCK, BLOCK);
        }
        assertThat(kernel.calls).hasSize(1);
        assertThat(decisions(layer)).containsExactly("kernel: the kernel takes no hints");
        assertThat(report(layer).hints()).isZero();
    }

    @Test
    void shouldSayThatTheKernelReadsFarAhead() throws IOException {
        kernel.reach = 8 << 20;
        Layer layer = open(0, SIZE);
        for (int block = 0; block < 100; block++) {
            read(layer, (long) block * BLOCK, BLOCK);
        }
        assertThat(decisions(layer))
                .containsExactly("kernel: forward, the kernel reads 8192 KiB ahead by itself");
        assertThat(report(layer).state()).isEqualTo("kernel");
        assertThat(kernel.calls).isEmpty();
    }

    @Test
    void shouldCountTheDecisionsThatItDoesNotKeep() {
        AutoLog log = new AutoLog(spec(), request(0, SIZE));
        for (int i = 0; i < AutoLog.KEPT + 3; i++) {
            log.noPages("the " + i + "th time");
        }
        AutoSnapshot report = (AutoSnapshot) log.snapshot(Event.INTER);
        assertThat(report.decisions()).hasSize(AutoLog.KEPT);
        assertThat(report.decisions().get(15).reason()).isEqualTo("the 15th time");
        assertThat(report.moreDecisions()).isEqualTo(3);
    }

    /** Gives a file no pages, whoever asks for them. */
    private static class None implements AutoLayer.Cache {
        private int asked;

        @Override
        public PfLayer make(Layer below) throws IOException {
            asked++;
            return null;
        }

        @Override
        public DirectSizes sizes() {
            return DirectSizes.USUAL;
        }

        @Override
        public String openDirect(long roomBytes) {
            return "none";
        }

        @Override
        public PfLayer makeDirect(Layer below) {
            return null;
        }

        @Override
        public void used(PfLayer made, String why) {}

        @Override
        public void giveUp() {}
    }

    @Test
    void shouldSayWhyItHasNoPages() throws IOException {
        None none = new None();
        AutoLayer layer = (AutoLayer) AutoLayer.over(file, spec(), request(0, SIZE), none);
        for (int i = 0; i < 64; i++) {
            read(layer, i * 100L, 100);
        }
        assertThat(layer.wantsGate()).isTrue();
        layer.settle();
        assertThat(none.asked).isEqualTo(1);
        assertThat(decisions(layer))
                .endsWith(
                        "no-pages: there is no memory or no descriptor for them, though 63 of 64"
                                + " requests were small (at most 100 bytes) and near each other");
    }

    @Test
    void shouldLeaveSmallRequestsToAKernelThatIsAsQuick() throws IOException {
        kernel.call = 72;
        AutoLayer layer = (AutoLayer) AutoLayer.over(file, spec(), request(0, SIZE), new None());
        for (int i = 0; i < 80; i++) {
            read(layer, i * 100L, 100);
        }
        assertThat(layer.wantsGate()).isFalse();
        assertThat(layer.mayTakePages()).isFalse();
        assertThat(decisions(layer))
                .endsWith(
                        "no-pages: 63 of 64 requests were small (at most 100 bytes) and near each"
                                + " other, but the kernel takes only 72 ns for a call: they would"
                                + " not gain by pages");
        // The one question was about the request that decided, which was about to be made.
        assertThat(kernel.calledAt).containsExactly(6300L);

        kernel.call = 73;
        layer = (AutoLayer) AutoLayer.over(file, spec(), request(0, SIZE), new None());
        for (int i = 0; i < 64; i++) {
            read(layer, i * 100L, 100);
        }
        assertThat(layer.wantsGate()).isTrue();
    }

    @Test
    void shouldEndTheCallWhoseInterruptClosedTheFile() throws IOException {
        None none =
                new None() {
                    @Override
                    public PfLayer make(Layer below) throws IOException {
                        throw new ClosedByInterruptException();
                    }
                };
        AutoLayer layer = (AutoLayer) AutoLayer.over(file, spec(), request(0, SIZE), none);
        for (int i = 0; i < 64; i++) {
            read(layer, i * 100L, 100);
        }
        assertThatThrownBy(layer::settle).isInstanceOf(ClosedByInterruptException.class);
    }

    /** Gives a file small pages. */
    private static final class Some extends None {
        private final FileKey key = PfFixture.newKey();

        @Override
        public PfLayer make(Layer below) throws IOException {
            CachedFile cached = CachedFiles.enter(key);
            OpenRequest opened = PfFixture.request(key, 0);
            return PfLayers.onTheWay(
                    spec(), below, cached, opened, PfFixture.MEMORY, () -> "memory");
        }
    }

    /** While it is asked for the size, the pages above it are closed, and the file is cut. */
    private static final class CutLater extends ForwardingLayer {
        private AutoLayer pages;

        CutLater(Layer next) {
            super(next.name(), next);
        }

        @Override
        public long size() throws IOException {
            long size = next().size();
            if (pages != null) {
                AutoLayer layer = pages;
                pages = null;
                while (layer.hasPages()) {
                    readAtRandom(layer, 1000);
                }
                layer.settle();
                next().truncate(1000);
            }
            return size;
        }
    }

    @Test
    void shouldAskForTheSizeAgainWherePagesWereClosedMeanwhile() throws IOException {
        file.holding(new byte[(int) SIZE]);
        CutLater below = new CutLater(file);
        Some some = new Some();
        AutoLayer layer = (AutoLayer) AutoLayer.over(below, spec(), request(0, SIZE), some);
        for (int i = 0; i < 64; i++) {
            read(layer, i * 100L, 100);
        }
        layer.settle();
        assertThat(layer.hasPages()).isTrue();
        below.pages = layer;
        assertThat(layer.size()).isEqualTo(1000);
        assertThat(layer.hasPages()).isFalse();
        layer.close();
        PfFixture.leave(some.key);
    }

    @Test
    void shouldSayThatRequestsAreNotForPages() throws IOException {
        AutoLayer layer = (AutoLayer) AutoLayer.over(file, spec(), request(0, SIZE), new None());
        for (int i = 0; i < 80; i++) {
            read(layer, i * 8192L, 8192);
        }
        assertThat(decisions(layer))
                .endsWith("no-pages: only 0 of 64 requests were small and near each other");
    }

    @Test
    void shouldBeLeftOutWhereThereIsNothingToGain() {
        assertThat(open(0, 1000)).as("small and only read").isSameAs(file);
        assertThat(open(OpenFlags.RDWR, 1000)).as("may grow").isNotSameAs(file);
        assertThat(open(OpenFlags.WRONLY, SIZE)).as("only written").isSameAs(file);
        assertThat(open(OpenFlags.DIRECT, SIZE)).as("direct").isSameAs(file);
    }
}
