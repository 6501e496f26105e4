package io.mio.cli.bench;

import java.util.Locale;

/**
 * The tests, by IOzone's names. The place in this list is part of the seeds of a test, and the same
 * in {@code bench_job.h}.
 */
public enum BenchTest {
    WRITE(0, "", "write", false, true),
    REWRITE(0, "", "rewrite", false, true),
    READ(1, "", "read", true, false),
    REREAD(1, "", "reread", true, false),
    RANDOM_READ(2, "random", "read", true, false),
    RANDOM_WRITE(2, "random", "write", false, true),
    BACKWARD(3, "bkwd", "read", true, false),
    RECORD_REWRITE(4, "record", "rewrite", false, true),
    STRIDED(5, "stride", "read", true, false),
    MIXED(8, "random", "mix", true, true),
    /** What an out-of-core solver does to a scratch file; not an IOzone test. */
    SOLVER(-1, "", "solver", true, true),
    /** Eight readers in turns, each with an eighth of the records; not an IOzone test. */
    INTERLEAVED(-1, "8", "streams", true, false),
    /** Strides of strides, as down the columns of blocks; not an IOzone test. */
    NESTED(-1, "nested", "read", true, false),
    /** A few records often, many seldom; not an IOzone test. */
    ZIPF(-1, "zipf", "read", true, false),
    /** Forward three times; not an IOzone test. */
    LOOP(-1, "loop", "read", true, false);

    private final int number;
    private final String above;
    private final String heading;
    private final boolean reads;
    private final boolean writes;

    BenchTest(int number, String above, String heading, boolean reads, boolean writes) {
        this.number = number;
        this.above = above;
        this.heading = heading;
        this.reads = reads;
        this.writes = writes;
    }

    /** Returns the name, for example {@code random-read}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns IOzone's number, which some tests share; -1 if it is not one of IOzone's. */
    public int number() {
        return number;
    }

    /** Returns the first line of IOzone's heading of the column; may be empty. */
    String above() {
        return above;
    }

    /** Returns the second line of IOzone's heading. */
    String heading() {
        return heading;
    }

    /** Returns whether the test begins with an empty file, which it fills before it reads. */
    boolean isFilling() {
        return this == WRITE || this == SOLVER;
    }

    boolean isReading() {
        return reads;
    }

    boolean isWriting() {
        return writes;
    }

    /**
     * Returns how much of the bytes that the test reads of a cold file the device has to deliver.
     */
    long coldBytes(long bytes) {
        return switch (this) {
            case LOOP -> bytes / 3;
            // About a quarter of the records are read, and less of a very large file.
            case ZIPF -> bytes / 16;
            default -> bytes;
        };
    }

    /** Returns the test of that name; null if there is none. */
    public static BenchTest of(String id) {
        for (BenchTest test : values()) {
            if (test.id().equals(id)) {
                return test;
            }
        }
        return null;
    }
}
