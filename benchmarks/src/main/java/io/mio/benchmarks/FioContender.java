package io.mio.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What the device gives: {@code fio} with io_uring and direct I/O, from the start to the end in
 * requests of one size, whatever the request size of the case is. The time is what fio itself
 * measures, without its start. Writes go over a file of fio's own, which is never sparse.
 */
final class FioContender implements Contender {
    /** Indexes of the fields in fio's terse output, version 3. */
    private static final int READ_KIB_PER_SECOND = 6;

    private static final int WRITE_KIB_PER_SECOND = 47;
    private static final int USER_PERCENT = 87;
    private static final int SYSTEM_PERCENT = 88;

    private static final double NANOS = 1e9;
    private static final double PERCENT = 100;
    private static final int KIB = 1024;

    private final long requestBytes;
    private final int depth;

    FioContender(long requestBytes, int depth) {
        this.requestBytes = requestBytes;
        this.depth = depth;
    }

    @Override
    public String label() {
        return "fio/bs=" + PatternOptions.size(requestBytes) + "/depth=" + depth;
    }

    @Override
    public boolean does(PatternCase of) {
        boolean streams =
                of.pattern() == AccessPattern.FORWARD || of.pattern() == AccessPattern.REWRITE;
        return streams && of.threads() == 1 && of.cold();
    }

    @Override
    public boolean isTimed() {
        return false;
    }

    @Override
    public Run run(PatternCase of, TestFile file, long calls, long nanos)
            throws IOException, InterruptedException {
        boolean writes = of.pattern().isWriting();
        long all = calls * of.requestBytes();
        long bytes = Math.max(requestBytes, all / requestBytes * requestBytes);
        Path path = writes ? ownFile(file) : file.path();
        String[] fields =
                TestFile.command(
                                List.of(
                                        "fio",
                                        "--name=stream",
                                        "--filename=" + path,
                                        "--rw=" + (writes ? "write" : "read"),
                                        "--bs=" + requestBytes,
                                        "--iodepth=" + depth,
                                        "--size=" + bytes,
                                        "--ioengine=io_uring",
                                        "--direct=1",
                                        "--overwrite=1",
                                        "--allow_file_create=0",
                                        "--invalidate=0",
                                        "--output-format=terse",
                                        "--terse-version=3"))
                        .split(";");
        int rate = writes ? WRITE_KIB_PER_SECOND : READ_KIB_PER_SECOND;
        double bytesPerSecond = Double.parseDouble(fields[rate]) * KIB;
        long took = (long) (bytes / bytesPerSecond * NANOS);
        double cpu = (percent(fields[USER_PERCENT]) + percent(fields[SYSTEM_PERCENT])) / PERCENT;
        return new Run(took, (long) (took * cpu), bytes, bytes / of.requestBytes());
    }

    private static double percent(String field) {
        return Double.parseDouble(field.replace("%", ""));
    }

    private static Path ownFile(TestFile file) throws IOException {
        Path own = file.path().resolveSibling("fio.dat");
        if (!Files.exists(own)) {
            Files.copy(file.path(), own);
        }
        return own;
    }
}
