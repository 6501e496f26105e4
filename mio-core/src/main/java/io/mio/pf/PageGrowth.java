package io.mio.pf;

/**
 * How many pages an open under {@code pf/auto} should have: more, once reading pages again that had
 * given way has cost as much as memory for all of them does. Pure. Twin of {@code pf_growth.h},
 * held together by {@code twin/auto/growth.txt}.
 *
 * <p>One thread at a time.
 */
public final class PageGrowth {
    /**
     * So often each new page has to have come back: memory that is touched for the first time costs
     * several page reads.
     */
    private static final int TIMES = 3;

    /** It grows by this part of what it has at least. */
    private static final int LEAST = 2;

    /** Requests for each page read: with more of them page reads are little of the time. */
    private static final int DENSE_REQUESTS = 200;

    /** Memory that all caches of the process may have grown by, bytes. */
    private static final long GROWN_BYTES_MOST = 64 << 20;

    /** What had come back when the cache grew last. */
    private long before;

    private boolean over;

    /** Memory could not be had: never again. */
    void over() {
        over = true;
    }

    /**
     * Frames that there should be.
     *
     * @param requests of the program since it was asked last
     * @param pageReads that these took
     * @param cameBack pages that came back so far which had given way a short while before
     * @param frames that there are
     * @param working pages that the program reads from, as far as there may be frames for them
     */
    int wanted(long requests, long pageReads, long cameBack, int frames, int working) {
        boolean isDense = pageReads * DENSE_REQUESTS < requests;
        long more = (long) working - frames;
        if (over || isDense || more * LEAST < frames || cameBack - before < TIMES * more) {
            return frames;
        }
        before = cameBack;
        return working;
    }

    /**
     * Whether a cache may grow.
     *
     * @param bytes by so much
     * @param grownBytes what caches of the process have grown by
     * @param roomBytes memory that could keep pages of files
     */
    public static boolean mayGrow(long bytes, long grownBytes, long roomBytes) {
        return grownBytes + bytes <= Math.min(GROWN_BYTES_MOST, roomBytes / 4);
    }
}
