package io.mio.os;

import io.mio.layer.IoRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;

/** The last layer over a {@link BackendFile}: what lies below a cache. */
final class BackendLayer extends OsLayer {
    private final BackendFile backend;
    private final PlatformFile file;
    private final boolean truncates;

    BackendLayer(BackendFile backend, PlatformFile file, String name, boolean truncates) {
        super(name);
        this.backend = backend;
        this.file = file;
        this.truncates = truncates;
    }

    /** See {@link #reopenDirect}; {@code file} is the program's. */
    static OsLayer reopen(
            PlatformFile file,
            String name,
            boolean truncates,
            String path,
            int oflags,
            Consumer<String> debug) {
        BackendFile backend = Backends.reopenDirect(file.channel(), path, oflags, debug);
        return backend == null ? null : new BackendLayer(backend, file, name, truncates);
    }

    @Override
    public OsLayer reopenDirect(String path, int oflags, Consumer<String> debug) {
        return file == null ? null : reopen(file, name(), truncates, path, oflags, debug);
    }

    @Override
    public boolean isDirect() {
        return backend.isDirect();
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        int before = dst.position();
        try {
            return backend.read(dst, offset);
        } catch (IOException e) {
            return part(dst.position() - before, e);
        }
    }

    /** Returns the bytes moved before the failure; the next call meets its reason again. */
    private static int part(int bytes, IOException reason) throws IOException {
        if (bytes == 0) {
            throw reason;
        }
        return bytes;
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        if (offset == APPEND) {
            return file.channel().write(src);
        }
        int before = src.position();
        try {
            return backend.write(src, offset);
        } catch (IOException e) {
            return part(src.position() - before, e);
        }
    }

    /** Does an append in one call, so that no other write comes between. */
    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        return offset == APPEND
                ? file.write(srcs, from, count, APPEND)
                : super.write(srcs, from, count, offset);
    }

    @Override
    public void submit(IoRequest request) throws IOException {
        backend.submit(request);
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        super.submitAll(requests);
    }

    @Override
    public boolean reserve(long offset, long bytes) throws IOException {
        return backend.reserve(offset, bytes);
    }

    @Override
    public <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException {
        if (kind == Bypass.MAP_WRITE || kind == Bypass.MAP_READ) {
            backend.stopDirect();
        }
        return call.call();
    }

    @Override
    public long size() throws IOException {
        return backend.size();
    }

    @Override
    public boolean truncates() {
        return truncates;
    }

    @Override
    public void truncate(long size) throws IOException {
        if (truncates) {
            backend.truncate(size);
        }
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        backend.flush(metadata);
    }

    @Override
    public void close() throws IOException {
        backend.close();
    }
}
