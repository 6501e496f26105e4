package io.mio.pf;

/**
 * The requests of an open that have no dense order, for {@link ReadHints}: now and then its caller
 * is asked whether one is in the kernel's cache; where it is not, {@link ReadBlocks} begin. Pure.
 * Twin of {@code pf_scattered.h}.
 */
final class ScatteredReads {
    /** Requests until the caller is asked. */
    private static final int ASKED = 16;

    /** After as many of them more seldom, which is as often as this. */
    private static final int ASKED_SELDOM = 256;

    /** Gaps of one size in a row that are steps. */
    private static final int STEADY = 3;

    private final long sizeBytes;

    /** Null until it is known that the file is not in the kernel's cache. */
    private ReadBlocks blocks;

    /** As long as that is not known. */
    private int requests;

    private boolean asks;

    // From one request to the next over a gap, bytes, and how often it was so.
    private long gone;
    private int steady;

    /**
     * For one open.
     *
     * @param sizeBytes of the file; 0: not known
     */
    ScatteredReads(long sizeBytes) {
        this.sizeBytes = sizeBytes;
    }

    /**
     * Looks at a request that is about to be made, at random, over a gap or in steps.
     *
     * @param step as for {@link ReadBlocks#seen}
     * @return true if the kernel is to be told of a block
     */
    boolean seen(long offset, long length, long step) {
        if (blocks != null) {
            return blocks.seen(offset, length, step);
        }
        requests++;
        int each = requests <= ASKED_SELDOM ? ASKED : ASKED_SELDOM;
        asks = requests % each == 0 && ReadBlocks.serves(sizeBytes);
        return false;
    }

    /** A forward stream has gone so far over a gap: its steps, if they are of one size, else 0. */
    long steps(long bytes) {
        steady = bytes == gone ? steady + 1 : 0;
        gone = bytes;
        return steady >= STEADY ? bytes : 0;
    }

    /**
     * The next request, of whatever kind.
     *
     * @param nanos the time; looked at only if {@link #isTiming}; 0: not known
     */
    void next(long nanos) {
        asks = false;
        if (blocks != null) {
            blocks.next(nanos);
        }
    }

    /** Some requests after that one will not be shown. */
    void rests() {
        if (blocks != null) {
            blocks.rests();
        }
    }

    /** True while times matter. */
    boolean isTiming() {
        return blocks != null && blocks.isTiming();
    }

    /** True if the caller is to find out whether the last request is in the kernel's cache. */
    boolean asks() {
        return asks;
    }

    /** The file, or a part of it, is not in the kernel's cache. */
    void cold() {
        if (blocks == null && ReadBlocks.serves(sizeBytes)) {
            blocks = new ReadBlocks(sizeBytes);
        }
    }

    /** As far as is known the file is in the kernel's cache, or blocks of it are not told of. */
    boolean isThere() {
        return blocks == null && (requests > 2 * ASKED || !ReadBlocks.serves(sizeBytes));
    }

    /** After {@link #seen} has found something, or {@link #isTelling}. */
    ReadBlocks blocks() {
        return blocks;
    }

    boolean isTelling() {
        return blocks != null && blocks.isTelling();
    }

    boolean isAwake() {
        return blocks != null && blocks.isAwake();
    }
}
