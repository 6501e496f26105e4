package io.mio.os;

import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Semaphore;

/**
 * A few aligned direct buffers for bytes whose own memory a call cannot use: heap buffers, and
 * misaligned ones where direct I/O needs alignment. A thread that holds one waits for nothing but
 * its own call.
 */
final class Staging {
    private static final int BUFFERS = 8;
    private static final int BYTES = 256 << 10;

    private static final Semaphore PERMITS = new Semaphore(BUFFERS);
    private static final ArrayBlockingQueue<ByteBuffer> IDLE = new ArrayBlockingQueue<>(BUFFERS);

    private Staging() {}

    static ByteBuffer take() {
        PERMITS.acquireUninterruptibly();
        ByteBuffer buffer = IDLE.poll();
        if (buffer != null) {
            return buffer;
        }
        try {
            return ByteBuffer.allocateDirect(BYTES + Limits.FRAME_BYTES)
                    .alignedSlice(Limits.FRAME_BYTES);
        } catch (RuntimeException | Error e) {
            PERMITS.release();
            throw e;
        }
    }

    static void give(ByteBuffer buffer) {
        if (!IDLE.offer(buffer)) {
            throw new IllegalStateException("more given back than taken");
        }
        PERMITS.release();
    }
}
