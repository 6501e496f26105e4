package io.mio.cli.top;

/**
 * One line of the table: a process, a file of it, or everything.
 *
 * @param pid of the process; 0 for everything
 * @param program its name
 * @param file name of the file; "" for a process
 * @param killed the process is gone, and this is the last state
 * @param door {@code native} or {@code jvm}; "" for everything
 * @param totals counted since the open of each file that is open
 * @param growth over the interval; null where there is none: at the first reading, and of a killed
 *     process
 * @param auto what {@code pf/auto} does with the file, of several opens with the one opened last;
 *     "" where there is none
 */
public record Row(
        long pid,
        String program,
        String file,
        boolean killed,
        String door,
        Counters totals,
        Counters growth,
        Gauges gauges,
        String auto) {}
