package io.mio.pf;

import java.util.Locale;

/**
 * Whether {@code pf/auto} takes pages of its own for an open: small requests near each other are
 * served out of a page in less time than a call of the kernel takes, unless that is as quick.
 * Decided by the first requests, once. Pure. Twin of {@code pf_choice.h}, held together by {@code
 * twin/auto/choice.txt}.
 *
 * <p>May be called by several threads at once: a race makes the choice a little worse and does no
 * other harm.
 */
final class PageChoice {
    /** What is chosen. */
    enum State {
        /** Not decided: the kernel serves. */
        LOOKING,
        /** Pages, if they can be had. */
        PAGES,
        /** No pages. */
        KERNEL
    }

    /** Of one look. */
    private static final int REQUESTS = 64;

    /** Looks before the kernel has it for good. */
    private static final int LOOKS = 4;

    /** Near: so far behind or before an earlier request at most, bytes. */
    private static final long STEP_BYTES = 2048;

    /** A request is small up to this, bytes: 8 KB cost as much out of pages as without. */
    private static final long SMALL_BYTES = 4096;

    /**
     * Where the open may write as well: larger ones are pages of databases, which processes share
     * by means that are not seen here. And where the file does not fit memory: larger ones are
     * better read past the kernel's cache.
     */
    private static final long SMALLER_BYTES = 1024;

    /** A page read takes as long as so many small requests. */
    private static final int WORTH = 12;

    /**
     * A request out of pages, with its part of what it takes to fill them, takes so many
     * nanoseconds, and one more for each so many bytes.
     */
    private static final long PAGES_NANOS = 70;

    private static final long PAGES_BYTES = 32;

    /** Streams that may be interleaved. */
    private static final int PLACES = 8;

    private final long smallBytes;
    private final long[] starts = new long[PLACES];
    private final long[] ends = new long[PLACES];
    private int oldest;
    private int places;
    private int requests;
    private int small;
    private int near;
    private int looks;
    private long largest;

    /** With which pages would be no gain, or 0. */
    private long callNanos;

    private volatile State state;

    /**
     * For an open.
     *
     * @param possible false: it can have no pages, and the kernel has it
     * @param smaller it may write, or the file does not fit memory
     */
    PageChoice(boolean possible, boolean smaller) {
        this.smallBytes = smaller ? SMALLER_BYTES : SMALL_BYTES;
        this.state = possible ? State.LOOKING : State.KERNEL;
    }

    State state() {
        return state;
    }

    boolean isLooking() {
        return state == State.LOOKING;
    }

    /** Pages were not to be had, or are of no use. */
    void kernel() {
        state = State.KERNEL;
    }

    /** A read of {@code length} bytes is about to be made. */
    void seen(long offset, long length) {
        if (!isLooking()) {
            return;
        }
        int place = nearest(offset, offset + length);
        if (length <= smallBytes) {
            small++;
            largest = Math.max(largest, length);
            near += place >= 0 ? 1 : 0;
        }
        if (place < 0) {
            place = oldest;
            oldest = (oldest + 1) % PLACES;
            places = Math.min(places + 1, PLACES);
        }
        starts[place] = offset;
        ends[place] = offset + length;
        counted();
    }

    /**
     * Of pages that are chosen: not if a call of the kernel takes less than they would.
     *
     * @param nanos what it takes; less than 0: it is not known
     */
    void costs(long nanos) {
        if (state == State.PAGES && nanos >= 0 && nanos < PAGES_NANOS + largest / PAGES_BYTES) {
            callNanos = nanos;
            state = State.KERNEL;
        }
    }

    /** A write was made. Pages are not chosen by one: where it would, the next read is to. */
    void wrote() {
        boolean waits = requests == REQUESTS - 1 && isEnough();
        if (isLooking() && !waits) {
            counted();
        }
    }

    private boolean isEnough() {
        return near * 4 >= REQUESTS * 3;
    }

    /** The place that a request is near to, or -1. */
    private int nearest(long start, long end) {
        int found = -1;
        long least = STEP_BYTES + 1;
        for (int i = 0; i < places; i++) {
            long distance = Math.max(0, Math.max(start - ends[i], starts[i] - end));
            if (distance < least) {
                least = distance;
                found = i;
            }
        }
        return found;
    }

    private void counted() {
        if (++requests < REQUESTS) {
            return;
        }
        looks++;
        if (isEnough()) {
            state = State.PAGES;
        } else if (small * 4 < REQUESTS || looks == LOOKS) {
            state = State.KERNEL;
        } else {
            requests = 0;
            small = 0;
            near = 0;
        }
    }

    /** Why it chose as it did, in words. */
    String reason() {
        if (!isEnough()) {
            return "only " + near + " of " + requests + " requests were small and near each other";
        }
        return near
                + " of "
                + requests
                + " requests were small (at most "
                + largest
                + " bytes) and near each other"
                + (callNanos == 0
                        ? ""
                        : ", but the kernel takes only "
                                + callNanos
                                + " ns for a call: they would not gain by pages");
    }

    /** What it has seen, as the golden cases tell it. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s %d small %d near %d largest %d looks %d",
                state.name().toLowerCase(Locale.ROOT),
                requests,
                small,
                near,
                largest,
                looks);
    }

    /** Whether pages serve: {@code pageReads} of them for so many requests of the program. */
    static boolean isWorth(long requests, long pageReads) {
        return pageReads * WORTH <= requests;
    }
}
