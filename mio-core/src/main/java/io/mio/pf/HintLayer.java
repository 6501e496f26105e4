package io.mio.pf;

import io.mio.layer.ForwardingLayer;
import io.mio.layer.IoRequest;
import io.mio.layer.KernelCache;
import io.mio.layer.Layer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Gives the kernel hints for what will be read through it, or reads a byte first. Every request
 * goes on as it came.
 */
final class HintLayer extends ForwardingLayer {
    /**
     * A hint for bytes that the kernel's cache has takes at most this for each range, and the next
     * constant on top for each KiB of the range, nanoseconds.
     */
    private static final long THERE_NANOS = 2000;

    private static final long THERE_NANOS_EACH_KIB = 30;

    /** Behind this offset there are no hints, bytes. */
    private static final long FARTHEST = Long.MAX_VALUE / 4;

    /** Shorter ranges get an ordinary hint, bytes. */
    private static final long FOLIOS_LEAST = 256 << 10;

    /**
     * Bytes of hints, backward or in steps, before the first question how much memory could keep
     * what hints bring, and between later questions.
     */
    private static final long ROOM_FIRST = 1 << 20;

    private static final long ROOM_NEXT = 256 << 20;

    private static final int NUDGES = 1;
    private static final int PROVES = 2;

    private final ReadHints hints;
    private final KernelCache kernel;
    private final AutoLog log;

    /** Looks whether the file is to be read past the kernel's cache, or null. */
    private final DirectLook direct;

    /** Set while a thread looks; other threads then go on without a look. */
    private final AtomicBoolean busy = new AtomicBoolean();

    private final KernelSight sight;

    /**
     * The file is one for blocks, unless a proof shows that the kernel's cache cannot be looked
     * into.
     */
    private boolean cold;

    /** Long ranges were read ahead in large folios. */
    private boolean hadFolios;

    /** The kernel takes no hints: nothing is looked at any more. */
    private volatile boolean deaf;

    /** Bytes of hints for streams whose use of hints is not measured. */
    private long told;

    /** Value of {@link #told} at which the next question about memory is due. */
    private long roomDue = ROOM_FIRST;

    /** Length of the last read if it needed no look, else 0; a race does no harm. */
    private long quietLength;

    /**
     * A layer over {@code next}.
     *
     * @param streams followed at the same time
     * @param sizeBytes of the file now
     */
    HintLayer(
            String name,
            Layer next,
            int streams,
            KernelCache kernel,
            KernelSight sight,
            long sizeBytes,
            AutoLog log,
            DirectLook direct) {
        super(name, next);
        this.log = log;
        this.direct = direct;
        this.kernel = kernel;
        this.sight = sight;
        this.hints = new ReadHints(streams, kernel.reachBytes(), sizeBytes);
    }

    @Override
    public int read(ByteBuffer dst, long offset) throws IOException {
        boolean proves = lookFirst(offset, dst.remaining());
        int count = next().read(dst, offset);
        if (proves) {
            prove(offset, count);
        }
        return count;
    }

    @Override
    public long read(ByteBuffer[] dsts, int from, int count, long offset) throws IOException {
        long length = 0;
        for (int i = from; i < from + count; i++) {
            length += dsts[i].remaining();
        }
        boolean proves = lookFirst(offset, length);
        long bytes = next().read(dsts, from, count, offset);
        if (proves) {
            prove(offset, bytes);
        }
        return bytes;
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
            look(request.offset(), request.requested(), false);
        }
    }

    /**
     * Looks at a request that is about to be made.
     *
     * @param waits the thread that makes the request waits for it
     * @return {@link #NUDGES} if a byte of it is to be read first, and {@link #PROVES} if {@link
     *     #prove} is to follow
     */
    private int look(long offset, long length, boolean waits) {
        if (length == 0 || offset < 0 || offset > FARTHEST) {
            return 0;
        }
        if (hints.isQuiet(offset, length)) {
            quietLength = length;
            return 0;
        }
        quietLength = 0;
        if (deaf || !busy.compareAndSet(false, true)) {
            return 0;
        }
        int then = 0;
        try {
            hints.seen(offset, length, hints.isTiming() ? kernel.nanos() : 0);
            if (waits && goesOn(offset)) {
                then = NUDGES;
                hints.nudged();
                log.told(1, length);
            } else if (hints.count() > 0) {
                tell();
            } else if (hints.asks() && sight.has(offset, length) == 0) {
                isNotThere(waits);
            }
            if (direct != null) {
                direct.seen(hints.moved(), hints.at(), next());
            }
            log.looked();
            log.hear(hints.decisions());
            then |= sight.takeDoubts() && waits ? PROVES : 0;
        } finally {
            busy.set(false);
        }
        return then;
    }

    /**
     * A request is not in the kernel's cache: the file is one for blocks, or is known to be after
     * the read.
     */
    private void isNotThere(boolean waits) {
        if (sight.isSure() || !waits) {
            hints.cold();
        } else {
            cold = true;
        }
    }

    /**
     * Proves after a read that its bytes, which have to be there, are seen in the kernel's cache.
     * If another thread looks meanwhile, it doubts again.
     */
    private void prove(long offset, long bytes) {
        if (bytes <= 0 || !busy.compareAndSet(false, true)) {
            return;
        }
        try {
            sight.prove(offset + bytes - 1);
            if (cold && sight.isSure()) {
                hints.cold();
            }
            cold = false;
        } finally {
            busy.set(false);
        }
    }

    /** Like {@link KernelCache#callNanos}. */
    long callNanos(long offset) {
        return kernel.callNanos(offset);
    }

    /** True if the kernel's cache has the bytes in front of a request, and not its beginning. */
    private boolean goesOn(long offset) {
        long front = hints.front();
        if (front == 0) {
            return false;
        }
        if (has(offset, Nudges.FIRST)) {
            hints.isThere();
            return false;
        }
        return has(offset - front, front);
    }

    private boolean hasFolios() {
        boolean has = !sight.isBlind() && kernel.hasFolios();
        if (has && !hadFolios) {
            hadFolios = true;
            log.folios();
        }
        return has;
    }

    /** Gives a hint; returns false if the kernel takes none. */
    private boolean readAhead(long offset, long length) {
        long bytes = Math.min(length, Math.max(Hint.WINDOW_MAX, hints.reachBytes()));
        return length >= FOLIOS_LEAST && hasFolios()
                ? kernel.readFoliosAhead(offset, bytes)
                : kernel.readAhead(offset, bytes);
    }

    /**
     * Looks at a request of a thread that waits, and reads a byte first where that is of use. Other
     * threads may look while it reads.
     *
     * @return true if {@link #prove} is to follow
     */
    private boolean lookFirst(long offset, long length) {
        int then = look(offset, length, true);
        if ((then & NUDGES) != 0 && !kernel.nudge(offset, Nudges.FIRST)) {
            hints.inVain();
        }
        return (then & PROVES) != 0;
    }

    /** True if all these bytes are in the kernel's cache, as far as can be seen. */
    private boolean has(long offset, long bytes) {
        return sight.has(offset, bytes) == 1;
    }

    /**
     * Asks how much memory there is when that is due. Hints for forward streams do not count: it is
     * measured whether they are of use.
     */
    private void lookAtRoom() {
        told += hints.isUnmeasured() ? hints.count() * hints.bytes() : 0;
        if (told >= roomDue) {
            roomDue = told + ROOM_NEXT;
            hints.room(kernel.roomBytes());
        }
    }

    private void tell() {
        if (has(hints.from(), hints.bytes())) {
            cached();
            return;
        }
        lookAtRoom();
        boolean blind = sight.isBlind();
        long began = blind ? System.nanoTime() : 0;
        if (hints.isOfPieces() && hasFolios()) {
            // Pieces are for single pages: the first ones are copied while others are on their way.
            deaf = !readAhead(hints.from(), hints.whole());
        } else {
            for (int i = 0; i < hints.count() && !deaf; i++) {
                deaf = !readAhead(hints.from() + i * hints.step(), hints.bytes());
            }
        }
        if (deaf) {
            hints.decisions().is(HintDecisions.Kind.REFUSED, 0);
            return;
        }
        log.told(hints.count(), hints.bytes());
        if (blind) {
            long nanos = System.nanoTime() - began;
            long each = THERE_NANOS + hints.bytes() / 1024 * THERE_NANOS_EACH_KIB;
            if (nanos < hints.count() * each) {
                cached();
            }
        }
    }

    private void cached() {
        hints.cached();
        log.cached();
    }

    /** How many of the next reads need not be shown to this layer. */
    int rest() {
        long length = quietLength;
        boolean rests = length > 0 && (direct == null || direct.settles(next()));
        return rests ? hints.rest(length) : 0;
    }

    /**
     * Finds out, for an open that gets no small pages, whether its file fits memory, so that it
     * gets no pages at all. Looks while there is nothing else to see, until that is known.
     */
    void settle() {
        if (quietLength > 0 && direct != null && direct.isUnknown()) {
            direct.settles(next());
        }
    }

    @Override
    public void close() throws IOException {
        try {
            super.close();
        } finally {
            kernel.close();
        }
    }

    /**
     * Shows this layer as if it were not there: it goes by the name of the layer that it is part
     * of.
     */
    @Override
    public String toString() {
        return next().toString();
    }
}
