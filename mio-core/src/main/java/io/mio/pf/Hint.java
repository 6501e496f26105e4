package io.mio.pf;

/**
 * What the kernel is told of at one time, for {@link ReadHints}: ranges of the same length at a
 * constant step. Pure. Twin of {@code pf_hint.h}.
 *
 * <p>Dense streams are told of in a window in front of the program that doubles up to {@link
 * #WINDOW_MAX}, in pieces; strided ones step by step.
 */
final class Hint {
    /** How far in front of a stream, bytes. */
    static final long WINDOW_MAX = 8 << 20;

    /**
     * Forward: told at once, at least; at most four of them, or two requests. Bytes. Backward: half
     * of the window, down to a multiple of half the largest.
     */
    static final long PIECE = 256 << 10;

    /** At random: of shorter requests the pieces would be too short. Bytes. */
    static final long PIECES_MIN = 256 << 10;

    private static final long WINDOW_FIRST = 128 << 10;
    private static final int STEPS_MAX = 64;

    /** How far in front of a stream, where there is hardly any memory, bytes. */
    private static final long FARTHEST_LEAST = 256 << 10;

    private static final int ROOM_SHARE = 64;

    /** Told at once; of longer requests the kernel makes several by itself. */
    private static final int PIECES_MAX = 32;

    /** Longer steps than any file has, bytes: many of them would be no offset any more. */
    private static final long STEP_MAX = 1L << 55;

    /** Backward and in steps: how far in front of a stream is told, bytes, a power of two. */
    private long farthest = WINDOW_MAX;

    private Stream stream;
    private long from;
    private long bytes;
    private long step;
    private int count;
    private long whole;

    /** How many ranges; 0: there is nothing to tell, and the rest says nothing. */
    int count() {
        return count;
    }

    /** First byte of the first range. */
    long from() {
        return from;
    }

    /** Of each range. */
    long bytes() {
        return bytes;
    }

    /** From one range to the next, signed bytes. */
    long step() {
        return step;
    }

    /** Which one it is for; null: for none, it is of a block or of {@link #pieces}. */
    Stream stream() {
        return stream;
    }

    /**
     * So much memory could keep what is told, bytes: of that a stream is told of a 64th, as many
     * may be told of side by side, each of which would push out what was told for the others.
     */
    void room(long bytesOfRoom) {
        farthest = WINDOW_MAX;
        while (farthest > FARTHEST_LEAST && farthest > bytesOfRoom / ROOM_SHARE) {
            farthest /= 2;
        }
    }

    /** There is nothing to tell. */
    void clear() {
        count = 0;
    }

    /** A block of the file. */
    void block(long start, long length) {
        stream = null;
        from = start;
        bytes = length;
        step = 0;
        count = 1;
    }

    /**
     * A long request that is about to be made, in pieces that come side by side, so that the first
     * one is copied while the others are on their way.
     *
     * @param length at least {@link #PIECES_MIN}
     */
    void pieces(long start, long length) {
        stream = null;
        whole = length;
        from = start;
        bytes = length >= 2 * PIECE ? PIECE : PIECE / 2;
        step = bytes;
        count = (int) Math.min(length / bytes, PIECES_MAX);
    }

    /** True if it is of {@link #pieces}. */
    boolean isOfPieces() {
        return stream == null && step != 0;
    }

    /** Of pieces: the request, bytes. */
    long whole() {
        return whole;
    }

    /** How much of its window a program has to use up before more is told. */
    static long piece(Stream of, boolean forward) {
        return forward ? Math.min(of.hintWindow / 2, PIECE) : of.hintWindow / 2;
    }

    /** A dense stream has come to {@code pos}; nothing changes if no piece of it is due. */
    void dense(Stream of, long pos, boolean forward) {
        long most = forward ? WINDOW_MAX : Math.max(farthest, Math.min(2 * of.length, WINDOW_MAX));
        long window = of.hintWindow;
        if (window == 0 || (forward ? of.hintedTo < pos : of.hintedTo > pos)) {
            of.hintedTo = pos;
        }
        long ahead = forward ? of.hintedTo - pos : pos - of.hintedTo;
        if (window == 0) {
            window = Math.max(2 * of.length, WINDOW_FIRST);
        } else if (window - ahead >= piece(of, forward)) {
            window = 2 * window;
        } else {
            return;
        }
        of.hintWindow = Math.min(window, most);
        long due = of.hintWindow - ahead;
        if (due <= 0) {
            // It has become smaller: what is told already stays so.
            return;
        }
        if (forward) {
            due = Math.min(due, Math.max(4 * PIECE, 2 * of.length));
        } else {
            long half = most / 2;
            long start = Math.max(0, of.hintedTo - due);
            long block = (start + half - 1) / half * half;
            due = of.hintedTo - (block < of.hintedTo ? block : start);
        }
        stream = of;
        count = due > 0 ? 1 : 0;
        bytes = due;
        from = forward ? of.hintedTo : of.hintedTo - due;
        step = 0;
        of.hintedTo = forward ? from + due : from;
    }

    /** A strided stream has made a step; nothing changes if its steps are too long. */
    void strided(Stream of) {
        if (Math.abs(of.step) > STEP_MAX) {
            return;
        }
        long room = Math.max(2, farthest / of.length);
        if (of.hintWindow == 0) {
            of.hintedTo = of.offset;
        }
        long window = of.hintWindow;
        of.hintWindow = Math.min(window + window / 2 + 1, Math.min(room, STEPS_MAX));
        long gone = (of.hintedTo - of.offset) / of.step;
        if (gone < 0) {
            of.hintedTo = of.offset;
            gone = 0;
        }
        stream = of;
        count = (int) Math.max(0, of.hintWindow - gone);
        from = of.hintedTo + of.step;
        bytes = of.length;
        step = of.step;
        while (count > 0 && from + (count - 1) * step < 0) {
            count--;
        }
        of.hintedTo += count * of.step;
    }
}
