package io.mio.fs;

import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/**
 * The buffers of one call in which a buffer occurs twice, for padding for example. The platform
 * takes each buffer's position and limit before any byte moves, so such a buffer is written, or
 * filled, as often as it occurs. Layers go from buffer to buffer and would find it used up the
 * second time, so they get a buffer for each occurrence.
 */
final class RepeatedBuffers {
    /** Up to this number each pair is compared; more are rare, and a set is used. */
    private static final int FEW = 16;

    private final ByteBuffer[] buffers;
    private final int from;
    private final int[] starts;
    private final boolean reads;

    /** The buffers that the layers get, from index 0 on. */
    final ByteBuffer[] parts;

    private RepeatedBuffers(ByteBuffer[] buffers, int from, int count, boolean reads) {
        this.buffers = buffers;
        this.from = from;
        this.reads = reads;
        this.starts = new int[count];
        this.parts = new ByteBuffer[count];
        for (int i = 0; i < count; i++) {
            ByteBuffer buffer = buffers[from + i];
            parts[i] =
                    isApart(buffer) ? ByteBuffer.allocate(buffer.remaining()) : buffer.duplicate();
            starts[i] = parts[i].position();
        }
    }

    /** Whether bytes go through other memory: those read into the heap do, as with the platform. */
    private boolean isApart(ByteBuffer buffer) {
        return reads && !buffer.isDirect();
    }

    /** Returns those of a read or a write; null if no buffer occurs twice. */
    static RepeatedBuffers of(ByteBuffer[] buffers, int from, int count, boolean reads) {
        return repeats(buffers, from, count)
                ? new RepeatedBuffers(buffers, from, count, reads)
                : null;
    }

    @SuppressWarnings("ReferenceEquality") // buffers are equal by their bytes
    private static boolean repeats(ByteBuffer[] buffers, int from, int count) {
        if (count > FEW) {
            return repeatsAmongMany(buffers, from, count);
        }
        for (int i = from + 1; i < from + count; i++) {
            for (int j = from; j < i; j++) {
                if (buffers[i] == buffers[j] && buffers[i].hasRemaining()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean repeatsAmongMany(ByteBuffer[] buffers, int from, int count) {
        Set<ByteBuffer> seen = Collections.newSetFromMap(new IdentityHashMap<>(count));
        for (int i = from; i < from + count; i++) {
            if (buffers[i].hasRemaining() && !seen.add(buffers[i])) {
                return true;
            }
        }
        return false;
    }

    /**
     * Moves the program's buffers as far as the platform moves them, after the call has succeeded.
     *
     * @throws BufferOverflowException if a buffer in the heap was to be filled twice
     */
    void moved() {
        for (int i = 0; i < parts.length; i++) {
            ByteBuffer buffer = buffers[from + i];
            ByteBuffer part = parts[i];
            if (part.position() == starts[i]) {
                continue;
            }
            if (isApart(buffer)) {
                buffer.put(part.flip());
            } else {
                buffer.position(part.position());
            }
        }
    }
}
