package io.mio.fs;

import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The result of an asynchronous request that the program asks for later. Waiting goes through the
 * layers, which count the time. Cancelling leaves the request running and drops its result; if
 * interruption is allowed it also closes the channel, as the platform does.
 */
final class MioFuture<V> extends CompletableFuture<V>
        implements IoRequest.Completion, CompletionHandler<V, Object> {
    private final AsynchronousFileChannel channel;
    private final Layer layer;
    private IoRequest request;

    MioFuture(AsynchronousFileChannel channel, Layer layer) {
        this.channel = channel;
        this.layer = layer;
    }

    /** Submits the request that completes this future. */
    void submit(IoRequest started) {
        request = started;
        layer.seek(started.offset());
        try {
            layer.submit(started);
        } catch (IOException e) {
            failed(e, null);
        }
    }

    @Override
    @SuppressWarnings("unchecked") // requests deliver an Integer, and only read and write have one
    public void completed(IoRequest ended) {
        if (ended.error() == null) {
            complete((V) Integer.valueOf(ended.delivered()));
        } else {
            failed(ended.error(), null);
        }
    }

    @Override
    public void completed(V result, Object attachment) {
        complete(result);
    }

    @Override
    public void failed(Throwable error, Object attachment) {
        completeExceptionally(error instanceof IOException ? error : new IOException(error));
    }

    @Override
    public V get() throws InterruptedException, ExecutionException {
        if (request != null && !isDone()) {
            layer.await(request, this::waitFor);
        }
        return super.get();
    }

    @Override
    public V get(long timeout, TimeUnit unit)
            throws InterruptedException, ExecutionException, TimeoutException {
        if (request == null || isDone()) {
            return super.get(timeout, unit);
        }
        layer.await(request, () -> waitFor(timeout, unit));
        return super.get(0, unit);
    }

    /** Waits for this future and not for its request, which runs on if this future is cancelled. */
    private void waitFor() throws InterruptedException {
        try {
            super.get();
        } catch (ExecutionException | CancellationException e) {
            // Thrown when the result is asked for.
            return;
        }
    }

    private void waitFor(long timeout, TimeUnit unit) throws InterruptedException {
        try {
            super.get(timeout, unit);
        } catch (ExecutionException | CancellationException | TimeoutException e) {
            // Thrown when the result is asked for.
            return;
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        if (!completeExceptionally(new CancellationException())) {
            return false;
        }
        if (mayInterruptIfRunning) {
            try {
                channel.close();
            } catch (IOException e) {
                return true;
            }
        }
        return true;
    }
}
