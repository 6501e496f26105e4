package io.mio.pf;

/**
 * The requests of an open that have no dense order, for {@link ReadHints}. Now and then the caller
 * is asked whether such a request is in the kernel's cache; where one is not, {@link ReadBlocks}
 * begin. Pure. Twin of {@code pf_scattered.h}.
 */
final class ScatteredReads {
    /** Requests from one question to the caller to the next. */
    private static final int ASKED = 16;

    /** After this many requests the caller is asked more seldom, once in as many. */
    private static final int ASKED_SELDOM = 256;

    /** Gaps of one size in a row that make steps. */
    private static final int STEADY = 3;

    private final long sizeBytes;

    /** Null until it is known that the file is not in the kernel's cache. */
    private ReadBlocks blocks;

    /** Requests seen while there are no blocks. */
    private int requests;

    private boolean asks;

    // How far the last request was from the one before, over a gap, bytes; and how often it was so.
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
     * @return true if the kernel is to get a hint for a block
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

    /**
     * Notes how far a forward stream has gone over a gap. Returns its steps if they are of one
     * size, else 0.
     */
    long steps(long bytes) {
        steady = bytes == gone ? steady + 1 : 0;
        gone = bytes;
        return steady >= STEADY ? bytes : 0;
    }

    /**
     * Notes the next request, of whatever kind.
     *
     * @param nanos the time; used only if {@link #isTiming}; 0: not known
     */
    void next(long nanos) {
        asks = false;
        if (blocks != null) {
            blocks.next(nanos);
        }
    }

    /** Notes that some requests after the last one will not be shown. */
    void rests() {
        if (blocks != null) {
            blocks.rests();
        }
    }

    /** True while {@link #next} needs the time. */
    boolean isTiming() {
        return blocks != null && blocks.isTiming();
    }

    /** True if the caller is to find out whether the last request is in the kernel's cache. */
    boolean asks() {
        return asks;
    }

    /** Notes that the file, or a part of it, is not in the kernel's cache. */
    void cold() {
        if (blocks == null && ReadBlocks.serves(sizeBytes)) {
            blocks = new ReadBlocks(sizeBytes);
        }
    }

    /**
     * True if the file is in the kernel's cache, as far as is known, or can have no hints for
     * blocks.
     */
    boolean isThere() {
        return blocks == null && (requests > 2 * ASKED || !ReadBlocks.serves(sizeBytes));
    }

    /**
     * The blocks; to be called after {@link #seen} has found something, or while {@link
     * #isTelling}.
     */
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
