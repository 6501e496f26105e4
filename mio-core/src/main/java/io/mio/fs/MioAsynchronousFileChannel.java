package io.mio.fs;

import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.Layer.Bypass;
import io.mio.layer.OpenFlags;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.CompletionHandler;
import java.nio.channels.FileLock;
import java.nio.channels.ShutdownChannelGroupException;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * An asynchronous file channel over layers, with the results and exceptions of the platform's.
 *
 * <p>A request that the platform would refuse, or answer without I/O, goes to it directly and never
 * reaches a layer. All others are submitted. Handlers run where the last layer completes the
 * requests, on the program's executor; on that executor, too, if the layers did a request in
 * another thread.
 *
 * <p>This class checks by itself whether the channel is closed, and does not rely on the platform's
 * channel: that one stays open until the layers have written to it what they hold.
 */
final class MioAsynchronousFileChannel extends AsynchronousFileChannel {
    private final AsynchronousFileChannel inner;
    private final Layer layer;
    private final Executor executor;
    private final Executor elsewhere;
    private final boolean readable;
    private final boolean writable;
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Takes over the channel and the layers; {@code oflags} tell what may be done.
     *
     * @param executor runs the handlers that no thread of the platform's would run
     */
    MioAsynchronousFileChannel(
            AsynchronousFileChannel inner, Layer layer, Executor executor, int oflags) {
        ChannelMaker.prepare();
        this.inner = inner;
        this.layer = layer;
        this.executor = executor;
        this.elsewhere = new Elsewhere(executor);
        this.readable = OpenFlags.reads(oflags);
        this.writable = OpenFlags.writes(oflags);
    }

    @Override
    public <A> void read(
            ByteBuffer dst,
            long offset,
            A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        Objects.requireNonNull(handler, "'handler' is null");
        if (goesPastRead(dst, offset)) {
            inner.read(dst, offset, attachment, handler);
        } else if (!isOpen()) {
            refuse(attachment, handler);
        } else {
            Handled<A> handled = new Handled<>(attachment, handler);
            submit(IoRequest.read(dst, offset, handled).elsewhere(elsewhere));
            handled.submitted();
        }
    }

    @Override
    public Future<Integer> read(ByteBuffer dst, long offset) {
        if (goesPastRead(dst, offset)) {
            return inner.read(dst, offset);
        }
        if (!isOpen()) {
            return refused();
        }
        MioFuture<Integer> future = new MioFuture<>(this, layer);
        future.submit(IoRequest.read(dst, offset, future).elsewhere(elsewhere));
        return future;
    }

    @Override
    public <A> void write(
            ByteBuffer src,
            long offset,
            A attachment,
            CompletionHandler<Integer, ? super A> handler) {
        Objects.requireNonNull(handler, "'handler' is null");
        if (goesPastWrite(src, offset)) {
            inner.write(src, offset, attachment, handler);
        } else if (!isOpen()) {
            refuse(attachment, handler);
        } else {
            Handled<A> handled = new Handled<>(attachment, handler);
            submit(IoRequest.write(src, offset, handled).elsewhere(elsewhere));
            handled.submitted();
        }
    }

    @Override
    public Future<Integer> write(ByteBuffer src, long offset) {
        if (goesPastWrite(src, offset)) {
            return inner.write(src, offset);
        }
        if (!isOpen()) {
            return refused();
        }
        MioFuture<Integer> future = new MioFuture<>(this, layer);
        future.submit(IoRequest.write(src, offset, future).elsewhere(elsewhere));
        return future;
    }

    private boolean goesPastRead(ByteBuffer dst, long offset) {
        return offset < 0 || !readable || dst.isReadOnly() || (isOpen() && !dst.hasRemaining());
    }

    private boolean goesPastWrite(ByteBuffer src, long offset) {
        return offset < 0 || !writable || (isOpen() && !src.hasRemaining());
    }

    /** Result of a request on a closed channel. */
    private static <V> Future<V> refused() {
        return CompletableFuture.failedFuture(new ClosedChannelException());
    }

    /**
     * Refuses a request with a handler. If the executor is shut down this throws, as the platform
     * does.
     */
    private <V, A> void refuse(A attachment, CompletionHandler<V, ? super A> handler) {
        ClosedChannelException refusal = new ClosedChannelException();
        try {
            executor.execute(() -> handler.failed(refusal, attachment));
        } catch (RejectedExecutionException e) {
            throw new ShutdownChannelGroupException();
        }
    }

    private void checkOpen() throws ClosedChannelException {
        if (!isOpen()) {
            throw new ClosedChannelException();
        }
    }

    /** Runs tasks in MIO's own pool, but none once the program's executor is shut down. */
    private record Elsewhere(Executor executor) implements Executor {
        @Override
        public void execute(Runnable task) {
            if (executor instanceof ExecutorService own && own.isShutdown()) {
                throw new RejectedExecutionException("the channel's executor is shut down");
            }
            AsynchronousPool.executor().execute(task);
        }
    }

    private void submit(IoRequest request) {
        layer.seek(request.offset());
        try {
            layer.submit(request);
        } catch (IOException e) {
            request.complete(0, e);
        }
    }

    @Override
    public <A> void lock(
            long offset,
            long size,
            boolean shared,
            A attachment,
            CompletionHandler<FileLock, ? super A> handler) {
        Objects.requireNonNull(handler, "'handler' is null");
        if (mayLock(shared) && !isOpen()) {
            refuse(attachment, handler);
        } else {
            inner.lock(offset, size, shared, attachment, new Locked<>(handler));
        }
    }

    @Override
    public Future<FileLock> lock(long offset, long size, boolean shared) {
        if (mayLock(shared) && !isOpen()) {
            return refused();
        }
        MioFuture<FileLock> future = new MioFuture<>(this, layer);
        inner.lock(offset, size, shared, null, new Locked<>(future));
        return future;
    }

    @Override
    public FileLock tryLock(long offset, long size, boolean shared) throws IOException {
        if (!mayLock(shared)) {
            return inner.tryLock(offset, size, shared);
        }
        checkOpen();
        FileLock lock =
                MioFileLock.taken(layer, offset, size, () -> inner.tryLock(offset, size, shared));
        return lock == null ? null : new MioFileLock(this, layer, lock);
    }

    private boolean mayLock(boolean shared) {
        return shared ? readable : writable;
    }

    @Override
    public long size() throws IOException {
        checkOpen();
        return layer.size();
    }

    @Override
    public AsynchronousFileChannel truncate(long size) throws IOException {
        if (size < 0 || !writable) {
            inner.truncate(size);
        } else if (!isOpen()) {
            // Not ClosedChannelException: the platform throws this one here.
            throw new AsynchronousCloseException();
        } else {
            layer.truncate(size);
        }
        return this;
    }

    @Override
    public void force(boolean metadata) throws IOException {
        checkOpen();
        layer.flush(metadata);
    }

    @Override
    public boolean isOpen() {
        return !closed.get();
    }

    @Override
    public void close() throws IOException {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            layer.close();
        } finally {
            inner.close();
        }
    }

    /**
     * Hands the result of a request to the program's handler, but never in the call that submits
     * the request: there each next request of the handler would be one more call on the stack.
     *
     * <p>Holds on to this channel, because the program may have no other reference to it: if the
     * channel were collected, it would be closed during the request.
     */
    private final class Handled<A> implements IoRequest.Completion {
        private final A attachment;
        private final CompletionHandler<Integer, ? super A> handler;

        /** The thread that submits the request; null once that is done. */
        private volatile Thread submitter = Thread.currentThread();

        Handled(A attachment, CompletionHandler<Integer, ? super A> handler) {
            this.attachment = attachment;
            this.handler = handler;
        }

        void submitted() {
            submitter = null;
        }

        @Override
        public void completed(IoRequest request) {
            boolean isElsewhere =
                    AsynchronousPool.isCurrent() && executor != AsynchronousPool.executor();
            if (!isElsewhere && Thread.currentThread() != submitter) {
                tell(request);
                return;
            }
            try {
                executor.execute(() -> tell(request));
            } catch (RejectedExecutionException e) {
                // The executor was shut down meanwhile: better told in this thread than never.
                tell(request);
            }
        }

        private void tell(IoRequest request) {
            if (request.error() == null) {
                handler.completed(request.delivered(), attachment);
            } else {
                handler.failed(request.error(), attachment);
            }
        }
    }

    /**
     * Hands a lock to the program's handler. The layers are told once the lock is held: what they
     * knew of the file may be out of date from then on, not from when the lock was asked for.
     */
    private final class Locked<A> implements CompletionHandler<FileLock, A> {
        private final CompletionHandler<FileLock, ? super A> handler;

        Locked(CompletionHandler<FileLock, ? super A> handler) {
            this.handler = handler;
        }

        @Override
        public void completed(FileLock lock, A attachment) {
            FileLock held;
            try {
                MioAsynchronousFileChannel channel = MioAsynchronousFileChannel.this;
                if (!channel.isOpen()) {
                    throw new AsynchronousCloseException();
                }
                held =
                        layer.around(
                                Bypass.LOCK,
                                lock.position(),
                                lock.size(),
                                () -> new MioFileLock(channel, layer, lock));
            } catch (IOException | RuntimeException | Error e) {
                MioFileLock.giveBack(lock, e);
                handler.failed(e, attachment);
                return;
            }
            handler.completed(held, attachment);
        }

        @Override
        public void failed(Throwable error, A attachment) {
            handler.failed(error, attachment);
        }
    }
}
