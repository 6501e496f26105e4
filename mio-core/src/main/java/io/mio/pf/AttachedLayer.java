package io.mio.pf;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open without a cache of a file that may have one through another open. The layer passes
 * everything on, and keeps the two in agreement while the file has pages. If a change is going on
 * when the file gets pages, these may hold what was there before, and are forgotten when the change
 * ends. Like any other open of the file, this one is told of a page that could not be written.
 */
public final class AttachedLayer extends ForwardingLayer {
    private final CachedFile file;
    private final ErrorsTold told;

    /**
     * The open has got pages itself: the cache above keeps all in agreement before it calls here.
     */
    private volatile boolean beneath;

    /** The layer that the cache above reads by, or null: the next layer. */
    private volatile Layer reads;

    /** A layer that is closed with this one, or null. */
    private Layer kept;

    /** Takes the name of the layer below, as reports do not show this layer. */
    public AttachedLayer(CachedFile file, Layer next) {
        super(next.name(), next);
        this.file = file;
        this.told = new ErrorsTold(file.errors());
    }

    /** The failed page writes that this open was told of. */
    ErrorsTold told() {
        return told;
    }

    /** Tells of a failed write behind at the program's next call, as opens with a cache do. */
    private void tellErrors() throws IOException {
        told.tell(file.path);
    }

    /**
     * Notes whether a cache of the same open lies above, which keeps all in agreement. The gate is
     * held alone, or only reads are on their way below.
     */
    public void beneath(boolean isBeneath) {
        beneath = isBeneath;
        reads = null;
    }

    /**
     * Notes that a cache of the same open lies above that reads by a layer with descriptors of
     * MIO's own. That layer stays open until this one is closed, because closing its descriptors
     * drops the process's locks on the file.
     */
    public void beneath(Layer readBy) {
        reads = readBy;
        beneath = true;
    }

    /** Closes {@code layer} when this layer is closed. The gate is held. */
    public void keep(Layer layer) {
        kept = layer;
    }

    private Layer source() {
        Layer own = reads;
        return own == null ? next() : own;
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        if (beneath) {
            return source().read(dst, offset);
        }
        WriteOut.all(file);
        return next().read(dst, offset);
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        if (beneath) {
            return source().read(dsts, from, count, offset);
        }
        WriteOut.all(file);
        return next().read(dsts, from, count, offset);
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        if (beneath) {
            return next().write(src, offset);
        }
        tellErrors();
        if (file.isCached()) {
            try {
                return next().knowsPlace()
                        ? PastCache.write(file, next(), src, offset)
                        : PastCache.writeAnywhere(file, next(), src, offset);
            } catch (IOException e) {
                throw told.by(e);
            }
        }
        try {
            return next().write(src, offset);
        } finally {
            Bypassed.changedBeside(file, next());
        }
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        if (beneath) {
            return next().write(srcs, from, count, offset);
        }
        tellErrors();
        if (file.isCached()) {
            try {
                return PastCache.write(file, next(), srcs, from, count, offset);
            } catch (IOException e) {
                throw told.by(e);
            }
        }
        try {
            return next().write(srcs, from, count, offset);
        } finally {
            Bypassed.changedBeside(file, next());
        }
    }

    @Override
    public long size() throws IOException {
        return !beneath && file.isCached() && file.pages().isDirty()
                ? file.sizeBytes()
                : next().size();
    }

    @Override
    public void truncate(long size) throws IOException {
        if (beneath) {
            next().truncate(size);
            return;
        }
        tellErrors();
        if (!file.isCached()) {
            try {
                next().truncate(size);
            } finally {
                Bypassed.changedBeside(file, next());
            }
        } else {
            try {
                Bypassed.truncate(file, size, next());
            } catch (IOException e) {
                throw told.by(e);
            }
        }
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        if (!beneath) {
            try {
                WriteOut.all(file);
            } catch (IOException e) {
                throw told.by(e);
            }
            tellErrors();
        }
        next().flush(metadata);
    }

    @Override
    public <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException {
        return beneath
                ? next().around(kind, offset, length, call)
                : Bypassed.around(file, next(), kind, offset, length, call);
    }

    @Override
    public void submit(IoRequest request) throws IOException {
        if (beneath) {
            (request.isWrite() ? next() : source()).submit(request);
            return;
        }
        if (!file.isCached() && !(request.isWrite() && told.isDue())) {
            if (request.isWrite()) {
                request.before(done -> Bypassed.changedBeside(file, next()));
            }
            next().submit(request);
            return;
        }
        request.perform(this);
    }

    @Override
    public void close() throws IOException {
        try {
            tellErrors();
        } finally {
            closeAll();
        }
    }

    private void closeAll() throws IOException {
        try {
            if (kept != null) {
                kept.close();
            }
        } finally {
            next().close();
        }
    }

    /** Shows this layer as if it were not there. */
    @Override
    public String toString() {
        return next().toString();
    }
}
