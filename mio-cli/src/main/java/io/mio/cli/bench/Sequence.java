package io.mio.cli.bench;

import java.math.BigInteger;

/**
 * The order in which one thread takes the records of its section of a file. Every record of the
 * section has its turn once, except in {@link BenchTest#RECORD_REWRITE}, which takes the first one
 * as often, and in {@link BenchTest#SOLVER}, {@link BenchTest#ZIPF} and {@link BenchTest#LOOP},
 * which come back. Twin of {@code struct bench_sequence}; needs no memory for the order.
 */
final class Sequence {
    private static final int ROUNDS = 4;

    /**
     * Passes of a solver before it writes again: written, read forward, backward, forward,
     * backward.
     */
    private static final int SOLVER_CYCLE = 5;

    /** Passes of a solver in all: they read seven times forward and backward. */
    private static final int SOLVER_PASSES = 18;

    /** The last pass that writes. It and the pass behind it leave out the first third. */
    private static final int SOLVER_SHORT = 15;

    private static final int STREAMS = 8;
    private static final int LOOPS = 3;

    /** Nested strides: records in a row, the step between them, and records of a block. */
    private static final int NESTED_ROW = 4;

    private static final int NESTED_STEP = 4;
    private static final int NESTED_BLOCK = 64;

    private final WorkerJob job;
    private final int file;
    private final long firstRecord;
    private final long records;
    private final long[] keys = new long[ROUNDS + 1];
    private final int halfBits;
    private long done;
    private long at;
    private long start;
    private long record;
    private boolean writes;
    private long digest;

    /**
     * Begins the sequence of a thread. Threads of one file have sections side by side.
     *
     * @param thread 0 to {@code job.threads() - 1}
     * @param files number of files of the worker
     */
    Sequence(WorkerJob job, int thread, int files) {
        this.job = job;
        this.file = thread % files;
        int part = thread / files;
        int parts = (job.threads() - file + files - 1) / files;
        this.firstRecord = share(job.fileRecords(), part, parts);
        this.records = share(job.fileRecords(), part + 1, parts) - firstRecord;
        long seed = mix(job.seed() ^ (long) (job.test().ordinal() + 1) << 32 ^ thread);
        for (int i = 0; i < keys.length; i++) {
            keys[i] = mix(seed + i + 1);
        }
        int bits = 1;
        while (bits < 31 && records > 1L << 2 * bits) {
            bits++;
        }
        // 2 to the 62 is the last power of four in a long; no file can hold more records than that.
        this.halfBits = bits;
        this.digest = thread + 1L;
    }

    /** Returns where part {@code part} of {@code parts} begins. */
    static long share(long all, int part, int parts) {
        return BigInteger.valueOf(all)
                .multiply(BigInteger.valueOf(part))
                .divide(BigInteger.valueOf(parts))
                .longValueExact();
    }

    /** Returns the next number of splitmix64 whose state is {@code z}. */
    static long mix(long z) {
        long mixed = z + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }

    /** Goes to the next record; returns false at the end. */
    boolean next() {
        long index = done;
        if (isOver()) {
            return false;
        }
        writes = false;
        switch (job.test()) {
            case WRITE, REWRITE -> writes = true;
            case RANDOM_WRITE -> {
                writes = true;
                index = permuted(index);
            }
            case RANDOM_READ -> index = permuted(index);
            case MIXED -> {
                writes = Long.remainderUnsigned(mix(keys[ROUNDS] + index), 100) >= job.mixPercent();
                index = permuted(index);
            }
            case BACKWARD -> index = records - 1 - index;
            case RECORD_REWRITE -> {
                writes = true;
                index = 0;
            }
            case STRIDED -> {
                if (at >= records) {
                    start++;
                    at = start;
                }
                index = at;
                at = job.stride() > Long.MAX_VALUE - index ? Long.MAX_VALUE : index + job.stride();
            }
            case SOLVER -> {
                long pass = start % SOLVER_CYCLE;
                writes = pass == 0;
                boolean backward = pass == 2 || pass == 4;
                index = backward ? records - 1 - at : leftOut() + at;
                at++;
            }
            case INTERLEAVED -> {
                long part = (records + STREAMS - 1) / STREAMS;
                do {
                    index = at % STREAMS * part + at / STREAMS;
                    at++;
                } while (index >= records);
            }
            case NESTED -> {
                do {
                    index = nested();
                } while (index >= records);
            }
            case ZIPF -> index = popular(index);
            case LOOP -> index = index % records;
            case READ, REREAD -> {}
        }
        done++;
        record = firstRecord + index;
        digest = mix(digest ^ record * 2 + (writes ? 1 : 0));
        return true;
    }

    private boolean isOver() {
        return switch (job.test()) {
            case SOLVER -> isSolved();
            case LOOP -> done == LOOPS * records;
            default -> done == records;
        };
    }

    /**
     * Returns the next record of nested strides. A row has four records, four apart. One row of
     * each block is taken, then another row of each. The record may lie behind the last one of the
     * section.
     */
    private long nested() {
        long blocks = (records + NESTED_BLOCK - 1) / NESTED_BLOCK;
        long row = start % NESTED_STEP + start / NESTED_STEP * (NESTED_STEP * NESTED_ROW);
        long index = at / NESTED_ROW * NESTED_BLOCK + row + at % NESTED_ROW * NESTED_STEP;
        if (++at == blocks * NESTED_ROW) {
            at = 0;
            start++;
        }
        return index;
    }

    /**
     * Draws a rank from 1 on, where the ranks from each power of two up to the next are together as
     * likely as those of any other, and returns the record of this rank.
     */
    private long popular(long index) {
        int powers = Long.SIZE - Long.numberOfLeadingZeros(records);
        long drawn = mix(keys[ROUNDS] + index);
        int power = (int) Long.remainderUnsigned(drawn, powers);
        long rank = (1L << power) + (mix(drawn) & (1L << power) - 1);
        return permuted((rank - 1) % records);
    }

    /** Goes to the next pass at the end of one; returns true after the last one. */
    private boolean isSolved() {
        if (at == records - leftOut()) {
            at = 0;
            start++;
        }
        return records == 0 || start == SOLVER_PASSES;
    }

    /** Returns how many records at the beginning a solver's pass leaves out. */
    private long leftOut() {
        return start == SOLVER_SHORT || start == SOLVER_SHORT + 1 ? records / 3 : 0;
    }

    /**
     * Permutes by a Feistel network on the next power of four, repeated until the result is inside.
     */
    private long permuted(long index) {
        long mask = (1L << halfBits) - 1;
        long walked = index;
        do {
            long left = walked >>> halfBits;
            long right = walked & mask;
            for (int i = 0; i < ROUNDS; i++) {
                long next = left ^ mix(keys[i] ^ right) & mask;
                left = right;
                right = next;
            }
            walked = left << halfBits | right;
        } while (walked >= records);
        return walked;
    }

    /** Returns the number of the file, from 0. */
    int file() {
        return file;
    }

    /** Returns the record that {@link #next} went to, counted from the beginning of the file. */
    long record() {
        return record;
    }

    long offset() {
        return record * job.recordBytes();
    }

    /** Returns whether the record is written, not read. */
    boolean writes() {
        return writes;
    }

    /** Returns a number that is the same for the same records in the same order. */
    long digest() {
        return digest;
    }
}
