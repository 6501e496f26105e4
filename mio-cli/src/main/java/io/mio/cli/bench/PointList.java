package io.mio.cli.bench;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of the table: which sizes fit together, and whether there is room for them. */
final class PointList {
    /** Most bytes of a record. */
    private static final long RECORD_BYTES_MAX = 1 << 30;

    /** Bytes of a file that is made when no size is given. */
    private static final long FILE_BYTES = 64 << 20;

    /** Alignment where the file system does not tell. */
    private static final long DIRECT_ALIGN_BYTES = 512;

    private final BenchOptions options;
    private final BenchFiles files;
    private final long alignBytes;
    private final List<Point> points = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();

    PointList(BenchOptions options, BenchFiles files, Machine machine) throws IOException {
        this.options = options;
        this.files = files;
        long told =
                machine.directAlignBytes() == null
                        ? DIRECT_ALIGN_BYTES
                        : machine.directAlignBytes();
        this.alignBytes = Math.max(told, jvmAlignBytes());
    }

    /**
     * Returns the alignment that the JVM needs: it does not ask the kernel, but takes the block
     * size of the file system.
     */
    private long jvmAlignBytes() throws IOException {
        if (!options.direct() || options.door() != BenchOptions.Door.JVM) {
            return 1;
        }
        try {
            return Files.getFileStore(files.place()).getBlockSize();
        } catch (UnsupportedOperationException e) {
            return 1;
        }
    }

    /**
     * Finds the rows.
     *
     * @throws IllegalArgumentException if there is none, or not enough room; the message says what
     *     to do
     */
    void find() throws IOException {
        List<Long> sizes = files.isExisting() ? existingSizes() : options.fileBytes();
        if (sizes.isEmpty()) {
            sizes = List.of(FILE_BYTES);
        }
        for (long size : sizes) {
            for (long record : options.recordBytes()) {
                String why = why(size, record);
                if (why == null) {
                    points.add(new Point(size, (int) record));
                } else {
                    skipped.add(why);
                }
            }
        }
        if (points.isEmpty()) {
            throw new IllegalArgumentException(skipped.get(0));
        }
        if (!files.isExisting()) {
            checkRoom(points.stream().mapToLong(Point::fileBytes).max().orElse(0));
        }
    }

    /** Checks the room on each file system that has some of the files. */
    private void checkRoom(long most) throws IOException {
        Map<FileStore, Integer> counts = new HashMap<>();
        for (Path file : files.files()) {
            Path dir = file.getParent();
            FileStore store = Files.getFileStore(dir);
            int count = counts.merge(store, 1, Integer::sum);
            if (most > store.getUsableSpace() / count) {
                throw new IllegalArgumentException(
                        "-s: "
                                + options.files()
                                + " x "
                                + Sizes.text(most)
                                + " needed, "
                                + store.getUsableSpace() / (1024 * 1024)
                                + "m free in "
                                + dir
                                + "; take a smaller -s or another directory");
            }
        }
    }

    private String why(long size, long record) {
        if (record > RECORD_BYTES_MAX) {
            return "-r " + Sizes.text(record) + ": at most 1g";
        }
        if (record > size) {
            return "-r " + Sizes.text(record) + " is more than -s " + Sizes.text(size);
        }
        if (options.shared() && size / record < options.threads()) {
            return "-s "
                    + Sizes.text(size)
                    + " has fewer records of "
                    + Sizes.text(record)
                    + " than there are threads";
        }
        if (options.direct() && record % alignBytes != 0) {
            return "-r "
                    + Sizes.text(record)
                    + " is no multiple of "
                    + alignBytes
                    + ", as direct I/O needs it here";
        }
        return null;
    }

    private List<Long> existingSizes() throws IOException {
        long least = Long.MAX_VALUE;
        for (Path file : files.files()) {
            long size = PageState.size(file);
            if (size == 0) {
                throw new IllegalArgumentException(file + ": is empty; there is nothing to read");
            }
            least = Math.min(least, size);
        }
        for (long size : options.fileBytes()) {
            if (size > least) {
                throw new IllegalArgumentException(
                        "-s " + Sizes.text(size) + ": the file has " + Sizes.text(least) + " only");
            }
        }
        return options.fileBytes().isEmpty() ? List.of(least) : options.fileBytes();
    }

    List<Point> points() {
        return points;
    }

    /** Returns the sizes that do not fit together, in words. */
    List<String> skipped() {
        return skipped;
    }
}
