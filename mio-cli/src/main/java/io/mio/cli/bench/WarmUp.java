package io.mio.cli.bench;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The warm-up of workers in Java before anything is measured, so that their loops and those of MIO
 * are compiled. They do all tests on a small file of the benchmark's own, over and over. The file
 * has the name of the first one that is measured, in another directory, so that a rule for names
 * applies to both.
 */
final class WarmUp {
    /** The warm-up in words, for the head of a report. */
    static final String TEXT =
            "warmed up by 20000 calls of each kind and 0.5 s, or 1 s, on another file";

    private static final long CALLS = 20_000;
    private static final long LEAST_NANOS = 500_000_000;
    private static final long MOST_NANOS = 1_000_000_000;

    /**
     * Calls of one open. MIO treats the first calls of an open differently from later ones, and
     * code that has not run is not compiled.
     */
    private static final int OPEN_CALLS = 1024;

    private static final int LEAST_BYTES = 4 << 20;
    private static final int MOST_BYTES = 64 << 20;
    private static final int CHUNK_BYTES = 1 << 20;

    private final BenchOptions options;
    private final Path file;
    private final boolean direct;
    private final int bytes;
    private MadeFile directory;
    private MadeFile made;

    /**
     * Plans the warm-up.
     *
     * @param own directory of the benchmark
     * @param name name of the file that is measured
     * @param direct whether direct I/O is possible there if it is asked for
     * @param points what is measured
     */
    WarmUp(BenchOptions options, Path own, Path name, boolean direct, List<Point> points) {
        this.options = options;
        this.file = own.resolve("warm-up").resolve(name.getFileName());
        this.direct = direct && options.direct();
        this.bytes = bytes(points);
    }

    /** Returns the warm-up; null where nothing has to be warmed up. */
    static WarmUp of(
            BenchOptions options, Path own, Path name, boolean direct, List<Point> points) {
        return options.door() == BenchOptions.Door.JVM
                ? new WarmUp(options, own, name, direct, points)
                : null;
    }

    private static int bytes(List<Point> points) {
        long wanted = LEAST_BYTES;
        for (Point point : points) {
            long calls = (long) OPEN_CALLS * point.recordBytes();
            wanted = Math.max(wanted, Math.min(point.fileBytes(), calls));
        }
        return (int) Math.min(wanted, MOST_BYTES);
    }

    Path file() {
        return file;
    }

    void make() throws IOException {
        directory = MadeFile.ofDirectory(Files.createDirectory(file.getParent()));
        made = MadeFile.create(file);
        byte[] chunk = new byte[CHUNK_BYTES];
        try (OutputStream out = Files.newOutputStream(file)) {
            for (int left = bytes; left > 0; left -= chunk.length) {
                out.write(chunk, 0, Math.min(left, chunk.length));
            }
        } catch (IOException e) {
            throw new IOException(
                    "the file of "
                            + Sizes.text(bytes)
                            + " that workers in Java are warmed up on cannot be made: "
                            + e.getMessage()
                            + "; take another directory or --door native",
                    e);
        }
    }

    void remove() throws IOException {
        if (made != null) {
            made.remove();
            made = null;
        }
        if (directory != null) {
            directory.remove();
            directory = null;
        }
    }

    /**
     * Returns a job with one thread for each worker: all threads of a process run the same code.
     */
    WorkerJob job(BenchTest test, Point point) {
        int recordBytes = Math.min(bytes, point.recordBytes());
        return new WorkerJob(
                test,
                recordBytes,
                Math.min(point.fileRecords(), bytes / recordBytes),
                1,
                0,
                1,
                options.stride(),
                options.seed(),
                options.mixPercent(),
                1,
                0,
                direct,
                false,
                false,
                false);
    }

    /** Counts the calls of a worker. */
    static final class Calls {
        private long reads;
        private long writes;

        void add(BenchTest test, long calls) {
            reads += test.isReading() ? calls : 0;
            writes += test.isWriting() ? calls : 0;
        }

        boolean areEnough(List<BenchTest> tests, long nanos) {
            boolean read = reads >= CALLS || tests.stream().noneMatch(BenchTest::isReading);
            boolean written = writes >= CALLS || tests.stream().noneMatch(BenchTest::isWriting);
            return read && written && nanos >= LEAST_NANOS || nanos >= MOST_NANOS;
        }
    }
}
