package io.mio.stack;

import io.mio.config.LayerSpec;
import io.mio.jfr.CallKind;
import io.mio.jfr.Flight;
import io.mio.jfr.Watch;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.layer.OpenRequest;
import io.mio.os.ProgramExecutor;
import io.mio.pf.AutoLayer;
import io.mio.pf.CachedFile;
import io.mio.stats.FileReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.Executor;

/**
 * The first layer of every stack, {@code mio}: where the program's calls come in. Never shown in
 * reports (reference 1.3).
 *
 * <p>Holds the file's gate while a request is below ({@link FrontGate}), but not during {@link
 * #around}, which may be about two files or wait for ever, and never while the program's code runs.
 *
 * <p>After the layers below are closed, has the file's report written, in one piece. Tells the
 * flight recorder about slow calls, with the time the program waited at the gate.
 */
final class FrontLayer extends ForwardingLayer {
    private final CachedFile file;
    private final FrontGate gate;
    private final Executor executor;
    private final FileEnd end;
    private final String path;

    /** Whether no layer below looks what has begun in the JVM, so this one does ({@link Watch}). */
    private final boolean watches;

    /** The layer that may want pages while the file is open; or null. */
    private final AutoLayer auto;

    /** Whether reads may pass the layers by: nothing counts them, and the rule wants no gate. */
    private final boolean mayRest;

    /** How many reads may pass the layers by ({@link #rests}); thread races do no harm. */
    private int rests;

    /**
     * Made over layers that exist already.
     *
     * @param spec options of this layer
     * @param next the layer below
     * @param os the last layer
     * @param request as the program opened the file
     * @param file entered for this open, and left at its end
     * @param unserved the rule asks for a cache, which this open did not get and others may
     * @param report written at the end
     * @param auto the layer that may want pages later, or null
     */
    FrontLayer(
            LayerSpec spec,
            Layer next,
            Layer os,
            OpenRequest request,
            CachedFile file,
            boolean unserved,
            FileReport report,
            AutoLayer auto) {
        super(spec.typedName(), next);
        this.auto = auto;
        this.file = file;
        this.executor = request.executor();
        this.path = request.name();
        boolean keeps = request.cacheable() || file.isCached() || auto != null;
        this.end = FileEnd.of(this, next, file, request.platform(), report, keeps);
        this.gate = new FrontGate(spec, os, request, file, unserved, auto, end);
        boolean isAlone = auto != null && auto == next && auto.isLast();
        this.watches = report.isEmpty() || isAlone;
        this.mayRest = isAlone && !gate.isAlways();
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        Object event = began();
        int wanted = dst.remaining();
        int moved = -1;
        try {
            if (auto != null && auto.wantsGate()) {
                settle();
            }
            long stamp = gate.share();
            try {
                moved = next().read(dst, offset);
            } finally {
                gate.leave(stamp);
            }
        } finally {
            Flight.called(event, CallKind.READ, path, offset, wanted, moved);
        }
        if (mayRest && event == null) {
            rests = auto.rest();
        }
        return moved;
    }

    @Override
    public boolean rests() {
        int left = rests;
        if (left <= 0 || file.isGated()) {
            return false;
        }
        rests = left - 1;
        return true;
    }

    /** Holds the gate alone: no request is below, and the file stays open meanwhile. */
    private void settle() throws ClosedChannelException {
        long stamp = file.gate().alone();
        try {
            if (!end.isClosed()) {
                auto.settle();
            }
        } finally {
            file.gate().leave(stamp);
        }
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        Object event = began();
        long wanted = event == null ? 0 : remaining(dsts, from, count);
        long moved = -1;
        try {
            if (auto != null && auto.wantsGate()) {
                settle();
            }
            long stamp = gate.share();
            try {
                moved = next().read(dsts, from, count, offset);
            } finally {
                gate.leave(stamp);
            }
        } finally {
            Flight.called(event, CallKind.READ, path, offset, wanted, moved);
        }
        return moved;
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        Object event = began();
        int wanted = src.remaining();
        int moved = -1;
        try {
            long stamp = gate.write(wanted, offset);
            try {
                moved = next().write(src, offset);
            } finally {
                gate.leave(stamp);
            }
        } finally {
            Flight.called(event, CallKind.WRITE, path, offset, wanted, moved);
        }
        return moved;
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        Object event = began();
        long wanted = event == null && !gate.writesMeet() ? 0 : remaining(srcs, from, count);
        long moved = -1;
        try {
            long stamp = gate.write(wanted, offset);
            try {
                moved = next().write(srcs, from, count, offset);
            } finally {
                gate.leave(stamp);
            }
        } finally {
            Flight.called(event, CallKind.WRITE, path, offset, wanted, moved);
        }
        return moved;
    }

    @Override
    public long size() throws IOException {
        Object event = began();
        try {
            return next().size();
        } finally {
            Flight.called(event, CallKind.SIZE, path, -1, 0, 0);
        }
    }

    @Override
    public void truncate(long size) throws IOException {
        Object event = began();
        try {
            long stamp = gate.alone();
            try {
                next().truncate(size);
            } finally {
                gate.leave(stamp);
            }
        } finally {
            Flight.called(event, CallKind.TRUNCATE, path, size, 0, 0);
        }
    }

    @Override
    public void flush(boolean metadata) throws IOException {
        Object event = began();
        try {
            long stamp = gate.flush();
            try {
                next().flush(metadata);
            } finally {
                gate.leave(stamp);
            }
        } finally {
            Flight.called(event, CallKind.SYNC, path, -1, 0, 0);
        }
    }

    @Override
    public <T> T around(Bypass kind, long offset, long length, IoCall<T> call) throws IOException {
        Object event = began();
        T result = null;
        try {
            result = next().around(kind, offset, length, call);
        } finally {
            // A transfer returns the bytes moved.
            long moved = result instanceof Number number ? number.longValue() : 0;
            Flight.called(event, CallKind.of(kind), path, offset, length, moved);
        }
        return result;
    }

    /**
     * Where the last layer would complete requests on threads of its own, they run on the program's
     * executor, as with the platform. If the file has pages but this open has none, the request
     * runs in another thread, which holds the gate and keeps the two in agreement. That thread does
     * the platform's work too, because the program's executor may be busy with threads that wait
     * for the gate.
     */
    @Override
    public void submit(IoRequest request) throws IOException {
        Object event = began();
        if (event != null) {
            CallKind kind = request.isWrite() ? CallKind.AWRITE : CallKind.AREAD;
            // Called when the request is complete; never, if it cannot be started.
            request.before(
                    done -> {
                        int moved = done.error() == null ? done.delivered() : -1;
                        Flight.called(event, kind, path, done.offset(), done.requested(), moved);
                    });
        }
        if (executor != null) {
            executor.execute(new Moved(request));
        } else if (!file.isGated()) {
            next().submit(request);
        } else if (request.elsewhere() != null) {
            request.elsewhere().execute(new Moved(request)::joinOrSubmit);
        } else if (!new Moved(request).join()) {
            next().submit(request);
        }
    }

    @Override
    public void close() throws IOException {
        end.close();
    }

    /** Notes that a call of the program begins; returns its event, or null. */
    private Object began() {
        // Where there are pages, their requests do this.
        if (watches && (auto == null || !auto.hasPages())) {
            Watch.tick(System.nanoTime());
        }
        return Flight.call();
    }

    private static long remaining(ByteBuffer[] buffers, int from, int count) {
        long sum = 0;
        for (int i = from; i < from + count; i++) {
            sum += buffers[i].remaining();
        }
        return sum;
    }

    /** A request of the program on an executor; completed after the gate is left. */
    private final class Moved implements Runnable {
        private final IoRequest asked;

        Moved(IoRequest asked) {
            this.asked = asked;
        }

        @Override
        public void run() {
            int bytes = 0;
            Throwable error;
            try {
                IoRequest inner = asked.isWrite() ? write() : read();
                bytes = inner.delivered();
                error = inner.error();
            } catch (IOException | RuntimeException | Error e) {
                error = e;
            }
            asked.complete(bytes, error);
        }

        /** Does the request here while the file has pages; returns false if it has none. */
        boolean join() {
            int bytes = 0;
            Throwable error;
            try {
                long stamp =
                        gate.entered(asked.isWrite() ? file.gate().alone() : file.gate().share());
                try {
                    // While the gate is held the file keeps its pages. The platform's work runs in
                    // place, so nothing waits for another thread.
                    if (!file.isGated()) {
                        return false;
                    }
                    IoRequest inner = asked.isWrite() ? innerWrite() : innerRead();
                    ProgramExecutor.inPlace(() -> done(inner));
                    bytes = inner.delivered();
                    error = inner.error();
                } finally {
                    gate.leave(stamp);
                }
            } catch (IOException | RuntimeException | Error e) {
                error = e;
            }
            asked.complete(bytes, error);
            return true;
        }

        void joinOrSubmit() {
            try {
                if (!join()) {
                    next().submit(asked);
                }
            } catch (IOException | RuntimeException | Error e) {
                asked.complete(0, e);
            }
        }

        private IoRequest innerRead() {
            return IoRequest.read(asked.buffer(), asked.offset(), request -> {});
        }

        private IoRequest innerWrite() {
            return IoRequest.write(asked.buffer(), asked.offset(), request -> {});
        }

        private IoRequest read() throws IOException {
            long stamp = gate.share();
            try {
                return done(innerRead());
            } finally {
                gate.leave(stamp);
            }
        }

        private IoRequest write() throws IOException {
            long stamp = gate.write(asked.requested(), asked.offset());
            try {
                return done(innerWrite());
            } finally {
                gate.leave(stamp);
            }
        }

        private IoRequest done(IoRequest inner) throws IOException {
            next().submit(inner);
            inner.awaitThroughInterrupts();
            return inner;
        }
    }
}
