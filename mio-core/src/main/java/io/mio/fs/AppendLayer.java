package io.mio.fs;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The last layer of an output stream that appends and takes page requests: the kernel finds the end
 * at each write, which only a descriptor opened for it does, and no interrupt may end the stream,
 * which only the platform's own stream holds.
 */
final class AppendLayer extends ForwardingLayer {
    private final Layer appending;

    /** Takes over both: the layer for all requests, and the one for writes to the end. */
    AppendLayer(Layer os, Layer appending) {
        super(os.name(), os);
        this.appending = appending;
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        return offset == APPEND ? appending.write(src, offset) : next().write(src, offset);
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        return offset == APPEND
                ? appending.write(srcs, from, count, offset)
                : next().write(srcs, from, count, offset);
    }

    @Override
    public void close() throws IOException {
        try {
            next().close();
        } finally {
            appending.close();
        }
    }

    /** It shows as the layer below, which it completes. */
    @Override
    public String toString() {
        return name();
    }
}
