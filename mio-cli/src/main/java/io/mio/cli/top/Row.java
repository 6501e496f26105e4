package io.mio.cli.top;

/**
 * One line of the table: a process, one of its files, or everything.
 *
 * @param pid number of the process; 0 for everything
 * @param program name of the program
 * @param file name of the file; "" for a process
 * @param killed whether the process is gone, so that this is the last state
 * @param door {@code native} or {@code jvm}; "" for everything
 * @param totals counted since the open of each file that is open
 * @param growth over the interval; null where there is none: at the first reading, and for a killed
 *     process
 * @param auto what {@code pf/auto} does with the file, in the last of several opens; "" where there
 *     is none
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
