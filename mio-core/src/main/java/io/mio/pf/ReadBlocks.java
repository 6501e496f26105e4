package io.mio.pf;

/**
 * Decides for {@code pf/auto} which blocks of a file that is not in the kernel's cache get a hint
 * as a whole, because the program keeps coming back to them at random or in steps. Pure: requests
 * in, blocks out. Twin of {@code pf_blocks.h}, held together by {@code twin/auto/blocks.txt}.
 *
 * <p>A block takes longer to arrive than the page of it that is asked for, and saves a request each
 * time that another of its pages is. Both are counted, in half requests. Blocks get hints where
 * requests come back, each block once, and never for more than what was saved so far and a small
 * part of all requests, which is all that can be lost. Once hints have paid for themselves, they
 * cover larger pieces. On storage that answers late a block costs less, since it is hardly longer
 * on its way than a page: the first requests are timed.
 *
 * <p>Only the first request for a page counts: after it the page is there. Where most requests are
 * for pages that are there, few requests are to be expected for others.
 */
final class ReadBlocks {
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int PAGE_BYTES = 4096;

    /** Files of more blocks than this are left alone. */
    private static final int BLOCKS_MAX = 4096;

    /** Longer requests get no hint, as a block is not much more than they are, bytes. */
    private static final int REQUEST_MAX = 16 << 10;

    /** Of the last 64 requests this many must have come back to a block before there are hints. */
    private static final int RETURNS = 16;

    /** Cost of a block, half requests: on an idle disk it is less, on a busy one as much. */
    private static final int COST = 3;

    /** The same where less than half of the last 64 requests were the first ones for a page. */
    private static final int COST_OF_FEW = 6;

    /** The same in steps, where the block arrives while the program is on its way there. */
    private static final int COST_IN_STEPS = 2;

    /** Requests that are timed. */
    private static final int TIMED = 32;

    /** If most timed requests take this long, a block costs {@link #COST_LATE}. */
    private static final long LATE_NANOS = 256_000;

    /**
     * Cost of a block on storage that answers late, half requests: it takes hardly longer than a
     * page.
     */
    private static final int COST_LATE = 1;

    /** Saved by each request for another page of a block that got a hint, half requests. */
    private static final int GAIN = 2;

    /** Half a request may be lost for this many requests. */
    private static final int CREDIT = 24;

    /** In steps, a hint is for the block this many steps in front of the program. */
    private static final int AHEAD = 4;

    /** The most blocks of one hint. */
    private static final int PIECE_MAX = 4;

    /** Hints of one size before larger ones. */
    private static final int PIECES = 64;

    /** Random requests after which the search ends if no hint was given. */
    private static final int PATIENCE = 2048;

    /** Requests in a row without a hint before fewer requests are looked at again. */
    private static final int IDLE_MAX = 512;

    private static final char ALL = 0xffff;

    private final long sizeBytes;

    /** A bit for each page of each block: whether it was asked for. */
    private final char[] touched;

    private final long[] told;

    /** Blocks without a hint; 0: there will be no more hints. */
    private int left;

    /** For each of the last 64 requests a bit: whether it came back to a block. */
    private long returns;

    /**
     * For each of the last 64 requests for any page a bit: whether it was the first one for the
     * page.
     */
    private long firsts = -1;

    /**
     * When the last request began, and whether it is timed, with what the program does until the
     * next.
     */
    private long nanos;

    private boolean isTimed;

    /** Requests of whatever kind. */
    private int looks;

    // Timed requests: all of them, and late ones.
    private int timed;
    private int late;

    private int patience = PATIENCE;

    /** A hint was given. */
    private boolean telling;

    /** Requests since the last hint. */
    private int idle;

    private long requests;

    // Half requests.
    private long spent;
    private long saved;

    /** Blocks of one hint, and how many hints there were of this size. */
    private int piece = 1;

    private int pieces;

    // What was found last: blocks from the first to the one before the end, and what they cost.
    private int first;
    private int end;
    private long cost;

    /**
     * For one open.
     *
     * @param sizeBytes of the file, one that {@link #serves}
     */
    ReadBlocks(long sizeBytes) {
        this.sizeBytes = sizeBytes;
        this.left = (int) ((sizeBytes + BLOCK_BYTES - 1) / BLOCK_BYTES);
        this.touched = new char[left];
        this.told = new long[(left + Long.SIZE - 1) / Long.SIZE];
    }

    /** True if files of this size, bytes, can get hints for blocks. */
    static boolean serves(long sizeBytes) {
        return sizeBytes > 0 && sizeBytes <= (long) BLOCKS_MAX * BLOCK_BYTES;
    }

    /**
     * Notes that a request of whatever kind is about to be made: the one before it is over.
     *
     * @param now the time, nanoseconds; used only if {@link #isTiming}; 0: not known
     */
    void next(long now) {
        looks++;
        if (isTimed && now != 0 && nanos != 0) {
            timed++;
            late += now - nanos >= LATE_NANOS ? 1 : 0;
        }
        isTimed = false;
        nanos = now;
    }

    /** Notes that some requests after the last one will not be shown. */
    void rests() {
        isTimed = false;
    }

    /**
     * Looks at the request that is about to be made, if it is at random or in steps.
     *
     * @param step from the request before to this one, signed bytes; 0: at random. Requests in
     *     steps do not use up the patience
     * @return true if the kernel is to get a hint for {@link #bytes} from {@link #from} on; if it
     *     has them already, {@link #there} is to be called instead
     */
    boolean seen(long offset, long length, long step) {
        if (left == 0 || isOver(step != 0) || length > REQUEST_MAX) {
            return false;
        }
        if (offset / BLOCK_BYTES >= touched.length) {
            // The file has grown.
            count(false);
            return false;
        }
        int block = (int) (offset / BLOCK_BYTES);
        int page = 1 << offset % BLOCK_BYTES / PAGE_BYTES;
        int before = touched[block];
        boolean isFirst = (before & page) == 0;
        firsts = firsts << 1 | (isFirst ? 1 : 0);
        if (!isFirst) {
            return false;
        }
        touched[block] = (char) (before | page);
        count(before != 0);
        saved += isTold(block) ? GAIN : 0;
        int wanted = wanted(block, offset, step);
        boolean tells = !isTold(wanted) && returned() >= RETURNS && tells(wanted, cost(step));
        isTimed = !tells && !isTold(block) && isTiming();
        return tells;
    }

    /** True while {@link #next} needs the time. */
    boolean isTiming() {
        return left > 0 && timed < TIMED && looks < PATIENCE;
    }

    /** Cost of one block, half requests. */
    private int cost(long step) {
        if (timed == TIMED && 2 * late > TIMED) {
            return COST_LATE;
        }
        if (step != 0) {
            return COST_IN_STEPS;
        }
        return Long.bitCount(firsts) < Long.SIZE / 2 ? COST_OF_FEW : COST;
    }

    /** The block that a hint should be for: in steps, the one that the program comes to. */
    private int wanted(int block, long offset, long step) {
        if (step == 0 || Math.abs(step) > sizeBytes) {
            return block;
        }
        long next = offset + AHEAD * step;
        return next < 0 || next >= sizeBytes ? block : (int) (next / BLOCK_BYTES);
    }

    /**
     * True if there are no more hints: it gives up after many random requests without reason to
     * begin.
     */
    private boolean isOver(boolean inSteps) {
        if (telling) {
            idle++;
        } else if (!inSteps && --patience == 0) {
            left = 0;
        }
        return left == 0;
    }

    private void count(boolean back) {
        returns = returns << 1 | (back ? 1 : 0);
        requests++;
    }

    private boolean isTold(int block) {
        return (told[block / Long.SIZE] & 1L << block) != 0;
    }

    /** Gives a hint for the block, with others of its piece, if that can be afforded. */
    private boolean tells(int block, long costOfEach) {
        if (piece < PIECE_MAX && pieces >= PIECES && saved >= spent) {
            piece *= 2;
            pieces = 0;
        }
        first = block & -piece;
        end = Math.min(first + piece, touched.length);
        int fresh = 0;
        for (int each = first; each < end; each++) {
            fresh += isTold(each) ? 0 : 1;
        }
        cost = costOfEach * fresh;
        if (spent + cost > saved + requests / CREDIT) {
            return false;
        }
        for (int each = first; each < end; each++) {
            told[each / Long.SIZE] |= 1L << each;
        }
        left -= fresh;
        spent += cost;
        pieces++;
        telling = true;
        idle = 0;
        return true;
    }

    /**
     * Takes back the hint that was found last: its blocks are in the kernel's cache, where nothing
     * is saved.
     */
    void there() {
        spent -= cost;
        pieces--;
        for (int each = first; each < end; each++) {
            touched[each] = ALL;
        }
    }

    /** First byte of the hint that was found last. */
    long from() {
        return (long) first * BLOCK_BYTES;
    }

    /** Bytes of the hint that was found last. */
    long bytes() {
        return Math.min((long) end * BLOCK_BYTES, sizeBytes) - from();
    }

    /** How many of the last 64 requests came back to a block. */
    int returned() {
        return Long.bitCount(returns);
    }

    /** True while there are hints. */
    boolean isTelling() {
        return telling && left > 0 && idle < IDLE_MAX;
    }

    /** True while every request should be looked at. */
    boolean isAwake() {
        return left > 0 && (!telling || idle < IDLE_MAX);
    }

    /** For tests. */
    @Override
    public String toString() {
        String state = left == 0 ? "over" : isTelling() ? "telling" : telling ? "idle" : "looking";
        return state + " left " + left + " spent " + spent + " saved " + saved + " piece " + piece;
    }
}
