package io.mio.os;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.NonReadableChannelException;
import java.util.function.LongSupplier;

/**
 * The last layer over the platform's output stream, which takes bytes in order, from 0 or at the
 * end of the file. After a failed write only the stream knows its position, and takes what comes
 * next there.
 */
final class OutputLayer extends OsLayer {
    private static final int CHUNK_BYTES = 64 * 1024;

    private final OutputStream out;
    private final LongSupplier size;
    private long written;
    private long sizeBytes;
    private volatile boolean lost;

    OutputLayer(OutputStream out, String name, long sizeBytes, LongSupplier size) {
        super(name);
        this.out = out;
        this.sizeBytes = sizeBytes;
        this.size = size;
    }

    @Override
    public boolean isInOrder() {
        return true;
    }

    @Override
    public boolean knowsPlace() {
        return !lost;
    }

    @Override
    public int read(ByteBuffer dst, long offset) {
        throw new NonReadableChannelException();
    }

    @Override
    public synchronized int write(ByteBuffer src, long offset) throws IOException {
        if (offset != APPEND && offset != written && !lost) {
            throw new IOException(
                    name()
                            + ": write at offset "
                            + offset
                            + ", but this stream is at "
                            + written
                            + " and takes bytes in order");
        }
        int total = src.remaining();
        boolean done = false;
        try {
            hand(src);
            done = true;
        } finally {
            if (!done) {
                lost = true;
            }
        }
        written += total;
        sizeBytes = offset == APPEND ? sizeBytes + total : Math.max(sizeBytes, written);
        return total;
    }

    private void hand(ByteBuffer src) throws IOException {
        int total = src.remaining();
        if (src.hasArray()) {
            out.write(src.array(), src.arrayOffset() + src.position(), total);
            src.position(src.limit());
        } else {
            byte[] chunk = new byte[Math.min(total, CHUNK_BYTES)];
            while (src.hasRemaining()) {
                int bytes = Math.min(src.remaining(), chunk.length);
                src.get(chunk, 0, bytes);
                out.write(chunk, 0, bytes);
            }
        }
    }

    /** The size by the file's name; if that leads elsewhere, by what was written here. */
    @Override
    public long size() {
        long now = size.getAsLong();
        synchronized (this) {
            return now < 0 ? sizeBytes : now;
        }
    }

    @Override
    public void truncate(long size) {
        throw new UnsupportedOperationException(name() + ": a stream cannot be cut");
    }

    /** A stream cannot reach the device; what was written is with the kernel. */
    @Override
    public void flush(boolean metadata) throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
