package io.mio.fs;

import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.os.LentMemory;
import io.mio.os.PlatformFile;
import io.mio.os.VirtualThreads;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.FileLockInterruptionException;
import java.nio.channels.NonReadableChannelException;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A file channel over layers, with the results and exceptions of the platform's.
 *
 * <p>The channel owns the position. Opened for append it has none: its position is the file's end
 * (provider reference A.3). Order of checks: arguments the platform refuses, closed, access, then,
 * under the position lock, interruption. A call that the platform would refuse never reaches a
 * layer.
 *
 * <p>A call with several buffers moves no byte unless the memory of all of them is still there.
 *
 * <p>Interruption costs one look at the thread's status, not the JDK's begin and end: those use one
 * slot per thread, which the platform channel below takes as soon as it blocks. When that channel
 * throws, this one is closed too. A layer that waits by itself must end the wait when it is closed,
 * and throw {@link ClosedByInterruptException} when interrupted.
 */
class MioFileChannel extends FileChannel {
    /**
     * Positions above this are set in the platform's channel at once: the kernel refuses those that
     * the file system cannot have, and the platform's channel reports that when it is moved there.
     */
    private static final long POSITION_SURE = 1L << 40;

    final PlatformFile file;
    final FileChannel inner;
    final Layer layer;
    final boolean readable;
    final boolean writable;
    final boolean append;

    /**
     * Held while the position is used or moved. Not a monitor: until JDK 24 a virtual thread that
     * waits for a monitor keeps its carrier, which the thread it waits for may need.
     */
    final ReentrantLock positionLock = new ReentrantLock();

    private volatile boolean ended;

    /** Bytes from the start of the file; without meaning when opened for append. */
    long position;

    /** Makes a channel with all methods of this JVM's {@link FileChannel}. */
    static FileChannel over(PlatformFile file, Layer layer, int oflags) {
        return ChannelMaker.OF_THIS_JVM.make(file, layer, oflags);
    }

    /** Takes over the file and the layers; {@code oflags} tell what may be done. */
    MioFileChannel(PlatformFile file, Layer layer, int oflags) {
        this.file = file;
        this.inner = file.channel();
        this.layer = layer;
        this.readable = OpenFlags.reads(oflags);
        this.writable = OpenFlags.writes(oflags);
        this.append = (oflags & OpenFlags.APPEND) != 0;
    }

    @Override
    public int read(ByteBuffer dst) throws IOException {
        checkReadable();
        positionLock.lock();
        try {
            begin(dst);
            int bytes = layer.rests() ? inner.read(dst, position) : layer.read(dst, position);
            if (bytes > 0) {
                position += bytes;
            }
            return bytes;
        } catch (ClosedChannelException e) {
            throw follow(e);
        } finally {
            positionLock.unlock();
        }
    }

    @Override
    public long read(ByteBuffer[] dsts, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, dsts.length);
        checkReadable();
        positionLock.lock();
        try {
            checkRunning();
            for (int i = offset; i < offset + length; i++) {
                checkTakesBytes(dsts[i]);
                LentMemory.check(dsts[i]);
            }
            RepeatedBuffers repeated = RepeatedBuffers.of(dsts, offset, length, true);
            long bytes =
                    repeated == null
                            ? layer.read(dsts, offset, length, position)
                            : layer.read(repeated.parts, 0, length, position);
            if (bytes > 0) {
                position += bytes;
            }
            if (repeated != null) {
                repeated.moved();
            }
            return bytes;
        } catch (ClosedChannelException e) {
            throw follow(e);
        } finally {
            positionLock.unlock();
        }
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        Objects.requireNonNull(dst);
        checkNotNegative(offset, "Negative position");
        checkReadable();
        begin(dst);
        try {
            if (layer.rests()) {
                return inner.read(dst, offset);
            }
            layer.seek(offset);
            return layer.read(dst, offset);
        } catch (ClosedChannelException e) {
            throw follow(e);
        }
    }

    @Override
    public int write(ByteBuffer src) throws IOException {
        checkWritable();
        positionLock.lock();
        try {
            checkRunning();
            int bytes = layer.write(src, append ? Layer.APPEND : position);
            if (bytes > 0) {
                position += bytes;
            }
            return bytes;
        } catch (ClosedChannelException e) {
            throw follow(e);
        } finally {
            positionLock.unlock();
        }
    }

    @Override
    public long write(ByteBuffer[] srcs, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, srcs.length);
        checkWritable();
        positionLock.lock();
        try {
            checkRunning();
            for (int i = offset; i < offset + length; i++) {
                LentMemory.check(srcs[i]);
            }
            RepeatedBuffers repeated = RepeatedBuffers.of(srcs, offset, length, false);
            long at = append ? Layer.APPEND : position;
            long bytes =
                    repeated == null
                            ? layer.write(srcs, offset, length, at)
                            : layer.write(repeated.parts, 0, length, at);
            if (bytes > 0) {
                position += bytes;
            }
            if (repeated != null) {
                repeated.moved();
            }
            return bytes;
        } catch (ClosedChannelException e) {
            throw follow(e);
        } finally {
            positionLock.unlock();
        }
    }

    /** Linux sends positional writes to a file opened for append to its end (pwrite(2), bugs). */
    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        Objects.requireNonNull(src);
        checkNotNegative(offset, "Negative position");
        checkWritable();
        checkRunning();
        try {
            if (append && src.remaining() > Long.MAX_VALUE - offset) {
                // Nothing is written: the kernel refuses such an offset before it goes to the end.
                return inner.write(src, offset);
            }
            layer.seek(offset);
            return layer.write(src, append ? Layer.APPEND : offset);
        } catch (ClosedChannelException e) {
            throw follow(e);
        }
    }

    @Override
    public long position() throws IOException {
        checkOpen();
        positionLock.lock();
        try {
            checkRunning();
            if (!append) {
                return position;
            }
            return layer.size();
        } catch (ClosedChannelException e) {
            throw follow(e);
        } finally {
            positionLock.unlock();
        }
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        checkOpen();
        checkNotNegative(newPosition, null);
        positionLock.lock();
        try {
            checkRunning();
            if (newPosition > POSITION_SURE) {
                file.positioned(newPosition, () -> null);
            }
            layer.seek(newPosition);
            position = newPosition;
            return this;
        } catch (ClosedChannelException e) {
            throw follow(e);
        } finally {
            positionLock.unlock();
        }
    }

    @Override
    public long size() throws IOException {
        checkOpen();
        checkRunning();
        try {
            return layer.size();
        } catch (ClosedChannelException e) {
            throw follow(e);
        }
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        checkOpen();
        checkNotNegative(size, "Negative size");
        checkWritable();
        positionLock.lock();
        try {
            checkRunning();
            layer.truncate(size);
            position = Math.min(position, size);
            return this;
        } catch (ClosedChannelException e) {
            throw follow(e);
        } finally {
            positionLock.unlock();
        }
    }

    @Override
    public void force(boolean metadata) throws IOException {
        checkOpen();
        checkRunning();
        try {
            layer.flush(metadata);
        } catch (ClosedChannelException e) {
            throw follow(e);
        }
    }

    @Override
    public long transferTo(long offset, long count, WritableByteChannel target) throws IOException {
        checkOpen();
        return ChannelTransfer.to(this, offset, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long offset, long count)
            throws IOException {
        checkOpen();
        return ChannelTransfer.from(this, source, offset, count);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long offset, long size) throws IOException {
        Layer.IoCall<MappedByteBuffer> call = () -> inner.map(mode, offset, size);
        return size > Integer.MAX_VALUE || mode == null
                ? call.call()
                : ChannelMapping.made(this, mode, offset, size, call);
    }

    @Override
    public FileLock lock(long offset, long size, boolean shared) throws IOException {
        checkLockable(shared);
        try {
            return held(
                    MioFileLock.taken(layer, offset, size, () -> inner.lock(offset, size, shared)));
        } catch (ClosedByInterruptException e) {
            closeAfter(e);
            FileLockInterruptionException interruption = new FileLockInterruptionException();
            interruption.initCause(e);
            throw interruption;
        } catch (FileLockInterruptionException e) {
            closeAfter(e);
            throw e;
        } catch (ClosedChannelException e) {
            throw follow(e);
        }
    }

    @Override
    public FileLock tryLock(long offset, long size, boolean shared) throws IOException {
        checkLockable(shared);
        try {
            return held(
                    MioFileLock.taken(
                            layer, offset, size, () -> inner.tryLock(offset, size, shared)));
        } catch (ClosedChannelException e) {
            throw follow(e);
        }
    }

    private void checkLockable(boolean shared) throws IOException {
        if (shared) {
            checkReadable();
        } else {
            checkWritable();
        }
    }

    private FileLock held(FileLock lock) {
        return lock == null ? null : new MioFileLock(this, layer, lock);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        try {
            layer.close();
        } finally {
            try {
                inner.close();
            } finally {
                ended = true;
            }
        }
    }

    /** True once a close is complete; {@link #isOpen} is false as soon as a close begins. */
    final boolean hasEnded() {
        return ended;
    }

    private void begin(ByteBuffer dst) throws IOException {
        checkRunning();
        checkTakesBytes(dst);
    }

    private static void checkTakesBytes(ByteBuffer dst) {
        if (dst.isReadOnly()) {
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    private static void checkNotNegative(long value, String message) {
        if (value < 0) {
            throw new IllegalArgumentException(message);
        }
    }

    private void checkOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    private void checkReadable() throws ClosedChannelException {
        checkOpen();
        if (!readable) {
            throw new NonReadableChannelException();
        }
    }

    private void checkWritable() throws ClosedChannelException {
        checkOpen();
        if (!writable) {
            throw new NonWritableChannelException();
        }
    }

    /** Does what the JDK's begin and end do for a call that has not blocked yet. */
    private void checkRunning() throws ClosedChannelException {
        if (Thread.currentThread().isInterrupted()) {
            ClosedByInterruptException interruption = new ClosedByInterruptException();
            closeAfter(interruption);
            throw interruption;
        }
        if (!isOpen()) {
            throw new AsynchronousCloseException();
        }
    }

    /**
     * Closes this channel after the one below. This channel was open when the call began, so a
     * plain "closed" from below means that another thread closed it meanwhile.
     */
    final ClosedChannelException follow(ClosedChannelException e) {
        closeAfter(e);
        return e.getClass() == ClosedChannelException.class ? new AsynchronousCloseException() : e;
    }

    /** Closes this channel if the one below was closed. */
    final void followInner(IOException e) {
        if (!inner.isOpen()) {
            closeAfter(e);
        }
    }

    final void closeAfter(IOException e) {
        if (!isOpen() && VirtualThreads.holdsCarrier()) {
            // Another thread closes it, and the JDK would have this one wait in a monitor.
            return;
        }
        try {
            close();
        } catch (IOException failure) {
            e.addSuppressed(failure);
        }
    }
}
