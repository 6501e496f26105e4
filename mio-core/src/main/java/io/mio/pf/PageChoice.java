package io.mio.pf;

import java.util.Locale;

/**
 * Decides by the first requests of an open, once, whether {@code pf/auto} takes pages of its own
 * for it. A page serves small requests near each other in less time than calls of the kernel take,
 * unless such a call is as quick. Pure. Twin of {@code pf_choice.h}, held together by {@code
 * twin/auto/choice.txt}.
 *
 * <p>May be called by several threads at once: a race makes the choice a little worse and does no
 * other harm.
 */
final class PageChoice {
    /** What was chosen. */
    enum State {
        /** Not decided yet: the kernel serves. */
        LOOKING,
        /** Pages, if they can be had. */
        PAGES,
        /** No pages: the kernel serves. */
        KERNEL
    }

    /** Requests of one group, which are judged together. */
    private static final int REQUESTS = 64;

    /** Groups that are judged before the kernel has the open for good. */
    private static final int LOOKS = 4;

    /** A request is near if it is at most this far behind or before an earlier one, bytes. */
    private static final long STEP_BYTES = 2048;

    /** A request is small up to this, bytes: one of 8 KB costs as much from pages as without. */
    private static final long SMALL_BYTES = 4096;

    /**
     * The same where the open may write as well, bytes: larger requests are pages of databases,
     * which processes share by means that are not seen here. Also where the file does not fit
     * memory: larger requests are better read past the kernel's cache.
     */
    private static final long SMALLER_BYTES = 1024;

    /** A page read takes as long as this many small requests. */
    private static final int WORTH = 12;

    /**
     * Time that a request from pages takes, with its share of what it takes to fill them, in
     * nanoseconds; and one more for each {@link #PAGES_BYTES} bytes of it.
     */
    private static final long PAGES_NANOS = 70;

    private static final long PAGES_BYTES = 32;

    /** Streams that may be interleaved: places of the last requests that are remembered. */
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

    /**
     * Time of a call of the kernel that is so short that pages would be no gain, nanoseconds; else
     * 0.
     */
    private long callNanos;

    private volatile State state;

    /**
     * The choice for an open.
     *
     * @param possible false: the open can have no pages, and is left to the kernel
     * @param smaller the open may write, or the file does not fit memory
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

    /** Leaves the open to the kernel: pages were not to be had, or are of no use. */
    void kernel() {
        state = State.KERNEL;
    }

    /** Notes a read of {@code length} bytes that is about to be made. */
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
     * Leaves the open to the kernel after all where a call of it takes less time than pages would.
     * Does nothing unless pages are chosen.
     *
     * @param nanos what a call takes; less than 0: it is not known
     */
    void costs(long nanos) {
        if (state == State.PAGES && nanos >= 0 && nanos < PAGES_NANOS + largest / PAGES_BYTES) {
            callNanos = nanos;
            state = State.KERNEL;
        }
    }

    /**
     * Notes a write that was made. A write never chooses pages: where it would, the next read does.
     */
    void wrote() {
        boolean waits = requests == REQUESTS - 1 && isEnough();
        if (isLooking() && !waits) {
            counted();
        }
    }

    private boolean isEnough() {
        return near * 4 >= REQUESTS * 3;
    }

    /** Index of the place that a request is near to, or -1. */
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

    /** Why the choice was made, in words. */
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

    /** What was seen so far, in the form of the golden cases. */
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

    /**
     * True if pages are worth it: {@code pageReads} of them for this many requests of the program.
     */
    static boolean isWorth(long requests, long pageReads) {
        return pageReads * WORTH <= requests;
    }
}
