package io.mio.pf;

import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * A last layer over memory, for tests of the layers above: requests run on an executor, can be held
 * back, and can fail. It notices when the bytes of a write change while the write is on its way.
 */
final class MemoryFile implements Layer {
    /** Decides whether the next request fails. */
    @FunctionalInterface
    interface Fault {
        /** Returns the failure of the request, or null to let it pass. */
        IOException of(boolean write, long offset, int length);
    }

    /** Limits how much of the next request is done. */
    @FunctionalInterface
    interface Limit {
        /** Returns the most bytes to do, above 0. */
        int of(boolean write, long offset, int length) throws IOException;
    }

    private final Executor executor;
    private byte[] bytes = new byte[0];
    private int size;
    private final List<String> calls = new ArrayList<>();
    private Fault fault = (write, offset, length) -> null;
    private Limit limit = (write, offset, length) -> length;
    private boolean unstable;
    private boolean reserves = true;
    private long reserved;
    private int reserveCalls;

    /** Makes an empty file whose asynchronous requests run on {@code executor}. */
    MemoryFile(Executor executor) {
        this.executor = executor;
    }

    synchronized MemoryFile holding(byte[] content) {
        bytes = content.clone();
        size = content.length;
        return this;
    }

    synchronized byte[] content() {
        return Arrays.copyOf(bytes, size);
    }

    synchronized void fault(Fault newFault) {
        fault = newFault;
    }

    synchronized void limit(Limit newLimit) {
        limit = newLimit;
    }

    synchronized void reserves(boolean can) {
        reserves = can;
    }

    /** Returns the calls since it was asked last, for example {@code aread 0+4096}. */
    synchronized List<String> calls() {
        List<String> seen = new ArrayList<>(calls);
        calls.clear();
        return seen;
    }

    synchronized boolean sawUnstableWrites() {
        return unstable;
    }

    @Override
    public String name() {
        return "os";
    }

    @Override
    public Layer next() {
        return null;
    }

    private synchronized void call(String what) {
        calls.add(what);
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        call("read " + offset + "+" + dst.remaining());
        return doRead(dst, offset);
    }

    private synchronized int doRead(ByteBuffer dst, long offset) throws IOException {
        throwFault(false, offset, dst.remaining());
        int allowed = Math.min(dst.remaining(), limit.of(false, offset, dst.remaining()));
        int length = (int) Math.min(allowed, size - offset);
        if (length <= 0) {
            return dst.hasRemaining() ? -1 : 0;
        }
        dst.put(bytes, (int) offset, length);
        return length;
    }

    private void throwFault(boolean write, long offset, int length) throws IOException {
        IOException error = fault.of(write, offset, length);
        if (error != null) {
            throw error;
        }
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        call((offset == APPEND ? "append " : "write " + offset + "+") + src.remaining());
        return doWrite(src, offset);
    }

    private synchronized int doWrite(ByteBuffer src, long offset) throws IOException {
        int at = offset == APPEND ? size : (int) offset;
        throwFault(true, at, src.remaining());
        int length = Math.min(src.remaining(), limit.of(true, at, src.remaining()));
        if (at + length > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(at + length, 2 * bytes.length));
        }
        src.get(bytes, at, length);
        size = Math.max(size, at + length);
        return length;
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        call("readv " + offset + " of " + count);
        long done = 0;
        for (int i = from; i < from + count; i++) {
            done += Math.max(0, doRead(dsts[i], offset + done));
        }
        return done;
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        StringBuilder what = new StringBuilder(offset == APPEND ? "appendv" : "writev " + offset);
        int wanted = 0;
        for (int i = from; i < from + count; i++) {
            what.append('+').append(srcs[i].remaining());
            wanted += srcs[i].remaining();
        }
        call(what.toString());
        ByteBuffer all = ByteBuffer.allocate(wanted);
        for (int i = from; i < from + count; i++) {
            all.put(srcs[i].duplicate());
        }
        int written = doWrite(all.flip(), offset);
        int left = written;
        for (int i = from; i < from + count; i++) {
            int part = Math.min(left, srcs[i].remaining());
            srcs[i].position(srcs[i].position() + part);
            left -= part;
        }
        return written;
    }

    @Override
    public void seek(long offset) {}

    @Override
    public synchronized long size() {
        return size;
    }

    @Override
    public synchronized void truncate(long newSize) {
        calls.add("truncate " + newSize);
        if (newSize < size) {
            Arrays.fill(bytes, (int) newSize, size, (byte) 0);
            size = (int) newSize;
        }
    }

    @Override
    public void flush(boolean metadata) {
        call("flush");
    }

    @Override
    public <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException {
        return call.call();
    }

    @Override
    public void submit(IoRequest request) {
        String kind = request.isWrite() ? "awrite " : "aread ";
        call(kind + request.offset() + "+" + request.requested());
        ByteBuffer before = request.isWrite() ? copy(request.buffer()) : null;
        executor.execute(() -> run(request, before));
    }

    private void run(IoRequest request, ByteBuffer before) {
        int moved = 0;
        IOException error = null;
        try {
            if (request.isWrite()) {
                noticeChange(request.buffer(), before);
                moved = doWrite(request.buffer(), request.offset());
            } else {
                moved = doRead(request.buffer(), request.offset());
            }
        } catch (IOException e) {
            error = e;
        }
        request.complete(moved, error);
    }

    private synchronized void noticeChange(ByteBuffer now, ByteBuffer before) {
        unstable |= !now.equals(before);
    }

    private static ByteBuffer copy(ByteBuffer buffer) {
        return ByteBuffer.allocate(buffer.remaining()).put(buffer.duplicate()).flip();
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        call("list of " + requests.size());
        requests.forEach(this::submit);
    }

    @Override
    public synchronized boolean reserve(long offset, long length) throws IOException {
        reserved = Math.max(reserved, offset + length);
        reserveCalls++;
        return reserves;
    }

    /** The end of the space that was asked for, in bytes. */
    synchronized long reserved() {
        return reserved;
    }

    /** The number of calls that asked for space. */
    synchronized int reserveCalls() {
        return reserveCalls;
    }

    @Override
    public void await(IoRequest request, Waiting waiting) throws InterruptedException {
        waiting.run();
    }

    @Override
    public void close() {
        call("close");
    }
}
