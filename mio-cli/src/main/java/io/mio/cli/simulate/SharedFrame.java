package io.mio.cli.simulate;

import io.mio.layer.FrameMemory;
import io.mio.layer.FrameRange;
import java.nio.ByteBuffer;

/**
 * Memory of simulated caches: the frames of all caches are the same bytes, whose content is never
 * used.
 */
final class SharedFrame implements FrameMemory {
    static final FrameMemory MEMORY = new SharedFrame();

    /** Heap bytes for each page: what it takes beside its frame, and as much again for all else. */
    private static final int HELD_BYTES = 600;

    /** As long as the largest page so far; the frames of smaller pages are its beginning. */
    private static ByteBuffer largest = ByteBuffer.allocateDirect(0);

    private SharedFrame() {}

    /** Number of pages that a cache can have with the heap that there is. */
    static long pagesMost() {
        return Runtime.getRuntime().maxMemory() / HELD_BYTES;
    }

    @Override
    public FrameRange take(int count, int bytes) {
        if (count > pagesMost()) {
            // Fail at once: the garbage collector would try for minutes.
            throw new OutOfMemoryError(count + " pages");
        }
        return new Range(count, bytes, frame(bytes));
    }

    private static synchronized ByteBuffer frame(int bytes) {
        if (largest.capacity() < bytes) {
            largest = ByteBuffer.allocateDirect(bytes);
        }
        return largest.slice(0, bytes);
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
