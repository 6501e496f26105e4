package io.mio.cli.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/** One thread of a {@link BenchWorker}: its file, its sequence of records, and the time it took. */
final class WorkerThread {
    /** Alignment of memory, for direct I/O. */
    private static final int ALIGN_BYTES = 4096;

    private final WorkerJob job;
    private final Path path;
    private final FileChannel file;
    private final byte[] generations;
    private final Sequence sequence;
    private final ByteBuffer found;
    private final Content content;
    private final Histogram latency = new Histogram();
    private long beginNanos;
    private long endNanos;
    private long flushNanos;
    private long closeNanos;

    /**
     * Makes a thread for a file.
     *
     * @param generations generations of the file's records; null if nothing is verified
     */
    WorkerThread(
            WorkerJob job, Path path, FileChannel file, byte[] generations, Sequence sequence) {
        this.job = job;
        this.path = path;
        this.file = file;
        this.generations = generations;
        this.sequence = sequence;
        this.found = memory(job.recordBytes());
        this.content = new Content(job, memory(Content.NOISE_BYTES + job.recordBytes()));
    }

    private static ByteBuffer memory(int bytes) {
        int rounded = (bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
        return ByteBuffer.allocateDirect(rounded + ALIGN_BYTES)
                .alignedSlice(ALIGN_BYTES)
                .slice(0, bytes);
    }

    void run() throws IOException {
        beginNanos = System.nanoTime();
        work();
        endNanos = System.nanoTime();
        if (job.flush()) {
            flush();
            flushNanos = System.nanoTime() - endNanos;
            endNanos += flushNanos;
        }
        if (job.close()) {
            finish();
            endNanos = System.nanoTime();
        }
    }

    private void work() throws IOException {
        long before = beginNanos;
        while (sequence.next()) {
            long offset = sequence.offset();
            boolean writes = sequence.writes();
            ByteBuffer record = found.clear();
            if (writes) {
                record = content.record(offset, job.generation());
            }
            if (job.verify()) {
                if (writes) {
                    generations[(int) sequence.record()] = (byte) job.generation();
                }
                before = System.nanoTime();
            }
            transfer(record, offset, writes);
            long after = System.nanoTime();
            latency.add(after - before);
            if (job.verify() && !writes) {
                check(offset, generations[(int) sequence.record()] & 0xff);
            }
            before = after;
        }
    }

    private void transfer(ByteBuffer record, long offset, boolean writes) throws IOException {
        int start = record.position();
        while (record.hasRemaining()) {
            long at = offset + record.position() - start;
            int moved;
            try {
                moved = writes ? file.write(record, at) : file.read(record, at);
            } catch (IOException e) {
                throw failure((writes ? "write" : "read") + " at " + at, e);
            }
            if (moved <= 0) {
                throw new IOException(path + ": ends at " + at);
            }
        }
    }

    /**
     * Returns a failure in the words of the twin in C: the file, what was done to it, and where.
     */
    private IOException failure(String what, IOException e) {
        return new IOException(path + ": " + what + ": " + reason(e), e);
    }

    /** Returns the reason in words, without the name of the file. */
    static String reason(IOException e) {
        if (e instanceof NoSuchFileException) {
            return "No such file or directory";
        }
        if (e instanceof AccessDeniedException) {
            return "Permission denied";
        }
        String text =
                e instanceof FileSystemException failure ? failure.getReason() : e.getMessage();
        return text == null ? e.getClass().getSimpleName() : text;
    }

    private void check(long offset, int generation) throws IOException {
        if (generation == 0) {
            throw new IOException(path + ": read at " + offset + ": nobody has told what is there");
        }
        ByteBuffer data = content.record(offset, generation).slice();
        int at = data.mismatch(found.clear());
        if (at >= 0) {
            throw new WrongContentException(
                    String.format(
                            Locale.ROOT,
                            "%s: byte %d is 0x%02x, expected 0x%02x",
                            path,
                            offset + at,
                            found.get(at),
                            data.get(at)));
        }
    }

    private void flush() throws IOException {
        try {
            file.force(true);
        } catch (IOException e) {
            throw failure("fsync", e);
        }
    }

    /** Closes the file, if it is open. */
    void finish() throws IOException {
        if (file.isOpen()) {
            long before = System.nanoTime();
            try {
                file.close();
            } catch (IOException e) {
                throw failure("close", e);
            }
            closeNanos = System.nanoTime() - before;
        }
    }

    Histogram latency() {
        return latency;
    }

    long beginNanos() {
        return beginNanos;
    }

    long endNanos() {
        return endNanos;
    }

    long flushNanos() {
        return flushNanos;
    }

    long closeNanos() {
        return closeNanos;
    }

    long digest() {
        return sequence.digest();
    }
}
