package io.mio.fs;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.WritableByteChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random operations by several channels on two files, each compared with the plain JDK's. A failure
 * names the seed; {@code -Dmio.test.seed=} repeats that round, {@code -Dmio.test.rounds=} runs more
 * of them.
 */
@Tag("backends")
@ParameterizedClass(name = "{0}")
@MethodSource("io.mio.fs.TestStack#chosen")
class ChannelRandomTest {
    private static final int CHANNELS = 4;
    private static final int STEPS = 150;
    private static final OpenOption[][] MODES = {
        {READ, WRITE}, {READ, WRITE}, {READ}, {WRITE}, {APPEND}
    };

    @Parameter TestStack stack;
    @TempDir Path directory;
    private Random random;
    private TwinFiles first;
    private TwinFiles second;
    private long base;
    private final List<TwinChannel> channels = new ArrayList<>();
    private final List<FileLock[]> locks = new ArrayList<>();
    private final IdentityHashMap<FileChannel, TwinFiles> filesOf = new IdentityHashMap<>();

    @Test
    void shouldDoWhatThePlatformDoesInAnyOrder() throws IOException {
        Long replayed = Long.getLong("mio.test.seed");
        if (replayed != null) {
            round(replayed);
            return;
        }
        long start = System.nanoTime();
        for (int i = 0; i < Integer.getInteger("mio.test.rounds", 40); i++) {
            round(start + i);
        }
    }

    private void round(long seed) throws IOException {
        random = new Random(seed);
        base = random.nextInt(3) == 0 ? (1L << 32) - 777 : 0;
        first = new TwinFiles(directory, "first", stack).holding(random.nextInt(5000));
        second = new TwinFiles(directory, "second", stack).holding(random.nextInt(5000));
        channels.clear();
        locks.clear();
        int step = 0;
        try (TwinFiles closesFirst = first;
                TwinFiles closesSecond = second) {
            for (int i = 0; i < CHANNELS; i++) {
                channels.add(opened());
            }
            for (; step < STEPS; step++) {
                step();
            }
            closesFirst.checkContents();
            closesSecond.checkContents();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    stack + ", step " + step + ", replay with -Dmio.test.seed=" + seed, e);
        }
    }

    private TwinChannel opened() throws IOException {
        TwinFiles files = random.nextBoolean() ? first : second;
        TwinChannel channel = files.open(MODES[random.nextInt(MODES.length)]);
        filesOf.put(channel.plain(), files);
        return channel;
    }

    private void step() throws IOException {
        int index = random.nextInt(CHANNELS);
        TwinChannel twin = channels.get(index);
        long place = place();
        int size = size();
        long seed = random.nextLong();
        String at = " of " + size + " at " + place;
        switch (random.nextInt(18)) {
            case 0, 1 -> twin.both("read" + at, c -> read(c, size, seed));
            case 2, 3 -> twin.both("write" + at, c -> c.write(filled(size, seed)));
            case 4 -> twin.both("read at" + at, c -> readAt(c, size, place, seed));
            case 5 -> twin.both("write at" + at, c -> c.write(filled(size, seed), place));
            case 6 -> twin.both("scatter" + at, c -> scatter(c, seed));
            case 7 -> twin.both("gather" + at, c -> c.write(several(seed, true)));
            case 8, 9 -> twin.both("position" + at, c -> c.position(place));
            case 10 -> twin.both("truncate" + at, c -> c.truncate(place));
            case 11 -> twin.both("force", c -> force(c, size));
            case 12 -> transfer(twin, channels.get(random.nextInt(CHANNELS)), place, size);
            case 13 -> twin.both("drain" + at, c -> drain(c, place, size));
            case 14 -> twin.both("fill" + at, c -> fill(c, place, size, seed));
            case 15 -> lock(twin, place, size, random.nextBoolean());
            case 16 -> unlock();
            default -> {
                twin.close();
                channels.set(index, opened());
            }
        }
    }

    private long place() {
        return random.nextInt(50) == 0 ? -1 : base + random.nextInt(6000);
    }

    private int size() {
        return random.nextInt(5) == 0 ? random.nextInt(70000) : random.nextInt(300);
    }

    private static ByteBuffer buffer(int size, long seed) {
        return (seed & 1) == 0 ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
    }

    private static ByteBuffer filled(int size, long seed) {
        return buffer(size, seed).put(TwinFiles.bytes(size, seed)).flip();
    }

    private static ByteBuffer[] several(long seed, boolean filled) {
        Random sizes = new Random(seed);
        ByteBuffer[] buffers = new ByteBuffer[sizes.nextInt(5)];
        for (int i = 0; i < buffers.length; i++) {
            int size = sizes.nextInt(4) * sizes.nextInt(100);
            buffers[i] = filled ? filled(size, seed + i) : buffer(size, seed + i);
        }
        return buffers;
    }

    private static Object read(FileChannel channel, int size, long seed) throws IOException {
        ByteBuffer buffer = buffer(size, seed);
        return List.of(channel.read(buffer), buffer.flip());
    }

    private static Object readAt(FileChannel channel, int size, long place, long seed)
            throws IOException {
        ByteBuffer buffer = buffer(size, seed);
        return List.of(channel.read(buffer, place), buffer.flip());
    }

    private static Object scatter(FileChannel channel, long seed) throws IOException {
        ByteBuffer[] buffers = several(seed, false);
        List<Object> all = new ArrayList<>();
        all.add(channel.read(buffers));
        for (ByteBuffer buffer : buffers) {
            all.add(buffer.flip());
        }
        return all;
    }

    private static Object force(FileChannel channel, int size) throws IOException {
        channel.force(size % 2 == 0);
        return "forced";
    }

    private static Object drain(FileChannel channel, long place, int size) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (WritableByteChannel target = Channels.newChannel(bytes)) {
            return List.of(channel.transferTo(place, size, target), hash(bytes));
        }
    }

    private static int hash(ByteArrayOutputStream bytes) {
        return Arrays.hashCode(bytes.toByteArray());
    }

    private static Object fill(FileChannel channel, long place, int size, long seed)
            throws IOException {
        ByteArrayInputStream bytes = new ByteArrayInputStream(TwinFiles.bytes(size, seed));
        return channel.transferFrom(Channels.newChannel(bytes), place, size);
    }

    private void transfer(TwinChannel twin, TwinChannel other, long place, int size) {
        boolean away = random.nextBoolean();
        if (filesOf.get(twin.plain()) == filesOf.get(other.plain())) {
            // Where both ends overlap, the kernel promises nothing.
            return;
        }
        twin.both(
                (away ? "transfer to " : "transfer from ") + size + " at " + place,
                c -> {
                    FileChannel end = c == twin.mio() ? other.mio() : other.plain();
                    return away ? c.transferTo(place, size, end) : c.transferFrom(end, place, size);
                });
        other.both("position after transfer", FileChannel::position);
    }

    private void lock(TwinChannel twin, long place, int size, boolean shared) {
        FileLock[] both = new FileLock[2];
        twin.both(
                "lock " + size + " at " + place,
                c -> {
                    FileLock lock = c.tryLock(place, size, shared);
                    both[c == twin.mio() ? 0 : 1] = lock;
                    return List.of(lock.isValid(), lock.isShared(), lock.position(), lock.size());
                });
        if (both[0] != null) {
            locks.add(both);
        }
    }

    private void unlock() {
        if (locks.isEmpty()) {
            return;
        }
        FileLock[] both = locks.remove(random.nextInt(locks.size()));
        Outcome expected = Outcome.of(() -> released(both[1]));
        Outcome got = Outcome.of(() -> released(both[0]));
        if (!got.equals(expected)) {
            throw new AssertionError("release: " + got + " instead of " + expected);
        }
    }

    private static Object released(FileLock lock) throws IOException {
        boolean before = lock.isValid();
        lock.release();
        return List.of(before, lock.isValid());
    }
}
