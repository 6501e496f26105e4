package io.mio.cli.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * Checks that a cold test was cold to its end: all that was read has to have come from the device.
 * Another program may have brought pages into memory after they were looked for, and some file
 * systems have a memory of their own that the kernel does not tell of.
 */
final class ColdProof {
    /** Bytes of the unit that {@code stat} calls a block. */
    private static final long BLOCK_BYTES = 512;

    private static final long LIMIT_SECONDS = 60;

    private ColdProof() {}

    /**
     * Compares what a test read with what the device delivered to the workers meanwhile.
     *
     * @throws StateException if it was less, or is not counted
     */
    static void check(BenchTest test, BenchFiles files, Sample sample, long deliveredBytes)
            throws IOException, InterruptedException {
        long bytes = test.coldBytes(sample.bytes());
        long wanted = files.isExisting() ? stored(files, bytes) : bytes;
        if (deliveredBytes >= wanted) {
            return;
        }
        throw new StateException(
                test.id()
                        + " of "
                        + files.files().get(0)
                        + ": not cold: the device delivered "
                        + deliveredBytes
                        + " of "
                        + wanted
                        + (deliveredBytes == 0
                                ? " bytes; nothing is counted on this file system, or all came from"
                                        + " memory: take --warm, or another file system"
                                : " bytes; does another program bring the file into memory? Take"
                                        + " --warm, or do it again"));
    }

    /**
     * Returns how many of the bytes are on the device: files of the user may have holes, and be
     * compressed.
     */
    private static long stored(BenchFiles files, long bytes)
            throws IOException, InterruptedException {
        long missing = 0;
        for (Path file : files.files()) {
            if (Files.isRegularFile(file)) {
                missing += Math.max(0, PageState.size(file) - allocatedBytes(file));
            }
        }
        // The device has to deliver something: for a file without any data nothing can be proven.
        return Math.max(1, bytes - missing);
    }

    /** Returns the bytes of storage that a file has; the largest number if that is not known. */
    private static long allocatedBytes(Path file) throws InterruptedException {
        Process process = null;
        try {
            process =
                    new ProcessBuilder("stat", "-L", "-c", "%b", file.toString())
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            process.getOutputStream().close();
            // The output is a number, which fits into the pipe.
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                return Long.MAX_VALUE;
            }
            try (BufferedReader out = process.inputReader(StandardCharsets.US_ASCII)) {
                return Long.parseLong(out.readLine()) * BLOCK_BYTES;
            }
        } catch (IOException | NumberFormatException e) {
            return Long.MAX_VALUE;
        } finally {
            if (process != null) {
                process.destroyForcibly();
            }
        }
    }
}
