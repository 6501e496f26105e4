package io.mio.cli.plot;

import java.util.Map;

/**
 * A file of the program, whatever the number of its opens. A file that was replaced under the same
 * path is one file, and so is one opened under several paths that end in the same name.
 *
 * @param path the path as the program first gave it, unchecked text; for {@link #others} a
 *     description
 * @param others whether it stands for all files that have no line of their own
 * @param opens how often it was opened, as the uppermost layer saw it
 * @param sizeBytes the largest size seen: at an open, or by a transfer
 * @param touchedBegin least offset of the events that moved bytes, else of those that have an
 *     offset; -1 without
 * @param touchedEnd end of this range, behind the last byte
 * @param pageBytes bytes of a page of its cache, 0 without a cache
 * @param totals by stage, for the stages that saw the file
 */
public record PlotFile(
        String path,
        boolean others,
        long opens,
        long sizeBytes,
        long touchedBegin,
        long touchedEnd,
        long pageBytes,
        Map<Stage, Totals> totals) {
    /**
     * What one stage saw of a file. Asynchronous requests count when they end.
     *
     * @param reads transfers
     * @param readBytes delivered
     * @param readNanos sum of durations
     * @param writes transfers
     * @param writeBytes delivered
     * @param writeNanos sum of durations
     * @param others calls that move no bytes
     * @param failed calls and requests, not counted elsewhere
     * @param hits of pages; misses, waits likewise
     * @param misses see hits
     * @param waits see hits
     * @param waitNanos time lost
     * @param prefetched pages read ahead and pages prepared
     * @param unused pages of these that were evicted unused
     * @param busyNanos time in which at least one read or write was under way, failed ones included
     */
    public record Totals(
            long reads,
            long readBytes,
            long readNanos,
            long writes,
            long writeBytes,
            long writeNanos,
            long others,
            long failed,
            long hits,
            long misses,
            long waits,
            long waitNanos,
            long prefetched,
            long unused,
            long busyNanos) {}
}
