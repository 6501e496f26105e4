package io.mio.pf;

/**
 * Decides how many pages an open under {@code pf/auto} should have. It should have more once
 * reading pages again that had given way has cost as much as memory for all of them would. Pure.
 * Twin of {@code pf_growth.h}, held together by {@code twin/auto/growth.txt}.
 *
 * <p>One thread at a time.
 */
public final class PageGrowth {
    /**
     * Pages that have to have come back for each new one: memory that is touched for the first time
     * costs several page reads.
     */
    private static final int TIMES = 3;

    /** The cache grows by at least one frame for this many that it has. */
    private static final int LEAST = 2;

    /**
     * Requests for each page read above which page reads are little of the time, and nothing grows.
     */
    private static final int DENSE_REQUESTS = 200;

    /** The most memory that all caches of the process may have grown by, bytes. */
    private static final long GROWN_BYTES_MOST = 64 << 20;

    /** Pages that had come back when the cache grew last. */
    private long before;

    private boolean over;

    /** Stops all growth for good: memory could not be had. */
    void over() {
        over = true;
    }

    /**
     * Frames that the open should have.
     *
     * @param requests of the program since the last call
     * @param pageReads that these requests took
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
     * @param bytes that it would grow by
     * @param grownBytes that caches of the process have grown by so far
     * @param roomBytes memory that could keep pages of files
     */
    public static boolean mayGrow(long bytes, long grownBytes, long roomBytes) {
        return grownBytes + bytes <= Math.min(GROWN_BYTES_MOST, roomBytes / 4);
    }
}
