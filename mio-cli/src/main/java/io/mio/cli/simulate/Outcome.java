package io.mio.cli.simulate;

/**
 * What a configuration does, or would do.
 *
 * @param rule the configuration
 * @param timeNanos from the first call to the end of the last one; -1 if not known
 * @param stallNanos time that calls waited for the device, all threads together; -1 if not known
 * @param stalls how often calls waited; -1 if not known
 * @param counts of the caches; null without a cache
 * @param memoryBytes memory of all caches that were there at the same time
 * @param takenBytes memory that all processes took for caches, also one process after the other: of
 *     each process the most at the same time
 * @param best what no cache of this size can do better; null if not known
 * @param bestNanos time of the best possible, if every fetch is done while the program is busy; -1
 *     if not known
 */
public record Outcome(
        Rule rule,
        long timeNanos,
        long stallNanos,
        long stalls,
        PageCounts counts,
        long memoryBytes,
        long takenBytes,
        Best best,
        long bestNanos) {
    /**
     * The clairvoyant optimum.
     *
     * @param fetches pages that have to be fetched at least
     * @param hitShare share of the wanted pages that needed no fetch, 0 to 1; -1 if none was wanted
     * @param readBytes of the fetched pages, the bytes that the program wanted
     */
    public record Best(long fetches, double hitShare, long readBytes) {}
}
