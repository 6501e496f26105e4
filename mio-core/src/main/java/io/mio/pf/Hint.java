package io.mio.pf;

/**
 * One hint for the kernel, for {@link ReadHints}: ranges of the same length at a constant step.
 * Pure. Twin of {@code pf_hint.h}.
 *
 * <p>Dense streams get hints in pieces, for a window in front of the program that doubles up to
 * {@link #WINDOW_MAX}. Strided streams get them step by step.
 */
final class Hint {
    /** The farthest that hints reach in front of a stream, bytes. */
    static final long WINDOW_MAX = 8 << 20;

    /**
     * Least length of a forward hint in a window of twice that and more, bytes; the most is four of
     * these, or two requests. A backward hint is half of the window, down to a multiple of half of
     * the largest one.
     */
    static final long PIECE = 256 << 10;

    /** Shorter requests at random get no hint in pieces, which would be too short. Bytes. */
    static final long PIECES_MIN = 256 << 10;

    private static final long WINDOW_FIRST = 128 << 10;
    private static final int STEPS_MAX = 64;

    /**
     * The farthest that hints reach in front of a stream where there is hardly any memory, bytes.
     */
    private static final long FARTHEST_LEAST = 256 << 10;

    private static final int ROOM_SHARE = 64;

    /** Most pieces of one hint; of longer requests the kernel makes several by itself. */
    private static final int PIECES_MAX = 32;

    /** Longer steps than any file has, bytes: a multiple of them might be no offset any more. */
    private static final long STEP_MAX = 1L << 55;

    /**
     * The farthest that hints reach in front of a stream backward or in steps, bytes, a power of
     * two.
     */
    private long farthest = WINDOW_MAX;

    private Stream stream;
    private long from;
    private long bytes;
    private long step;
    private int count;
    private long whole;

    /** Number of ranges; 0: there is no hint, and the other values mean nothing. */
    int count() {
        return count;
    }

    /** First byte of the first range. */
    long from() {
        return from;
    }

    /** Length of each range, bytes. */
    long bytes() {
        return bytes;
    }

    /** Bytes from the start of one range to that of the next, signed. */
    long step() {
        return step;
    }

    /** The stream that the hint is for; null: it is a block, or {@link #pieces}. */
    Stream stream() {
        return stream;
    }

    /**
     * Sets the memory that could keep what hints are for, bytes; negative: not known. A stream may
     * have hints for a 64th of it, because there may be many streams side by side, and each would
     * push out what hints for the others have brought.
     */
    void room(long bytesOfRoom) {
        if (bytesOfRoom < 0) {
            return;
        }
        farthest = WINDOW_MAX;
        while (farthest > FARTHEST_LEAST && farthest > bytesOfRoom / ROOM_SHARE) {
            farthest /= 2;
        }
    }

    /** Makes this no hint. */
    void clear() {
        count = 0;
    }

    /** Makes this a hint for a block of the file. */
    void block(long start, long length) {
        stream = null;
        from = start;
        bytes = length;
        step = 0;
        count = 1;
    }

    /**
     * Makes this a hint for a long request that is about to be made. Its pieces arrive side by
     * side, so that the first one is copied while the others are on their way.
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

    /** True if this is a hint for {@link #pieces}. */
    boolean isOfPieces() {
        return stream == null && step != 0;
    }

    /** Length of the request that pieces are of, bytes. */
    long whole() {
        return whole;
    }

    /** Bytes of its window that a stream has to use up before it gets the next hint. */
    static long piece(Stream of, boolean forward) {
        return forward ? Math.min(of.hintWindow / 2, PIECE) : of.hintWindow / 2;
    }

    /**
     * Makes this a hint for a dense stream that has come to {@code pos}, if one is due; else
     * changes nothing.
     */
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
            // The window has become smaller: hints that were given stay so.
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

    /**
     * Makes this a hint for a strided stream that has made a step; changes nothing if the steps are
     * too long.
     */
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
