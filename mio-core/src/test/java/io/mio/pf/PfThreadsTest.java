package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.FileKey;
import io.mio.layer.Layer.Bypass;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Threads use several opens of two files that share a cache too small for them. Some threads own a
 * part of a file and know its bytes. Others read anywhere; a cell is written at once, so they must
 * see all of a write or nothing.
 */
class PfThreadsTest {
    private static final int CALLS = Integer.getInteger("mio.test.calls", 20_000);
    private static final int CELL = 1000;
    private static final int CELLS_OWNED = 60;
    private static final int OWNERS = 3;
    private static final int SIZE = CELL * CELLS_OWNED * OWNERS;

    /** Beyond the owned part the file grows and is cut: a bound for offsets and lengths there. */
    private static final int TAIL = 30_000;

    private static final int STUCK_SECONDS = 60;

    @ParameterizedTest
    @CsvSource({
        "cache=16k/page=4k/global=81, false",
        "cache=16k/page=8k/global=81, false",
        "cache=16k/page=16k/global=81, false",
        "cache=64k/page=4k/global=81/replace=lru/pref=4, false",
        "cache=64k/page=16k/global=81/pffw/listio, false",
        "cache=64k/page=16k/global=81/synchronous, false",
        "cache=64k/page=16k/global=81/through, false",
        "cache=16k/page=8k/global=81, true",
        "cache=64k/page=4k/global=81, true"
    })
    void shouldShowEachThreadWhatWasWritten(String options, boolean cio) throws Exception {
        long seed = Long.getLong("mio.test.seed", System.nanoTime());
        ExecutorService executor = Executors.newFixedThreadPool(3, PfThreadsTest::daemon);
        try {
            List<SharedFile> files = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                files.add(new SharedFile(options, cio, new MemoryFile(executor)));
            }
            new Run(files, seed).run();
        } catch (Exception | Error e) {
            throw new AssertionError("seed -Dmio.test.seed=" + seed + " with " + options, e);
        } finally {
            executor.shutdown();
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    /** A file with two opens; its calls take the gate as those of a front layer do. */
    private static final class SharedFile {
        private final FileKey key = PfFixture.newKey();
        private final MemoryFile below;
        private final List<PfLayer> opens = new ArrayList<>();
        private final FileGate gate;
        private final boolean cio;

        SharedFile(String options, boolean cio, MemoryFile below) throws IOException {
            this.below = below.holding(new byte[SIZE]);
            this.cio = cio;
            for (int i = 0; i < 2; i++) {
                opens.add(PfFixture.open(options, below, key, OpenFlags.RDWR));
            }
            this.gate = CachedFiles.find(key).gate();
        }

        PfLayer open(Random random) {
            return opens.get(random.nextInt(opens.size()));
        }

        int read(PfLayer layer, byte[] to, int offset) throws IOException {
            long stamp = gate.share();
            try {
                return layer.read(ByteBuffer.wrap(to), offset);
            } finally {
                gate.leave(stamp);
            }
        }

        void write(PfLayer layer, byte[] from, int offset) throws IOException {
            boolean shares = cio && offset + from.length <= SIZE;
            long stamp = shares ? gate.share() : gate.alone();
            try {
                assertThat(layer.write(ByteBuffer.wrap(from), offset)).isEqualTo(from.length);
            } finally {
                gate.leave(stamp);
            }
        }

        void truncate(PfLayer layer, int size) throws IOException {
            long stamp = gate.alone();
            try {
                layer.truncate(size);
            } finally {
                gate.leave(stamp);
            }
        }

        void flush(PfLayer layer) throws IOException {
            long stamp = gate.share();
            try {
                layer.flush(false);
            } finally {
                gate.leave(stamp);
            }
        }

        void close() throws IOException {
            for (PfLayer layer : opens) {
                long stamp = gate.alone();
                try {
                    PfFixture.close(layer, key);
                } finally {
                    gate.leave(stamp);
                }
            }
        }
    }

    /** One call of a thread. */
    @FunctionalInterface
    private interface Step {
        void run(Random random) throws IOException;
    }

    private static final class Run {
        private final List<SharedFile> files;
        private final Random seeds;
        private final AtomicLong progress = new AtomicLong();
        private final AtomicReference<Throwable> failure = new AtomicReference<>();
        private final List<Thread> threads = new ArrayList<>();
        private final List<Owner> owners = new ArrayList<>();
        private CountDownLatch running;

        Run(List<SharedFile> files, long seed) {
            this.files = files;
            this.seeds = new Random(seed);
        }

        void run() throws Exception {
            List<Step> steps = new ArrayList<>();
            for (SharedFile file : files) {
                for (int i = 0; i < OWNERS; i++) {
                    Owner owner = new Owner(file, i * CELLS_OWNED);
                    owners.add(owner);
                    steps.add(owner);
                }
                steps.add(new Reader(file));
                steps.add(new Tail(file));
            }
            running = new CountDownLatch(steps.size());
            int calls = CALLS / steps.size();
            for (Step step : steps) {
                Random random = new Random(seeds.nextLong());
                threads.add(daemon(() -> work(step, random, calls)));
            }
            threads.forEach(Thread::start);
            watch();
            if (failure.get() != null) {
                throw new AssertionError(failure.get());
            }
            for (SharedFile file : files) {
                file.close();
                assertThat(file.below.sawUnstableWrites()).as("a write changed").isFalse();
            }
            owners.forEach(Owner::checkBelow);
        }

        private void work(Step step, Random random, int calls) {
            try {
                for (int i = 0; i < calls && failure.get() == null; i++) {
                    step.run(random);
                    progress.incrementAndGet();
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            } finally {
                running.countDown();
            }
        }

        private void watch() throws InterruptedException {
            long seen = -1;
            int idle = 0;
            while (!running.await(1, TimeUnit.SECONDS)) {
                idle = progress.get() == seen ? idle + 1 : 0;
                seen = progress.get();
                if (idle >= STUCK_SECONDS) {
                    throw new AssertionError("stuck after " + seen + " calls\n" + stacks());
                }
            }
        }

        private static String stacks() {
            StringBuilder text = new StringBuilder();
            for (Map.Entry<Thread, StackTraceElement[]> one :
                    Thread.getAllStackTraces().entrySet()) {
                text.append(one.getKey()).append('\n');
                for (StackTraceElement frame : one.getValue()) {
                    text.append("    ").append(frame).append('\n');
                }
            }
            return text.toString();
        }
    }

    /** Writes and reads cells that nobody else writes. */
    private static final class Owner implements Step {
        private final SharedFile file;
        private final int firstCell;
        private final byte[] expected = new byte[CELLS_OWNED];
        private int cursor;

        Owner(SharedFile file, int firstCell) {
            this.file = file;
            this.firstCell = firstCell;
        }

        @Override
        public void run(Random random) throws IOException {
            int count = 1 + random.nextInt(random.nextInt(4) == 0 ? 12 : 2);
            switch (random.nextInt(4)) {
                case 0 -> cursor = random.nextInt(CELLS_OWNED);
                case 1 -> cursor -= 2 * count;
                default -> {}
            }
            cursor = Math.max(0, Math.min(cursor, CELLS_OWNED - count));
            int what = random.nextInt(100);
            if (what < 50) {
                write(random, count);
            } else if (what < 98) {
                read(random, count);
            } else {
                file.flush(file.open(random));
                checkBelow();
            }
            cursor += count;
        }

        private void write(Random random, int count) throws IOException {
            byte[] bytes = new byte[count * CELL];
            for (int i = 0; i < count; i++) {
                expected[cursor + i] = (byte) random.nextInt();
                Arrays.fill(bytes, i * CELL, (i + 1) * CELL, expected[cursor + i]);
            }
            file.write(file.open(random), bytes, (firstCell + cursor) * CELL);
        }

        private void read(Random random, int count) throws IOException {
            byte[] bytes = new byte[count * CELL];
            assertThat(file.read(file.open(random), bytes, (firstCell + cursor) * CELL))
                    .isEqualTo(bytes.length);
            check(bytes, 0, cursor, count);
        }

        /** Checks that the file has what was written before a flush or a close. */
        void checkBelow() {
            check(file.below.content(), firstCell * CELL, 0, CELLS_OWNED);
        }

        private void check(byte[] bytes, int from, int cell, int count) {
            for (int i = 0; i < count * CELL; i++) {
                if (bytes[from + i] != expected[cell + i / CELL]) {
                    throw new AssertionError(
                            "byte " + i % CELL + " of cell " + (firstCell + cell + i / CELL));
                }
            }
        }
    }

    /** Reads cells anywhere; unless writes run side by side, each cell is of one write. */
    private static final class Reader implements Step {
        private final SharedFile file;
        private int cell;

        Reader(SharedFile file) {
            this.file = file;
        }

        @Override
        public void run(Random random) throws IOException {
            int cells = CELLS_OWNED * OWNERS;
            cell = random.nextInt(10) == 0 ? random.nextInt(cells) : (cell + 1) % cells;
            byte[] bytes = new byte[CELL];
            assertThat(file.read(file.open(random), bytes, cell * CELL)).isEqualTo(CELL);
            for (int i = 1; i < CELL && !file.cio; i++) {
                if (bytes[i] != bytes[0]) {
                    throw new AssertionError("half a write in cell " + cell + ", byte " + i);
                }
            }
        }
    }

    /** Lengthens and cuts the file, and makes the calls that take no gate. */
    private static final class Tail implements Step {
        private final SharedFile file;

        Tail(SharedFile file) {
            this.file = file;
        }

        @Override
        public void run(Random random) throws IOException {
            PfLayer layer = file.open(random);
            switch (random.nextInt(12)) {
                case 0 -> file.truncate(layer, SIZE + random.nextInt(TAIL));
                case 1 -> CachedFiles.find(file.key).publish();
                case 2 -> layer.around(Bypass.LOCK, 0, Long.MAX_VALUE, () -> "locked");
                case 3 -> layer.around(Bypass.TRANSFER_OUT, 0, SIZE, () -> 0L);
                default -> writeAndRead(layer, random);
            }
            assertThat(layer.size()).isBetween((long) SIZE, (long) SIZE + 2 * TAIL);
        }

        private void writeAndRead(PfLayer layer, Random random) throws IOException {
            byte[] bytes = new byte[1 + random.nextInt(TAIL)];
            random.nextBytes(bytes);
            int offset = SIZE + random.nextInt(TAIL);
            file.write(layer, bytes, offset);
            byte[] again = new byte[bytes.length];
            assertThat(file.read(file.open(random), again, offset)).isEqualTo(bytes.length);
            assertThat(Arrays.mismatch(again, bytes)).as("wrong byte").isEqualTo(-1);
        }
    }
}
