package io.mio.pf;

import io.mio.pf.HintDecisions.Kind;

/**
 * Decides for {@code pf/auto} which hints the kernel gets: ranges that the program will read next,
 * so that they are in the kernel's cache when it does. Pure: requests in, hints out. Twin of {@code
 * pf_hints.h}, held together by {@code twin/auto}.
 *
 * <p>{@link Hint}s cover streams, and long requests at random in pieces. What the kernel has
 * already gets no hint: the caller looks, and says so. In a file that is not in the kernel's cache,
 * requests at random and in steps may get hints for whole blocks, see {@link ReadBlocks}; else
 * random requests are looked at less and less. {@link HintWay} finds out whether forward streams
 * need hints.
 *
 * <p>{@link #isQuiet} may be called by any thread, see {@link QuietReads}. The rest is for one
 * thread at a time.
 */
final class ReadHints {
    /** The most streams: with more, more random requests would meet one by chance. */
    static final int STREAMS_MAX = 8;

    /** Size of the pages in which streams are counted, bytes. */
    private static final int PAGE_BYTES = 16 << 10;

    /** Pages that a request may lie in front of a stream and still be its next one. */
    private static final Distance REACH = new Distance(32, 32);

    /** Forward requests of this and more bytes are left to a kernel that reads little ahead. */
    private static final long LONGEST = 2 << 20;

    /** Most bytes that pass without a look where a kernel that reads far ahead is left alone. */
    private static final long ALONE_MAX = 2 << 20;

    /** No more passes without a look: a stream that has come further has jumped, bytes. */
    private static final long JUMP = 2 * QuietReads.TRUST_MAX;

    /** Requests in a row without a stream before requests go by without a look. */
    private static final int STRANGERS = 64;

    /** The kernel takes requests that are less far apart for one stream, bytes. */
    private static final long GAP = 4096;

    /** Long requests in a row that were in the kernel's cache before some pass without a look. */
    private static final int THERE = 8;

    private final StreamTable table;
    private final HintDecisions decisions = new HintDecisions();
    private final HintWay way;

    private final Nudges nudges;

    /** Requests that need no look. */
    private final QuietReads quiet = new QuietReads();

    /** The hint that was found last. */
    private final Hint hint = new Hint();

    /** How far the kernel reads ahead by itself, bytes; 0: not known. */
    private final long kernelBytes;

    private final ScatteredReads scattered;

    /** The last request was not near the one before it. */
    private boolean apart;

    /** The last hint was for bytes that were not in the kernel's cache, as far as is known. */
    private boolean told;

    /** Requests in a row that belong to no stream. */
    private int strangers;

    /** Long requests in a row that the kernel's cache had, and whether it had the last one. */
    private int there;

    private boolean wasThere;

    /** The stream of the last request that was looked at. */
    private Stream followed;

    /** The forward stream that was left to the kernel last, and its bytes that needed no look. */
    private Stream alone;

    private long aloneBytes;

    // What moved() and at() return.
    private long moved;
    private long at;

    /**
     * For one open.
     *
     * @param streams followed at the same time, of {@link #STREAMS_MAX} at most
     * @param kernelBytes how far the kernel reads ahead by itself; 0: not known
     * @param sizeBytes of the file; 0: not known
     */
    ReadHints(int streams, long kernelBytes, long sizeBytes) {
        this.table = new StreamTable(Math.min(streams, STREAMS_MAX), PAGE_BYTES, 1, REACH);
        this.kernelBytes = kernelBytes;
        this.scattered = new ScatteredReads(sizeBytes);
        this.nudges = new Nudges(kernelBytes, sizeBytes);
        this.way = new HintWay(kernelBytes, decisions);
    }

    /** Number of ranges in the hint for the kernel; 0: there is no hint. */
    int count() {
        return hint.count();
    }

    /** First byte of the first range. */
    long from() {
        return hint.from();
    }

    /** Length of each range, bytes. */
    long bytes() {
        return hint.bytes();
    }

    /** Bytes from the start of one range to that of the next, signed. */
    long step() {
        return hint.step();
    }

    /** True if the ranges are pieces of one request, side by side. */
    boolean isOfPieces() {
        return hint.isOfPieces();
    }

    /** Length of the request that pieces are of, bytes. */
    long whole() {
        return hint.whole();
    }

    /** How far the kernel reads ahead by itself, bytes; 0: not known. */
    long reachBytes() {
        return kernelBytes;
    }

    /** Whether forward streams of the open get hints. */
    HintWay.State way() {
        return way.state();
    }

    /**
     * How far the dense stream of the last request has come since it was looked at before, bytes,
     * negative: backward; 0: there is no such stream.
     */
    long moved() {
        return moved;
    }

    /** Where the dense stream of the last request reads next. */
    long at() {
        return at;
    }

    /** What was decided so far. */
    HintDecisions decisions() {
        return decisions;
    }

    /** Whether a byte of the last request is to be read first: see {@link Nudges#front}. */
    long front() {
        return nudges.front();
    }

    /** True while {@link #seen} needs the time. */
    boolean isTiming() {
        return way.isTiming() || scattered.isTiming();
    }

    /** True if a request needs no look; then it has been noted. */
    boolean isQuiet(long offset, long length) {
        return quiet.isQuiet(offset, length);
    }

    /** Like {@link QuietReads#rest}. */
    int rest(long length) {
        Stream stream = followed;
        boolean forward = stream != null && stream.kind == Stream.Kind.FORWARD;
        // Bytes from the request that was looked at to this one.
        long step = stream == null ? 0 : Math.abs(quiet.lastOffset() - stream.offset);
        return quiet.rest(length, forward, step);
    }

    /** For a test. */
    QuietReads quiet() {
        return quiet;
    }

    /**
     * Looks at a request that is about to be made. The hint that the kernel is to get then is in
     * {@link #count} and the methods after it.
     *
     * @param nanos the time; used only if {@link #isTiming}
     */
    void seen(long offset, long length, long nanos) {
        hint.clear();
        moved = 0;
        scattered.next(nanos);
        long lastOffset = quiet.lastOffset();
        long lastLength = quiet.lastLength();
        boolean isFirst = lastOffset < 0;
        boolean touches =
                !isFirst && (offset == lastOffset + lastLength || offset + length == lastOffset);
        if (touches || quiet.isLastInside()) {
            catchUp(lastOffset, lastLength);
        }
        long before = table.recognised();
        Stream stream = table.seen(offset, length, lastOffset, lastLength);
        apart = offset < lastOffset || offset - lastOffset - lastLength >= GAP;
        nudges.next(offset, length, apart && !isFirst);
        quiet.looked(offset, length);
        if (stream == null || !stream.proven) {
            if (length < Hint.PIECES_MIN) {
                stranger(offset, length);
            } else if (!isFirst) {
                longStranger(offset, length);
            }
            return;
        }
        followed = stream;
        if (table.recognised() != before && !touches) {
            // Of two requests side by side, not one right after the other, one may be there by
            // chance.
            return;
        }
        strangers = 0;
        quiet.wake();
        follow(stream, offset, length, nanos);
        if (hint.count() > 0 && hint.stream() != null) {
            if (told) {
                quiet.distrust();
            }
            told = true;
        }
    }

    /** The kernel's cache has the first range of the hint: the hint was not needed. */
    void cached() {
        if (hint.isOfPieces()) {
            longThere();
            return;
        }
        if (hint.stream() == null) {
            scattered.blocks().there();
            decisions.takeBack();
            return;
        }
        // Begins anew, as what lies behind the credit may not be there.
        hint.stream().hintWindow = 0;
        decisions.cached();
        told = false;
        scattered.rests();
        if (!scattered.isTelling()) {
            quiet.credit();
        }
        way.cached();
    }

    /**
     * A byte of the last request is read first, in place of the hint. The kernel then goes on by
     * itself, as far as it has read before.
     */
    void nudged() {
        if (hint.count() > 0) {
            if (hint.stream() != null) {
                hint.stream().hintWindow = 0;
            }
            hint.clear();
        }
        nudges.nudged();
        decisions.instead(Kind.NUDGE, quiet.lastLength());
    }

    /** No byte of the last request is read first, because the kernel's cache has its beginning. */
    void isThere() {
        if (nudges.isEnough()) {
            quiet.sleep();
        }
    }

    /** Like {@link Nudges#inVain}; by any thread. */
    void inVain() {
        nudges.inVain();
    }

    /** True if the caller is to find out whether the last request is in the kernel's cache. */
    boolean asks() {
        return scattered.asks();
    }

    /** The last request is not in the kernel's cache. */
    void cold() {
        scattered.cold();
    }

    /** Moves the stream on over requests that were not looked at. */
    private void catchUp(long lastOffset, long lastLength) {
        Stream stream = followed;
        if (stream != null
                && stream.isDense()
                && lastLength > 0
                && (stream.kind == Stream.Kind.FORWARD
                        ? lastOffset > stream.offset
                        : lastOffset < stream.offset)) {
            stream.at(lastOffset, lastLength, PAGE_BYTES);
        }
    }

    /** Takes a request that belongs to no stream: after many of them fewer are looked at. */
    private void stranger(long offset, long length) {
        strangers++;
        block(offset, length, 0);
        if (strangers >= STRANGERS && !scattered.isAwake()) {
            decisions.is(Kind.RANDOM, STRANGERS);
            // After requests without a look, half as many looks are enough.
            strangers = STRANGERS / 2;
            quiet.sleep();
        }
    }

    /** Gives a long request at random a hint in pieces: else the kernel makes one request of it. */
    private void longStranger(long offset, long length) {
        if (!wasThere) {
            there = 0;
        }
        wasThere = false;
        hint.pieces(offset, length);
        tells(Kind.PIECES, length);
    }

    private void longThere() {
        wasThere = true;
        there++;
        if (there < THERE) {
            decisions.takeBack();
            return;
        }
        decisions.cached();
        quiet.doze();
    }

    /**
     * True if a request at random ({@code step}: 0), over gaps or in steps gets a block as its
     * hint.
     */
    private boolean block(long offset, long length, long step) {
        if (!scattered.seen(offset, length, step)) {
            return false;
        }
        hint.block(scattered.blocks().from(), scattered.blocks().bytes());
        tells(Kind.BLOCKS, scattered.blocks().returned());
        return true;
    }

    /** Takes one step of a stream, the next steps of which may have got hints before. */
    private void step(Stream stream, long offset, long length) {
        if (told) {
            scattered.cold();
        }
        if (!block(offset, length, stream.step)) {
            hint.strided(stream);
            tells(Kind.STEPS, stream.step);
        }
    }

    /** Notes that a forward stream is left to the kernel, but not while bytes are read first. */
    private void leave(Kind kind, long bytes) {
        if (!nudges.isUsual()) {
            decisions.is(kind, bytes);
        }
    }

    private void follow(Stream stream, long offset, long length, long nanos) {
        long pos = offset + length;
        switch (stream.kind) {
            case STRIDED -> {
                nudges.steps();
                step(stream, offset, length);
            }
            case PLANNED -> {}
            case BACKWARD -> {
                nudges.none();
                moveTo(stream, offset);
                hint.dense(stream, offset, false);
                tells(Kind.BACKWARD, 0);
                long left = stream.hintWindow - Hint.piece(stream, false);
                quiet.between(stream.hintedTo == 0 ? 0 : stream.hintedTo + left, offset);
            }
            case FORWARD -> {
                long before = stream.lookedAt;
                long further = moveTo(stream, pos);
                boolean gap = apart && before >= 0 && offset - before >= GAP;
                if (gap) {
                    // The stream does not read what it passes.
                    moved = 0;
                    nudges.none();
                } else {
                    nudges.forward();
                }
                if (length >= (kernelBytes >= HintWay.KERNEL_GOOD ? HintWay.LARGE : LONGEST)) {
                    leave(Kind.LARGE, length);
                    return;
                }
                way.weigh(stream, pos, further, nanos);
                if (way.state().isKernelAlone()) {
                    if (kernelBytes >= HintWay.KERNEL_GOOD) {
                        leave(Kind.FAR, kernelBytes);
                    }
                    if (gap) {
                        block(offset, length, scattered.steps(pos - before));
                    }
                    if (!gap || !scattered.isAwake()) {
                        quiet.between(pos, pos + leftAlone(stream, gap));
                    }
                    return;
                }
                hint.dense(stream, pos, true);
                tells(Kind.FORWARD, 0);
                quiet.between(
                        pos, stream.hintedTo - (stream.hintWindow - Hint.piece(stream, true)));
            }
        }
    }

    /** Sets the memory that could keep what hints are for, bytes: see {@link Hint#room}. */
    void room(long roomBytes) {
        hint.room(roomBytes);
    }

    /** True if the hint is for a stream for which the use of hints is not measured. */
    boolean isUnmeasured() {
        return hint.stream() != null && hint.stream().kind != Stream.Kind.FORWARD;
    }

    /** How many bytes of a forward stream need no look. */
    private long leftAlone(Stream stream, boolean gap) {
        // On kernels that do not read far ahead each piece is timed.
        boolean goesOn =
                stream == alone
                        && kernelBytes >= HintWay.KERNEL_GOOD
                        && (!gap || scattered.isThere());
        aloneBytes = goesOn ? Math.min(2 * aloneBytes, ALONE_MAX) : Hint.PIECE;
        alone = stream;
        return aloneBytes;
    }

    /**
     * Notes that a dense stream reads next at {@code pos}. Returns how far it has come since the
     * last look, bytes; 0 if it jumped.
     */
    private long moveTo(Stream stream, long pos) {
        long further = stream.lookedAt < 0 ? 0 : pos - stream.lookedAt;
        if (Math.abs(further) > JUMP + stream.length) {
            further = 0;
        }
        stream.lookedAt = pos;
        at = pos;
        moved = further > 0 == (stream.kind == Stream.Kind.FORWARD) ? further : 0;
        return further;
    }

    private void tells(Kind kind, long bytes) {
        if (hint.count() > 0) {
            decisions.is(kind, bytes);
        }
    }
}
