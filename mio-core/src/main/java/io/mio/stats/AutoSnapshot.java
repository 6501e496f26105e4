package io.mio.stats;

import io.mio.stats.TraceSnapshot.Event;
import java.util.List;

/**
 * What {@code pf/auto} did for one open file, at one moment.
 *
 * @param event why the snapshot was taken
 * @param file name as the program gave it
 * @param tag text before every line of the classic form; "" for none
 * @param unit unit of the report
 * @param openedNanos when the file was opened, since the library started
 * @param nowNanos when the snapshot was taken, since the library started
 * @param state what it does now: {@code looking}, {@code hints}, {@code kernel}, {@code random},
 *     {@code cached} or {@code pages}
 * @param looks requests that were looked at
 * @param hints ranges that the kernel was told of
 * @param hintBytes bytes of these
 * @param cached how often a range to be told was in the kernel's cache already
 * @param decisions the first decisions, in their order
 * @param moreDecisions number of decisions that followed
 */
public record AutoSnapshot(
        Event event,
        String file,
        String tag,
        ByteUnit unit,
        long openedNanos,
        long nowNanos,
        String state,
        long looks,
        long hints,
        long hintBytes,
        long cached,
        List<Decision> decisions,
        long moreDecisions)
        implements StatsBlock {
    /**
     * A decision.
     *
     * @param nanos when, since the library started
     * @param what a word: one of the states, {@code no-pages} or {@code folios}
     * @param reason in words
     */
    public record Decision(long nanos, String what, String reason) {}

    @Override
    public String classic() {
        return AutoReport.classic(this);
    }
}
