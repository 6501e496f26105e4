package io.mio.pf;

/**
 * The decisions of {@link ReadHints}, for people to read: a word, and the reason with the figures
 * behind it. Pure. Twin of {@code pf_hint_decisions.h}.
 *
 * <p>All decisions but measurements are told only the first time, since they come again and again.
 */
final class HintDecisions {
    /** What can be decided. Each decision has a word for what happens from then on. */
    enum Kind {
        /** The kernel gets hints for what comes. */
        FORWARD("hints"),
        BACKWARD("hints"),
        STEPS("hints"),
        PIECES("hints"),
        BLOCKS("hints"),
        /** A byte is read first, so that the kernel reads on by itself. */
        NUDGE("hints"),
        /** Measured: hints are better, or they are not. */
        BETTER("hints"),
        NO_BETTER(KERNEL),
        /** Left to the kernel, which reads ahead by itself. */
        FAR(KERNEL),
        LARGE(KERNEL),
        /** Requests are looked at less and less. */
        RANDOM("random"),
        /** The bytes of the hint were in the kernel's cache already. */
        CACHED("cached"),
        /** The kernel takes no hints. */
        REFUSED(KERNEL);

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        private boolean isTelling() {
            return compareTo(NUDGE) <= 0;
        }
    }

    /** The word before anything is decided. */
    static final String LOOKING = "looking";

    /** The word where the kernel gets no hints. */
    static final String KERNEL = "kernel";

    private int known;
    private Kind last;

    /** The last decision is new: {@link #take} has not reported it yet. */
    private boolean isNew;

    private Kind now;

    // The figures behind the last decision.
    private long figure;
    private long otherFigure;

    /**
     * Notes a decision.
     *
     * @param bytes the figure behind it, if it has one
     */
    void is(Kind kind, long bytes) {
        now = kind;
        if ((known & 1 << kind.ordinal()) == 0) {
            set(kind, bytes, 0);
        }
    }

    /** The same, in place of a decision that {@link #take} has not reported yet. */
    void instead(Kind kind, long bytes) {
        if (isNew) {
            known &= ~(1 << last.ordinal());
            isNew = false;
        }
        is(kind, bytes);
    }

    /** Notes a measurement of both ways, picoseconds a byte. */
    void measured(boolean better, long hinted, long alone) {
        now = better ? Kind.BETTER : Kind.NO_BETTER;
        set(now, hinted, alone);
    }

    /** Notes that what the hint was for was in the kernel's cache, so that no hint was given. */
    void cached() {
        takeBack();
        is(Kind.CACHED, 0);
    }

    /**
     * Takes the last decision back: what the hint was for was in the kernel's cache, which says
     * nothing about what comes next.
     */
    void takeBack() {
        if (isNew && last.isTelling()) {
            known &= ~(1 << last.ordinal());
            isNew = false;
        }
    }

    private void set(Kind kind, long first, long second) {
        known |= 1 << kind.ordinal();
        last = kind;
        figure = first;
        otherFigure = second;
        isNew = true;
    }

    /** True, once, if something was decided since the last call. */
    boolean take() {
        boolean was = isNew;
        isNew = false;
        return was;
    }

    /** The word of the last decision. */
    String word() {
        return last.word;
    }

    /** The word for what happens now. */
    String now() {
        return now == null ? LOOKING : now.word;
    }

    /** Why the last decision was made, in words. */
    String reason() {
        return switch (last) {
            case FORWARD -> "it goes forward: hints until they are measured";
            case BACKWARD -> "it goes backward, where the kernel reads nothing ahead";
            case STEPS ->
                    "it goes in steps of "
                            + figure
                            + " bytes, where the kernel reads nothing ahead";
            case PIECES ->
                    "requests of "
                            + figure
                            + " bytes in no order, each told of in pieces that come side by side";
            case BLOCKS ->
                    figure
                            + " of 64 requests came back to blocks of 64 KiB that are not in the"
                            + " kernel's cache: hints of whole blocks";
            case NUDGE ->
                    "requests of "
                            + figure
                            + " bytes that go on from what the kernel has, with others in between:"
                            + " a byte is read first, so that it reads ahead";
            case BETTER, NO_BETTER ->
                    "forward, the kernel alone takes "
                            + nanos(otherFigure)
                            + " ns a byte, with hints "
                            + nanos(figure);
            case FAR -> "forward, the kernel reads " + figure / 1024 + " KiB ahead by itself";
            case LARGE ->
                    "forward by "
                            + figure
                            + " bytes, the kernel makes large requests of it by itself";
            case RANDOM -> figure + " requests in a row were in no order: looked at less and less";
            case CACHED -> "what comes next is in the kernel's cache";
            case REFUSED -> "the kernel takes no hints";
        };
    }

    /** Nanoseconds with two decimals, rounded half up. */
    private static String nanos(long picos) {
        long hundredths = (picos + 5) / 10;
        return hundredths / 100 + "." + hundredths / 10 % 10 + hundredths % 10;
    }
}
