package io.mio.os;

import io.mio.layer.FrameMemory;
import io.mio.layer.FrameRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The memory of all caches of the process. It is the helper's arena, which advises huge pages, is
 * not copied on fork and does not count as the JVM's direct memory; else direct buffers of the JVM.
 */
public final class FrameArena implements FrameMemory {
    private static final FrameArena MEMORY = new FrameArena();
    private static final int SLAB_BYTES = 1 << 30;

    /** Bytes that {@link #haveAtHand} touches at a time. */
    private static final int HAND_BYTES = 64 << 20;

    /** Bytes taken from the helper, by the address of the first frame. */
    private final ConcurrentHashMap<Long, Long> taken = new ConcurrentHashMap<>();

    private FrameArena() {}

    /** The process's arena. */
    public static FrameMemory memory() {
        return MEMORY;
    }

    @Override
    public FrameRange take(int count, int bytes) {
        if (count < 1 || bytes < 1 || bytes % Limits.FRAME_BYTES != 0) {
            throw new IllegalArgumentException(count + " frames of " + bytes + " bytes");
        }
        boolean ofHelper = NativeHelper.load().isAvailable();
        long address = ofHelper ? fromHelper((long) count * bytes) : 0;
        int perSlab = Math.max(1, SLAB_BYTES / bytes);
        List<ByteBuffer> slabs = new ArrayList<>();
        for (int at = 0; at < count; at += perSlab) {
            long slabBytes = (long) Math.min(perSlab, count - at) * bytes;
            slabs.add(
                    ofHelper
                            ? NativeCalls.memory(address + (long) at * bytes, (int) slabBytes)
                            : fromJvm(slabBytes));
        }
        return new Slabs(slabs, perSlab, count, bytes);
    }

    private long fromHelper(long bytes) {
        long address = NativeCalls.takeMemory(bytes);
        if (address == 0) {
            throw new OutOfMemoryError("no memory for a cache of " + bytes + " bytes");
        }
        taken.put(address, bytes);
        return address;
    }

    private static ByteBuffer fromJvm(long bytes) {
        long alignedBytes = bytes + Limits.FRAME_BYTES;
        if (alignedBytes > Integer.MAX_VALUE) {
            throw new OutOfMemoryError("no frame of " + bytes + " bytes in the JVM's memory");
        }
        return ByteBuffer.allocateDirect((int) alignedBytes).alignedSlice(Limits.FRAME_BYTES);
    }

    /** Buffers as large as is allowed, with whole frames in each. */
    private record Slabs(List<ByteBuffer> slabs, int perSlab, int count, int frameBytes)
            implements FrameRange {
        @Override
        public ByteBuffer frame(int at) {
            return slabs.get(at / perSlab).slice(at % perSlab * frameBytes, frameBytes);
        }
    }

    /**
     * Makes memory ready for measurements: touches it and gives it back. A host takes memory back
     * that a virtual machine has not used for seconds, and returns it page by page, which would be
     * counted for its next user.
     *
     * @param bytes wanted; at most half of what this process may have is touched
     * @return bytes that were touched; 0 without the helper, because the garbage collector decides
     *     when a JVM's memory is given back
     */
    public static long haveAtHand(long bytes) {
        if (!NativeHelper.load().isAvailable()) {
            return 0;
        }
        long most = Math.min(bytes, NativeCalls.room() / 2);
        List<FrameRange> pieces = new ArrayList<>();
        long touched = 0;
        try {
            while (touched + HAND_BYTES <= most) {
                FrameRange piece = MEMORY.take(1, HAND_BYTES);
                pieces.add(piece);
                ByteBuffer frame = piece.frame(0);
                for (int at = 0; at < HAND_BYTES; at += Limits.FRAME_BYTES) {
                    frame.put(at, (byte) 1);
                }
                touched += HAND_BYTES;
            }
        } catch (OutOfMemoryError e) {
            // There is no more memory; what was touched counts.
        }
        pieces.forEach(MEMORY::give);
        return touched;
    }

    /** Gives back a range, which must be one that {@link #take} gave. */
    @Override
    public void give(FrameRange frames) {
        if (taken.isEmpty()) {
            // The garbage collector frees the JVM's own memory.
            return;
        }
        long address = NativeCalls.address(frames.frame(0));
        Long bytes = taken.remove(address);
        if (bytes != null) {
            NativeCalls.giveMemory(address, bytes);
        }
    }
}
