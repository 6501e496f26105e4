package io.mio.events;

import java.nio.ByteOrder;

/**
 * What the header of an events file says.
 *
 * @param order byte order of its numbers
 * @param minor version of the format
 * @param process that made the file
 * @param door {@link EventFormat#NATIVE} or {@link EventFormat#JVM}
 * @param realtimeNanos time zero of all events, since 1970 (UTC)
 * @param monotonicNanos the same by the clock that {@link System#nanoTime} shows there
 * @param limitBytes most bytes the file may have
 * @param claimedBlocks blocks that processes have claimed
 * @param dropped events that were not recorded, when this was read
 * @param program that made the file
 * @param host where the file was made
 * @param library version of MIO
 */
public record EventHeader(
        ByteOrder order,
        int minor,
        long process,
        int door,
        long realtimeNanos,
        long monotonicNanos,
        long limitBytes,
        long claimedBlocks,
        long dropped,
        String program,
        String host,
        String library) {}
