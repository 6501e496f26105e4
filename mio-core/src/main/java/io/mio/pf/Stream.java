package io.mio.pf;

/**
 * One sequence of requests that a program makes in a file, recognised by a {@link StreamTable}. A
 * stream is <em>dense</em> if whole pages are worth reading for it: it goes forward or backward
 * page by page (or in steps of {@code stride} pages). Else it is <em>sparse</em>: it wants a part
 * of the bytes, at a constant step, and only that part is read for it.
 */
final class Stream {
    /** The stream's way through the file. */
    enum Kind {
        FORWARD,
        BACKWARD,
        /** With a constant step; sparse. */
        STRIDED,
        /** By a {@link PagePlan}; such a stream is in no table. */
        PLANNED
    }

    /** All pages of a window of at most this many are touched at each step. */
    static final int SHORT_WINDOW = 64;

    private static final long LONG_AGO = Long.MIN_VALUE / 2;

    final Kind kind;

    /** Step of a sparse stream: signed bytes from one request's offset to the next one's. */
    final long step;

    /** The last request that was looked at, bytes. */
    long offset;

    long length;

    /** First and last page of that request. */
    long firstPage;

    long lastPage;

    /** The stream went on after it was recognised; until then it may be a guess. */
    boolean proven;

    /** Another stream has its slot: nothing that becomes of its pages counts any more. */
    boolean isOver;

    /** How many steps ahead are read. */
    int distance;

    private long enteredAt = -1;

    /** Dense: the farthest page ahead that was looked at. */
    private long front;

    /** Moves of pages in the cache when all pages of the window were touched last. */
    private long touchedAt = LONG_AGO;

    /** The most pages that the window has had since then. */
    private long touchedPages;

    /** All pages of the window are touched at this step. */
    private boolean touchesAll;

    // For pf/auto, see ReadHints.

    /**
     * End of the bytes that hints were given for; backward: their start; strided: the last place.
     * With a window of 0 there are none.
     */
    long hintedTo;

    /** Bytes in front of the program that get hints; strided: steps. */
    long hintWindow;

    /** Dense: where the program was at the last look, or -1. */
    long lookedAt = -1;

    /** When the stream was used last: a larger value is younger. */
    long usedAt;

    Stream(Kind kind, long step) {
        this.kind = kind;
        this.step = step;
    }

    /** Of the pages of a dense stream's last request, the foremost in its direction. */
    long foremostPage() {
        return kind == Kind.FORWARD ? lastPage : firstPage;
    }

    /** True once for each new place: readahead moves on when the stream enters a page. */
    boolean enters() {
        long place = isDense() ? foremostPage() : offset;
        boolean isNew = place != enteredAt;
        enteredAt = place;
        return isNew;
    }

    /**
     * The first step ahead to be looked at, for a dense stream that looks ahead. Pages in its
     * window count as touched at each step. Those of a long window are touched all together, each
     * time that a quarter of the frames beside it were moved, so that none of them gives way
     * meanwhile; in between, only what is new at its end is looked at.
     *
     * @param pages of the window
     * @param stride pages of a step
     * @param frames that pages give way in
     * @param moves of pages to the end of the line in which they give way, so far
     */
    int beginsWith(long pages, long stride, long frames, long moves) {
        touchedPages = Math.max(touchedPages, pages);
        touchesAll =
                pages <= SHORT_WINDOW
                        || stride > 1
                        || moves - touchedAt > (frames - touchedPages) / 4;
        if (touchesAll) {
            touchedPages = pages;
            front = foremostPage();
            return 1;
        }
        long ahead = kind == Kind.FORWARD ? front - lastPage : firstPage - front;
        return (int) Math.max(1, ahead + 1);
    }

    /**
     * A page of the window was looked at.
     *
     * @param moves as for {@link #beginsWith}; those of the window itself do not count
     */
    void lookedAhead(long page, long moves) {
        front = page;
        touchedAt = touchesAll ? moves : touchedAt;
    }

    /**
     * A page of the window was missing, or a part of it: next time all of the window is looked at.
     */
    void missed() {
        touchedAt = LONG_AGO;
    }

    /** The place that the stream entered last, for a dense stream a page; or -1. */
    long enteredAt() {
        return enteredAt;
    }

    boolean isDense() {
        return kind == Kind.FORWARD || kind == Kind.BACKWARD;
    }

    /** True if a request lies so near in front of the stream that it continues it. */
    boolean goesOn(long newOffset, long newLength, int pageBytes, int stride) {
        long reach = (long) stride * Math.max(1, distance);
        return switch (kind) {
            case FORWARD -> {
                long pages = newOffset / pageBytes - lastPage;
                yield pages >= 0 && pages <= reach && newOffset >= offset;
            }
            case BACKWARD -> {
                long pages = firstPage - (newOffset + newLength - 1) / pageBytes;
                yield pages >= 0 && pages <= reach && newOffset <= offset;
            }
            case STRIDED -> {
                long gone = newOffset - offset;
                yield gone % step == 0
                        && gone / step >= 1
                        && gone / step <= StreamTable.SKIPPED_STEPS_MAX;
            }
            case PLANNED -> false;
        };
    }

    void at(long newOffset, long newLength, int pageBytes) {
        offset = newOffset;
        length = newLength;
        firstPage = newOffset / pageBytes;
        lastPage = (newOffset + newLength - 1) / pageBytes;
    }
}
