package io.mio.cli.simulate;

/**
 * What a configuration does, or would do.
 *
 * @param rule the configuration
 * @param timeNanos from the first call to the end of the last one; -1 if not known
 * @param stallNanos time in which calls waited for the device, of all threads
 * @param stalls how often
 * @param counts of the caches; null without a cache
 * @param memoryBytes of all caches at the same time
 * @param best what no cache of this size can do better, or null if not known
 * @param bestNanos time of that, if every fetch is done while the program is busy; -1 if not known
 */
public record Outcome(
        Rule rule,
        long timeNanos,
        long stallNanos,
        long stalls,
        PageCounts counts,
        long memoryBytes,
        Best best,
        long bestNanos) {
    /**
     * The clairvoyant optimum.
     *
     * @param fetches pages that have to be fetched at least
     * @param hitShare of the pages that were wanted; -1 if none was
     * @param readBytes of these, what the program wanted
     */
    public record Best(long fetches, double hitShare, long readBytes) {}
}
