package io.mio.stats;

/**
 * Counters of one {@link TraceOperation}. Byte counts are zero for operations that move no data.
 *
 * @param count calls
 * @param nanos time beneath the trace layer; for asynchronous ones, time to submit
 * @param requested bytes asked for
 * @param delivered bytes moved
 * @param smallest smallest request, bytes; 0 without requests
 * @param largest largest request, bytes
 * @param suspends waits for asynchronous requests
 * @param suspendNanos time lost in those waits
 * @param errors calls that failed
 */
public record OperationStats(
        long count,
        long nanos,
        long requested,
        long delivered,
        long smallest,
        long largest,
        long suspends,
        long suspendNanos,
        long errors) {
    /** Nothing happened. */
    public static final OperationStats NONE = new OperationStats(0, 0, 0, 0, 0, 0, 0, 0, 0);
}
