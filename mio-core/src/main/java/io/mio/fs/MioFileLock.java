package io.mio.fs;

import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;

/**
 * A lock the platform holds, reported as this library's channel's: the platform's own lock names
 * the channel below, and only it can give itself back (provider reference A.3).
 */
final class MioFileLock extends FileLock {
    private final Layer layer;
    private final FileLock inner;

    MioFileLock(FileChannel channel, Layer layer, FileLock inner) {
        super(channel, inner.position(), inner.size(), inner.isShared());
        this.layer = layer;
        this.inner = inner;
    }

    MioFileLock(AsynchronousFileChannel channel, Layer layer, FileLock inner) {
        super(channel, inner.position(), inner.size(), inner.isShared());
        this.layer = layer;
        this.inner = inner;
    }

    @Override
    public boolean isValid() {
        return inner.isValid();
    }

    @Override
    public synchronized void release() throws IOException {
        if (!acquiredBy().isOpen()) {
            throw new ClosedChannelException();
        }
        if (inner.isValid()) {
            layer.around(
                    Layer.Bypass.UNLOCK,
                    position(),
                    size(),
                    () -> {
                        inner.release();
                        return null;
                    });
        }
    }
}
