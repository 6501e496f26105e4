package io.mio.layer;

/** Where the memory of page frames comes from: one arena, aligned for direct I/O. */
public interface FrameMemory {
    /**
     * Takes the frames of one cache. Memory is given by the system when a frame is first used.
     *
     * @param count frames
     * @param bytes size of each, a multiple of 4096
     * @throws OutOfMemoryError if there is not so much
     */
    FrameRange take(int count, int bytes);

    /** Gives them back, once nobody uses them. A late reader would see zeros, never a fault. */
    void give(FrameRange frames);
}
