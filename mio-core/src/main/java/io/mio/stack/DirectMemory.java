package io.mio.stack;

import io.mio.layer.FrameMemory;
import io.mio.layer.FrameRange;
import io.mio.os.FrameArena;
import io.mio.pf.DirectSizes;

/**
 * Memory of pages through which {@code pf/auto} reads files past the kernel's cache. All opens of
 * the process together may have a part of the memory that could keep files. An open takes its share
 * first; then one cache uses it, which may live longer than the open that made it. Twin of {@code
 * pf_direct_memory.h}.
 */
final class DirectMemory implements FrameMemory {
    /** Memory that all opens have, bytes; guarded by the class. */
    private static long usedBytes;

    private final long bytes;
    private boolean inUse;

    private DirectMemory(long bytes) {
        this.bytes = bytes;
    }

    /** Takes what one more open may have; null if that is nothing. */
    static synchronized DirectMemory take(DirectSizes sizes, long roomBytes) {
        long bytes = sizes.cacheBytes(roomBytes, usedBytes);
        usedBytes += bytes;
        return bytes == 0 ? null : new DirectMemory(bytes);
    }

    private static synchronized void giveBack(long bytes) {
        usedBytes -= bytes;
    }

    /** Memory that all opens have, bytes. */
    static synchronized long usedBytes() {
        return usedBytes;
    }

    long bytes() {
        return bytes;
    }

    /** Gives back what no cache uses: the file has pages already, or is to have none. */
    void giveBackUnused() {
        if (!inUse) {
            giveBack(bytes);
        }
    }

    @Override
    public FrameRange take(int count, int pageBytes) {
        FrameRange frames = FrameArena.memory().take(count, pageBytes);
        inUse = true;
        return frames;
    }

    @Override
    public void give(FrameRange frames) {
        FrameArena.memory().give(frames);
        giveBack(bytes);
    }
}
