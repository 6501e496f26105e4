package io.mio.fs;

import io.mio.layer.Layer;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An output stream over layers. Over the platform's own stream ({@link io.mio.os.OsLayer#ofOutput})
 * no interrupt ends it. A closed stream throws {@link ClosedChannelException}, as the platform's
 * does.
 */
final class MioOutputStream extends OutputStream {
    private final Closeable inner;
    private final Layer layer;

    /** {@link MioFileChannel#positionLock} says why this is not a monitor. */
    private final ReentrantLock lock = new ReentrantLock();

    private final boolean append;
    private final byte[] single = new byte[1];
    private ByteBuffer buffer = ByteBuffer.wrap(single);
    private long position;
    private boolean closed;

    /** Takes over the layers, and {@code inner}, opened by the platform and closed last. */
    MioOutputStream(Closeable inner, Layer layer, boolean append) {
        this.inner = inner;
        this.layer = layer;
        this.append = append;
    }

    @Override
    public void write(int b) throws IOException {
        lock.lock();
        try {
            single[0] = (byte) b;
            write(single, 0, 1);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        lock.lock();
        try {
            Objects.checkFromIndexSize(offset, length, bytes.length);
            if (length == 0) {
                return;
            }
            if (closed) {
                throw new ClosedChannelException();
            }
            if (buffer.array() != bytes) {
                buffer = ByteBuffer.wrap(bytes);
            }
            buffer.limit(offset + length).position(offset);
            while (buffer.hasRemaining()) {
                int written = layer.write(buffer, append ? Layer.APPEND : position);
                if (written <= 0) {
                    throw new IllegalStateException("no bytes written");
                }
                position += written;
            }
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
}
