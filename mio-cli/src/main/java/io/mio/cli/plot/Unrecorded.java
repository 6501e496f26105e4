package io.mio.cli.plot;

/**
 * What of a run is not in its events file.
 *
 * @param events that the file had no room for
 * @param untimed how many of them are in no {@link Loss} with a time of its own
 * @param sample one call in so many was recorded, of the file of which fewest were; 1 if all were
 * @param stopped the file reached its limit, and what came after {@link RunPlot#endNanos} is not
 *     there
 */
public record Unrecorded(long events, long untimed, long sample, boolean stopped) {}
