package io.mio.fs;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The last layer of an output stream that appends and takes page requests. Writes to the end go
 * through the platform's own stream: only a descriptor opened for append has the kernel find the
 * end at each write, and only the platform's stream survives interrupts.
 */
final class AppendLayer extends ForwardingLayer {
    private final Layer appending;

    /** Takes over both layers: the one for all requests, and the one for writes to the end. */
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

    /** Shows as the layer below, which this one completes. */
    @Override
    public String toString() {
        return name();
    }
}
