package io.mio.cli.bench;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Locale;

/** One thread of a {@link BenchWorker}: its file, its way through it, and what it took. */
final class WorkerThread {
    /** Of memory, for direct I/O. */
    private static final int ALIGN_BYTES = 4096;

    private final WorkerJob job;
    private final Path path;
    private final FileChannel file;
    private final byte[] generations;
    private final Sequence sequence;
    private final ByteBuffer data;
    private final ByteBuffer found;
    private final Content content;
    private final Histogram latency = new Histogram();
    private long beginNanos;
    private long endNanos;
    private long flushNanos;
    private long closeNanos;

    /**
     * @param generations of the file's records; null if nothing is verified
     */
    WorkerThread(
            WorkerJob job, Path path, FileChannel file, byte[] generations, Sequence sequence) {
        this.job = job;
        this.path = path;
        this.file = file;
        this.generations = generations;
        this.sequence = sequence;
        this.data = memory(job.recordBytes());
        this.found = memory(job.recordBytes());
        this.content = new Content(job.seed(), data);
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
            file.force(true);
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
            if (job.verify()) {
                if (writes) {
                    content.stamp(offset, job.generation());
                    generations[(int) sequence.record()] = (byte) job.generation();
                }
                before = System.nanoTime();
            }
            transfer(offset, writes);
            long after = System.nanoTime();
            latency.add(after - before);
            if (job.verify() && !writes) {
                check(offset, generations[(int) sequence.record()] & 0xff);
            }
            before = after;
        }
    }

    private void transfer(long offset, boolean writes) throws IOException {
        ByteBuffer record = (writes ? data : found).clear();
        while (record.hasRemaining()) {
            long at = offset + record.position();
            if (writes) {
                file.write(record, at);
            } else if (file.read(record, at) < 0) {
                throw new EOFException(path + ": ends at " + at);
            }
        }
    }

    private void check(long offset, int generation) throws WrongContentException {
        content.stamp(offset, generation);
        int at = data.clear().mismatch(found.clear());
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

    /** Closes the file, if it is open. */
    void finish() throws IOException {
        if (file.isOpen()) {
            long before = System.nanoTime();
            file.close();
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
