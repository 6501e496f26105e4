package io.mio.pf;

import io.mio.pf.HintDecisions.Kind;

/**
 * What {@code pf/auto} tells the kernel: which bytes a program will read next, so that they are in
 * the kernel's cache when it comes. Pure: requests in, hints out. Twin of {@code pf_hints.h}, held
 * together by {@code twin/auto}.
 *
 * <p>Streams are told of by {@link Hint}s, and long requests at random, each in pieces. What the
 * kernel has already it is not told of: the caller looks, and says so. Of a file that is not in the
 * kernel's cache, requests at random and in steps may be told of in {@link ReadBlocks}; else random
 * requests are looked at less and less. Whether a forward stream needs hints is found out by {@link
 * HintWay}.
 *
 * <p>{@link #isQuiet} may be called by any thread, see {@link QuietReads}. The rest is for one
 * thread at a time.
 */
final class ReadHints {
    /** With more, more random requests meet by chance. */
    static final int STREAMS_MAX = 8;

    /** Of the streams, bytes. */
    private static final int PAGE_BYTES = 16 << 10;

    /** A request may lie so many pages in front of a stream and be its next one. */
    private static final Distance REACH = new Distance(32, 32);

    /**
     * Forward: with such requests the kernel is left alone, if it does not read far ahead, bytes.
     */
    private static final long LONGEST = 2 << 20;

    /** Left to a kernel that reads far ahead: the most that is not looked at at a time, bytes. */
    private static final long ALONE_MAX = 2 << 20;

    /** No more goes by without a look: a stream that has come further has jumped, bytes. */
    private static final long JUMP = 2 * QuietReads.TRUST_MAX;

    /** Requests without a stream before it sleeps. */
    private static final int STRANGERS = 64;

    /** The kernel takes requests less far from each other for one stream, bytes. */
    private static final long GAP = 4096;

    /** Long requests in a row that were in the kernel's cache before a few are not looked at. */
    private static final int THERE = 8;

    private final StreamTable table;
    private final HintDecisions decisions = new HintDecisions();
    private final HintWay way;

    private final Nudges nudges;

    /** What need not be looked at. */
    private final QuietReads quiet = new QuietReads();

    /** Found last. */
    private final Hint hint = new Hint();

    /** How far the kernel reads ahead by itself. */
    private final long kernelBytes;

    private final ScatteredReads scattered;

    /** The last request was not near the one before. */
    private boolean apart;

    /** The last hint was not there already, as far as is known. */
    private boolean told;

    /** Requests in a row that belong to no stream. */
    private int strangers;

    /** Long requests in a row that were there, and whether the last one was. */
    private int there;

    private boolean wasThere;

    /** Of the last request that was looked at. */
    private Stream followed;

    /**
     * The forward stream that was left to the kernel last, and how much of it was not looked at.
     */
    private Stream alone;

    private long aloneBytes;

    // Of the dense stream of the last request that was looked at.
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

    /** Ranges that the kernel is to be told of; 0: nothing. */
    int count() {
        return hint.count();
    }

    /** First byte of the first range. */
    long from() {
        return hint.from();
    }

    /** Of each range. */
    long bytes() {
        return hint.bytes();
    }

    /** From one range to the next, signed bytes. */
    long step() {
        return hint.step();
    }

    /** True if they are pieces of one request, side by side. */
    boolean isOfPieces() {
        return hint.isOfPieces();
    }

    /** Of pieces: the request, bytes. */
    long whole() {
        return hint.whole();
    }

    /** How far the kernel reads ahead by itself, bytes; 0: not known. */
    long reachBytes() {
        return kernelBytes;
    }

    /** With hints or without: forward streams of the open. */
    HintWay.State way() {
        return way.state();
    }

    /**
     * Bytes that the dense stream of the last request has come further since it was looked at
     * before, negative: backward; 0: there is none.
     */
    long moved() {
        return moved;
    }

    /** Where it reads next. */
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

    /** True while times matter. */
    boolean isTiming() {
        return way.isTiming() || scattered.isTiming();
    }

    /** True if a request needs no look; then it has been noted. */
    boolean isQuiet(long offset, long length) {
        return quiet.isQuiet(offset, length);
    }

    /** As {@link QuietReads#rest}. */
    int rest(long length) {
        Stream stream = followed;
        boolean forward = stream != null && stream.kind == Stream.Kind.FORWARD;
        // From the request that was looked at to this one.
        long step = stream == null ? 0 : Math.abs(quiet.lastOffset() - stream.offset);
        return quiet.rest(length, forward, step);
    }

    /** For a test. */
    QuietReads quiet() {
        return quiet;
    }

    /**
     * Looks at a request that is about to be made; what the kernel is to be told then is in {@link
     * #count} and the like.
     *
     * @param nanos the time; looked at only if {@link #isTiming}
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
            // Of two neighbours that did not follow each other one may be there by chance.
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

    /** The first range of the hint is in the kernel's cache: it was not told. */
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
        // As if nothing had been told: what lies behind the credit may not be there.
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
     * A byte of the last request is read first, in place of what was to be told: the kernel goes on
     * by itself, as far as it has read before.
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

    /** No byte of the last request is read first, because it is there. */
    void isThere() {
        if (nudges.isEnough()) {
            quiet.sleep();
        }
    }

    /** As {@link Nudges#inVain}; by any thread. */
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

    /** Requests that were not looked at have brought the stream further. */
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

    /** A request that belongs to no stream: after many of them fewer are looked at. */
    private void stranger(long offset, long length) {
        strangers++;
        block(offset, length, 0);
        if (strangers >= STRANGERS && !scattered.isAwake()) {
            decisions.is(Kind.RANDOM, STRANGERS);
            // After a sleep half as many looks are enough.
            strangers = STRANGERS / 2;
            quiet.sleep();
        }
    }

    /** A long request at random: told of itself, as the kernel would make one request of it. */
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

    /** A request at random ({@code step}: 0), over gaps or in steps: true if a block is told of. */
    private boolean block(long offset, long length, long step) {
        if (!scattered.seen(offset, length, step)) {
            return false;
        }
        hint.block(scattered.blocks().from(), scattered.blocks().bytes());
        tells(Kind.BLOCKS, scattered.blocks().returned());
        return true;
    }

    /** One step of a stream that may have told the kernel of the next ones before. */
    private void step(Stream stream, long offset, long length) {
        if (told) {
            scattered.cold();
        }
        if (!block(offset, length, stream.step)) {
            hint.strided(stream);
            tells(Kind.STEPS, stream.step);
        }
    }

    /** A forward stream is left to the kernel; not told of while it is nudged. */
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
                    // It does not read what it passes.
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

    /** So much memory could keep what is told, bytes: see {@link Hint#room}. */
    void room(long roomBytes) {
        hint.room(roomBytes);
    }

    /** True if the hint is for a stream of which it is not measured whether hints are of use. */
    boolean isUnmeasured() {
        return hint.stream() != null && hint.stream().kind != Stream.Kind.FORWARD;
    }

    /** How much of a forward stream need not be looked at. */
    private long leftAlone(Stream stream, boolean gap) {
        // On other kernels time is taken of each piece.
        boolean goesOn =
                stream == alone
                        && kernelBytes >= HintWay.KERNEL_GOOD
                        && (!gap || scattered.isThere());
        aloneBytes = goesOn ? Math.min(2 * aloneBytes, ALONE_MAX) : Hint.PIECE;
        alone = stream;
        return aloneBytes;
    }

    /**
     * A dense stream reads next at {@code pos}; returns bytes since it was looked at before, 0 if
     * it jumped.
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
