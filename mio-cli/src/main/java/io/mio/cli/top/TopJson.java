package io.mio.cli.top;

import io.mio.cli.top.View.Rows;
import java.util.List;

/**
 * What {@code mio top} tells programs: one object per reading.
 *
 * @param time time of the reading, ISO 8601
 * @param seconds seconds since the reading before; 0 for the first, which has no growth
 * @param total sum of all running processes
 * @param files null unless asked for
 * @param decisions null unless asked for
 */
public record TopJson(
        String time,
        double seconds,
        Row total,
        List<Row> processes,
        List<Row> files,
        List<DecisionRow> decisions) {

    /** Returns the rows in the order of the view. */
    public static TopJson of(Tick tick, View view) {
        return new TopJson(
                tick.time().toString(),
                tick.seconds(),
                tick.total(),
                TopScreen.sorted(tick, view.withRows(Rows.PROCESSES)),
                view.rows() == Rows.FILES ? TopScreen.sorted(tick, view) : null,
                view.rows() == Rows.DECISIONS ? tick.decisions() : null);
    }
}
