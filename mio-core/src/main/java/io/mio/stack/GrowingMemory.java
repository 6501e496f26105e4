package io.mio.stack;

import io.mio.layer.FrameMemory;
import io.mio.layer.FrameRange;
import io.mio.layer.KernelCache;
import io.mio.os.FrameArena;
import io.mio.pf.PageGrowth;

/**
 * Memory of the small pages that {@code pf/auto} takes: what the cache begins with, and more as
 * long as all caches of the process together leave enough to others.
 */
final class GrowingMemory implements FrameMemory {
    /** Memory that all caches have grown by, bytes; guarded by the class. */
    private static long grownBytes;

    private final KernelCache kernel;

    /** What the cache began with; set before any other thread knows the cache. */
    private FrameRange first;

    GrowingMemory(KernelCache kernel) {
        this.kernel = kernel;
    }

    private static synchronized void count(long bytes) {
        grownBytes += bytes;
    }

    private static synchronized boolean mayGrow(long bytes, long roomBytes) {
        boolean may = PageGrowth.mayGrow(bytes, grownBytes, roomBytes);
        grownBytes += may ? bytes : 0;
        return may;
    }

    /** Memory that all caches have grown by, bytes. */
    static synchronized long grownBytes() {
        return grownBytes;
    }

    @Override
    public FrameRange take(int count, int pageBytes) {
        if (first == null) {
            first = FrameArena.memory().take(count, pageBytes);
            return first;
        }
        long bytes = (long) count * pageBytes;
        if (!mayGrow(bytes, kernel.roomBytes())) {
            throw new OutOfMemoryError("the memory is left to others");
        }
        try {
            return FrameArena.memory().take(count, pageBytes);
        } catch (OutOfMemoryError e) {
            count(-bytes);
            throw e;
        }
    }

    @Override
    public void give(FrameRange frames) {
        FrameArena.memory().give(frames);
        if (frames != first) {
            count(-(long) frames.count() * frames.frameBytes());
        }
    }
}
