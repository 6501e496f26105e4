package io.mio.pf;

import java.util.Locale;

/**
 * Whether an open under {@code pf/auto} reads past the kernel's cache, into pages of its own: a
 * file that is read at length in one direction and is far larger than the memory that could keep it
 * would only push everything else out. Pure: what dense streams read in, questions to the kernel's
 * cache and a choice out. Twin of {@code pf_direct_choice.h}, held together by {@code
 * twin/auto/direct.txt}.
 *
 * <p>For one thread at a time; others may look at the state, and end it.
 */
final class DirectChoice {
    /** What is chosen. */
    enum State {
        /** Not decided: the kernel serves. */
        LOOKING,
        /** Past the kernel's cache, if that can be had. */
        DIRECT,
        /** It was not to be had, or is of no use: for good. */
        OVER
    }

    /** Nothing is asked. */
    static final long NONE = -1;

    private final DirectSizes sizes;
    private volatile State state = State.LOOKING;

    /** Read since the last question, bytes. */
    private long run;

    /** Offset of the last question. */
    private long asked;

    /** Answers in a row that say that nothing is there. */
    private int cold;

    // Of the answer that decided, bytes.
    private long size;
    private long room;

    DirectChoice(DirectSizes sizes) {
        this.sizes = sizes;
    }

    State state() {
        return state;
    }

    /** It is the kernel's from now on. */
    synchronized void over() {
        state = State.OVER;
    }

    /** The same, unless it is chosen already. */
    synchronized void settle() {
        state = state == State.LOOKING ? State.OVER : state;
    }

    private synchronized void direct() {
        state = state == State.LOOKING ? State.DIRECT : state;
    }

    /**
     * A dense stream has come further.
     *
     * @param moved by so many bytes since it was looked at last, negative: backward
     * @param at where it reads next
     * @return offset of what the kernel's cache is to be asked for, or {@link #NONE}
     */
    long seen(long moved, long at) {
        if (moved == 0 || state != State.LOOKING) {
            return NONE;
        }
        run += Math.abs(moved);
        if (run < sizes.step()) {
            return NONE;
        }
        run = 0;
        asked = moved > 0 ? at + sizes.ahead() : at - sizes.ahead() - sizes.asked();
        return asked < 0 ? NONE : asked;
    }

    /**
     * What came of the last question.
     *
     * @param newSize of the file, bytes
     * @param newRoom memory that could keep it, bytes
     * @param there 1: it is in the kernel's cache, 0: it is not; else not known
     */
    void answer(long newSize, long newRoom, int there) {
        if (state != State.LOOKING) {
            return;
        }
        if (!sizes.isBeyond(newSize, newRoom)) {
            cold = 0;
            return;
        }
        if (asked > newSize - sizes.asked()) {
            // Nothing is learned behind the end.
            return;
        }
        cold = there == 0 ? cold + 1 : 0;
        if (cold >= sizes.needed()) {
            size = newSize;
            room = newRoom;
            direct();
        }
    }

    /** True if the next answer may decide: room should be what it is now. */
    boolean mayDecide() {
        return cold + 1 >= sizes.needed();
    }

    /** True if so many bytes read by the program are worth so many that pages read. */
    static boolean isWorth(long bytes, long pageBytes) {
        return pageBytes / 2 <= bytes;
    }

    /**
     * True if pages may stay.
     *
     * @param roomBytes memory that is left for files beside them
     * @param cacheBytes what they have
     * @param touchedBytes what of it has been used
     */
    static boolean mayKeep(long roomBytes, long cacheBytes, long touchedBytes) {
        return roomBytes >= cacheBytes + Math.max(0, cacheBytes - touchedBytes);
    }

    /** Why it chose as it did, in words. */
    String reason() {
        return "the file ("
                + size / DirectSizes.MIB
                + " MiB) is more than twice the memory that could keep it ("
                + room / DirectSizes.MIB
                + " MiB), and "
                + sizes.needed() * sizes.step() / DirectSizes.MIB
                + " MiB of it in a row were not there";
    }

    /** What it has come to, as the golden cases tell it. */
    @Override
    public String toString() {
        return state.name().toLowerCase(Locale.ROOT) + " " + cold;
    }
}
