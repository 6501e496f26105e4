package io.mio.cli.simulate;

import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The last layer of a simulated open: moves no bytes, and takes the time of the device. The
 * contents of buffers are never used.
 */
class SimulatedLayer implements Layer {
    private final Timeline timeline;
    private final SimulatedFile file;

    SimulatedLayer(Timeline timeline, SimulatedFile file) {
        this.timeline = timeline;
        this.file = file;
    }

    SimulatedFile file() {
        return file;
    }

    @Override
    public String name() {
        return "os";
    }

    @Override
    public Layer next() {
        return null;
    }

    private int there(int wanted, long offset) {
        if (wanted == 0) {
            return 0;
        }
        long bytes = Math.min(wanted, file.size - offset);
        return bytes <= 0 ? -1 : (int) bytes;
    }

    @Override
    public int read(ByteBuffer dst, long offset) {
        int bytes = there(dst.remaining(), offset);
        timeline.perform(Math.max(0, bytes), 0);
        dst.position(dst.position() + Math.max(0, bytes));
        return bytes;
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) {
        throw new UnsupportedOperationException("a cache reads page by page");
    }

    @Override
    public int write(ByteBuffer src, long offset) {
        int bytes = src.remaining();
        long end = (offset == APPEND ? file.size : offset) + bytes;
        boolean extended = end > file.size;
        long done = timeline.perform(bytes, extended ? file.extendedAt : 0);
        file.extendedAt = extended ? done : file.extendedAt;
        src.position(src.limit());
        file.wrote(end);
        return bytes;
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) {
        throw new UnsupportedOperationException("a cache writes page by page");
    }

    @Override
    public void seek(long offset) {}

    @Override
    public long size() {
        return file.size;
    }

    @Override
    public void truncate(long size) {
        file.cut(size);
    }

    /** Takes the latency of the device, to confirm that everything is written. */
    @Override
    public void flush(boolean metadata) {
        timeline.perform(0, 0);
    }

    @Override
    public <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException {
        return call.call();
    }

    @Override
    public void submit(IoRequest request) {
        int bytes =
                request.isWrite()
                        ? request.requested()
                        : there(request.requested(), request.offset());
        boolean extended = request.isWrite() && request.offset() + bytes > file.size;
        long done = timeline.submit(request, this, bytes, extended ? file.extendedAt : 0);
        file.extendedAt = extended ? done : file.extendedAt;
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        requests.forEach(this::submit);
    }

    /** Called when a submitted request is complete. */
    void arrived(IoRequest request, int bytes) {
        if (request.isWrite()) {
            file.wrote(request.offset() + bytes);
        }
    }

    /** Waits for a write past the end of the file that is on its way, as the file system does. */
    @Override
    public boolean reserve(long offset, long bytes) {
        timeline.until(file.extendedAt);
        return true;
    }

    @Override
    public void await(IoRequest request, Waiting waiting) {
        timeline.await(request);
    }

    @Override
    public void close() {}
}
