package io.mio.events;

/**
 * A decision of a cache layer: of {@code pf/auto}, or whether there is a plan.
 *
 * @param file id of the {@link EventFile} of a trace layer of the open it is about
 * @param process the process whose decision it is
 * @param thread number of the thread
 * @param nanos time of the decision, since time zero ({@link EventHeader#realtimeNanos})
 * @param what a word, as in docs/format/stats.md
 * @param reason in words
 */
public record EventDecision(
        int file, long process, long thread, long nanos, String what, String reason) {}
