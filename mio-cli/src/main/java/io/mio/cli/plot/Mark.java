package io.mio.cli.plot;

/**
 * Something to draw: one event, or several together.
 *
 * @param series index in {@link RunPlot#series}
 * @param shape how it lies
 * @param startNanos since time zero
 * @param endNanos at least startNanos
 * @param offset bytes; -1 where there is none, as for an open
 * @param offsetEnd bytes; for an event offset + bytes delivered (for a page event: concerned); -1
 *     where there is none
 * @param events how many events it stands for; 1 for {@link Shape#EVENT}
 * @param bytes delivered by all of them together; for page events: concerned
 * @param busyNanos sum of their durations
 * @param longestNanos longest of their durations
 * @param thread number of their thread; -1 for several threads
 * @param code for a call {@link io.mio.stats.TraceOperation#ordinal}, for a page event {@link
 *     io.mio.events.PageOperation#code}. For a request for a page it is that of its begin, which
 *     tells why it was made; for several events that of the first
 * @param requested for one event: bytes asked for, -1 if not known; for several -1
 * @param errno for one event that failed, else 0
 * @param number for one event: its asynchronous number, or the frame of the cache; else 0
 * @param process number of their process; -1 for several processes
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
