package io.mio.stats;

import io.mio.stats.TraceSnapshot.Event;

/**
 * What a cache counted for one open file, or for all its files together, at one moment (reference
 * 4.5). The report of the last file to leave its cache has two blocks: its own, and the cache's.
 *
 * @param event why the snapshot was taken
 * @param file name as the program gave it; null where the block is that of the cache
 * @param cache number of the global cache, or {@link #PRIVATE}
 * @param below name of the last layer as typed, else {@code os}
 * @param tag text before every line of the classic form; "" for none
 * @param unit unit of the report
 * @param pages frames of the cache
 * @param pageBytes size of a page
 * @param sectorBytes smallest part of a page that is tracked
 * @param notPreread of {@code notPrereadForWrite}, pages that never had to be read after all
 * @param notPrereadForWrite pages not read in because the access that wanted them was a write
 * @param unusedPrefetches of {@code startedPrefetches}, pages that gave way before they were read
 * @param startedPrefetches pages read ahead
 * @param distance pages read ahead of a stream: the fixed number, or the largest distance reached
 *     where it adapts; 0 in the block of a cache, because the distance belongs to the file
 * @param writeBehinds asynchronous page writes
 * @param forcedSyncs pages written and read at once because of a write into parts of sectors
 * @param retainedPages pages kept over the close
 * @param program what came from above
 * @param child what went to the layer below, counted in page requests
 * @param details the rest, in the JSON only
 * @param plan how the reads of the file went by a plan; null where none was asked for, and in the
 *     block of a cache
 */
public record PfSnapshot(
        Event event,
        String file,
        int cache,
        String below,
        String tag,
        ByteUnit unit,
        long pages,
        long pageBytes,
        long sectorBytes,
        long notPreread,
        long notPrereadForWrite,
        long unusedPrefetches,
        long startedPrefetches,
        long distance,
        long writeBehinds,
        long forcedSyncs,
        long retainedPages,
        Transfers program,
        Transfers child,
        Details details,
        Plan plan)
        implements StatsBlock {
    /** Number of the cache of one file alone. */
    public static final int PRIVATE = -1;

    /**
     * Bytes moved and the requests that moved them, between two neighbours.
     *
     * @param bytesWritten towards the file
     * @param writes requests
     * @param bytesRead towards the program
     * @param reads requests
     */
    public record Transfers(long bytesWritten, long writes, long bytesRead, long reads) {}

    /**
     * Counters without a line in the classic text.
     *
     * @param hits pages that were there when the program wanted them
     * @param misses demand reads: pages the program had to wait for that were not requested before
     * @param partialReads requests for less than a page
     * @param prefetchWaits waits for pages that were still being read ahead
     * @param prefetchWaitNanos time lost in these waits
     * @param evictions pages that gave way to others
     * @param dirtyEvictions of these, pages that had to be written first
     * @param writeErrors page writes that failed
     * @param streams sequences recognised
     * @param gateWaits waits for the lock of the file
     * @param gateWaitNanos time lost in these waits
     * @param backend how page requests are done, for example {@code io_uring}
     * @param direct whether they go past the kernel's page cache
     */
    public record Details(
            long hits,
            long misses,
            long partialReads,
            long prefetchWaits,
            long prefetchWaitNanos,
            long evictions,
            long dirtyEvictions,
            long writeErrors,
            long streams,
            long gateWaits,
            long gateWaitNanos,
            String backend,
            boolean direct) {}

    /**
     * How the reads of a file went by the order of an earlier run (option {@code plan}).
     *
     * @param none why there is no plan, in words; null if there is one
     * @param follows whether the file goes by its plan now; false: the plan was left
     * @param pages visits of pages in the plan
     * @param place how many of these the run has behind it
     * @param requests reads that were looked up in the plan, since the file got its cache
     * @param followed of these, those that were where the plan said
     * @param left how often the plan was left since then
     * @param stray of the last {@code strayOf} requests that counted when the plan was left, or
     *     count for it now, those that were not near the place
     * @param strayOf requests
     */
    public record Plan(
            String none,
            boolean follows,
            long pages,
            long place,
            long requests,
            long followed,
            long left,
            long stray,
            long strayOf) {
        /**
         * There is no plan.
         *
         * @param reason in words
         */
        public static Plan none(String reason) {
            return new Plan(reason, false, 0, 0, 0, 0, 0, 0, 0);
        }

        /** What became of the plan: {@code followed}, {@code left} or {@code none}. */
        public String state() {
            return none != null ? "none" : follows ? "followed" : "left";
        }

        /** Why the plan is not followed, in words; null if it is. */
        public String reason() {
            if (none != null || follows) {
                return none;
            }
            return stray + " of " + strayOf + " requests were not near place " + place;
        }
    }

    /** True if the block is that of a cache, false if it is that of a file. */
    public boolean isOfCache() {
        return file == null;
    }

    @Override
    public String classic() {
        return PfReport.classic(this);
    }
}
