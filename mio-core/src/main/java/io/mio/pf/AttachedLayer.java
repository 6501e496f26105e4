package io.mio.pf;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open without a cache of a file that may have one through another open: passes everything on,
 * and keeps the two in agreement while the file has pages. Where a change goes on as the file gets
 * pages, they may hold what was there before it, and are forgotten at its end. Of a page that could
 * not be written it is told as any other open of the file.
 */
public final class AttachedLayer extends ForwardingLayer {
    private final CachedFile file;
    private final ErrorsTold told;

    /** The open has got pages itself: whoever comes here has seen to them. */
    private volatile boolean beneath;

    /** By what these read, or null: as all others. */
    private volatile Layer reads;

    /** Closed with this layer. */
    private Layer kept;

    /** Takes the name of the layer below: reports do not show it. */
    public AttachedLayer(CachedFile file, Layer next) {
        super(next.name(), next);
        this.file = file;
        this.told = new ErrorsTold(file.errors());
    }

    /** What its open was told of failed page writes. */
    ErrorsTold told() {
        return told;
    }

    /** A failed write behind is told at the program's next call, as to opens with a cache. */
    private void tellErrors() throws IOException {
        told.tell(file.path);
    }

    /**
     * Whether a cache of the same open lies above, which keeps all in agreement. The gate is held,
     * or nothing but reads is below.
     */
    public void beneath(boolean isBeneath) {
        beneath = isBeneath;
        reads = null;
    }

    /**
     * The same, where they read by a layer of descriptors of MIO's own. It stays open until this
     * one is closed: closing its descriptors drops the process's locks on the file.
     */
    public void beneath(Layer readBy) {
        reads = readBy;
        beneath = true;
    }

    /** Has a layer closed with this one. The gate is held. */
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
                // Where pages were to be written first and could not, that is told by this.
                told.all();
                throw e;
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
                told.all();
                throw e;
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
            Bypassed.truncate(file, size, next());
        }
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        if (!beneath) {
            try {
                WriteOut.all(file);
            } catch (IOException e) {
                told.all();
                throw e;
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

    /** As if it were not there. */
    @Override
    public String toString() {
        return next().toString();
    }
}
