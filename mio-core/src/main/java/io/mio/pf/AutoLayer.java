package io.mio.pf;

import io.mio.config.LayerSpec;
import io.mio.config.PfOption;
import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import io.mio.layer.OpenFlags;
import io.mio.layer.OpenRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * {@code pf/auto}: leaves the file to the kernel and tells it what the program will read. No pages,
 * no memory, no thread of its own; every request goes on as it came.
 */
public final class AutoLayer extends ForwardingLayer {
    /**
     * What the kernel reads with the first requests anyway; a file not larger that is only read has
     * nothing to be told of. Bytes.
     */
    private static final long SMALL_FILE_BYTES = 256 << 10;

    /** What is there already takes no longer to tell: for all, and for each KiB. */
    private static final long THERE_NANOS = 2000;

    private static final long THERE_NANOS_EACH_KIB = 30;

    /** Behind this offset nothing is told, bytes. */
    private static final long FARTHEST = Long.MAX_VALUE / 4;

    private final ReadHints hints;
    private final KernelCache kernel;

    /** A thread looks; others need not. */
    private final AtomicBoolean busy = new AtomicBoolean();

    /** The kernel's cache cannot be looked into. */
    private boolean blind;

    /** Nor told. */
    private volatile boolean deaf;

    private AutoLayer(Layer next, LayerSpec spec, KernelCache kernel) {
        super(spec.typedName(), next);
        this.kernel = kernel;
        this.hints = new ReadHints((int) spec.number(PfOption.STREAMS), kernel.reachBytes());
    }

    /**
     * A layer over {@code next}, or {@code next} itself where there is nothing to gain: direct I/O,
     * a file in memory or on another machine (whose kernel does little on hints), one that is only
     * written, a small one that is only read; and without the native helper.
     */
    public static Layer over(Layer next, LayerSpec spec, OpenRequest request) {
        return request.kernelCache() != KernelCache.NONE
                        && mayGain(request.oflags(), request.sizeBytes())
                ? new AutoLayer(next, spec, request.kernelCache())
                : next;
    }

    /**
     * False where flags and size of the open tell already that there is nothing to gain: then
     * nobody has to look at the file, nor to load the helper for it.
     */
    public static boolean mayGain(int oflags, long sizeBytes) {
        return OpenFlags.reads(oflags)
                && (oflags & OpenFlags.DIRECT) == 0
                && (OpenFlags.writes(oflags) || sizeBytes > SMALL_FILE_BYTES);
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        look(offset, dst.remaining());
        return next().read(dst, offset);
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        long length = 0;
        for (int i = from; i < from + count; i++) {
            length += dsts[i].remaining();
        }
        look(offset, length);
        return next().read(dsts, from, count, offset);
    }

    @Override
    public void submit(IoRequest request) throws IOException {
        look(request);
        next().submit(request);
    }

    @Override
    public void submitAll(List<IoRequest> requests) {
        for (IoRequest request : requests) {
            look(request);
        }
        next().submitAll(requests);
    }

    private void look(IoRequest request) {
        if (!request.isWrite()) {
            look(request.offset(), request.requested());
        }
    }

    /** Looks at a request about to be made. */
    private void look(long offset, long length) {
        if (length == 0
                || offset < 0
                || offset > FARTHEST
                || hints.isQuiet(offset, length)
                || deaf
                || !busy.compareAndSet(false, true)) {
            return;
        }
        try {
            hints.seen(offset, length, hints.isTiming() ? System.nanoTime() : 0);
            if (hints.count() > 0) {
                tell();
            }
        } finally {
            busy.set(false);
        }
    }

    private void tell() {
        int there = blind ? KernelCache.UNKNOWN : kernel.has(hints.from(), hints.bytes());
        blind = there == KernelCache.UNKNOWN;
        if (there == 1) {
            hints.cached();
            return;
        }
        long began = blind ? System.nanoTime() : 0;
        for (int i = 0; i < hints.count() && !deaf; i++) {
            deaf = !kernel.readAhead(hints.from() + i * hints.step(), hints.bytes());
        }
        if (blind) {
            long nanos = System.nanoTime() - began;
            long each = THERE_NANOS + hints.bytes() / 1024 * THERE_NANOS_EACH_KIB;
            if (nanos < hints.count() * each) {
                hints.cached();
            }
        }
    }
}
