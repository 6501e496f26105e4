package io.mio.pf;

/**
 * How many pages an open under {@code pf/auto} should have: more, once reading pages again that had
 * given way has cost as much as memory for all of them does. Pure. Twin of {@code pf_growth.h},
 * held together by {@code twin/auto/growth.txt}.
 *
 * <p>One thread at a time.
 */
final class PageGrowth {
    /**
     * So often each new page has to have come back: memory that is touched for the first time costs
     * several page reads.
     */
    private static final int TIMES = 3;

    /** It grows by this part of what it has at least. */
    private static final int LEAST = 2;

    /** Requests for each page read: with more of them page reads are little of the time. */
    private static final int DENSE_REQUESTS = 200;

    private long requests;
    private long pageReads;

    /** What had come back when the cache grew last. */
    private long before;

    private boolean over;

    /** Memory could not be had: never again. */
    void over() {
        over = true;
    }

    /** Since it was asked last so many requests of the program have taken so many page reads. */
    void seen(long newRequests, long newPageReads) {
        requests = newRequests;
        pageReads = newPageReads;
    }

    /**
     * Frames that there should be.
     *
     * @param cameBack pages that came back so far which had given way a short while before
     * @param frames that there are
     * @param working pages that the program reads from, as far as there may be frames for them
     */
    int wanted(long cameBack, int frames, int working) {
        boolean isDense = pageReads * DENSE_REQUESTS < requests;
        long more = (long) working - frames;
        if (over || isDense || more * LEAST < frames || cameBack - before < TIMES * more) {
            return frames;
        }
        before = cameBack;
        return working;
    }
}
