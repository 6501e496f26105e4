package io.mio.cli.stats;

/**
 * The figures from which on something is worth a note. docs/commands/stats.md lists all of them.
 */
enum Threshold {
    /** Mean bytes of a request below which it is a tiny one. */
    TINY_REQUEST_BYTES(4096),
    /** Calls on a file from which on tiny requests matter. */
    TINY_REQUEST_CALLS(1000),
    /** Bytes of a file that go backward, are strided or are random, in percent of all. */
    PATTERN_PERCENT(20),
    /** Least bytes that go backward, are strided or are random. */
    PATTERN_BYTES(1 << 20),
    /** Seeks on a file. */
    SEEKS(1000),
    /** Seeks on a file, in percent of the reads and writes. */
    SEEKS_PERCENT(50),
    /** Bytes read by a process, in percent of the file's largest size. */
    READ_AGAIN_PERCENT(150),
    /** Least bytes that are read beyond the size of the file. */
    READ_AGAIN_BYTES(1 << 20),
    /** Pages read ahead that nobody asked for, in percent of those read ahead. */
    UNUSED_PREFETCH_PERCENT(10),
    /** Least pages read ahead that nobody asked for. */
    UNUSED_PREFETCHES(50),
    /** Time lost in waiting, in percent of the time in I/O. */
    WAIT_PERCENT(10),
    /** Least time lost in waiting, in milliseconds. */
    WAIT_MILLISECONDS(100),
    /** Bytes between pf and the system, in percent of those between the program and pf. */
    AMPLIFICATION_PERCENT(120),
    /** Least bytes that pf moves more than the program does. */
    AMPLIFICATION_BYTES(1 << 20),
    /** Forces to the device (fsync). */
    FSYNCS(10),
    /** Time in forces to the device, in percent of the time in I/O including them. */
    FSYNC_PERCENT(20),
    /** Pages written at once because of ill-formed writes. */
    FORCED_SYNCS(1),
    /** Ill-formed or misaligned direct requests. */
    ILL_FORMED(1),
    /** Calls that failed. */
    ERRORS(1),
    /** Opens of one file by a process. */
    OPENS(100),
    /** Calls that made a file longer. */
    EXTENSIONS(1000),
    /** Calls that made a file longer, in percent of the writes. */
    EXTENSION_PERCENT(90),
    /** Mean bytes of a write below which extending piece by piece matters. */
    EXTENSION_BYTES(1 << 16);

    private final long value;

    Threshold(long value) {
        this.value = value;
    }

    long value() {
        return value;
    }

    /** Returns true from the threshold on; false for what is not known. */
    boolean isReachedBy(long figure) {
        return figure >= value;
    }

    /**
     * Returns true if the part is at least so many percent of the whole; false if one is not known.
     */
    boolean isReachedBy(long part, long whole) {
        return part >= 0 && whole > 0 && (double) part * 100 >= (double) whole * value;
    }
}
