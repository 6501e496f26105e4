package io.mio.cli.plot;

/**
 * The part of a run that is not in its events file.
 *
 * @param events events that the file had no room for
 * @param untimed how many of them are in no {@link Loss} with a time of its own
 * @param sample one call in so many was recorded, for the file of which fewest were; 1 if all were
 * @param stopped whether the file reached its limit, so that all events after {@link
 *     RunPlot#endNanos} are missing
 */
public record Unrecorded(long events, long untimed, long sample, boolean stopped) {}
