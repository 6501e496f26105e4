package io.mio.os;

import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.IoRequest;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.Channel;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystem;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * One open of a file, over descriptors of MIO's own. Every request enters and leaves. After {@link
 * #close} none enters any more, and the descriptors are given back when the last request has left,
 * so no call ever meets a number that belongs to another file.
 */
final class OwnFile extends BackendFile {
    /** What was found out when the file was opened. */
    static final class Parts {
        SharedFile shared;
        Descriptor buffered;

        /** The program's channel, which flushes; null in a test without one. */
        Channel program;

        /** The direct descriptor; null if everything is buffered. */
        Descriptor direct;

        int alignBytes = Limits.SMALLEST_BYTES;
        int memoryAlignBytes = 1;
        boolean readable;
        boolean writable;
        boolean uncached;

        /** Another machine or a program has the bytes, and may keep them for each open. */
        boolean remote;

        /** Reads go to the program's memory, of which nothing beyond the result may change. */
        boolean unpaged;

        /** Whether every write reaches the device before it is done. */
        boolean synced;

        /** Whether each of these writes brings the file's attributes to the device, too. */
        boolean syncedMetadata;

        IoBackend backend;
        String name;

        /** The file's file system; null where the helper is there. */
        FileSystem platform;

        Consumer<String> debug;

        /** Takes what has to stay open although it serves nothing. */
        Consumer<Closeable> kept;

        /** Sets the limits that direct requests through {@code found} have to obey. */
        void limits(Descriptor found, int offsetAlignBytes, int memAlignBytes) {
            direct = found;
            alignBytes = Math.max(offsetAlignBytes, Limits.SMALLEST_BYTES);
            memoryAlignBytes = Math.max(memAlignBytes, 1);
        }

        void say(String what) {
            debug.accept(name + ": " + what);
        }
    }

    private static final int CLOSED = 1 << 31;

    private final Parts parts;
    private final AtomicInteger uses = new AtomicInteger();
    private final AtomicBoolean saidUncached = new AtomicBoolean();
    private volatile boolean uncached;

    OwnFile(Parts parts) {
        this.parts = parts;
        this.uncached = parts.uncached;
    }

    @Override
    public FileKey key() {
        return parts.shared.key();
    }

    @Override
    public Descriptors descriptors() {
        return new ProcessDescriptors(key(), parts.platform);
    }

    @Override
    public boolean isDirect() {
        return direct() != null;
    }

    @Override
    public int alignmentBytes() {
        return parts.alignBytes;
    }

    @Override
    public boolean isReadable() {
        return parts.readable;
    }

    boolean isWritable() {
        return parts.writable;
    }

    Descriptor buffered() {
        return parts.buffered;
    }

    /** The direct descriptor; null if all requests are buffered. */
    Descriptor direct() {
        return parts.shared.isBufferedOnly() ? null : parts.direct;
    }

    int memoryAlignBytes() {
        return parts.memoryAlignBytes;
    }

    boolean isUncached() {
        return uncached;
    }

    /** Kernel or file system do not know uncached requests: they are plain from now on. */
    void dropUncached() {
        uncached = false;
        if (saidUncached.compareAndSet(false, true)) {
            say("uncached: not known to the kernel or the file system; buffered instead");
        }
    }

    /** Called when a direct request within the limits was refused, and a buffered one was not. */
    void dropDirect() {
        if (!parts.shared.isBufferedOnly()) {
            parts.shared.stopDirect();
            say("direct: refused by the file system; buffered instead");
        }
    }

    void say(String what) {
        parts.say(what);
    }

    /** Called after a successful write. */
    void written() throws IOException {
        if (parts.synced) {
            parts.buffered.sync(parts.syncedMetadata);
        }
    }

    private void enter() throws ClosedChannelException {
        int now;
        do {
            now = uses.get();
            if (now < 0) {
                throw new ClosedChannelException();
            }
        } while (!uses.compareAndSet(now, now + 1));
    }

    void leave() {
        if (uses.decrementAndGet() == CLOSED) {
            parts.shared.leave();
        }
    }

    @Override
    int read(ByteBuffer dst, long offset) throws IOException {
        return LentMemory.isLent(dst)
                ? LentMemory.read(dst, offset, this::readInPlace)
                : readInPlace(dst, offset);
    }

    private int readInPlace(ByteBuffer dst, long offset) throws IOException {
        return run(transfer(false, dst, offset, null));
    }

    @Override
    int write(ByteBuffer src, long offset) throws IOException {
        return LentMemory.isLent(src)
                ? LentMemory.write(src, offset, this::writeInPlace)
                : writeInPlace(src, offset);
    }

    private int writeInPlace(ByteBuffer src, long offset) throws IOException {
        return run(transfer(true, src, offset, null));
    }

    private Transfer transfer(boolean write, ByteBuffer buffer, long offset, IoRequest request)
            throws IOException {
        Transfer transfer = new Transfer(this, write, buffer, offset, request);
        if (parts.unpaged && !write && isDirect()) {
            transfer.endAt(size());
        }
        return transfer;
    }

    private int run(Transfer transfer) throws IOException {
        if (VirtualThreads.isCurrent() && parts.backend.isAsynchronous()) {
            return VirtualThreads.handOver(this, transfer);
        }
        enter();
        try {
            return transfer.run();
        } finally {
            leave();
        }
    }

    @Override
    void submit(IoRequest request) throws IOException {
        if (LentMemory.isLent(request.buffer())) {
            perform(request);
            return;
        }
        Transfer transfer =
                transfer(request.isWrite(), request.buffer(), request.offset(), request);
        enter();
        parts.backend.submit(transfer);
    }

    private void perform(IoRequest request) {
        int bytes = 0;
        Throwable failure = null;
        try {
            bytes =
                    request.isWrite()
                            ? write(request.buffer(), request.offset())
                            : read(request.buffer(), request.offset());
        } catch (IOException | RuntimeException | Error e) {
            failure = e;
        }
        request.complete(bytes, failure);
    }

    @Override
    long size() throws IOException {
        enter();
        try {
            return parts.buffered.size();
        } finally {
            leave();
        }
    }

    @Override
    boolean reserve(long offset, long bytes) throws IOException {
        enter();
        try {
            return bytes <= 0 || parts.buffered.reserve(offset, bytes);
        } finally {
            leave();
        }
    }

    @Override
    void truncate(long size) throws IOException {
        enter();
        try {
            if (size < parts.buffered.size()) {
                parts.buffered.truncate(size);
            }
        } finally {
            leave();
        }
    }

    /**
     * Flushes through the program's channel, which an interrupt closes. The kernel reports a failed
     * write once to each open, and MIO's own open serves several of the program's.
     */
    @Override
    void flush(boolean metadata) throws IOException {
        enter();
        try {
            if (parts.remote && parts.program != null && parts.writable) {
                parts.buffered.sync(metadata);
            }
            if (parts.program instanceof FileChannel channel) {
                channel.force(metadata);
            } else if (parts.program instanceof AsynchronousFileChannel channel) {
                channel.force(metadata);
            } else {
                parts.buffered.sync(metadata);
            }
        } finally {
            leave();
        }
    }

    @Override
    void stopDirect() {
        parts.shared.stopDirect();
    }

    /** Ends the open without waiting for requests on their way. */
    @Override
    void close() {
        int now;
        do {
            now = uses.get();
            if (now < 0) {
                return;
            }
        } while (!uses.compareAndSet(now, now | CLOSED));
        if (now == 0) {
            parts.shared.leave();
        }
    }
}
