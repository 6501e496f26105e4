package io.mio.cli.top;

import io.mio.live.LivePages;
import io.mio.stats.OperationStats;
import io.mio.stats.PfSnapshot;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import java.util.stream.LongStream;

/**
 * What only grows while a file is open: of a file, a process or everything; or the growth of it
 * over an interval.
 *
 * @param reads calls of the program that read
 * @param readBytes bytes they delivered
 * @param writes calls of the program that write
 * @param writtenBytes bytes they took
 * @param calls all calls
 * @param ioNanos time of the program's threads in reads and writes, and in waits for them
 * @param errors calls that failed
 * @param cachedReads reads of the program that a cache answered
 * @param hits of these, reads that found everything in pages
 * @param waits waits for pages on their way
 * @param waitNanos time in these
 */
public record Counters(
        long reads,
        long readBytes,
        long writes,
        long writtenBytes,
        long calls,
        long ioNanos,
        long errors,
        long cachedReads,
        long hits,
        long waits,
        long waitNanos) {
    static final Counters NONE = new Counters(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Of one file; a thread that does nothing else is 36 years in its calls until then. */
    private static final long MAX = 1L << 60;

    private static final long DAMAGED = -1;

    /** What a trace layer counted. */
    static Counters of(TraceSnapshot trace) {
        long calls = 0;
        long errors = 0;
        for (OperationStats one : trace.operations()) {
            calls = sum(calls, one.count());
            errors = sum(errors, one.errors());
        }
        OperationStats read = trace.of(TraceOperation.READ);
        OperationStats aread = trace.of(TraceOperation.AREAD);
        OperationStats write = trace.of(TraceOperation.WRITE);
        OperationStats awrite = trace.of(TraceOperation.AWRITE);
        return new Counters(
                sum(read.count(), aread.count()),
                sum(read.delivered(), aread.delivered()),
                sum(write.count(), awrite.count()),
                sum(write.delivered(), awrite.delivered()),
                calls,
                trace.transferNanos(),
                errors,
                0,
                0,
                0,
                0);
    }

    /**
     * What the pages of a file counted.
     *
     * @param alone no trace layer counts what the program does
     */
    static Counters of(LivePages pages, boolean alone) {
        PfSnapshot.Transfers program = pages.counters().program();
        PfSnapshot.Details details = pages.counters().details();
        return new Counters(
                alone ? program.reads() : 0,
                alone ? program.bytesRead() : 0,
                alone ? program.writes() : 0,
                alone ? program.bytesWritten() : 0,
                alone ? sum(program.reads(), program.writes()) : 0,
                0,
                0,
                program.reads(),
                details.hits(),
                details.prefetchWaits(),
                details.prefetchWaitNanos());
    }

    /** {@link #DAMAGED} if one of them cannot be. */
    private static long sum(long one, long other) {
        return one < 0 || other < 0 || one + other < 0 ? DAMAGED : one + other;
    }

    /** Whether a number is one that no program counts: its file was damaged. */
    boolean isDamaged() {
        return LongStream.of(
                        reads,
                        readBytes,
                        writes,
                        writtenBytes,
                        calls,
                        ioNanos,
                        errors,
                        cachedReads,
                        hits,
                        waits,
                        waitNanos)
                .anyMatch(number -> number < 0 || number > MAX);
    }

    /** Of numbers that are not damaged; too large a sum is the largest number. */
    Counters plus(Counters other) {
        return new Counters(
                added(reads, other.reads),
                added(readBytes, other.readBytes),
                added(writes, other.writes),
                added(writtenBytes, other.writtenBytes),
                added(calls, other.calls),
                added(ioNanos, other.ioNanos),
                added(errors, other.errors),
                added(cachedReads, other.cachedReads),
                added(hits, other.hits),
                added(waits, other.waits),
                added(waitNanos, other.waitNanos));
    }

    private static long added(long one, long other) {
        return one + other < 0 ? Long.MAX_VALUE : one + other;
    }

    /**
     * The growth since an earlier reading of the same counters. Numbers of one call are stored one
     * after another, so that one may seem to have gone back by a call: that is no growth.
     */
    Counters since(Counters before) {
        return new Counters(
                growth(reads, before.reads),
                growth(readBytes, before.readBytes),
                growth(writes, before.writes),
                growth(writtenBytes, before.writtenBytes),
                growth(calls, before.calls),
                growth(ioNanos, before.ioNanos),
                growth(errors, before.errors),
                growth(cachedReads, before.cachedReads),
                growth(hits, before.hits),
                growth(waits, before.waits),
                growth(waitNanos, before.waitNanos));
    }

    private static long growth(long now, long before) {
        return Math.max(0, now - before);
    }

    /** Share of the reads of a cache that found everything in pages; not a number without any. */
    double hitShare() {
        return cachedReads == 0 ? Double.NaN : Math.min(1, (double) hits / cachedReads);
    }
}
