package io.mio.os;

import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A platform channel and the only owner of its position.
 *
 * <p>The program's position lives at the door. The platform channel's own position is needed only
 * where the JDK has no positional call: several buffers at once, and transfers. Such calls come
 * here, so that two of them never move it under each other.
 */
public final class PlatformFile {
    private static final long UNKNOWN = -1;

    private final FileChannel channel;
    private long position;

    /** Takes over a channel that was just opened. */
    public PlatformFile(FileChannel channel) {
        this.channel = channel;
    }

    /** The platform's channel. Its position belongs to this object. */
    public FileChannel channel() {
        return channel;
    }

    /**
     * Runs {@code call} with the channel's own position at {@code offset} (bytes), or wherever it
     * is for {@link Layer#APPEND}.
     *
     * @throws IOException what the kernel says of an offset it cannot have, or what the call threw
     */
    public synchronized <T> T positioned(long offset, Layer.IoCall<T> call) throws IOException {
        place(offset);
        position = UNKNOWN;
        return call.call();
    }

    synchronized long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        place(offset);
        position = UNKNOWN;
        long bytes = channel.read(dsts, from, count);
        position = offset + Math.max(bytes, 0);
        return bytes;
    }

    synchronized long write(ByteBuffer[] srcs, int from, int count, long offset)
            throws IOException {
        place(offset);
        position = UNKNOWN;
        long bytes = channel.write(srcs, from, count);
        if (offset != Layer.APPEND) {
            position = offset + bytes;
        }
        return bytes;
    }

    /** Cuts the file, which moves the channel's own position back with the end. */
    synchronized void truncate(long size) throws IOException {
        position = UNKNOWN;
        channel.truncate(size);
    }

    private void place(long offset) throws IOException {
        if (offset != Layer.APPEND && offset != position) {
            channel.position(offset);
        }
    }
}
