package io.mio.fs;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Several threads on one file, each with a channel of its own. Block {@code n} belongs to thread
 * {@code n % THREADS}, which reads in its blocks what it wrote, whatever the others do beside them,
 * in the same pages and sectors.
 */
final class ExerciserThreads {
    private static final int THREADS = 3;
    private static final int CALLS = 60;
    private static final int BLOCK_BYTES = 1537;
    private static final int BLOCKS = 40;

    private final ExerciserFiles files;
    private final String name;
    private final int startBytes;

    private ExerciserThreads(ExerciserFiles files, String name, int startBytes) {
        this.files = files;
        this.name = name;
        this.startBytes = startBytes;
    }

    /**
     * Runs the threads; the file has {@code startBytes} and is open nowhere.
     *
     * @return calls made
     */
    static int run(ExerciserFiles files, String name, int startBytes, Random random)
            throws Exception {
        ExerciserThreads all = new ExerciserThreads(files, name, startBytes);
        ExecutorService executor = Executors.newFixedThreadPool(THREADS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < THREADS; i++) {
                int owner = i;
                long seed = random.nextLong();
                files.tell("thread: " + owner + ", seed " + seed);
                running.add(
                        executor.submit(
                                () -> {
                                    all.work(owner, new Random(seed));
                                    return null;
                                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            executor.shutdown();
        }
        return THREADS * CALLS;
    }

    private void work(int owner, Random random) throws Exception {
        Path behind = files.behind().resolve(name);
        int known = startBytes;
        try (FileChannel plain = FileChannel.open(files.oracle().resolve(name), READ, WRITE);
                FileChannel channel = FileChannel.open(behind, READ, WRITE);
                AsynchronousFileChannel other = AsynchronousFileChannel.open(behind, READ, WRITE)) {
            for (int i = 0; i < CALLS; i++) {
                int block = owner + THREADS * random.nextInt(BLOCKS / THREADS);
                int from = random.nextInt(BLOCK_BYTES);
                int length = 1 + random.nextInt(BLOCK_BYTES - from);
                int place = block * BLOCK_BYTES + from;
                boolean asynchronous = random.nextInt(4) == 0;
                int what = random.nextInt(100);
                if (what < 50) {
                    byte[] bytes = new byte[length];
                    random.nextBytes(bytes);
                    int count =
                            asynchronous
                                    ? other.write(ByteBuffer.wrap(bytes), place).get()
                                    : channel.write(ByteBuffer.wrap(bytes), place);
                    plain.write(ByteBuffer.wrap(bytes), place);
                    check(count == length, "wrote " + count + " of " + length);
                    known = Math.max(known, place + length);
                } else if (what < 90) {
                    int wanted = Math.min(length, known - place);
                    if (wanted > 0) {
                        compare(channel, asynchronous ? other : null, plain, place, wanted);
                    }
                } else if (what < 92) {
                    channel.force(false);
                } else if (what < 94) {
                    check(Files.size(behind) >= known, "Files.size, owner " + owner);
                } else {
                    check(channel.size() >= known, "size, owner " + owner);
                    // Reads blocks that others change meanwhile; any bytes are right.
                    channel.read(ByteBuffer.allocate(8000), random.nextInt(known));
                }
            }
        }
    }

    private static void compare(
            FileChannel channel,
            AsynchronousFileChannel other,
            FileChannel plain,
            int place,
            int length)
            throws Exception {
        ByteBuffer got = ByteBuffer.allocate(length);
        ByteBuffer expected = ByteBuffer.allocate(length);
        int count = other == null ? channel.read(got, place) : other.read(got, place).get();
        fill(plain, expected, place);
        int wrong = Arrays.mismatch(got.array(), expected.array());
        check(
                count == length && wrong < 0,
                "read " + count + " of " + length + " at " + place + ", wrong from " + wrong);
    }

    private static void fill(FileChannel plain, ByteBuffer dst, long place) throws IOException {
        while (dst.hasRemaining() && plain.read(dst, place + dst.position()) > 0) {}
    }

    private static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }
}
