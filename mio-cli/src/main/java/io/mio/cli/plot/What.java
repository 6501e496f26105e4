package io.mio.cli.plot;

/** What a mark stands for. */
public enum What {
    /** Calls that read. */
    READ("read"),
    /** Calls that wrote. */
    WRITE("write"),
    /** Asynchronous reads, from submission to completion. */
    ASYNC_READ("asynchronous read"),
    /** Asynchronous writes, from submission to completion. */
    ASYNC_WRITE("asynchronous write"),
    /** Calls that move no bytes: open, close, sync, ... */
    OTHER("other call"),
    /** Calls and requests of any kind that failed. */
    FAILED("failed"),

    /** A page is being read, from the issue of the read to its end. */
    PAGE_READING("page being read"),
    /** A page is resident: read ahead, and used before it was evicted. */
    PAGE_PREFETCHED("resident, read ahead"),
    /** A page is resident: read ahead, and evicted before anybody used it. */
    PAGE_UNUSED("resident, read ahead in vain"),
    /** A page is resident: read because the program needed it at once. */
    PAGE_DEMANDED("resident, read on demand"),
    /** A page is resident: made by writing. */
    PAGE_PREPARED("resident, made by writing"),
    /** A page is written, from the beginning of the write to its end. */
    PAGE_WRITING("page being written"),
    /** Bytes the program read were in the cache. */
    PAGE_HIT("hit"),
    /** Bytes the program read were not in the cache. */
    PAGE_MISS("miss"),
    /** The program waited for a request that was on its way. */
    PAGE_WAIT("wait for a prefetch"),
    /** A page was evicted for another one. */
    PAGE_EVICTED("evicted");

    private final String label;

    What(String label) {
        this.label = label;
    }

    /** Returns words for it. */
    public String label() {
        return label;
    }

    /** Returns true if it stands for calls or requests that move bytes. */
    public boolean isTransfer() {
        return ordinal() <= ASYNC_WRITE.ordinal();
    }

    /** Returns true if it stands for bytes from the file. */
    public boolean isRead() {
        return this == READ || this == ASYNC_READ;
    }

    /** Returns true if it stands for bytes to the file. */
    public boolean isWrite() {
        return this == WRITE || this == ASYNC_WRITE;
    }

    /** Returns true if it is drawn in the panel of cache pages. */
    public boolean isPage() {
        return ordinal() >= PAGE_READING.ordinal();
    }
}
