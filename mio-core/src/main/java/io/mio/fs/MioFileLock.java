package io.mio.fs;

import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock the platform holds, reported as a lock of MIO's channel: the platform's own lock names the
 * channel below, and only that object can release the lock (provider reference A.3).
 */
final class MioFileLock extends FileLock {
    private final Layer layer;
    private final FileLock inner;

    /** {@link MioFileChannel#positionLock} says why this is not a monitor. */
    private final ReentrantLock releasing = new ReentrantLock();

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

    /**
     * Takes a lock by {@code call}, and tells the layers.
     *
     * @return the platform's lock, or null if there is none
     * @throws IOException of the call, or of what follows it; then the lock has been released
     */
    static FileLock taken(Layer layer, long offset, long size, Layer.IoCall<FileLock> call)
            throws IOException {
        FileLock[] taken = new FileLock[1];
        try {
            return layer.around(
                    Layer.Bypass.LOCK,
                    offset,
                    size,
                    () -> {
                        taken[0] = call.call();
                        return taken[0];
                    });
        } catch (IOException | RuntimeException | Error e) {
            giveBack(taken[0], e);
            throw e;
        }
    }

    /** Releases a lock that the program does not get because of {@code reason}. */
    static void giveBack(FileLock lock, Throwable reason) {
        try {
            if (lock != null) {
                lock.release();
            }
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    @Override
    public boolean isValid() {
        return inner.isValid();
    }

    @Override
    public void release() throws IOException {
        releasing.lock();
        try {
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
        } finally {
            releasing.unlock();
        }
    }
}
