package io.mio.jfr;

/** What happened to a page. */
public enum PageKind {
    /** It was read ahead of the program; the time runs from the request to its end. */
    PREFETCH("prefetch"),
    /** It was read ahead and gave way before it was used. */
    PREFETCH_UNUSED("prefetch unused"),
    /** It was read while the program waited. */
    DEMAND_READ("demand read"),
    /** It was written while the program ran on; the time runs from the request to its end. */
    WRITE_BEHIND("write-behind"),
    /** It was written while the program waited. */
    WRITE("write"),
    /** It gave way to another page. */
    EVICT("evict"),
    /** The program waited for it, because a request for it was on its way. */
    WAIT("wait");

    private final String label;

    PageKind(String label) {
        this.label = label;
    }

    /** Word for it in the event. */
    String label() {
        return label;
    }
}
