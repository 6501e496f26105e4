package io.mio.pf;

import static org.assertj.core.api.Assertions.assertThat;

import io.mio.layer.FileKey;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random calls on several opens of one file, each compared with a plain array of bytes. */
class PfExerciserTest {
    private static final int CALLS = Integer.getInteger("mio.test.calls", 20_000);
    private static final int SIZE_MAX = 200_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cache=16k/page=8k/private",
                "cache=16k/page=16k/private",
                "cache=64k/page=4k/private",
                "cache=64k/page=4k/private/replace=lru/pref=4",
                "cache=48k/page=16k/private/pref=1:8",
                "cache=256k/page=64k/private/listio/pffw",
                "cache=64k/page=16k/private/synchronous",
                "cache=64k/page=16k/private/through",
                "cache=64k/page=16k/private/discovered_direct=5000",
                "cache=64k/page=16k/private/passthru={5000:30000}",
                "cache=64k/page=16k/private/stride=2/pref=3",
                "cache=64k/page=16k/private/streams=1",
                "cache=64k/page=4k/private/plan=x",
                "cache=64k/page=4k/private/plan=x/replace=lru/pref=20",
                "cache=256k/page=64k/private/plan=x/pref=1:8",
                "cache=256k/page=64k/private/plan=x/listio/synchronous"
            })
    void shouldAgreeWithAPlainArray(String options) throws IOException {
        long seed = Long.getLong("mio.test.seed", System.nanoTime());
        ExecutorService executor = Executors.newFixedThreadPool(3);
        try {
            new Run(options, seed, new MemoryFile(executor)).run();
        } catch (RuntimeException | Error e) {
            throw new AssertionError("seed -Dmio.test.seed=" + seed + " with " + options, e);
        } finally {
            executor.shutdown();
        }
    }

    private static final class Run {
        private final String options;
        private final Random random;
        private final MemoryFile below;
        private final FileKey key = PfFixture.newKey();
        private final List<PfLayer> opens = new ArrayList<>();
        private byte[] expected = new byte[SIZE_MAX * 2];
        private int size;
        private int cursor;
        private final PlanFile plans;

        Run(String options, long seed, MemoryFile below) {
            this.options = options;
            this.random = new Random(seed);
            this.below = below;
            this.plans = PlanFile.of(Map.of("test", anyReads()));
        }

        /** A plan that is near the run's reads here and there, and anywhere most of the time. */
        private PlannedReads anyReads() {
            PlannedReads reads = new PlannedReads();
            long at = 0;
            for (int i = 0; i < 20_000; i++) {
                at = random.nextInt(10) > 0 ? at + random.nextInt(20_000) : random.nextInt();
                at = at > 2 * SIZE_MAX ? 0 : at;
                reads.add(random.nextInt(3), at, random.nextInt(30_000));
            }
            return reads;
        }

        void run() throws IOException {
            opens.add(open());
            for (int i = 0; i < CALLS; i++) {
                step();
            }
            while (!opens.isEmpty()) {
                close(opens.size() - 1);
            }
            assertThat(Arrays.equals(below.content(), Arrays.copyOf(expected, size))).isTrue();
            assertThat(below.sawUnstableWrites()).as("a write changed on its way").isFalse();
        }

        private PfLayer open() throws IOException {
            PfLayer layer = PfFixture.open(options, below, key, OpenFlags.RDWR);
            if (options.contains("/plan=")) {
                layer.follow(plans, "test");
            }
            return layer;
        }

        private void close(int index) throws IOException {
            PfLayer layer = opens.remove(index);
            layer.close();
            CachedFile file = CachedFiles.enter(key);
            CachedFiles.leave(file);
            CachedFiles.leave(file);
        }

        private void step() throws IOException {
            PfLayer layer = opens.get(random.nextInt(opens.size()));
            int what = random.nextInt(1000);
            if (what < 500) {
                read(layer);
            } else if (what < 950) {
                write(layer);
            } else if (what < 965) {
                truncate(layer);
            } else if (what < 975) {
                layer.flush(false);
                assertThat(Arrays.equals(below.content(), Arrays.copyOf(expected, size))).isTrue();
            } else if (what < 985) {
                assertThat(layer.size()).isEqualTo(size);
            } else if (what < 992 && opens.size() < 3) {
                opens.add(open());
            } else if (what < 998 && opens.size() > 1) {
                close(random.nextInt(opens.size()));
            } else if (what >= 998) {
                while (!opens.isEmpty()) {
                    close(0);
                }
                assertThat(Arrays.equals(below.content(), Arrays.copyOf(expected, size))).isTrue();
                opens.add(open());
            }
        }

        /** An offset for the next request: streams both ways, strides and random jumps. */
        private int place(int length) {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> {}
                case 3, 4 -> cursor -= 2 * length;
                case 5 -> cursor += 3 * length;
                default -> cursor = random.nextInt(Math.max(1, size + 5000));
            }
            cursor = Math.max(0, Math.min(cursor, SIZE_MAX));
            int offset = cursor;
            cursor += length;
            return offset;
        }

        private int length() {
            return switch (random.nextInt(4)) {
                case 0 -> 1 + random.nextInt(200);
                case 1 -> 512 * (1 + random.nextInt(16));
                case 2 -> 1 + random.nextInt(9000);
                default -> 1 + random.nextInt(50_000);
            };
        }

        private void read(PfLayer layer) throws IOException {
            int length = length();
            int offset = place(length);
            ByteBuffer dst = ByteBuffer.allocate(length);
            int got = layer.read(dst, offset);
            int wanted = offset >= size ? -1 : Math.min(length, size - offset);
            assertThat(got).as("read of %d at %d, size %d", length, offset, size).isEqualTo(wanted);
            if (got > 0) {
                int wrong = Arrays.mismatch(dst.array(), 0, got, expected, offset, offset + got);
                assertThat(wrong).as("wrong byte, read of %d at %d", length, offset).isEqualTo(-1);
            }
        }

        private void write(PfLayer layer) throws IOException {
            int length = length();
            int offset = place(length);
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            ByteBuffer src = ByteBuffer.wrap(bytes);
            assertThat(layer.write(src, offset)).isEqualTo(length);
            System.arraycopy(bytes, 0, expected, offset, length);
            size = Math.max(size, offset + length);
        }

        private void truncate(PfLayer layer) throws IOException {
            int to = random.nextInt(Math.max(1, size + 1000));
            layer.truncate(to);
            if (to < size) {
                Arrays.fill(expected, to, size, (byte) 0);
                size = to;
            }
        }
    }
}
