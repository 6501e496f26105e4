package io.mio.cli.stats;

/** From where on something is worth a note. All of them are listed in docs/commands/stats.md. */
enum Threshold {
    /** Mean request below which it is a tiny one. */
    TINY_REQUEST_BYTES(4096),
    /** Calls of a file from which tiny requests matter. */
    TINY_REQUEST_CALLS(1000),
    /** Of the bytes of a file, percent that go backward, or are strided, or are random. */
    PATTERN_PERCENT(20),
    /** Such bytes, at least. */
    PATTERN_BYTES(1 << 20),
    /** Seeks of a file. */
    SEEKS(1000),
    /** Seeks, in percent of the reads and writes. */
    SEEKS_PERCENT(50),
    /** Bytes read by a process, in percent of the file's largest size. */
    READ_AGAIN_PERCENT(150),
    /** Bytes read more than the file has, at least. */
    READ_AGAIN_BYTES(1 << 20),
    /** Pages read ahead for nothing, in percent of those read ahead. */
    UNUSED_PREFETCH_PERCENT(10),
    /** Such pages, at least. */
    UNUSED_PREFETCHES(50),
    /** Time lost in waiting, in percent of the time in I/O. */
    WAIT_PERCENT(10),
    /** Such time, at least, in milliseconds. */
    WAIT_MILLISECONDS(100),
    /** Bytes between pf and the system, in percent of those between the program and pf. */
    AMPLIFICATION_PERCENT(120),
    /** Bytes more, at least. */
    AMPLIFICATION_BYTES(1 << 20),
    /** Forces to the device. */
    FSYNCS(10),
    /** Time in them, in percent of the time in I/O with them. */
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
    /** Such calls, in percent of the writes. */
    EXTENSION_PERCENT(90),
    /** Mean write below which extending piece by piece matters. */
    EXTENSION_BYTES(1 << 16);

    private final long value;

    Threshold(long value) {
        this.value = value;
    }

    long value() {
        return value;
    }

    /** True from the threshold on; false for what is not known. */
    boolean isReachedBy(long figure) {
        return figure >= value;
    }

    /** True if the part is at least so many percent of the whole; false if one is not known. */
    boolean isReachedBy(long part, long whole) {
        return part >= 0 && whole > 0 && (double) part * 100 >= (double) whole * value;
    }
}
