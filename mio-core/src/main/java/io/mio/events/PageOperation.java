package io.mio.events;

/** What happens to a page of a cache. */
public enum PageOperation {
    /** Bytes that the program read were in a page. */
    HIT(1, "hit"),
    /** Bytes that the program read were in no page: it had to wait for a read made at once. */
    MISS(2, "miss"),
    /** A read ahead of the program begins. */
    PREFETCH_ISSUED(3, "prefetch issued"),
    /** A page is prepared for a write, without being read. */
    PREPARED(4, "prepared"),
    /** First use of a page that was read or prepared ahead. */
    PREFETCH_USED(5, "prefetch used"),
    /** A page that was read or prepared ahead gave way before it was used. */
    PREFETCH_UNUSED(6, "prefetch unused"),
    /** A read begins because the program needs the bytes now. */
    DEMAND_READ(7, "demand read"),
    /** A read ended. */
    ARRIVED(8, "arrived"),
    /** An asynchronous write of a page begins. */
    WRITE_BEHIND(9, "write-behind"),
    /** A write of a page ended. */
    WRITTEN(10, "written"),
    /** The page gave way to another one. */
    EVICT(11, "evict"),
    /** The page was given up: the file was closed, cut or changed by others. */
    DROPPED(12, "dropped"),
    /** The program waited for a request that was on its way. */
    WAIT(13, "wait"),
    /** The page has to give way and must be written first. */
    DIRTY_EVICT(14, "dirty evict");

    private static final PageOperation[] BY_CODE = new PageOperation[15];

    static {
        for (PageOperation operation : values()) {
            BY_CODE[operation.code] = operation;
        }
    }

    private final int code;
    private final String label;

    PageOperation(int code, String label) {
        this.code = code;
        this.label = label;
    }

    /** Number in the file. */
    public int code() {
        return code;
    }

    /** Words for it, for example {@code prefetch issued}. */
    public String label() {
        return label;
    }

    /** Returns the operation of this number, or null. */
    static PageOperation of(int code) {
        return code < BY_CODE.length ? BY_CODE[code] : null;
    }
}
