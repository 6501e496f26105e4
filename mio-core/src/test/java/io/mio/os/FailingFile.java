package io.mio.os;

import io.mio.layer.Descriptors;
import io.mio.layer.FileKey;
import io.mio.layer.IoRequest;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A file whose requests fail by a rule; everything else is as in the file itself. */
public final class FailingFile extends BackendFile {
    /** Says what happens to a request. */
    @FunctionalInterface
    public interface Rule {
        /**
         * Returns the failure of a request, or null to let it pass; other calls come as {@code
         * flush}, {@code reserve} and {@code truncate}, requests as {@code read} and {@code write}.
         */
        IOException failure(String call, long offset, long bytes);
    }

    private final BackendFile file;
    private final Rule rule;

    public FailingFile(BackendFile file, Rule rule) {
        this.file = file;
        this.rule = rule;
    }

    private void check(String call, long offset, long bytes) throws IOException {
        IOException failure = rule.failure(call, offset, bytes);
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public FileKey key() {
        return file.key();
    }

    @Override
    public Descriptors descriptors() {
        return file.descriptors();
    }

    @Override
    public boolean isDirect() {
        return file.isDirect();
    }

    @Override
    public int alignmentBytes() {
        return file.alignmentBytes();
    }

    @Override
    public boolean isReadable() {
        return file.isReadable();
    }

    @Override
    int read(ByteBuffer dst, long offset) throws IOException {
        check("read", offset, dst.remaining());
        return file.read(dst, offset);
    }

    @Override
    int write(ByteBuffer src, long offset) throws IOException {
        check("write", offset, src.remaining());
        return file.write(src, offset);
    }

    /** Completes a request that fails in the calling thread, with its failure. */
    @Override
    void submit(IoRequest request) throws IOException {
        String call = request.isWrite() ? "write" : "read";
        IOException failure = rule.failure(call, request.offset(), request.requested());
        if (failure != null) {
            request.complete(0, failure);
        } else {
            file.submit(request);
        }
    }

    @Override
    long size() throws IOException {
        return file.size();
    }

    @Override
    boolean reserve(long offset, long bytes) throws IOException {
        check("reserve", offset, bytes);
        return file.reserve(offset, bytes);
    }

    @Override
    void truncate(long size) throws IOException {
        check("truncate", size, 0);
        file.truncate(size);
    }

    @Override
    void flush(boolean metadata) throws IOException {
        check("flush", 0, 0);
        file.flush(metadata);
    }

    @Override
    void stopDirect() {
        file.stopDirect();
    }

    @Override
    void close() throws IOException {
        file.close();
    }
}
