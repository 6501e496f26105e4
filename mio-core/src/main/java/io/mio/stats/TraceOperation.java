package io.mio.stats;

/**
 * What a trace layer counts, in the order in which the report prints it (reference 4.3). {@code
 * fsync} and {@code mmap} are additions of this MIO: the original's report has no row for them.
 */
public enum TraceOperation {
    /** Opens. */
    OPEN("open", Shape.TIMED),
    /** Synchronous writes. */
    WRITE("write", Shape.TRANSFER),
    /** Asynchronous writes; the time is that of submission. */
    AWRITE("awrite", Shape.ASYNCHRONOUS),
    /** Synchronous reads. */
    READ("read", Shape.TRANSFER),
    /** Asynchronous reads; the time is that of submission. */
    AREAD("aread", Shape.ASYNCHRONOUS),
    /** Moves of the position, and requests that name their offset (reference 4.4 h). */
    SEEK("seek", Shape.TIMED),
    /** Locks taken and released. */
    FCNTL("fcntl", Shape.TIMED),
    /** Calls that ask for the size. */
    FSTAT("fstat", Shape.TIMED),
    /** Flushes to the device. */
    FSYNC("fsync", Shape.TIMED),
    /** Mappings made; reads and writes through them are not seen. */
    MMAP("mmap", Shape.TIMED),
    /** Truncations. */
    TRUNC("trunc", Shape.TIMED),
    /** Closes. */
    CLOSE("close", Shape.TIMED);

    /** Columns of a row. */
    enum Shape {
        TIMED,
        TRANSFER,
        ASYNCHRONOUS
    }

    private final String label;
    private final Shape shape;

    TraceOperation(String label, Shape shape) {
        this.label = label;
        this.shape = shape;
    }

    /** Name of the row. */
    public String label() {
        return label;
    }

    /** True for reads and writes of either kind. */
    public boolean isTransfer() {
        return shape != Shape.TIMED;
    }

    /** True for the two operations whose completion somebody may wait for. */
    public boolean isAsynchronous() {
        return shape == Shape.ASYNCHRONOUS;
    }

    /** True for writes of either kind. */
    public boolean isWrite() {
        return this == WRITE || this == AWRITE;
    }
}
