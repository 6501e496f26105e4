package io.mio.live;

/**
 * What an open under {@code pf/auto} does at one moment.
 *
 * @param file name of the file, as in the block of its topmost trace layer
 * @param openedNanos likewise, since the library of the program started
 * @param state {@code looking}, {@code hints}, {@code kernel}, {@code random}, {@code cached} or
 *     {@code pages}; what they mean is in docs/format/stats.md
 */
public record LiveAuto(String file, long openedNanos, String state) {}
