package io.mio.os;

import io.mio.layer.IoRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.CompletionHandler;

/**
 * The last layer over an asynchronous channel of the platform: submitted requests run, and
 * complete, on its executor.
 */
final class AsynchronousLayer extends OsLayer {
    private static final CompletionHandler<Integer, IoRequest> COMPLETES = new Completes();

    private final AsynchronousFileChannel channel;
    private final boolean truncates;

    AsynchronousLayer(AsynchronousFileChannel channel, String name, boolean truncates) {
        super(name);
        this.channel = channel;
        this.truncates = truncates;
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        return run(IoRequest.read(dst, offset, request -> {}));
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        return run(IoRequest.write(src, offset, request -> {}));
    }

    /** Runs the request in the calling thread, where the executor is the program's. */
    private int run(IoRequest request) throws IOException {
        ProgramExecutor.inPlace(
                () -> {
                    submit(request);
                    return null;
                });
        request.awaitThroughInterrupts();
        if (request.error() instanceof IOException e) {
            throw e;
        }
        if (request.error() != null) {
            throw new IOException(request.error());
        }
        return request.delivered();
    }

    @Override
    public void submit(IoRequest request) {
        if (request.isWrite()) {
            channel.write(request.buffer(), request.offset(), request, COMPLETES);
        } else {
            channel.read(request.buffer(), request.offset(), request, COMPLETES);
        }
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    public boolean truncates() {
        return truncates;
    }

    @Override
    public void truncate(long size) throws IOException {
        if (truncates) {
            channel.truncate(size);
        }
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        channel.force(metadata);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    private static final class Completes implements CompletionHandler<Integer, IoRequest> {
        @Override
        public void completed(Integer bytes, IoRequest request) {
            request.complete(bytes, null);
        }

        @Override
        public void failed(Throwable error, IoRequest request) {
            request.complete(0, error);
        }
    }
}
