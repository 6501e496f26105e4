package io.mio.layer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;

/**
 * One asynchronous read or write on its way through the layers.
 *
 * <p>The door makes it (or a layer that prefetches). {@link Layer#submit} hands it down, and the
 * last layer completes it exactly once. The completions run on the thread that completes the
 * request, in the reverse order of the layers it passed: the lowest layer's first, the maker's
 * last.
 */
public final class IoRequest {
    /** Called once when a request is complete. Must not throw and must not block. */
    @FunctionalInterface
    public interface Completion {
        /** The request has its {@link #delivered} or its {@link #error}. */
        void completed(IoRequest request);
    }

    private final boolean write;
    private final ByteBuffer buffer;
    private final long offset;
    private final int requested;
    private final CountDownLatch done = new CountDownLatch(1);
    private Completion completion;
    private Executor elsewhere;
    private long number;
    private volatile int delivered;
    private volatile Throwable error;

    private IoRequest(boolean write, ByteBuffer buffer, long offset, Completion completion) {
        this.write = write;
        this.buffer = buffer;
        this.offset = offset;
        this.requested = buffer.remaining();
        this.completion = completion;
    }

    /** A read into {@code buffer} from {@code offset} (bytes). */
    public static IoRequest read(ByteBuffer buffer, long offset, Completion completion) {
        return new IoRequest(false, buffer, offset, completion);
    }

    /** A write of {@code buffer} at {@code offset} (bytes). */
    public static IoRequest write(ByteBuffer buffer, long offset, Completion completion) {
        return new IoRequest(true, buffer, offset, completion);
    }

    /** True for a write, false for a read. */
    public boolean isWrite() {
        return write;
    }

    /** Number under which all layers that record the request know it; 0 while it has none. */
    public long number() {
        return number;
    }

    /** Sets the number of the request. Only before submission. */
    public void number(long newNumber) {
        number = newNumber;
    }

    /** Buffer that the bytes go to or come from. */
    public ByteBuffer buffer() {
        return buffer;
    }

    /** Offset in the file, bytes. */
    public long offset() {
        return offset;
    }

    /** Bytes asked for when the request was made. */
    public int requested() {
        return requested;
    }

    /** Bytes moved, -1 at the end of the file; valid once complete and without {@link #error}. */
    public int delivered() {
        return delivered;
    }

    /** Why it failed, or null. */
    public Throwable error() {
        return error;
    }

    /** True once {@link #complete} was called and the completions have run. */
    public boolean isDone() {
        return done.getCount() == 0;
    }

    /** Adds a completion that runs before those the request already has. Only before submission. */
    public void before(Completion first) {
        Completion rest = completion;
        completion =
                request -> {
                    first.completed(request);
                    rest.completed(request);
                };
    }

    /**
     * Sets the executor that carries the request out if a thread has to wait for it. It must not be
     * one that the layers below need, because all its threads could be waiting. Only before
     * submission.
     */
    public IoRequest elsewhere(Executor place) {
        elsewhere = place;
        return this;
    }

    /** Executor set by {@link #elsewhere(Executor)}; null means the caller's thread. */
    public Executor elsewhere() {
        return elsewhere;
    }

    /** Carries the request out through {@code layer} in this thread, and completes it. */
    public void perform(Layer layer) {
        int bytes = 0;
        Throwable failure = null;
        try {
            bytes = write ? layer.write(buffer, offset) : layer.read(buffer, offset);
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        }
        complete(bytes, failure);
    }

    /** Completes the request with the bytes moved; {@code failure} is why it failed, or null. */
    public void complete(int bytes, Throwable failure) {
        delivered = bytes;
        error = failure;
        try {
            completion.completed(this);
        } finally {
            done.countDown();
        }
    }

    /** Waits until the request is complete. */
    public void await() throws InterruptedException {
        done.await();
    }

    /** Waits until complete, even if interrupted; sets the interrupt again when it returns. */
    public void awaitThroughInterrupts() {
        boolean interrupted = false;
        while (!isDone()) {
            try {
                done.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
