package io.mio.cli.top;

import java.time.Instant;
import java.util.List;

/**
 * What there is to show at one moment. Rows are in the order of the readings.
 *
 * @param time of the reading
 * @param seconds since the reading before; 0 for the first
 * @param total of all processes that run
 * @param unrecorded layers that programs have no space to show
 */
public record Tick(
        Instant time,
        double seconds,
        Row total,
        List<Row> processes,
        List<Row> files,
        long unrecorded) {
    /** Processes that are gone. */
    public long killedCount() {
        return processes.stream().filter(Row::killed).count();
    }
}
