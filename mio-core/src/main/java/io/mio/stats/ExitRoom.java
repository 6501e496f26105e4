package io.mio.stats;

/**
 * Room on the heap for the work at the end of the JVM. A program may end because its heap is full,
 * and what it has written must be handed over even then.
 */
final class ExitRoom {
    /**
     * G1 has room again only where a whole region is free. A larger array than half a region has
     * one to itself. The JVM makes some 2048 regions of the heap, of 1 MiB to 32 MiB each.
     */
    private static final long REGIONS = 2048;

    private static final long REGION_BYTES_MIN = 1 << 20;
    private static final long REGION_BYTES_MAX = 32 << 20;

    /** A small heap keeps more than this part for the program. */
    private static final long PART_MAX = 16;

    @SuppressWarnings("UnusedVariable") // only held
    private static volatile byte[] room;

    private ExitRoom() {}

    /** Takes the room; does nothing where the heap has none, or where it is taken. */
    static synchronized void take() {
        if (room == null) {
            try {
                room = new byte[bytes(Runtime.getRuntime().maxMemory())];
            } catch (OutOfMemoryError e) {
                // As without it.
                return;
            }
        }
    }

    /** Gives the room to whoever needs it next. */
    static void give() {
        room = null;
    }

    private static int bytes(long heapBytes) {
        long region = Math.min(Math.max(heapBytes / REGIONS, REGION_BYTES_MIN), REGION_BYTES_MAX);
        return (int) Math.min(region / 2 + 1, heapBytes / PART_MAX);
    }
}
