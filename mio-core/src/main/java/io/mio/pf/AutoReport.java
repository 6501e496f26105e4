package io.mio.pf;

import io.mio.counters.CounterRecord;
import io.mio.layer.DecisionWatch;
import io.mio.stats.FileReport;

/** What {@code pf/auto} tells of one open: its report, and the same while it runs. */
public interface AutoReport extends FileReport.Source {
    /**
     * Shows what {@code pf/auto} does in the record of the trace layer above, until the report is
     * released.
     *
     * @param record null if there is none
     */
    void show(CounterRecord record);

    /**
     * Has decisions told to {@code watch}, those that were made before at once. To be called before
     * the layer is used.
     */
    void watch(DecisionWatch watch);
}
