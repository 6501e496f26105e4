package io.mio.pf;

/**
 * Decides for {@link ReadHints} of which requests a byte is read first. A kernel that reads far
 * ahead follows one stream of an open. It takes a long request among others for a random one,
 * unless its cache has more of the bytes in front of the request than the request is long. In front
 * of a single byte there is always more: then the kernel reads on by itself, as many bytes as it
 * has there. Pure. Twin of {@code pf_nudges.h}.
 *
 * <p>{@link #inVain} may be called by any thread. The rest is for one thread at a time.
 */
final class Nudges {
    /** Of shorter requests no byte is read first, bytes. */
    private static final long LEAST = 256 << 10;

    /** A request counts as being in the kernel's cache if this much of its beginning is, bytes. */
    static final long FIRST = 64 << 10;

    /** Requests without a stream of which a byte is read first: they may be at random after all. */
    private static final int GUESSES = 64;

    /**
     * More such requests for each byte read for a stream: short streams show only in their last
     * requests.
     */
    private static final int EARNED = 4;

    /**
     * Requests of streams in a row that the kernel's cache had before others pass without a look.
     */
    private static final int THERE = 8;

    /** The same after a byte was read: the kernel reads ahead. */
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

    /** Requests of streams in a row that the kernel's cache had, and how many there may be. */
    private int there;

    private int patience = THERE;

    /** The kernel did not read on after a byte. */
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
     * Takes the next request, which belongs to no stream as far as is known.
     *
     * @param apart it is not near the request before it
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

    /** The request is of a forward stream that reads without gaps. */
    void forward() {
        of = Of.FORWARD;
        front = before;
    }

    /** The request is a step. */
    void steps() {
        of = Of.STEPS;
        front = withinReach();
    }

    /**
     * Bytes in front for {@link #front} if the request is no longer than the kernel reads ahead,
     * else 0: of a longer one the kernel would read no more than that at a time, where a hint can
     * cover all.
     */
    private long withinReach() {
        return length <= reachBytes ? before : 0;
    }

    /** No byte of the last request is read first. */
    void none() {
        front = 0;
    }

    /**
     * Bytes in front of the last request that the caller is to ask for. If the kernel's cache has
     * them, and not the first {@link #FIRST} of the request, a byte of the request is to be read
     * first. 0: no.
     */
    long front() {
        return front;
    }

    /** Notes that the byte was read. */
    void nudged() {
        guesses = of == Of.GUESS ? guesses - 1 : Math.min(guesses + EARNED, GUESSES);
        there = 0;
        patience = AHEAD;
    }

    /**
     * Notes that the kernel's cache has the last request.
     *
     * @return true if the next ones need no look for a while
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

    /** True if a byte was read not long ago, and others will be. */
    boolean isUsual() {
        return front > 0 && patience == AHEAD;
    }

    /** Notes that a byte was read and the kernel does not read on: no more bytes are read first. */
    void inVain() {
        vain = true;
    }
}
