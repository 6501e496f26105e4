package io.mio.cli.plot;

import java.util.Map;

/**
 * A file of the program, whatever the number of its opens; also one that was replaced under the
 * same path, and one opened under several paths that end in the same name.
 *
 * @param path as the program first gave it, unchecked text; of {@link #others} a description
 * @param others it stands for all files that have no line of their own
 * @param opens how often it was opened, by the uppermost layer
 * @param sizeBytes the largest it was seen: at an open, or by a transfer
 * @param touchedBegin least offset of what moved bytes, else of what has an offset; -1 without
 * @param touchedEnd where that ends, behind the last byte
 * @param pageBytes of its cache, 0 without
 * @param totals by stage, of those that saw the file
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
     * @param prefetched reads ahead and pages prepared
     * @param unused of these given up unused
     * @param busyNanos in which at least one read or write was under way, failed ones included
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
