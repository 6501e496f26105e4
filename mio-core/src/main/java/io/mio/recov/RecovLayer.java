package io.mio.recov;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.Layer;
import io.mio.recov.Attempts.Call;
import io.mio.stats.StatsOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * Tries failed accesses again (reference 3.4, design section 4).
 *
 * <p>A write that finds no space, or only for a part, goes on from where it stopped, after the
 * command has run. Reads and writes that failed in the device or on the way to a server are
 * repeated. A flush never is: a device does not give back what it has lost once, and the second
 * call would claim success. The same goes for truncations, and for transfers inside the kernel,
 * whose source may be consumed.
 *
 * <p>The calls of a program wait in its own thread. Asynchronous requests complete as if there had
 * been one attempt; their further attempts are made in a thread that may block.
 */
public final class RecovLayer extends ForwardingLayer {
    private final RecovFile file;
    private final boolean fullWrite;
    private final boolean rewrites;
    private final RecovWorker worker = new RecovWorker();

    /**
     * Makes a layer above {@code next}.
     *
     * @param fileName name as the program gave it
     * @param output where messages go
     * @param rewrites false if the layer below does not tell how much of a failed write was done:
     *     then every write goes down once, as it came
     */
    public RecovLayer(
            Layer next,
            RecovOptions options,
            String fileName,
            StatsOutput output,
            boolean rewrites) {
        this(next, new RecovFile(options, fileName, output), rewrites);
    }

    RecovLayer(Layer next, RecovFile file, boolean rewrites) {
        super(file.options().name(), next);
        this.file = file;
        this.fullWrite = file.options().fullWrite();
        this.rewrites = rewrites;
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        return read(dst, dst.position(), offset, null);
    }

    /** Reads into {@code dst} from {@code start} on; {@code first} is a first attempt's failure. */
    private int read(ByteBuffer dst, int start, long offset, IOException first) throws IOException {
        Attempts attempts = null;
        IOException failure = first;
        while (true) {
            if (failure != null) {
                dst.position(start);
                attempts = attempts(attempts, Call.READ, failure, 0);
            }
            try {
                int moved = next().read(dst, offset);
                succeeded(attempts);
                return moved;
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        int[] start = positions(dsts, from, count);
        Attempts attempts = null;
        while (true) {
            try {
                long moved = next().read(dsts, from, count, offset);
                succeeded(attempts);
                return moved;
            } catch (IOException e) {
                attempts = attempts(attempts, Call.READ, e, 0);
                restore(dsts, from, start);
            }
        }
    }

    @Override
    public int write(ByteBuffer src, long offset) throws IOException {
        return rewrites ? write(src, src.position(), offset, 0, null) : next().write(src, offset);
    }

    /**
     * Writes what {@code src} holds from {@code start} on.
     *
     * @param before bytes of it that are written already
     * @param first failure of a first attempt, or null
     */
    private int write(ByteBuffer src, int start, long offset, int before, IOException first)
            throws IOException {
        int wanted = src.limit() - start;
        int done = before;
        Attempts attempts = null;
        IOException failure = first;
        while (true) {
            src.position(start + done);
            if (failure != null) {
                try {
                    attempts = attempts(attempts, Call.WRITE, failure, done);
                } catch (IOException e) {
                    return part(done, e);
                }
                failure = null;
            }
            try {
                int moved = next().write(src, offset == APPEND ? APPEND : offset + done);
                done += moved;
                if (isOver(moved, wanted - done)) {
                    succeeded(attempts);
                    return done;
                }
            } catch (IOException e) {
                failure = e;
            }
        }
    }

    @Override
    public long write(ByteBuffer[] srcs, int from, int count, long offset) throws IOException {
        if (!rewrites) {
            return next().write(srcs, from, count, offset);
        }
        long wanted = remaining(srcs, from, count);
        long done = 0;
        int[] start = positions(srcs, from, count);
        Attempts attempts = null;
        while (true) {
            try {
                long at = offset == APPEND ? APPEND : offset + done;
                long moved = next().write(srcs, from, count, at);
                done += moved;
                if (isOver(moved, wanted - done)) {
                    succeeded(attempts);
                    return done;
                }
                start = positions(srcs, from, count);
            } catch (IOException e) {
                if (offset == APPEND) {
                    // Buffers that were taken are at the end of the file, and stay there.
                    done = wanted - remaining(srcs, from, count);
                } else {
                    restore(srcs, from, start);
                }
                try {
                    attempts = attempts(attempts, Call.WRITE, e, done);
                } catch (IOException last) {
                    return part(done, last);
                }
            }
        }
    }

    @Override
    public boolean reserve(long offset, long bytes) throws IOException {
        Attempts attempts = null;
        while (true) {
            try {
                boolean reserved = next().reserve(offset, bytes);
                succeeded(attempts);
                return reserved;
            } catch (IOException e) {
                attempts = attempts(attempts, Call.ALLOCATE, e, 0);
            }
        }
    }

    @Override
    public void submit(IoRequest request) throws IOException {
        next().submit(repeated(request));
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        List<IoRequest> all = new ArrayList<>(requests.size());
        for (IoRequest request : requests) {
            all.add(repeated(request));
        }
        next().submitAll(all);
    }

    /** Makes the request to hand down; its end completes {@code request}, or goes on with it. */
    private IoRequest repeated(IoRequest request) {
        if (request.isWrite() && !rewrites) {
            return request;
        }
        ByteBuffer buffer = request.buffer();
        int start = buffer.position();
        IoRequest first =
                request.isWrite()
                        ? IoRequest.write(
                                buffer, request.offset(), done -> ended(request, start, done))
                        : IoRequest.read(
                                buffer, request.offset(), done -> ended(request, start, done));
        first.number(request.number());
        return first;
    }

    /** Called when the first attempt has ended, perhaps on a thread that must not wait. */
    private void ended(IoRequest request, int start, IoRequest first) {
        boolean again =
                first.error() == null
                        ? request.isWrite()
                                && !isOver(
                                        first.delivered(),
                                        request.requested() - (long) first.delivered())
                        : first.error() instanceof IOException;
        if (!again || !goesOn(request, () -> goOn(request, start, first))) {
            request.complete(first.delivered(), first.error());
        }
    }

    /**
     * Runs the further attempts in another thread. If the program's own code may run at the end,
     * that is a thread for this request alone, because that code may fail, or wait for other
     * requests.
     */
    private boolean goesOn(IoRequest request, Runnable task) {
        if (request.elsewhere() == null) {
            return worker.add(task);
        }
        try {
            request.elsewhere().execute(task);
            return true;
        } catch (RejectedExecutionException | OutOfMemoryError e) {
            // The executor was shut down meanwhile, or this process can have no more threads.
            return worker.add(task);
        }
    }

    private void goOn(IoRequest request, int start, IoRequest first) {
        int moved = 0;
        Throwable error = null;
        try {
            IOException failure = (IOException) first.error();
            int before = failure == null ? first.delivered() : 0;
            moved =
                    request.isWrite()
                            ? write(request.buffer(), start, request.offset(), before, failure)
                            : read(request.buffer(), start, request.offset(), failure);
        } catch (IOException | RuntimeException | Error e) {
            error = e;
        }
        request.complete(moved, error);
    }

    /** Ends commands that run: the calls that wait for them fail as they would without them. */
    @Override
    public void close() throws IOException {
        try {
            file.commands().stop();
        } finally {
            super.close();
        }
    }

    /** Returns the attempts to go on with after a failure, or throws the failure. */
    private Attempts attempts(Attempts before, Call call, IOException failure, long moved)
            throws IOException {
        Attempts attempts = before == null ? new Attempts(file, call) : before;
        if (!attempts.again(failure, moved)) {
            throw failure;
        }
        return attempts;
    }

    private static void succeeded(Attempts attempts) {
        if (attempts != null) {
            attempts.succeeded();
        }
    }

    /** Returns what was written; the failure comes back with the program's next write. */
    private static int part(int done, IOException failure) throws IOException {
        if (done == 0) {
            throw failure;
        }
        return done;
    }

    private static long part(long done, IOException failure) throws IOException {
        if (done == 0) {
            throw failure;
        }
        return done;
    }

    private boolean isOver(long moved, long rest) {
        return rest <= 0 || moved <= 0 || !fullWrite;
    }

    private static int[] positions(ByteBuffer[] buffers, int from, int count) {
        int[] positions = new int[count];
        for (int i = 0; i < count; i++) {
            positions[i] = buffers[from + i].position();
        }
        return positions;
    }

    private static void restore(ByteBuffer[] buffers, int from, int... positions) {
        for (int i = 0; i < positions.length; i++) {
            buffers[from + i].position(positions[i]);
        }
    }

    private static long remaining(ByteBuffer[] buffers, int from, int count) {
        long sum = 0;
        for (int i = from; i < from + count; i++) {
            sum += buffers[i].remaining();
        }
        return sum;
    }
}
