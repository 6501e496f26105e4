package io.mio.layer;

/** The source of memory for page frames: one arena, aligned for direct I/O. */
public interface FrameMemory {
    /**
     * Takes the frames of one cache. The system provides the memory of a frame when it is first
     * used.
     *
     * @param count number of frames
     * @param bytes size of each, a multiple of 4096
     * @throws OutOfMemoryError if there is not enough memory
     */
    FrameRange take(int count, int bytes);

    /** Gives back frames that nobody uses any more. A late reader sees zeros, never a fault. */
    void give(FrameRange frames);
}
