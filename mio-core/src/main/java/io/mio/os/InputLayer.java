package io.mio.os;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;

/**
 * The last layer over the platform's input stream. The stream's {@code skip} goes both ways, but
 * never past the end: it sets the position, and finds the size where {@code available} cannot tell
 * it.
 */
final class InputLayer extends OsLayer {
    private static final int CHUNK_BYTES = 64 * 1024;

    private final InputStream in;
    private long position;

    InputLayer(InputStream in, String name) {
        super(name);
        this.in = in;
    }

    @Override
    public synchronized int read(ByteBuffer dst, long offset) throws IOException {
        if (offset != position) {
            position += in.skip(offset - position);
            if (offset != position) {
                return dst.hasRemaining() ? -1 : 0;
            }
        }
        return dst.hasArray() ? readArray(dst) : readChunks(dst);
    }

    private int readArray(ByteBuffer dst) throws IOException {
        int at = dst.position();
        int bytes = in.read(dst.array(), dst.arrayOffset() + at, dst.remaining());
        if (bytes > 0) {
            dst.position(at + bytes);
            position += bytes;
        }
        return bytes;
    }

    private int readChunks(ByteBuffer dst) throws IOException {
        byte[] chunk = new byte[Math.min(dst.remaining(), CHUNK_BYTES)];
        int total = 0;
        while (dst.hasRemaining()) {
            int bytes = in.read(chunk, 0, Math.min(dst.remaining(), chunk.length));
            if (bytes < 0) {
                return total == 0 ? bytes : total;
            }
            dst.put(chunk, 0, bytes);
            position += bytes;
            total += bytes;
        }
        return total;
    }

    @Override
    public int write(ByteBuffer src, long offset) {
        throw new NonWritableChannelException();
    }

    @Override
    public synchronized long size() throws IOException {
        int rest = in.available();
        if (rest > 0 && rest < Integer.MAX_VALUE) {
            return position + rest;
        }
        long toEnd = in.skip(Long.MAX_VALUE);
        long size = position + toEnd;
        position = size + in.skip(-toEnd);
        return size;
    }

    @Override
    public void truncate(long size) {
        throw new NonWritableChannelException();
    }

    @Override
    public void flush(boolean metadata) {}

    @Override
    public void close() throws IOException {
        in.close();
    }
}
