package io.mio.cli.simulate;

import io.mio.layer.FrameMemory;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Memory of simulated caches: all frames are the same bytes, which nobody looks at. */
final class SharedFrame implements FrameMemory {
    static final FrameMemory MEMORY = new SharedFrame();

    /** What a page takes beside its frame, and as much again for all else. */
    private static final int HELD_BYTES = 600;

    private SharedFrame() {}

    @Override
    public ByteBuffer[] take(int count, int bytes) {
        if (count > Runtime.getRuntime().maxMemory() / HELD_BYTES) {
            // Found out early: the collector would try for minutes.
            throw new OutOfMemoryError(count + " pages");
        }
        ByteBuffer[] frames = new ByteBuffer[count];
        Arrays.fill(frames, ByteBuffer.allocateDirect(bytes));
        return frames;
    }

    @Override
    public void give(ByteBuffer[] frames) {}
}
