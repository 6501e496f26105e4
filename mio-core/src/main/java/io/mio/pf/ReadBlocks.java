package io.mio.pf;

/**
 * Which blocks of a file that is not in the kernel's cache {@code pf/auto} tells the kernel of as a
 * whole, because the program keeps coming back to them at random or in steps. Pure: requests in,
 * blocks out. Twin of {@code pf_blocks.h}, held together by {@code twin/auto/blocks.txt}.
 *
 * <p>A block takes longer to come than the page of it that is asked for, and saves a request each
 * time that another of its pages is. Both are counted, in half requests: blocks are told of where
 * requests come back, each once, and never for more than what was saved so far and a small part of
 * all requests, which is all that can be lost. Once they have paid for themselves, larger pieces
 * are told at once. On storage that answers late a block costs less, since it is hardly longer on
 * its way than a page: the first requests are timed.
 *
 * <p>Only the first request for a page counts: then the page is there. Where most requests are for
 * such pages, few are to be expected for others.
 */
final class ReadBlocks {
    private static final int BLOCK_BYTES = 64 << 10;
    private static final int PAGE_BYTES = 4096;

    /** Larger files are left alone. */
    private static final int BLOCKS_MAX = 4096;

    /** Of longer requests a block is not much more, bytes. */
    private static final int REQUEST_MAX = 16 << 10;

    /** Of the last 64 requests so many have to have come back to a block. */
    private static final int RETURNS = 16;

    /** What a block costs, half requests: on an idle disk less, on a busy one as much. */
    private static final int COST = 3;

    /** The same where less than half of the last 64 requests were the first ones for a page. */
    private static final int COST_OF_FEW = 6;

    /** In steps, where it comes while the program goes there. */
    private static final int COST_IN_STEPS = 2;

    /** So many requests are timed. */
    private static final int TIMED = 32;

    /** If most take so long, a block costs {@link #COST_LATE}. */
    private static final long LATE_NANOS = 256_000;

    /** Half requests: on such storage a block takes hardly longer than a page. */
    private static final int COST_LATE = 1;

    /** What is saved by each request for another page of it. */
    private static final int GAIN = 2;

    /** For so many requests half of one may be lost. */
    private static final int CREDIT = 24;

    /** In steps: so many in front of the program. */
    private static final int AHEAD = 4;

    /** Told at once, blocks at most. */
    private static final int PIECE_MAX = 4;

    /** Pieces of a size before larger ones. */
    private static final int PIECES = 64;

    /** Random requests before it begins, or gives up. */
    private static final int PATIENCE = 2048;

    /** Requests in a row that tell nothing before fewer are looked at again. */
    private static final int IDLE_MAX = 512;

    private static final char ALL = 0xffff;

    private final long sizeBytes;

    /** Of each block the pages that were asked for, bits. */
    private final char[] touched;

    private final long[] told;

    /** Blocks that were not told of; 0: it is over. */
    private int left;

    /** The last 64 requests, bits: whether they came back. */
    private long returns;

    /** The same, of requests for any page: whether they were the first ones for it. */
    private long firsts = -1;

    /** When the last request began, and whether it is timed, with what the program does then. */
    private long nanos;

    private boolean isTimed;

    /** Requests of whatever kind. */
    private int looks;

    // Timed ones: all, and late ones.
    private int timed;
    private int late;

    private int patience = PATIENCE;

    /** It has begun to tell. */
    private boolean telling;

    /** Since something was told, requests. */
    private int idle;

    private long requests;

    // Half requests.
    private long spent;
    private long saved;

    /** Blocks told at once, and how often. */
    private int piece = 1;

    private int pieces;

    // What was found last: blocks, the last one excluded, and what they cost.
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

    /** True if files of this size, bytes, can be told of in blocks. */
    static boolean serves(long sizeBytes) {
        return sizeBytes > 0 && sizeBytes <= (long) BLOCKS_MAX * BLOCK_BYTES;
    }

    /**
     * A request is about to be made, of whatever kind: the one before is over.
     *
     * @param now the time, nanoseconds; looked at only if {@link #isTiming}; 0: not known
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

    /** Some requests after that one will not be shown. */
    void rests() {
        isTimed = false;
    }

    /**
     * Looks at that request, if it is at random or in steps.
     *
     * @param step from the request before to this one, signed bytes; 0: at random. Those in steps
     *     do not wear its patience out
     * @return true if the kernel is to be told of {@link #bytes} from {@link #from} on, or else
     *     {@link #there} is to be called
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

    /** True while times matter. */
    boolean isTiming() {
        return left > 0 && timed < TIMED && looks < PATIENCE;
    }

    /** Of one block, half requests. */
    private int cost(long step) {
        if (timed == TIMED && 2 * late > TIMED) {
            return COST_LATE;
        }
        if (step != 0) {
            return COST_IN_STEPS;
        }
        return Long.bitCount(firsts) < Long.SIZE / 2 ? COST_OF_FEW : COST;
    }

    /** In steps, the block that the program comes to. */
    private int wanted(int block, long offset, long step) {
        if (step == 0 || Math.abs(step) > sizeBytes) {
            return block;
        }
        long next = offset + AHEAD * step;
        return next < 0 || next >= sizeBytes ? block : (int) (next / BLOCK_BYTES);
    }

    /** Gives up after many random requests that were no reason to begin. */
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

    /** The block is to be told of, with others of its piece, if that can be afforded. */
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
     * What was found last is in the kernel's cache: it was not told, and nothing is saved there.
     */
    void there() {
        spent -= cost;
        pieces--;
        for (int each = first; each < end; each++) {
            touched[each] = ALL;
        }
    }

    /** First byte of what was found last. */
    long from() {
        return (long) first * BLOCK_BYTES;
    }

    /** Of what was found last. */
    long bytes() {
        return Math.min((long) end * BLOCK_BYTES, sizeBytes) - from();
    }

    /** Of the last 64 requests those that came back to a block. */
    int returned() {
        return Long.bitCount(returns);
    }

    /** True while it tells. */
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
