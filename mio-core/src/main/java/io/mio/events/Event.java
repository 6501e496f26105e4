package io.mio.events;

import io.mio.stats.TraceOperation;

/**
 * One record of an events file.
 *
 * @param kind what it is
 * @param operation of a call or an end, else null
 * @param page of a page event, else null
 * @param file id of the {@link EventFile}; 0 for {@link Kind#DROPPED}
 * @param startNanos since time zero ({@link EventHeader#realtimeNanos}); of an end: the submission
 * @param durationNanos 0 and more
 * @param offset in the file, bytes; -1 where there is none, or it is not known
 * @param requested bytes; -1 if not known; of {@link Kind#DROPPED}: events lost
 * @param delivered bytes
 * @param failed whether it failed, see {@code errno}
 * @param append whether it was written to the end of the file
 * @param asynchronous of a page request: whether it was asynchronous
 * @param errno as Linux numbers it; 0 if it did not fail, or that is not known
 * @param thread number of the thread
 * @param number of the asynchronous request in its process, else 0; of a page event the frame
 * @param process the process whose event it is
 */
public record Event(
        Kind kind,
        TraceOperation operation,
        PageOperation page,
        int file,
        long startNanos,
        long durationNanos,
        long offset,
        long requested,
        long delivered,
        boolean failed,
        boolean append,
        boolean asynchronous,
        int errno,
        long thread,
        long number,
        long process) {
    /** Kinds of events. */
    public enum Kind {
        /** A call that has ended; of an asynchronous request its submission. */
        CALL,
        /** The end of an asynchronous request. */
        END,
        /** Something happened to a page. */
        PAGE,
        /** Events could not be recorded. */
        DROPPED
    }

    /** Limit of times, offsets and sizes: 36 years, or an EiB. */
    public static final long MOST = 1L << 60;

    /**
     * False where a damaged or hostile file claims the impossible. One time far away would make all
     * others a point, and sums meaningless. Offsets and requested sizes may be anything: a program
     * may ask for them, though it does not always get them.
     */
    boolean isPossible() {
        boolean inTime = isPossible(startNanos, durationNanos);
        if (kind == Kind.DROPPED) {
            return inTime && requested >= 0 && requested <= MOST;
        }
        boolean moves = kind != Kind.PAGE && operation.isTransfer() && !failed;
        return inTime
                && delivered >= 0
                && delivered <= MOST
                && (!moves || requested < 0 || delivered <= requested);
    }

    private static boolean isPossible(long start, long duration) {
        return start >= -MOST && duration >= 0 && duration <= MOST && start <= MOST - duration;
    }

    /**
     * Whether a read that did not fail is possible at a place of a file, so that it can be planned
     * with.
     */
    static boolean canBeRead(
            long start, long duration, long offset, long requested, long delivered) {
        return isPossible(start, duration)
                && offset <= MOST
                && requested <= MOST
                && delivered >= 0
                && delivered <= MOST
                && (requested < 0 || delivered <= requested);
    }

    /**
     * Returns the event; if the program has asked for a place that no file has, one whose offset
     * and size are not known. Its numbers can be added, subtracted and shifted without overflow.
     */
    public Event bounded() {
        if (kind == Kind.DROPPED
                || (offset >= -1 && offset <= MOST && requested >= -1 && requested <= MOST)) {
            return this;
        }
        return new Event(
                kind,
                operation,
                page,
                file,
                startNanos,
                durationNanos,
                -1,
                -1,
                delivered,
                failed,
                append,
                asynchronous,
                errno,
                thread,
                number,
                process);
    }

    /** When it ended. */
    public long endNanos() {
        return startNanos + durationNanos;
    }
}
