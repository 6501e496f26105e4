package io.mio.pf;

/**
 * Which reads of an open {@link ReadHints} need not look at: the next ones of a stream that has
 * been seen to, a number of bytes because what was looked at was there already, or a number of
 * requests because they had no order. Pure. Twin of {@code pf_quiet.h}.
 *
 * <p>{@link #isQuiet} may be called by any thread; races between them make a guess worse and do no
 * other harm. The rest is for one thread at a time.
 */
final class QuietReads {
    private static final long NONE = -1;

    private static final long TRUST_FIRST = 256 << 10;

    /** The most that is not looked at at a time because what was before was there, bytes. */
    static final long TRUST_MAX = 8 << 20;

    private static final int NAP_FIRST = 64;
    private static final int NAP_MAX = 4096;

    /** Long requests that are not looked at after some that were there. */
    private static final int DOZE = 8;

    /** The most that may go by without a word. */
    private static final int REST_MAX = 256;

    // The last request of the open, and where the next ones need not be looked at.
    private long lastOffset = NONE;
    private long lastLength;
    private long from;
    private long to;

    /** Bytes that are not looked at, because what was looked at was there. */
    private long credit;

    /**
     * Requests that are not looked at unless they touch the last one; a test sets it as threads may
     * leave it that race.
     */
    int asleep;

    /**
     * Guess of how far a request is from the next, bytes, if there was a rest since the last look;
     * else 0.
     */
    private long step;

    /** The next credit, bytes. */
    private long trust = TRUST_FIRST;

    /** How long the next sleep is. */
    private int nap = NAP_FIRST;

    /** True if a request needs no look; then it has been noted. */
    boolean isQuiet(long offset, long length) {
        long last = lastOffset;
        if (credit > 0) {
            credit -= length;
        } else if (offset < from || offset + length > to) {
            // Read once: two threads that count down may both see the last one.
            int now = asleep;
            if (now <= 0 || offset == last + lastLength || offset + length == last) {
                return false;
            }
            asleep = now - 1;
        }
        lastOffset = offset;
        lastLength = length;
        return true;
    }

    /**
     * After a quiet request of {@code length} bytes: how many more of the kind need not even be
     * shown here.
     *
     * @param forward the stream they are of
     * @param step from the request that was looked at to this one, bytes: the first rest after a
     *     look knows by it how far a request is from the next; later ones remember
     */
    int rest(long length, boolean forward, long step) {
        if (this.step == 0 || step < this.step) {
            this.step = step;
        }
        if (credit > 0) {
            int reads = (int) Math.min(credit / length, REST_MAX);
            credit -= reads * length;
            return reads;
        }
        if (isLastInside()) {
            long room = forward ? to - lastOffset - length : lastOffset - from;
            // The last one is shown: by it the stream is known again.
            return (int) Math.max(0, Math.min(room / Math.max(length, this.step) - 1, REST_MAX));
        }
        int now = asleep;
        int reads = Math.min(now, REST_MAX);
        asleep = now - reads;
        return reads;
    }

    /** A request is looked at; so is the next one, unless something else is said. */
    void looked(long offset, long length) {
        lastOffset = offset;
        lastLength = length;
        between(0, 0);
        step = 0;
    }

    /** From here to there nothing new comes, bytes of the file. */
    void between(long start, long end) {
        from = start;
        to = end;
    }

    /** What was looked at was there: more and more bytes are not. */
    void credit() {
        credit = trust;
        trust = Math.min(2 * trust, TRUST_MAX);
    }

    /** It was not there. */
    void distrust() {
        trust = TRUST_FIRST;
    }

    /** Requests had no order: more and more of them are not looked at. */
    void sleep() {
        asleep = nap;
        nap = Math.min(2 * nap, NAP_MAX);
    }

    /** Long requests were there, of which each that is not is worth a look. */
    void doze() {
        asleep = DOZE;
    }

    /**
     * There is something to see in them: it is looked at the next one, and the next sleep is a
     * short one.
     */
    void wake() {
        nap = NAP_FIRST;
        asleep = 0;
    }

    /** First byte of the last request, whether it was looked at or not; negative: there is none. */
    long lastOffset() {
        return lastOffset;
    }

    /** Of the last request, bytes. */
    long lastLength() {
        return lastLength;
    }

    /** True if the last request was where nothing new comes. */
    boolean isLastInside() {
        return lastOffset >= from && lastOffset + lastLength <= to;
    }
}
