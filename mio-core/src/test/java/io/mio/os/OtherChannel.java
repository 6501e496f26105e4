package io.mio.os;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Future;

/** A channel of the program that does what the platform's does, except where a test changes it. */
class OtherChannel extends AsynchronousFileChannel {
    final AsynchronousFileChannel platform;

    OtherChannel(Path file) throws IOException {
        platform =
                AsynchronousFileChannel.open(
                        file, StandardOpenOption.READ, StandardOpenOption.WRITE);
    }

    @Override
    public void force(boolean metadata) throws IOException {
        platform.force(metadata);
    }

    @Override
    public long size() throws IOException {
        return platform.size();
    }

    @Override
    public AsynchronousFileChannel truncate(long size) throws IOException {
        return platform.truncate(size);
    }

    @Override
    public <A> void lock(
            long position,
            long size,
            boolean shared,
            A attachment,
            CompletionHandler<FileLock, ? super A> handler) {
        platform.lock(position, size, shared, attachment, handler);
    }

    @Override
    public Future<FileLock> lock(long position, long size, boolean shared) {
        return platform.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return platform.tryLock(position, size, shared);
    }

    @Override
    public <A> void read(
            ByteBuffer dst,
            long position,
            A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        platform.read(dst, position, attachment, handler);
    }

    @Override
    public Future<Integer> read(ByteBuffer dst, long position) {
        return platform.read(dst, position);
    }

    @Override
    public <A> void write(
            ByteBuffer src,
            long position,
            A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        platform.write(src, position, attachment, handler);
    }

    @Override
    public Future<Integer> write(ByteBuffer src, long position) {
        return platform.write(src, position);
    }

    @Override
    public boolean isOpen() {
        return platform.isOpen();
    }

    @Override
    public void close() throws IOException {
        platform.close();
    }
}
