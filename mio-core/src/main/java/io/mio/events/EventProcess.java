package io.mio.events;

/**
 * A process that wrote events.
 *
 * @param process its number
 * @param parent number of its parent
 * @param door {@link EventFormat#NATIVE} or {@link EventFormat#JVM}
 * @param beganNanos when it began to write, since time zero
 * @param program its name
 */
public record EventProcess(long process, long parent, int door, long beganNanos, String program) {}
