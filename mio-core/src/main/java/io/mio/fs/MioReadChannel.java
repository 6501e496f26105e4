package io.mio.fs;

import io.mio.layer.Layer;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A channel that only reads and that no interrupt closes. {@code Files.readAllBytes} protects the
 * platform's channel from interrupts, but recognises that channel by its class (provider reference,
 * finding 3). This one lies over the platform's input stream, or over what page requests need.
 */
final class MioReadChannel implements SeekableByteChannel {
    private final Closeable inner;
    private final Layer layer;

    /** {@link MioFileChannel#positionLock} says why this is not a monitor. */
    private final ReentrantLock lock = new ReentrantLock();

    private long position;
    private volatile boolean closed;

    /** Takes over the layers, and {@code inner}, opened by the platform and closed last. */
    MioReadChannel(Closeable inner, Layer layer) {
        this.inner = inner;
        this.layer = layer;
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        lock.lock();
        try {
            checkOpen();
            if (dst.isReadOnly()) {
                throw new IllegalArgumentException("Read-only buffer");
            }
            int bytes = layer.read(dst, position);
            if (bytes > 0) {
                position += bytes;
            }
            return bytes;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        checkOpen();
        throw new NonWritableChannelException();
    }

    @Override
    public long position() throws IOException {
        lock.lock();
        try {
            checkOpen();
            return position;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public SeekableByteChannel position(long newPosition) throws IOException {
        lock.lock();
        try {
            checkOpen();
            if (newPosition < 0) {
                throw new IllegalArgumentException();
            }
            layer.seek(newPosition);
            position = newPosition;
            return this;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public long size() throws IOException {
        checkOpen();
        return layer.size();
    }

    @Override
    public SeekableByteChannel truncate(long size) throws IOException {
        checkOpen();
        throw new NonWritableChannelException();
    }

    @Override
    public boolean isOpen() {
        return !closed;
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
