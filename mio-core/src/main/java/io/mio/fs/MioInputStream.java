package io.mio.fs;

import io.mio.layer.Layer;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An input stream over layers. Over the platform's own stream ({@link io.mio.os.OsLayer#ofInput})
 * no interrupt ends it. A closed stream throws {@link ClosedChannelException}, as the platform's
 * does.
 */
final class MioInputStream extends InputStream {
    /** Longest array every JVM can make. */
    private static final int ARRAY_BYTES_MAX = Integer.MAX_VALUE - 8;

    private final Closeable inner;
    private final Layer layer;

    /** {@link MioFileChannel#positionLock} says why this is not a monitor. */
    private final ReentrantLock lock = new ReentrantLock();

    private final byte[] single = new byte[1];
    private ByteBuffer buffer = ByteBuffer.wrap(single);
    private long position;
    private boolean closed;

    /** Takes over the layers, and {@code inner}, opened by the platform and closed last. */
    MioInputStream(Closeable inner, Layer layer) {
        this.inner = inner;
        this.layer = layer;
    }

    @Override
    public int read() throws IOException {
        lock.lock();
        try {
            return read(single, 0, 1) == 1 ? single[0] & 0xff : -1;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        lock.lock();
        try {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (length == 0) {
                return 0;
            }
            checkOpen();
            if (buffer.array() != bytes) {
                buffer = ByteBuffer.wrap(bytes);
            }
            buffer.limit(offset + length).position(offset);
            int delivered = layer.read(buffer, position);
            if (delivered > 0) {
                position += delivered;
            }
            return delivered;
        } finally {
            lock.unlock();
        }
    }

    /** Reads as many bytes as the size promises in one request, then what was added since. */
    @Override
    public byte[] readAllBytes() throws IOException {
        lock.lock();
        try {
            checkOpen();
            long rest = layer.size() - position;
            if (rest <= 0 || rest > ARRAY_BYTES_MAX) {
                return super.readAllBytes();
            }
            byte[] all = new byte[(int) rest];
            int filled = readNBytes(all, 0, all.length);
            if (filled < all.length) {
                return Arrays.copyOf(all, filled);
            }
            byte[] more = super.readAllBytes();
            if (more.length > ARRAY_BYTES_MAX - filled) {
                throw new OutOfMemoryError("Required array size too large");
            }
            if (more.length > 0) {
                all = Arrays.copyOf(all, filled + more.length);
                System.arraycopy(more, 0, all, filled, more.length);
            }
            return all;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int available() throws IOException {
        lock.lock();
        try {
            checkOpen();
            long rest = Math.max(layer.size() - position, 0);
            return (int) Math.min(rest, Integer.MAX_VALUE);
        } finally {
            lock.unlock();
        }
    }

    /** Skips in both directions, never past the end, as the platform's stream over a file does. */
    @Override
    public long skip(long count) throws IOException {
        lock.lock();
        try {
            checkOpen();
            long target = position + count;
            if (count > 0) {
                long size = layer.size();
                if (target < 0 || target > size) {
                    target = size;
                }
            } else {
                target = Math.max(target, 0);
            }
            layer.seek(target);
            long skipped = target - position;
            position = target;
            return skipped;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() throws IOException {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            try {
                layer.close();
            } finally {
                inner.close();
            }
        } finally {
            lock.unlock();
        }
    }

    private void checkOpen() throws ClosedChannelException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }
}
