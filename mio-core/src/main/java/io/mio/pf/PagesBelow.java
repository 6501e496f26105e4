package io.mio.pf;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What the pages that {@code pf/auto} takes for an open read through: the layer that was there
 * before them, which stays open when the pages are given up.
 */
final class PagesBelow extends ForwardingLayer {
    /** These counts are a guess where threads read side by side. */
    private long bytes;

    private long reads;

    PagesBelow(Layer next) {
        super(next.name(), next);
    }

    /** Bytes that reads have asked for so far. */
    long bytes() {
        return bytes;
    }

    /** Reads so far, of one buffer each, as pages make them. */
    long reads() {
        return reads;
    }

    private void reads(long length) {
        bytes += length;
        reads++;
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        reads(dst.remaining());
        return next().read(dst, offset);
    }

    @Override
    public void submit(IoRequest request) throws IOException {
        counted(request);
        next().submit(request);
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        for (IoRequest request : requests) {
            counted(request);
        }
        next().submitAll(requests);
    }

    private void counted(IoRequest request) {
        if (!request.isWrite()) {
            reads(request.requested());
        }
    }

    @Override
    public void close() {}

    /** Shows this layer as if it were not there. */
    @Override
    public String toString() {
        return next().toString();
    }
}
