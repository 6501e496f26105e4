package io.mio.layer;

import java.nio.ByteBuffer;

/** Frames that were taken together. The buffer of one is made when it is asked for. */
public interface FrameRange {
    /** How many. */
    int count();

    /** Size of each. */
    int frameBytes();

    /**
     * One of them; another buffer each time.
     *
     * @param at its number in the range, 0-based
     * @return a direct buffer, aligned to at least 4096
     */
    ByteBuffer frame(int at);
}
