package io.mio.cli.plot;

/**
 * A time in which events could not be recorded.
 *
 * @param startNanos since time zero
 * @param endNanos since time zero
 * @param events how many are missing
 */
public record Loss(long startNanos, long endNanos, long events) {}
