package io.mio.os;

import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The last layer of every stack: hands each request to the platform, as one call where the JDK
 * allows it. There is one subclass per kind of platform object, because each has calls the others
 * lack:
 *
 * <ul>
 *   <li>a channel: positional, all calls;
 *   <li>a stream: in order only, but no interrupt ends it, which holds for the platform's own
 *       streams and for nothing that can be built from a channel;
 *   <li>an asynchronous channel: requests run on the program's executor.
 * </ul>
 */
public abstract class OsLayer implements Layer {
    private final String name;

    OsLayer(String name) {
        this.name = name;
    }

    /**
     * A layer over a channel.
     *
     * @param name {@code os}, or as the user typed it
     * @param truncates whether truncate calls are issued (option {@code trunc}, reference 3.5)
     */
    public static OsLayer ofChannel(PlatformFile file, String name, boolean truncates) {
        return new ChannelLayer(file, name, truncates);
    }

    /** A layer over an input stream of the platform's provider that was just opened. */
    public static OsLayer ofInput(InputStream in, String name) {
        return new InputLayer(in, name);
    }

    /**
     * A layer over an output stream of the platform's provider that was just opened.
     *
     * @param sizeBytes size of the file just after the open
     * @param size asks for the size it has now; negative where that cannot be told
     */
    public static OsLayer ofOutput(
            OutputStream out, String name, long sizeBytes, LongSupplier size) {
        return new OutputLayer(out, name, sizeBytes, size);
    }

    /**
     * A layer over an asynchronous channel.
     *
     * @param name {@code os}, or as the user typed it
     * @param truncates whether truncate calls are issued (option {@code trunc}, reference 3.5)
     */
    public static OsLayer ofAsynchronous(
            AsynchronousFileChannel channel, String name, boolean truncates) {
        return new AsynchronousLayer(channel, name, truncates);
    }

    /**
     * A layer over what page requests need, see {@link BackendFile}. Interrupts never reach it; it
     * closes {@code backend}, not the platform's object.
     *
     * @param file the program's channel, for what works on the file itself, or null for a stream
     * @param name {@code os}, or as the user typed it
     * @param truncates whether truncate calls are issued (option {@code trunc}, reference 3.5)
     */
    public static OsLayer ofBackend(
            BackendFile backend, PlatformFile file, String name, boolean truncates) {
        return new BackendLayer(backend, file, name, truncates);
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final Layer next() {
        return null;
    }

    /**
     * True for a stream that takes bytes in order, and does not tell how much of a failed write it
     * has written. Such a write cannot be repeated.
     */
    public boolean isInOrder() {
        return false;
    }

    /**
     * Opens another way to the same file, by descriptors of MIO's own: asynchronous, and past the
     * kernel's cache where the file system takes that. Closing it closes only these.
     *
     * @param path for messages
     * @param oflags as the program opened it
     * @param debug gets one line, without line end, for each thing that cannot be had
     * @return null if no descriptor can be had
     */
    public OsLayer reopenDirect(String path, int oflags, Consumer<String> debug) {
        return null;
    }

    /** True if aligned requests go past the kernel's cache. */
    public boolean isDirect() {
        return false;
    }

    /** Reads one buffer after the other, until one is not filled, or fails after others. */
    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        long total = 0;
        try {
            for (int i = from; i < from + count; i++) {
                if (dsts[i].hasRemaining()) {
                    int bytes = read(dsts[i], offset + total);
                    if (bytes < 0 && total == 0) {
                        return bytes;
                    }
                    total += Math.max(bytes, 0);
                    if (dsts[i].hasRemaining()) {
                        break;
                    }
                }
            }
        } catch (IOException e) {
            if (total == 0) {
                throw e;
            }
        }
        return total;
    }

    /** Writes one buffer after the other, until one is not taken whole, or fails after others. */
    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        long total = 0;
        try {
            for (int i = from; i < from + count; i++) {
                total += write(srcs[i], offset == APPEND ? APPEND : offset + total);
                if (srcs[i].hasRemaining()) {
                    break;
                }
            }
        } catch (IOException e) {
            if (total == 0) {
                throw e;
            }
        }
        return total;
    }

    @Override
    public void seek(long offset) {}

    @Override
    public <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException {
        return call.call();
    }

    /** Carries the request out in the caller's thread. */
    @Override
    public void submit(IoRequest request) throws IOException {
        request.perform(this);
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        for (IoRequest request : requests) {
            try {
                submit(request);
            } catch (IOException | RuntimeException e) {
                request.complete(0, e);
            }
        }
    }

    @Override
    public boolean reserve(long offset, long bytes) throws IOException {
        return false;
    }

    @Override
    public void await(IoRequest request, Waiting waiting) throws InterruptedException {
        waiting.run();
    }

    @Override
    public final String toString() {
        return name;
    }
}
