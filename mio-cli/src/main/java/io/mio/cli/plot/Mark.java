package io.mio.cli.plot;

/**
 * Something to draw: an event, or several at once.
 *
 * @param series index in {@link RunPlot#series}
 * @param shape how it lies
 * @param startNanos since time zero
 * @param endNanos at least startNanos
 * @param offset bytes; -1 where there is none, as of an open
 * @param offsetEnd bytes; of an event offset + bytes delivered (of a page: concerned); -1 where
 *     there is none
 * @param events how many it stands for; 1 of {@link Shape#EVENT}
 * @param bytes delivered by all of them together; of page events: concerned
 * @param busyNanos sum of their durations
 * @param longestNanos longest of their durations
 * @param thread number of their thread; -1 of several threads
 * @param code of a call {@link io.mio.stats.TraceOperation#ordinal}, of a page event {@link
 *     io.mio.events.PageOperation#code}: of a request for a page that of its begin, which tells why
 *     it was made; of several: that of the first
 * @param requested of one event: bytes asked for, -1 if not known; of several -1
 * @param errno of one event that failed, else 0
 * @param number of one event: its asynchronous number, or the frame of the cache; else 0
 * @param process number of the process of the (first) event
 */
public record Mark(
        int series,
        Shape shape,
        long startNanos,
        long endNanos,
        long offset,
        long offsetEnd,
        long events,
        long bytes,
        long busyNanos,
        long longestNanos,
        long thread,
        int code,
        long requested,
        int errno,
        long number,
        long process) {}
