package io.mio.cli.top;

import io.mio.live.LivePages;
import io.mio.stats.OperationStats;
import io.mio.stats.PfSnapshot;
import io.mio.stats.TraceOperation;
import io.mio.stats.TraceSnapshot;
import java.util.stream.LongStream;

/**
 * Figures that only grow while a file is open: of a file, a process or everything; or their growth
 * over an interval.
 *
 * @param reads calls of the program that read
 * @param readBytes bytes they delivered
 * @param writes calls of the program that write
 * @param writtenBytes bytes they took
 * @param calls all calls but seeks
 * @param ioNanos time of the program's threads in reads and writes, and in waits for them
 * @param errors calls that failed
 * @param cachedReads reads of the program that a cache answered
 * @param hits reads of these that found everything in pages
 * @param waits waits for pages on their way
 * @param waitNanos time in these waits
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

    /**
     * Most that one file can count: a thread that only does I/O needs 36 years to spend as many
     * nanoseconds.
     */
    private static final long MAX = 1L << 60;

    private static final long DAMAGED = -1;

    /** Returns the figures of a trace layer. */
    static Counters of(TraceSnapshot trace) {
        long calls = 0;
        long errors = 0;
        for (TraceOperation operation : TraceOperation.values()) {
            OperationStats one = trace.of(operation);
            // A request that names its offset counts as a seek besides, and is one call.
            if (operation != TraceOperation.SEEK) {
                calls = sum(calls, one.count());
            }
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
     * Returns the figures of the pages of a file.
     *
     * @param alone whether no trace layer counts what the program does
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

    /** Returns the sum; {@link #DAMAGED} if one of the numbers is impossible. */
    private static long sum(long one, long other) {
        return one < 0 || other < 0 || one + other < 0 ? DAMAGED : one + other;
    }

    /** Returns whether a number is one that no program counts, so that its file is damaged. */
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

    /** Adds numbers that are not damaged; too large a sum becomes the largest number. */
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
     * Returns the growth since an earlier reading of the same counters. The numbers of one call are
     * stored one after another, so that one may seem to have gone back by a call: that counts as no
     * growth.
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

    /**
     * Returns the share of a cache's reads that found everything in pages; not a number without
     * any.
     */
    double hitShare() {
        return cachedReads == 0 ? Double.NaN : Math.min(1, (double) hits / cachedReads);
    }
}
