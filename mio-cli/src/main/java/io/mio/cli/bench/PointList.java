package io.mio.cli.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The rows of the table: which sizes fit together, and whether there is room for them. */
final class PointList {
    /** What a record may not exceed. */
    private static final long RECORD_BYTES_MAX = 1 << 30;

    /** Of files that are made, if nobody says more. */
    private static final long FILE_BYTES = 64 << 20;

    /** Where the file system does not tell. */
    private static final long DIRECT_ALIGN_BYTES = 512;

    private final BenchOptions options;
    private final BenchFiles files;
    private final long alignBytes;
    private final List<Point> points = new ArrayList<>();
    private final List<String> skipped = new ArrayList<>();

    PointList(BenchOptions options, BenchFiles files, Machine machine) {
        this.options = options;
        this.files = files;
        this.alignBytes =
                machine.directAlignBytes() == null
                        ? DIRECT_ALIGN_BYTES
                        : machine.directAlignBytes();
    }

    /**
     * Finds them.
     *
     * @param place directory of the files
     * @throws IllegalArgumentException if there is none, or not enough room; the message says what
     *     to do
     */
    void find(Path place) throws IOException {
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
        long most = points.stream().mapToLong(Point::fileBytes).max().orElse(0);
        long free = Files.getFileStore(place).getUsableSpace();
        if (!files.isExisting() && most > free / options.files()) {
            throw new IllegalArgumentException(
                    "-s: "
                            + options.files()
                            + " x "
                            + Sizes.text(most)
                            + " needed, "
                            + free / (1024 * 1024)
                            + "m free in "
                            + place
                            + "; take a smaller -s or another directory");
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

    /** In words: sizes that do not fit. */
    List<String> skipped() {
        return skipped;
    }
}
