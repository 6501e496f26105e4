package io.mio.pf;

/**
 * Knows which reads of an open {@link ReadHints} need not look at. They are the next reads of a
 * stream that has its hints, or is left to the kernel; or a number of bytes, because what was
 * looked at was in the kernel's cache; or a number of requests, because they had no order. Pure.
 * Twin of {@code pf_quiet.h}.
 *
 * <p>{@link #isQuiet} may be called by any thread; races between threads make a guess worse and do
 * no other harm. The rest is for one thread at a time.
 */
final class QuietReads {
    private static final long NONE = -1;

    private static final long TRUST_FIRST = 256 << 10;

    /**
     * The most bytes that pass without a look at a time because bytes before were in the kernel's
     * cache.
     */
    static final long TRUST_MAX = 8 << 20;

    private static final int NAP_FIRST = 64;
    private static final int NAP_MAX = 4096;

    /** Long requests that pass without a look after some that were in the kernel's cache. */
    private static final int DOZE = 8;

    /** The most requests that may pass without even being shown here. */
    private static final int REST_MAX = 256;

    // The last request of the open, and the range in which the next ones need no look.
    private long lastOffset = NONE;
    private long lastLength;
    private long from;
    private long to;

    /** Bytes that need no look, because what was looked at was in the kernel's cache. */
    private long credit;

    /**
     * Requests that need no look unless they touch the last one. A test sets it to what racing
     * threads may leave.
     */
    int asleep;

    /**
     * Guess of the bytes from the start of one request to that of the next, if there was a rest
     * since the last look; else 0.
     */
    private long step;

    /** The next credit, bytes. */
    private long trust = TRUST_FIRST;

    /** Length of the next sleep, requests. */
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
     * Tells after a quiet request of {@code length} bytes how many more of its kind need not even
     * be shown here.
     *
     * @param forward whether the stream that they are of goes forward
     * @param step from the request that was looked at to this one, bytes: the first rest after a
     *     look takes it for the step from each request to the next; later rests remember it
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
            // The last one is shown, so that the stream is recognised again.
            return (int) Math.max(0, Math.min(room / Math.max(length, this.step) - 1, REST_MAX));
        }
        int now = asleep;
        int reads = Math.min(now, REST_MAX);
        asleep = now - reads;
        return reads;
    }

    /**
     * Notes a request that is looked at. So is the next one, unless another method says otherwise.
     */
    void looked(long offset, long length) {
        lastOffset = offset;
        lastLength = length;
        between(0, 0);
        step = 0;
    }

    /** Nothing new comes between these two offsets of the file. */
    void between(long start, long end) {
        from = start;
        to = end;
    }

    /** What was looked at was in the kernel's cache: more and more bytes pass without a look. */
    void credit() {
        credit = trust;
        trust = Math.min(2 * trust, TRUST_MAX);
    }

    /** What was looked at was not in the kernel's cache: the next credit is a small one. */
    void distrust() {
        trust = TRUST_FIRST;
    }

    /** Requests had no order: more and more of them pass without a look. */
    void sleep() {
        asleep = nap;
        nap = Math.min(2 * nap, NAP_MAX);
    }

    /** Long requests were in the kernel's cache; each one that is not is worth a look. */
    void doze() {
        asleep = DOZE;
    }

    /**
     * There is something to see in requests: the next one is looked at, and the next sleep is a
     * short one.
     */
    void wake() {
        nap = NAP_FIRST;
        asleep = 0;
    }

    /**
     * First byte of the last request, whether or not it was looked at; negative: there was none.
     */
    long lastOffset() {
        return lastOffset;
    }

    /** Length of the last request, bytes. */
    long lastLength() {
        return lastLength;
    }

    /** True if the last request was where nothing new comes. */
    boolean isLastInside() {
        return lastOffset >= from && lastOffset + lastLength <= to;
    }
}
