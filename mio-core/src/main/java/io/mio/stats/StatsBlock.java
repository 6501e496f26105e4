package io.mio.stats;

/** One block of a report: what one layer of one open file, or one cache, has to say. */
public sealed interface StatsBlock permits TraceSnapshot, PfSnapshot, AutoSnapshot {
    /** The classic text, lines ended, without separator. */
    String classic();
}
