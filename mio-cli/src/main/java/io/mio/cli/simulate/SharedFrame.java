package io.mio.cli.simulate;

import io.mio.layer.FrameMemory;
import io.mio.layer.FrameRange;
import java.nio.ByteBuffer;

/** Memory of simulated caches: all frames are the same bytes, whose content is never used. */
final class SharedFrame implements FrameMemory {
    static final FrameMemory MEMORY = new SharedFrame();

    /** Heap bytes for each page: what it takes beside its frame, and as much again for all else. */
    private static final int HELD_BYTES = 600;

    private SharedFrame() {}

    @Override
    public FrameRange take(int count, int bytes) {
        if (count > Runtime.getRuntime().maxMemory() / HELD_BYTES) {
            // Fail at once: the garbage collector would try for minutes.
            throw new OutOfMemoryError(count + " pages");
        }
        return new Range(count, bytes, ByteBuffer.allocateDirect(bytes));
    }

    @Override
    public void give(FrameRange frames) {}

    private record Range(int count, int frameBytes, ByteBuffer shared) implements FrameRange {
        @Override
        public ByteBuffer frame(int at) {
            return shared;
        }
    }
}
