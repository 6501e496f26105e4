package io.mio.counters;

import java.lang.invoke.VarHandle;

/**
 * What {@code pf/auto} has decided for a file, and why, for other processes to see: the last
 * decisions, in a record of their own. Not safe for several threads. Twin of live_decisions.c.
 */
public final class ShownDecisions {
    /** Made with the first decision; null before, and where there is no record to be had. */
    private CounterRecord record;

    /**
     * Shows a decision.
     *
     * @param trace record of the trace layer that it is shown with, in use
     * @param what the decision, one word
     * @param reason in words
     */
    public void add(CounterRecord trace, String what, String reason) {
        if (record == null) {
            record = CounterFile.take(CounterLayout.DECISIONS, trace);
            if (record == null) {
                return;
            }
            record.show();
        }
        put(record, what, reason);
    }

    static void put(CounterRecord record, String what, String reason) {
        long count = record.get(CounterLayout.DECISION_COUNT);
        record.put(CounterLayout.DECISION_COUNT, count + 1);
        int place = (int) (count % CounterLayout.DECISIONS_KEPT);
        int at = CounterLayout.DECISION + place * CounterLayout.DECISION_BYTES;
        // A reader that finds the old text beside a number finds another number, or none, when it
        // reads once more.
        record.put(at + CounterLayout.DECISION_NUMBER, 0);
        VarHandle.releaseFence();
        record.put(at + CounterLayout.DECISION_NANOS, System.nanoTime());
        record.text(at + CounterLayout.DECISION_WHAT, CounterLayout.DECISION_WHAT_BYTES, what);
        record.text(
                at + CounterLayout.DECISION_REASON, CounterLayout.DECISION_REASON_BYTES, reason);
        VarHandle.releaseFence();
        record.put(at + CounterLayout.DECISION_NUMBER, count + 1);
    }

    /** Gives the record back. */
    public void release() {
        if (record != null) {
            record.give();
            record = null;
        }
    }
}
