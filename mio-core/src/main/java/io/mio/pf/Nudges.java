package io.mio.pf;

/**
 * Of which requests a byte is read first, for {@link ReadHints}. A kernel that reads far ahead
 * follows one stream of an open; a long request among others it takes for a random one, unless more
 * lies in front of it in its cache than it is long. A byte has always more in front: the kernel
 * reads on by itself then, as far as what lies there. Pure. Twin of {@code pf_nudges.h}.
 *
 * <p>{@link #inVain} may be called by any thread. The rest is for one thread at a time.
 */
final class Nudges {
    /** Of shorter requests none is read first, bytes. */
    private static final long LEAST = 256 << 10;

    /** A request that begins with so much of what is there is taken to be there, bytes. */
    static final long FIRST = 64 << 10;

    /** Requests without a stream of which one is read first: they may be at random after all. */
    private static final int GUESSES = 64;

    /** So many more after each nudge of a stream: short ones are known by their last requests. */
    private static final int EARNED = 4;

    /** Requests of streams that were there, in a row, before others are not looked at. */
    private static final int THERE = 8;

    /** The same after a nudge: the kernel reads ahead. */
    private static final int AHEAD = 256;

    private enum Of {
        GUESS,
        STEPS,
        FORWARD
    }

    private final long reachBytes;
    private final long sizeBytes;

    // Of the last request.
    private long length;
    private long before;
    private long front;
    private Of of = Of.GUESS;

    private int guesses = GUESSES;

    /** Requests of streams that were there, in a row, and how many may be. */
    private int there;

    private int patience = THERE;

    /** The kernel did not read on. */
    private volatile boolean vain;

    /**
     * For one open.
     *
     * @param reachBytes how far the kernel reads ahead by itself; 0: not known
     * @param sizeBytes of the file; 0: not known
     */
    Nudges(long reachBytes, long sizeBytes) {
        this.reachBytes = reachBytes;
        this.sizeBytes = sizeBytes;
    }

    /**
     * The next request, of no stream as far as is known.
     *
     * @param apart it is not near the one before
     */
    void next(long offset, long bytes, boolean apart) {
        length = bytes;
        of = Of.GUESS;
        boolean may =
                apart
                        && !vain
                        && reachBytes >= HintWay.KERNEL_GOOD
                        && bytes >= LEAST
                        && (sizeBytes == 0 || offset + LEAST <= sizeBytes);
        before = may && offset >= Math.min(bytes, reachBytes) ? Math.min(bytes, reachBytes) : 0;
        front = guesses > 0 ? withinReach() : 0;
    }

    /** It is of a forward stream that reads without gaps. */
    void forward() {
        of = Of.FORWARD;
        front = before;
    }

    /** It is a step. */
    void steps() {
        of = Of.STEPS;
        front = withinReach();
    }

    /**
     * Of a longer one the kernel would read no more at a time than it reads ahead: all of it can be
     * told of in place of that.
     */
    private long withinReach() {
        return length <= reachBytes ? before : 0;
    }

    /** Of the last request none is read first. */
    void none() {
        front = 0;
    }

    /**
     * So many bytes in front of the last request are asked for: if the kernel's cache has them, and
     * not the first {@link #FIRST} of the request, a byte of it is to be read first. 0: no.
     */
    long front() {
        return front;
    }

    /** That is done. */
    void nudged() {
        guesses = of == Of.GUESS ? guesses - 1 : Math.min(guesses + EARNED, GUESSES);
        there = 0;
        patience = AHEAD;
    }

    /**
     * The last request is there.
     *
     * @return true if the next ones need not be looked at for a while
     */
    boolean isEnough() {
        if (of != Of.FORWARD) {
            return false;
        }
        there++;
        if (there < patience) {
            return false;
        }
        patience = THERE;
        return true;
    }

    /** A byte was read not long ago, and so will be others. */
    boolean isUsual() {
        return front > 0 && patience == AHEAD;
    }

    /** A byte has been read, and the kernel does not read on: none is from now on. */
    void inVain() {
        vain = true;
    }
}
