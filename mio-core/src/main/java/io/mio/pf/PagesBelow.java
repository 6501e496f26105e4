package io.mio.pf;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What pages that {@code pf/auto} takes on the way read by: what was there before them, which stays
 * open when they are given up.
 */
final class PagesBelow extends ForwardingLayer {
    /** A guess where threads read side by side. */
    private long bytes;

    PagesBelow(Layer next) {
        super(next.name(), next);
    }

    /** Asked for by reads so far. */
    long bytes() {
        return bytes;
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        bytes += dst.remaining();
        return next().read(dst, offset);
    }

    @Override
    public void submit(IoRequest request) throws IOException {
        bytes += request.isWrite() ? 0 : request.requested();
        next().submit(request);
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        for (IoRequest request : requests) {
            bytes += request.isWrite() ? 0 : request.requested();
        }
        next().submitAll(requests);
    }

    @Override
    public void close() {}

    /** As if it were not there. */
    @Override
    public String toString() {
        return next().toString();
    }
}
