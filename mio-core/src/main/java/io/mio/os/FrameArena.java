package io.mio.os;

import io.mio.layer.FrameMemory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The memory of all caches of the process: the helper's arena, which advises huge pages, is not
 * copied on fork and does not count as the JVM's direct memory; else direct buffers of the JVM.
 */
public final class FrameArena implements FrameMemory {
    private static final FrameArena MEMORY = new FrameArena();
    private static final int SLAB_BYTES = 1 << 30;

    /** What is touched at a time. */
    private static final int HAND_BYTES = 64 << 20;

    /** Bytes taken from the helper, by the address of the first frame. */
    private final ConcurrentHashMap<Long, Long> taken = new ConcurrentHashMap<>();

    private FrameArena() {}

    /** The process's arena. */
    public static FrameMemory memory() {
        return MEMORY;
    }

    @Override
    public ByteBuffer[] take(int count, int bytes) {
        if (count < 1 || bytes < 1 || bytes % Limits.FRAME_BYTES != 0) {
            throw new IllegalArgumentException(count + " frames of " + bytes + " bytes");
        }
        return NativeHelper.load().isAvailable() ? fromHelper(count, bytes) : slabs(count, bytes);
    }

    private ByteBuffer[] fromHelper(int count, int bytes) {
        long total = (long) count * bytes;
        long address = NativeCalls.takeMemory(total);
        if (address == 0) {
            throw new OutOfMemoryError("no memory for a cache of " + total + " bytes");
        }
        ByteBuffer[] frames = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            frames[i] = NativeCalls.memory(address + (long) i * bytes, bytes);
        }
        taken.put(address, total);
        return frames;
    }

    private static ByteBuffer[] slabs(int count, int bytes) {
        List<ByteBuffer> frames = new ArrayList<>(count);
        int perSlab = Math.max(1, SLAB_BYTES / bytes);
        while (frames.size() < count) {
            int now = Math.min(perSlab, count - frames.size());
            long slabBytes = (long) now * bytes + Limits.FRAME_BYTES;
            if (slabBytes > Integer.MAX_VALUE) {
                throw new OutOfMemoryError("no frame of " + bytes + " bytes in the JVM's memory");
            }
            ByteBuffer slab =
                    ByteBuffer.allocateDirect((int) slabBytes).alignedSlice(Limits.FRAME_BYTES);
            for (int i = 0; i < now; i++) {
                frames.add(slab.slice(i * bytes, bytes));
            }
        }
        return frames.toArray(new ByteBuffer[0]);
    }

    /**
     * Has memory at hand, for measurements: touches so much and gives it back. Hosts take memory
     * back that a virtual machine has not used for seconds, and give it again page by page, which
     * would be counted for who uses it next.
     *
     * @param bytes wanted; at most half of what this process may have is touched
     * @return bytes that were touched; 0 without the helper, as the collector decides when a JVM's
     *     memory is given back
     */
    public static long haveAtHand(long bytes) {
        if (!NativeHelper.load().isAvailable()) {
            return 0;
        }
        long most = Math.min(bytes, NativeCalls.room() / 2);
        List<ByteBuffer[]> pieces = new ArrayList<>();
        long touched = 0;
        try {
            while (touched + HAND_BYTES <= most) {
                ByteBuffer[] piece = MEMORY.take(1, HAND_BYTES);
                pieces.add(piece);
                for (int at = 0; at < HAND_BYTES; at += Limits.FRAME_BYTES) {
                    piece[0].put(at, (byte) 1);
                }
                touched += HAND_BYTES;
            }
        } catch (OutOfMemoryError e) {
            // Then that is what there is.
        }
        pieces.forEach(MEMORY::give);
        return touched;
    }

    /** The array has to be one that {@link #take} gave. */
    @Override
    public void give(ByteBuffer[] frames) {
        if (taken.isEmpty() || frames.length == 0) {
            // The collector takes back what is the JVM's own.
            return;
        }
        long address = NativeCalls.address(frames[0]);
        Long bytes = taken.remove(address);
        if (bytes != null) {
            NativeCalls.giveMemory(address, bytes);
        }
    }
}
