package io.mio.os;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A descriptor where there is no helper. It lies inside an asynchronous channel of the platform,
 * the only kind that no interrupt closes. The channel's executor runs requests in the caller's
 * thread.
 */
final class ChannelDescriptor extends Descriptor {
    private final AsynchronousFileChannel channel;
    private final FreeSpace space;

    ChannelDescriptor(AsynchronousFileChannel channel, FreeSpace space) {
        this.channel = channel;
        this.space = space;
    }

    @Override
    int number() {
        return -1;
    }

    @Override
    int read(ByteBuffer memory, int at, int length, long offset, int alignBytes, int flags)
            throws IOException {
        ByteBuffer part = memory.duplicate().limit(at + length).position(at);
        return Math.max(result(channel.read(part, offset)), 0);
    }

    @Override
    int write(ByteBuffer memory, int at, int length, long offset, int alignBytes, int flags)
            throws IOException {
        ByteBuffer part = memory.duplicate().limit(at + length).position(at);
        return result(channel.write(part, offset));
    }

    /** Result of a request that is done: there is no wait, which an interrupt would end. */
    private static int result(Future<Integer> done) throws IOException {
        try {
            return done.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException why) {
                throw why;
            }
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    long size() throws IOException {
        return channel.size();
    }

    @Override
    void truncate(long size) throws IOException {
        channel.truncate(size);
    }

    @Override
    void sync(boolean metadata) throws IOException {
        channel.force(metadata);
    }

    @Override
    boolean reserve(long offset, long bytes) throws IOException {
        if (!channel.isOpen()) {
            throw new ClosedChannelException();
        }
        return space.reserve(offset, bytes);
    }

    @Override
    void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // Says nothing about the bytes, see Descriptor.close.
            return;
        }
    }

    /** Runs each task at once, in the caller's thread. */
    static final class CallerRuns extends AbstractExecutorService {
        @Override
        public void execute(Runnable command) {
            command.run();
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return false;
        }
    }
}
