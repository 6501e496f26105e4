package io.mio.pf;

/**
 * What {@link ReadHints} has decided, for people to read: a word, and the reason with the figures
 * it was made by. Pure. Twin of {@code pf_hint_decisions.h}.
 *
 * <p>Everything but a measurement is told of the first time only: it comes again and again.
 */
final class HintDecisions {
    /** What can be decided; each has a word for what happens from then on. */
    enum Kind {
        /** Told of what comes. */
        FORWARD("hints"),
        BACKWARD("hints"),
        STEPS("hints"),
        PIECES("hints"),
        BLOCKS("hints"),
        /** A byte is read first, so that the kernel reads on by itself. */
        NUDGE("hints"),
        /** Measured: hints are better, or not. */
        BETTER("hints"),
        NO_BETTER(KERNEL),
        /** Left to the kernel, which does it by itself. */
        FAR(KERNEL),
        LARGE(KERNEL),
        /** Looked at less and less. */
        RANDOM("random"),
        /** What was to be told was there. */
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

    /** Before anything is known. */
    static final String LOOKING = "looking";

    /** The kernel does without being told. */
    static final String KERNEL = "kernel";

    private int known;
    private Kind last;

    /** The last one is new, and nobody has asked. */
    private boolean isNew;

    private Kind now;

    // What the last one was made by.
    private long figure;
    private long otherFigure;

    /** It is so; {@code bytes}: what it is known by, if it is. */
    void is(Kind kind, long bytes) {
        now = kind;
        if ((known & 1 << kind.ordinal()) == 0) {
            set(kind, bytes, 0);
        }
    }

    /** The same, in place of what was decided since anybody asked. */
    void instead(Kind kind, long bytes) {
        if (isNew) {
            known &= ~(1 << last.ordinal());
            isNew = false;
        }
        is(kind, bytes);
    }

    /** Both ways were measured, picoseconds a byte. */
    void measured(boolean better, long hinted, long alone) {
        now = better ? Kind.BETTER : Kind.NO_BETTER;
        set(now, hinted, alone);
    }

    /** What was to be told was there, so that nothing is told. */
    void cached() {
        takeBack();
        is(Kind.CACHED, 0);
    }

    /** What was to be told was there, which says nothing of what comes next. */
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

    /** True, once, if something was decided since the last time. */
    boolean take() {
        boolean was = isNew;
        isNew = false;
        return was;
    }

    /** Of the last decision. */
    String word() {
        return last.word;
    }

    /** What happens now. */
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
