package io.mio.live;

import io.mio.stats.AutoSnapshot.Decision;
import java.util.List;

/**
 * What {@code pf/auto} does for an open at one moment, and what the layers of the cache have
 * decided for it.
 *
 * @param file name of the file, as in the block of its topmost trace layer
 * @param openedNanos as in that block, since the library of the program started
 * @param state {@code looking}, {@code hints}, {@code kernel}, {@code random}, {@code cached} or
 *     {@code pages}; docs/format/stats.md says what they mean; "" where there is no {@code pf/auto}
 * @param decisions the last ones, at most 16, in their order; times as for the open
 */
public record LiveAuto(String file, long openedNanos, String state, List<Decision> decisions) {}
