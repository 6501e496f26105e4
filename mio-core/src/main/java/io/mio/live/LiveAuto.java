package io.mio.live;

/**
 * What an open under {@code pf/auto} does at one moment.
 *
 * @param file name of the file, as in the block of its topmost trace layer
 * @param openedNanos as in that block, since the library of the program started
 * @param state {@code looking}, {@code hints}, {@code kernel}, {@code random}, {@code cached} or
 *     {@code pages}; docs/format/stats.md says what they mean
 */
public record LiveAuto(String file, long openedNanos, String state) {}
