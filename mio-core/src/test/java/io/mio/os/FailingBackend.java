package io.mio.os;

import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.IoRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;

/** Page requests of a real file, some of which fail, as on a disk that is full or broken. */
public final class FailingBackend extends BackendFile {
    /** What fails, for all opens that are given this object. */
    public static final class Faults {
        /** The message of failing reads, or null while reads succeed; alike for the others. */
        public volatile String reads;

        public volatile String writes;
        public volatile String reserves;
        public volatile String flushes;
        public volatile String closes;
        public volatile String sizes;

        /** The offset, in bytes, from which on reads and writes fail. */
        public volatile long from;

        /** False if the file system cannot set space aside. */
        public volatile boolean reserving = true;

        /** The number of errors given so far. */
        public final AtomicInteger given = new AtomicInteger();

        private void check(String words, long offset, long bytes) throws IOException {
            if (words != null && offset + bytes > from) {
                given.incrementAndGet();
                throw new IOException(words);
            }
        }
    }

    private final BackendFile inner;
    private final Faults faults;

    /** Makes a failing backend over one that works. */
    public FailingBackend(BackendFile inner, Faults faults) {
        this.inner = inner;
        this.faults = faults;
    }

    @Override
    public FileKey key() {
        return inner.key();
    }

    @Override
    public Descriptors descriptors() {
        return inner.descriptors();
    }

    @Override
    public boolean isDirect() {
        return inner.isDirect();
    }

    @Override
    public int alignmentBytes() {
        return inner.alignmentBytes();
    }

    @Override
    public boolean isReadable() {
        return inner.isReadable();
    }

    @Override
    int read(ByteBuffer dst, long offset) throws IOException {
        faults.check(faults.reads, offset, dst.remaining());
        return inner.read(dst, offset);
    }

    @Override
    int write(ByteBuffer src, long offset) throws IOException {
        faults.check(faults.writes, offset, src.remaining());
        return inner.write(src, offset);
    }

    @Override
    void submit(IoRequest request) throws IOException {
        String words = request.isWrite() ? faults.writes : faults.reads;
        try {
            faults.check(words, request.offset(), request.requested());
        } catch (IOException e) {
            request.complete(0, e);
            return;
        }
        inner.submit(request);
    }

    @Override
    long size() throws IOException {
        faults.check(faults.sizes, 0, 1);
        return inner.size();
    }

    @Override
    boolean reserve(long offset, long bytes) throws IOException {
        faults.check(faults.reserves, offset, bytes);
        return faults.reserving && inner.reserve(offset, bytes);
    }

    @Override
    void truncate(long size) throws IOException {
        inner.truncate(size);
    }

    @Override
    void flush(boolean metadata) throws IOException {
        faults.check(faults.flushes, Long.MAX_VALUE - 1, 1);
        inner.flush(metadata);
    }

    @Override
    void stopDirect() {
        inner.stopDirect();
    }

    @Override
    void close() throws IOException {
        inner.close();
        faults.check(faults.closes, Long.MAX_VALUE - 1, 1);
    }
}
