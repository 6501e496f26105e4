package io.mio.cli.plot;

/**
 * All of a run at one level of detail. Totals of events, bytes and durations are the same at every
 * level.
 *
 * @param timeStepNanos no mark of several events hides differences in time larger than this; 0:
 *     every event has a mark of its own
 * @param offsetStepBytes the same for offsets
 * @param marks what to draw
 */
public record Level(long timeStepNanos, long offsetStepBytes, Marks marks) {
    /** Returns true if every event has a mark of its own. */
    public boolean isExact() {
        return timeStepNanos == 0 && offsetStepBytes == 0;
    }
}
