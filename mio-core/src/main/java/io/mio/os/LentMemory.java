package io.mio.os;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.Predicate;

/**
 * Memory of the program that lies in an arena. A buffer does not keep it: the program may end the
 * arena at any time, and in some arenas only one thread may touch the memory. The JVM enforces that
 * where it uses a buffer itself, but not where an address is taken and handed to the kernel. So the
 * bytes of such buffers are copied, in the program's thread.
 */
public final class LentMemory {
    /** Most bytes of a copy. */
    private static final int BYTES_MAX = 256 << 10;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private static volatile Predicate<ByteBuffer> known = buffer -> false;

    private LentMemory() {}

    /** Sets what tells lent memory; the JDK has a method for it from 22 on. */
    public static void known(Predicate<ByteBuffer> lent) {
        known = lent;
    }

    static boolean isLent(ByteBuffer buffer) {
        return buffer.isDirect() && known.test(buffer);
    }

    /**
     * Throws what the platform throws if the memory has ended, or is another thread's; touches none
     * of it.
     */
    public static void check(ByteBuffer buffer) {
        if (buffer.isDirect()) {
            NOTHING.put(0, buffer, 0, 0);
        }
    }

    /** Whether there are bytes to move: only then does the platform look at the memory. */
    private static boolean isToMove(ByteBuffer buffer) {
        if (!buffer.hasRemaining()) {
            return false;
        }
        check(buffer);
        return true;
    }

    /** One call that reads or writes as {@link BackendFile} does. */
    @FunctionalInterface
    interface Call {
        int bytes(ByteBuffer memory, long offset) throws IOException;
    }

    /** Reads through a copy until the buffer is full or the file ends; -1 at the end. */
    static int read(ByteBuffer dst, long offset, Call call) throws IOException {
        if (!isToMove(dst)) {
            return 0;
        }
        ByteBuffer copy = copyFor(dst);
        int done = 0;
        while (dst.hasRemaining()) {
            copy.clear().limit(Math.min(copy.capacity(), dst.remaining()));
            int wanted = copy.remaining();
            int bytes;
            try {
                bytes = call.bytes(copy, offset + done);
            } finally {
                dst.put(copy.flip());
            }
            if (bytes < 0) {
                return done == 0 ? -1 : done;
            }
            done += bytes;
            if (bytes < wanted) {
                break;
            }
        }
        return done;
    }

    /** Writes the whole buffer through a copy. */
    static int write(ByteBuffer src, long offset, Call call) throws IOException {
        if (!isToMove(src)) {
            return 0;
        }
        ByteBuffer copy = copyFor(src);
        int done = 0;
        while (src.hasRemaining()) {
            int wanted = Math.min(copy.capacity(), src.remaining());
            int from = src.position();
            copy.clear().put(0, src, from, wanted).limit(wanted);
            int bytes;
            try {
                bytes = call.bytes(copy, offset + done);
            } finally {
                src.position(from + copy.position());
            }
            done += bytes;
            if (bytes < wanted) {
                break;
            }
        }
        return done;
    }

    private static ByteBuffer copyFor(ByteBuffer buffer) {
        return ByteBuffer.allocate(Math.min(BYTES_MAX, buffer.remaining()));
    }
}
