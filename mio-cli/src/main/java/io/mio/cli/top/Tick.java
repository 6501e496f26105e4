package io.mio.cli.top;

import java.time.Instant;
import java.util.List;

/**
 * All that can be shown at one moment. Rows are in the order of the readings, decisions with the
 * last one first.
 *
 * @param time time of the reading
 * @param seconds seconds since the reading before; 0 for the first
 * @param total sum of all running processes
 * @param unrecorded layers that programs have no space to show
 */
public record Tick(
        Instant time,
        double seconds,
        Row total,
        List<Row> processes,
        List<Row> files,
        List<DecisionRow> decisions,
        long unrecorded) {
    /** Returns the number of processes that are gone. */
    public long killedCount() {
        return processes.stream().filter(Row::killed).count();
    }
}
