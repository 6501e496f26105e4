package io.mio.layer;

import java.nio.ByteBuffer;

/** Frames that were taken together. The buffer of a frame is made when it is asked for. */
public interface FrameRange {
    /** Number of frames. */
    int count();

    /** Size of each frame, bytes. */
    int frameBytes();

    /**
     * Returns a buffer over one of the frames; a new buffer on each call.
     *
     * @param at number of the frame in the range, 0-based
     * @return a direct buffer, aligned to at least 4096
     */
    ByteBuffer frame(int at);
}
