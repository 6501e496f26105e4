package io.mio.pf;

import java.util.Locale;

/**
 * Decides whether an open under {@code pf/auto} reads past the kernel's cache, into pages of its
 * own. A file that is read at length in one direction and is far larger than the memory that could
 * keep it would only push everything else out of that cache. Pure: takes what dense streams read,
 * and answers to questions to the kernel's cache; gives such questions and a choice. Twin of {@code
 * pf_direct_choice.h}, held together by {@code twin/auto/direct.txt}.
 *
 * <p>For one thread at a time; other threads may look at the state, and end it.
 */
final class DirectChoice {
    /** What was chosen. */
    enum State {
        /** Not decided yet: the kernel serves. */
        LOOKING,
        /** Past the kernel's cache, if that can be had. */
        DIRECT,
        /** Left to the kernel for good: pages were not to be had, or are of no use. */
        OVER
    }

    /** There is no question. */
    static final long NONE = -1;

    private final DirectSizes sizes;
    private volatile State state = State.LOOKING;

    /** Bytes read since the last question. */
    private long run;

    /** Offset of the last question. */
    private long asked;

    /** Answers in a row that nothing is there. */
    private int cold;

    // Of the answer that decided: size of the file and memory that could keep it, bytes.
    private long size;
    private long room;

    DirectChoice(DirectSizes sizes) {
        this.sizes = sizes;
    }

    State state() {
        return state;
    }

    /** Leaves the open to the kernel from now on. */
    synchronized void over() {
        state = State.OVER;
    }

    /** Leaves the open to the kernel, unless direct pages are chosen already. */
    synchronized void settle() {
        state = state == State.LOOKING ? State.OVER : state;
    }

    private synchronized void direct() {
        state = state == State.LOOKING ? State.DIRECT : state;
    }

    /**
     * Notes that a dense stream has come further.
     *
     * @param moved bytes since the stream was looked at last, negative: backward
     * @param at where the stream reads next
     * @return offset of the bytes to ask the kernel's cache for, or {@link #NONE}
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
     * Takes the answer to the last question.
     *
     * @param newSize of the file, bytes
     * @param newRoom memory that could keep the file, bytes
     * @param there 1: the bytes are in the kernel's cache, 0: they are not; else not known
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
            // Nothing is learned behind the end of the file.
            return;
        }
        cold = there == 0 ? cold + 1 : 0;
        if (cold >= sizes.needed()) {
            size = newSize;
            room = newRoom;
            direct();
        }
    }

    /** True if the next answer may decide: then the room should be asked for anew. */
    boolean mayDecide() {
        return cold + 1 >= sizes.needed();
    }

    /**
     * True if {@code pageBytes} that pages have read were worth {@code bytes} that the program
     * read.
     */
    static boolean isWorth(long bytes, long pageBytes) {
        return pageBytes / 2 <= bytes;
    }

    /**
     * True if pages may stay.
     *
     * @param roomBytes memory that is left for files beside the pages; negative: not known
     * @param cacheBytes memory of the pages
     * @param touchedBytes how much of it has been used
     */
    static boolean mayKeep(long roomBytes, long cacheBytes, long touchedBytes) {
        return roomBytes < 0 || roomBytes >= cacheBytes + Math.max(0, cacheBytes - touchedBytes);
    }

    /** Why the choice was made, in words. */
    String reason() {
        return "the file ("
                + size / DirectSizes.MIB
                + " MiB) is more than twice the memory that could keep it ("
                + room / DirectSizes.MIB
                + " MiB), and "
                + sizes.needed() * sizes.step() / DirectSizes.MIB
                + " MiB of it in a row were not there";
    }

    /** The state, in the form of the golden cases. */
    @Override
    public String toString() {
        return state.name().toLowerCase(Locale.ROOT) + " " + cold;
    }
}
