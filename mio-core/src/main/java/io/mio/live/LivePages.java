package io.mio.live;

import io.mio.stats.PfSnapshot;

/**
 * The pages of a file, or a cache that files share, at one moment.
 *
 * @param counters what was counted; the file is null in the block of a cache
 * @param beganNanos when it began, since the library of the program started: with name and number
 *     of the cache this tells one from another
 * @param sizeBytes of the file, with what is in pages only; 0 for a cache
 * @param residentPages pages in frames
 * @param dirtyPages of these, dirty ones
 * @param requestsInFlight page requests on their way
 * @param threadsWaiting threads of the program that wait for a page request now
 */
public record LivePages(
        PfSnapshot counters,
        long beganNanos,
        long sizeBytes,
        long residentPages,
        long dirtyPages,
        long requestsInFlight,
        long threadsWaiting) {
    /** Bytes in dirty pages, at most. */
    public long dirtyBytes() {
        return dirtyPages * counters.pageBytes();
    }
}
